// What importers say about a file: places in it, what was lost, and what makes them refuse it.
#pragma once

#include <cstdint>
#include <string>

#include "trammel/error.h"
#include "trammel/importer.h"

namespace trammel::sdk {

/// Where something stands in a file.
struct ImportPlace {
  std::string file;
  int line = 0;     ///< from 1; 0: the file as a whole
  std::string tag;  ///< element or statement, "" for none
};

/// Throws Error(input): "FILE:LINE: <TAG>: text".
[[noreturn]] inline void refuse_file(const ImportPlace& place, const std::string& text) {
  throw Error(ErrorKind::input, place.file + (place.line > 0 ? ":" + std::to_string(place.line) : "") + ": " +
                                    (place.tag.empty() ? "" : "<" + place.tag + ">: ") + text);
}

/// Notes of one import.
class ImportNotes {
 public:
  explicit ImportNotes(ImportedFile& out) : out_(out) {}

  /// `text` is one clause without a full stop.
  void lost(const ImportPlace& place, const std::string& text) { note(ImportLoss::lost, place, text); }
  void approximated(const ImportPlace& place, const std::string& text) { note(ImportLoss::approximate, place, text); }
  void remark(const ImportPlace& place, const std::string& text) { note(ImportLoss::none, place, text); }

 private:
  void note(ImportLoss loss, const ImportPlace& place, const std::string& text) {
    out_.note({loss, static_cast<std::int32_t>(place.line), place.file.c_str(), place.tag.c_str(), text.c_str()});
  }
  ImportedFile& out_;
};

}  // namespace trammel::sdk
