// Importers: files of their own format are read, the same in the same words, as what they should become; broken ones are refused.
#include <cmath>

#include "check/cases.h"
#include "check/expected_tables.h"
#include "check/importer_bench.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

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
    const std::string bytes = content_of(file).substr(0, 4096);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      importer->recognises(bytes.data(), static_cast<std::int64_t>(size));  // cut anywhere
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

const char* loss_name(ImportLoss loss) {
  switch (loss) {
    case ImportLoss::none: return "none";
    case ImportLoss::approximate: return "approximate";
    case ImportLoss::lost: return "lost";
    case ImportLoss::constraint: return "constraint";
  }
  return "?";
}

void require_notes(const ImportedDocument& document, const Node* wanted, const std::string& file) {
  if (wanted == nullptr) return;
  for (const Node& one : wanted->items) {
    const auto says = [&](const char* key, const std::string& found, bool whole) {
      const Node* value = one.find(key);
      return value == nullptr || (whole ? value->text == found : found.find(value->text) != std::string::npos);
    };
    const auto matches = [&](const OwnedImportNote& note) {
      const Node* line = one.find("line");
      return says("tag", note.tag, true) && says("loss", loss_name(note.loss), true) &&
             says("text", note.text, false) && (line == nullptr || line->number == note.line);
    };
    require(std::any_of(document.notes().begin(), document.notes().end(), matches), "{}: no note is {}", file,
            to_json(one));
  }
  std::string all;
  for (const OwnedImportNote& note : document.notes()) all += "\n" + note.words();
  require(document.notes().size() == wanted->items.size(), "{}: {} notes were expected, not:{}", file,
          wanted->items.size(), all);
}

/// Each of them is a part of what some note says, with its place.
void require_words(const ImportedDocument& document, const Node* wanted, const std::string& file) {
  if (wanted == nullptr) return;
  for (const Node& words : wanted->items) {
    const auto& notes = document.notes();
    require(
        std::any_of(notes.begin(), notes.end(),
                    [&](const OwnedImportNote& note) { return note.words().find(words.text) != std::string::npos; }),
        "{}: no note says '{}'", file, words.text);
  }
}

void require_ranges(const ImportedDocument& document, const Node* wanted, double agreement, const std::string& file) {
  if (wanted == nullptr) return;
  for (const OwnedImportRange& range : document.ranges()) {
    const Node* value = wanted->find(range.channel);
    require(value != nullptr && value->items.size() == 2, "{}: a range of '{}' was not expected", file, range.channel);
    for (const auto& [found, end] : {std::pair{range.lower, &value->items[0]}, {range.upper, &value->items[1]}}) {
      const bool same = end->is_number() ? std::abs(found - end->number) <= agreement * std::max(1.0, std::abs(found))
                                         : std::isinf(found);  // null
      require(same, "{}: the range of '{}' is {} to {}; {} was expected", file, range.channel, range.lower, range.upper,
              to_json(*value));
    }
  }
  require(document.ranges().size() == wanted->members.size(), "{}: it has {} ranges; {} were expected", file,
          document.ranges().size(), wanted->members.size());
}

class Shown final : public ChannelObserver {
 public:
  explicit Shown(bool at_start) : at_start_(at_start) {}
  void sample(At at, double, double, ConstVectorView values) override {
    if (at == (at_start_ ? At::start : At::time)) values_.assign(values.data, values.data + values.size);
  }
  const std::vector<double>& values() const { return values_; }

 private:
  bool at_start_;
  std::vector<double> values_;
};

/// What expressions and laws of the file come to.
void require_shown(const Subject& subject, const ImportedDocument& document, const Node* wanted,
                   const std::string& file) {
  if (wanted == nullptr) return;
  const Node *time = wanted->find("t"), *channels = wanted->find("channels");
  require(time != nullptr && channels != nullptr, "{}: \"shows\" needs \"t\" and \"channels\"", file);
  const double t = time->number;
  std::string text =
      fmt::format("{{ \"trammel\": 2, \"analysis\": {{ \"type\": \"dynamics\", \"duration\": {} }}", t > 0 ? t : 1e-6);
  const Node made = parse_json(document.text(""), file);
  for (const Member& part : made.members) {
    if (part.key != "trammel" && part.key != "analysis" && part.key != "output")
      text += ", " + json_quoted(part.key) + ": " + to_json(part.value);
  }
  std::vector<std::string> names;
  for (const Member& channel : channels->members) names.push_back(channel.key);
  Simulation run(write_run_file(text + " }\n"), {{}, {subject.file.parent_path()}});
  Shown shown(t == 0);
  run.watch(names, t == 0 ? std::vector<double>{} : std::vector<double>{t}, shown);
  if (t > 0) run.run();
  require(shown.values().size() == names.size(), "{}: the motion of its run file ends with: {}", file, run.message());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = channels->members[i].value.number, found = shown.values()[i];
    require(std::abs(found - value) <= 1e-8 * std::max(1.0, std::abs(value)), "{}: '{}' is {} at {} s; {} was expected",
            file, names[i], found, t, value);
  }
}

