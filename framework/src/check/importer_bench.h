// Importers as the command line creates them, and the files of their cases.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "check/check.h"
#include "config/json_source.h"
#include "import/imported_document.h"
#include "model/component.h"
#include "model/no_model.h"
#include "plugin/create.h"
#include "plugin/installed_tree.h"

namespace trammel::conformance {

/// An importer with the defaults of its keys, but for those of `keys`.
class CreatedImporterForCheck {
 public:
  explicit CreatedImporterForCheck(const Subject& subject, const Node* keys = nullptr) {
    node_.kind = Node::Kind::object;
    node_.members.push_back({"type", {}, Node::make_text(subject.component->type, {})});
    if (keys != nullptr) {
      for (const Member& key : keys->members) node_.members.push_back(key);
    }
    section_.type = subject.component->type, section_.node = &node_, section_.path = "";
    run_.folder = std::filesystem::current_path();
    component_ = make_component(*subject.host, run_, section_, ComponentKind::importer, no_model(), nullptr);
  }
  const Importer& operator*() const { return component_.as<Importer>(); }
  const Importer* operator->() const { return &component_.as<Importer>(); }

  /// Reads a file, with a side file of loops where one is given; false with `reason`.
  bool read(const std::filesystem::path& file, ImportedDocument& document, std::string& reason,
            const std::filesystem::path& loops = "") const {
    const std::string name = file.string(), side = loops.string();
    const ImportRequest request{sizeof(ImportRequest), 0, name.c_str(), side.c_str(), nullptr};
    RefusalBuffer refusal;
    const bool done = component_.as<Importer>().read(request, document, refusal.refusal());
    reason = refusal.refusal().text;
    return done;
  }

 private:
  Node node_;
  Section section_;
  RunFile run_;
  Component component_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Files in these folders with the importer's endings, that it recognises.
inline std::vector<std::filesystem::path> own_files(const Subject& subject, const Importer& importer) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : case_folders(subject)) {
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(place)) {
      const std::string ending = entry.path().extension().string();
      std::istringstream endings(importer.file_endings());
      for (std::string word; endings >> word;) {
        const std::string text = ending == "." + word ? content_of(entry.path()) : "";
        if (!text.empty() && importer.recognises(text.data(), static_cast<std::int64_t>(text.size())))
          files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A folder for broken files, for as long as it lives.
struct OwnFolder {
  std::filesystem::path path;
  OwnFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "trammel_check_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("no folder for broken files can be made: {}", name);
    path = name;
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
};

}  // namespace trammel::conformance
