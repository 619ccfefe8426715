// Importers: files of their own format are read, the same in the same words, as what they should become; broken ones are refused.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "check/cases.h"
#include "check/check.h"
#include "config/json_source.h"
#include "import/imported_document.h"
#include "model/component.h"
#include "model/no_model.h"
#include "plugin/create.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

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
    run_.folder = fs::current_path();
    component_ = make_component(*subject.host, run_, section_, ComponentKind::importer, no_model(), nullptr);
  }
  const Importer& operator*() const { return component_.as<Importer>(); }
  const Importer* operator->() const { return &component_.as<Importer>(); }

  /// Reads a file, with a side file of loops where one is given; false with `reason`.
  bool read(const fs::path& file, ImportedDocument& document, std::string& reason, const fs::path& loops = "") const {
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

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Files in these folders with the importer's endings, that it recognises.
std::vector<fs::path> own_files(const Subject& subject, const Importer& importer) {
  std::vector<fs::path> files;
  for (const fs::path& place : case_folders(subject)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
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

void importer_endings(Subject& subject) {
  const CreatedImporterForCheck one(subject), two(subject);
  std::istringstream endings(one->file_endings());
  int count = 0;
  for (std::string word; endings >> word; ++count) {
    for (const char c : word)
      require((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'), "ending '{}' is not in lower case, without a dot",
              word);
  }
  require(count > 0, "file_endings() names no ending");
  require(one->extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  require(!one->recognises("", 0), "it recognises an empty file");
}

void importer_reads(Subject& subject) {
  const CreatedImporterForCheck importer(subject);
  const std::vector<fs::path> files = own_files(subject, *importer);
  if (files.empty()) skip("no file of its format lies in `cases`");
  for (const fs::path& file : files) {
    ImportedDocument first, second;
    std::string reason;
    require(importer.read(file, first, reason), "{} is refused: {}", file.string(), reason);
    require(importer.read(file, second, reason), "{} is refused the second time: {}", file.string(), reason);
    first.check(subject.plugin->id);
    require(first.text("") == second.text(""), "{} gives another run file the second time", file.string());
    require(first.notes().size() == second.notes().size(), "{} gives other notes the second time", file.string());
    for (const OwnedImportNote& note : first.notes()) {
      require(!note.file.empty() && !note.text.empty(), "a note on {} has no file or no text", file.string());
      require(note.text.back() != '.', "a note on {} ends in a full stop: '{}'", file.string(), note.text);
    }
  }
}

/// Fails where `found` has not what `wanted` has: members of objects by name (null: none), numbers to `agreement` of the larger of 1
/// and their size.
void require_contents(const Node& found, const Node& wanted, double agreement, const std::string& path) {
  if (wanted.is_object()) {
    require(found.is_object(), "{} is {}; an object was expected", path, describe(found));
    for (const Member& member : wanted.members) {
      const Node* value = found.find(member.key);
      const std::string place = path + "/" + member.key;
      if (member.value.kind == Node::Kind::null) {
        require(value == nullptr, "{} was not expected", place);
        continue;
      }
      require(value != nullptr, "{} is missing", place);
      require_contents(*value, member.value, agreement, place);
    }
  } else if (wanted.is_array()) {
    require(found.is_array() && found.items.size() == wanted.items.size(), "{} is {}; {} entries were expected", path,
            to_json(found), wanted.items.size());
    for (std::size_t i = 0; i < wanted.items.size(); ++i)
      require_contents(found.items[i], wanted.items[i], agreement, path + "/" + std::to_string(i));
  } else if (wanted.is_number()) {
    require(found.is_number() &&
                std::abs(found.number - wanted.number) <= agreement * std::max(1.0, std::abs(wanted.number)),
            "{} is {}; {} was expected", path, to_json(found), to_json(wanted));
  } else {
    require(to_json(found) == to_json(wanted), "{} is {}; {} was expected", path, to_json(found), to_json(wanted));
  }
}

/// Files in the folder `expected` beside the importer's:
///   { "type": ..., "file": ..., "loops": ..., "with": {keys}, "rel": 1e-9, "becomes": {what the run file has, among other things} }
void importer_becomes(Subject& subject) {
  int compared = 0;
  for (const fs::path& folder : case_folders(subject)) {
    if (!fs::is_directory(folder / "expected")) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "expected")) {
      if (entry.path().extension() != ".json") continue;
      const Node expected = read_json_file(entry.path());
      const Node *file = expected.find("file"), *becomes = expected.find("becomes"), *type = expected.find("type"),
                 *loops = expected.find("loops");
      require(file != nullptr && becomes != nullptr && type != nullptr,
              "{}: \"type\", \"file\" and \"becomes\" are needed", entry.path().string());
      if (type->text != subject.component->type) continue;
      const CreatedImporterForCheck importer(subject, expected.find("with"));
      ImportedDocument document;
      std::string reason;
      require(importer.read(folder / file->text, document, reason, loops == nullptr ? "" : folder / loops->text),
              "{} is refused: {}", file->text, reason);
      const Node* rel = expected.find("rel");
      require_contents(parse_json(document.text(""), file->text), *becomes, rel == nullptr ? 1e-9 : rel->number,
                       entry.path().filename().string() + ": " + file->text + ": ");
      ++compared;
    }
  }
  if (compared == 0) skip("no folder `expected` in `cases` says what its files become");
}

/// A folder for broken files, for as long as it lives.
struct OwnFolder {
  fs::path path;
  OwnFolder() {
    std::string name = (fs::temp_directory_path() / "trammel_check_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("no folder for broken files can be made: {}", name);
    path = name;
  }
  ~OwnFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
};

/// Cut off in many places and with bytes changed: read as a whole or refused with a reason, and never more.
void importer_broken(Subject& subject) {
  const CreatedImporterForCheck importer(subject);
  const std::vector<fs::path> files = own_files(subject, *importer);
  if (files.empty()) skip("no file of its format lies in `cases`");
  const OwnFolder own;
  const fs::path& folder = own.path;
  for (const fs::path& file : files) {
    const std::string text = content_of(file);
    const fs::path broken = folder / ("broken" + file.extension().string());
    for (int k = 0; k < 40; ++k) {
      std::string changed = text;
      const auto at = std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(subject.random);
      if (k % 2 == 0)
        changed.resize(at);
      else
        changed[at] = static_cast<char>(std::uniform_int_distribution<int>(1, 255)(subject.random));
      std::ofstream(broken, std::ios::binary) << changed;
      ImportedDocument document;
      std::string reason;
      if (importer.read(broken, document, reason))
        document.check(subject.plugin->id);
      else
        require(!reason.empty(), "a broken file is refused without a reason");
    }
  }
}

}  // namespace

void add_importer_checks(std::vector<Check>& checks) {
  checks.push_back({"importer.endings", Level::contract, "its endings are words, and it knows no other formats",
                    "endings with a dot, or recognises() returns true for everything", importer_endings, ""});
  checks.push_back({"importer.reads", Level::contract, "files of its format are read, twice in the same words",
                    "a place is put twice, a text is no JSON, or something is kept in a static", importer_reads,
                    "importer.endings"});
  checks.push_back({"importer.becomes", Level::mathematics, "files become what `expected` says",
                    "an axis, a sign or an order of numbers; a unit", importer_becomes, "importer.reads"});
  checks.push_back({"importer.broken", Level::contract, "broken files are refused with a reason",
                    "read() returns false without a text, or puts parts that do not go together", importer_broken,
                    "importer.endings"});
}

}  // namespace trammel::conformance