/// Where the importer's files of a folder may be changed, with all that lies beside them.
fs::path copied(const fs::path& folder) {
  const fs::path own = check_folder() / (std::to_string(::getpid()) + "_importer");
  fs::create_directories(own);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file())
      fs::copy_file(entry.path(), own / entry.path().filename(), fs::copy_options::overwrite_existing);
  }
  return own;
}

/// One file as `expected` has it, or a variant of it.
struct ExpectedImport {
  const Node& all;      ///< the document
  const Node& wanted;   ///< the document, or the variant
  fs::path folder;      ///< of the file
  std::string message;  ///< where it stands

  const Node* find(const char* key) const {
    const Node* own = wanted.find(key);
    return own != nullptr || &wanted == &all ? own : all.find(key);
  }
};

void require_import(const Subject& subject, const ExpectedImport& expected) {
  const Node *file = expected.find("file"), *loops = expected.find("loops"), *rel = expected.find("rel"),
             *refused = expected.wanted.find("refused"), *becomes = expected.wanted.find("becomes");
  const CreatedImporterForCheck importer(subject, expected.find("with"));
  ImportedDocument document;
  std::string reason;
  const bool done = importer.read(expected.folder / file->text, document, reason,
                                  loops == nullptr ? fs::path() : expected.folder / loops->text);
  if (refused != nullptr) {
    require(!done, "{} is read; it should be refused: {}", expected.message, refused->text);
    require(reason.find(refused->text) != std::string::npos, "{} is refused with '{}'; '{}' was expected",
            expected.message, reason, refused->text);
    return;
  }
  require(done, "{} is refused: {}", expected.message, reason);
  const std::string bytes = content_of(expected.folder / file->text);
  require(importer->recognises(bytes.data(), static_cast<std::int64_t>(bytes.size())), "{} is not recognised",
          expected.message);
  const double agreement = rel == nullptr ? 1e-9 : rel->number;
  if (becomes != nullptr)
    require_contents(parse_json(document.text(""), file->text), *becomes, agreement, expected.message + ": ");
  require_notes(document, expected.wanted.find("notes"), expected.message);
  require_words(document, expected.wanted.find("says"), expected.message);
  require_ranges(document, expected.wanted.find("ranges"), agreement, expected.message);
  require_shown(subject, document, expected.wanted.find("shows"), expected.message);
}

/// The file of a variant: pieces of text take the place of others.
void change(const fs::path& file, const Node& pieces, const std::string& message) {
  std::string text = content_of(file);
  for (std::size_t k = 0; k + 1 < pieces.items.size(); k += 2) {
    const std::size_t at = text.find(pieces.items[k].text);
    require(at != std::string::npos, "{}: the file has no '{}'", message, pieces.items[k].text);
    text.replace(at, pieces.items[k].text.size(), pieces.items[k + 1].text);
  }
  std::ofstream(file, std::ios::binary) << text;
}

/// Files in the folder `expected` beside the importer's:
///   { "type": ..., "file": ..., "loops": ..., "with": {keys}, "rel": 1e-9, "becomes": {what the run file has, among other things},
///     "notes": [{ "line": 7, "tag": "limit", "loss": "lost", "text": part of its words }], "ranges": {channel: [lower, upper]},
///     "says": [parts of notes, with their places], "shows": { "t": 0.3, "channels": {"arm.x": 1.2} }, "variants": [{ "replace": [text, other text, ...], "becomes": ... }] }
/// Notes and ranges that are not listed are none, where there are lists. `shows` is what dynamics of the run file show at a
/// time. Variants may be "refused" as well: a part of the reason.
void importer_becomes(Subject& subject) {
  int compared = 0;
  for (const fs::path& folder : case_folders(subject)) {
    if (!fs::is_directory(folder / "expected")) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "expected")) {
      if (entry.path().extension() != ".json") continue;
      const Node expected = read_json_file(entry.path());
      const Node *file = expected.find("file"), *type = expected.find("type"), *variants = expected.find("variants");
      require(file != nullptr && type != nullptr, "{}: \"type\" and \"file\" are needed", entry.path().string());
      if (type->text != subject.component->type) continue;
      const std::string name = entry.path().filename().string() + ": " + file->text;
      require_import(subject, {expected, expected, folder, name});
      ++compared;
      if (variants == nullptr) continue;
      const fs::path own = copied(folder);
      for (std::size_t k = 0; k < variants->items.size(); ++k) {
        const Node& variant = variants->items[k];
        const Node* pieces = variant.find("replace");
        const std::string message = fmt::format("{}, variant {}", name, k + 1);
        fs::copy_file(folder / file->text, own / file->text, fs::copy_options::overwrite_existing);
        if (pieces != nullptr) change(own / file->text, *pieces, message);
        require_import(subject, {expected, variant, own, message});
      }
    }
  }
  if (compared == 0) skip("no folder `expected` in `cases` says what its files become");
}

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
