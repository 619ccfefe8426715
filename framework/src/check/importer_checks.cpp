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

/// Files in the folder `expected` beside the importer's:
///   { "type": ..., "file": ..., "loops": ..., "with": {keys}, "rel": 1e-9, "becomes": {what the run file has, among other things},
///     "notes": [{ "line": 7, "tag": "limit", "loss": "lost", "text": part of its words }], "ranges": {channel: [lower, upper]} }
/// Notes and ranges that are not listed are none, where there are lists. "shows": { "t": 0.3, "channels": {"arm.x": 1.2} }
/// is what dynamics of the run file show at a time.
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
      require_notes(document, expected.find("notes"), file->text);
      require_shown(subject, document, expected.find("shows"), file->text);
      require_ranges(document, expected.find("ranges"), rel == nullptr ? 1e-9 : rel->number, file->text);
      ++compared;
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
