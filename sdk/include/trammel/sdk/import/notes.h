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

/// Names and values of files may hold line ends and control characters, which break a line or colour a terminal.
inline std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

/// Throws Error(input): "FILE:LINE: <TAG>: text".
[[noreturn]] inline void refuse_file(const ImportPlace& place, const std::string& text) {
  throw Error(ErrorKind::input, place.file + (place.line > 0 ? ":" + std::to_string(place.line) : "") + ": " +
                                    (place.tag.empty() ? "" : "<" + on_one_line(place.tag) + ">: ") +
                                    on_one_line(text));
}

/// For importers that read no side files of loops.
inline void refuse_loops(const ImportRequest& request) {
  if (*request.loops != 0)
    refuse_file({request.file, 0, ""},
                "--loops goes with files of URDF; in this format, joints close loops themselves");
}

/// Notes of one import.
class ImportNotes {
 public:
  explicit ImportNotes(ImportedFile& out) : out_(out) {}

  /// `text` is one clause without a full stop.
  void lost(const ImportPlace& place, const std::string& text) { note(ImportLoss::lost, place, text); }
  void approximated(const ImportPlace& place, const std::string& text) { note(ImportLoss::approximate, place, text); }
  /// Not in the run file, and the model moves where the file does not let it.
  void unconstrained(const ImportPlace& place, const std::string& text) { note(ImportLoss::constraint, place, text); }
  void remark(const ImportPlace& place, const std::string& text) { note(ImportLoss::none, place, text); }

  void source(const std::string& path, const ImportPlace& place) {
    if (!place.file.empty()) out_.source(record(path.c_str(), place));
  }
  void range(const std::string& channel, const std::string& joint, double lower, double upper,
             const ImportPlace& place) {
    out_.range({channel.c_str(), joint.c_str(), lower, upper, record("", place)});
  }
  void reads(const std::string& file) { out_.reads(file.c_str()); }

 private:
  static ImportSource record(const char* path, const ImportPlace& place) {
    return {path, place.file.c_str(), place.tag.c_str(), static_cast<std::int32_t>(place.line)};
  }
  void note(ImportLoss loss, const ImportPlace& place, const std::string& text) {
    const std::string said = on_one_line(text);
    out_.note({loss, static_cast<std::int32_t>(place.line), place.file.c_str(), place.tag.c_str(), said.c_str()});
  }
  ImportedFile& out_;
};

}  // namespace trammel::sdk
