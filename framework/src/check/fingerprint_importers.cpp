// Fingerprints of importers.
#include <filesystem>

#include "check/cases.h"
#include "check/element_point.h"
#include "check/fingerprint_files.h"
#include "check/importer_bench.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

struct Use {
  fs::path file, loops;
  Node with;
};

/// Files as the folder `expected` reads them, and all others with defaults.
std::vector<Use> uses_of(const Subject& subject, const fs::path& cases) {
  std::vector<Use> uses;
  for (const fs::path& file : own_files(subject, *CreatedImporterForCheck(subject)))
    uses.push_back({file.filename(), {}, {}});
  std::vector<fs::path> places;
  if (fs::is_directory(cases / "expected")) {
    for (const auto& entry : fs::directory_iterator(cases / "expected")) places.push_back(entry.path());
  }
  std::sort(places.begin(), places.end());
  for (const fs::path& place : places) {
    if (place.extension() != ".json") continue;
    const Node expected = read_json_file(place);
    const Node *file = expected.find("file"), *type = expected.find("type"), *with = expected.find("with"),
               *loops = expected.find("loops");
    if (file == nullptr || type == nullptr || type->text != subject.component->type) continue;
    uses.push_back(
        {file->text, loops != nullptr ? fs::path(loops->text) : fs::path(), with != nullptr ? *with : Node()});
  }
  return uses;
}

/// Some numbers become others, and now and then a byte or a piece of text does.
std::string edited(const std::string& text, std::mt19937& random) {
  std::string out;
  const bool rough = random() % 4 == 0;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = (std::isdigit(static_cast<unsigned char>(text[i])) != 0) &&
                        (i == 0 || std::string_view(" \t\n\"'=>,-(").find(text[i - 1]) != std::string_view::npos);
    if (begins && random() % 5 == 0) {
      char* end = nullptr;
      const double x = std::strtod(text.c_str() + i, &end);
      const double factor = random() % 8 == 0 ? -1 : uniform(random, 0.5, 1.5);
      out += number_text(random() % 12 == 0 ? 0 : x * factor);
      i = static_cast<std::size_t>(end - text.c_str());
    } else if (rough && random() % 300 == 0) {
      out += static_cast<char>(' ' + random() % 90);
      ++i;
    } else {
      out += text[i++];
    }
  }
  return out;
}

/// Number of values that came out.
std::size_t digest_reading(const CreatedImporterForCheck& importer, const fs::path& file, const fs::path& loops,
                           Digest& digest) {
  ImportedDocument document;
  std::string reason;
  const bool done = importer.read(file, document, reason, loops);
  digest.add(done ? 1.0 : 0.0), digest.add(std::string_view(reason));
  if (!done) return 1;
  const std::string text = document.text("");
  digest.add(std::string_view(text));
  for (const OwnedImportNote& note : document.notes())
    digest.add(std::string_view(note.words())), digest.add(static_cast<double>(note.loss));
  for (const OwnedImportRange& range : document.ranges()) {
    digest.add(range.lower), digest.add(range.upper);
    digest.add(std::string_view(range.channel + " " + range.joint + " " + range.source.words() + range.source.path));
  }
  for (const std::string& other : document.files()) digest.add(std::string_view(other));
  return numbers_in(text);
}

}  // namespace

void digest_importers(Subject& subject, int calls, Digest& digest) {
  // Beside copies of the cases' files, and by names without a folder, which messages repeat.
  const fs::path own = check_folder();
  fs::current_path(own);
  for (const fs::path& cases : case_folders(subject)) {
    for (const auto& entry : fs::directory_iterator(cases)) {
      if (entry.is_regular_file())
        fs::copy_file(entry.path(), own / entry.path().filename(), fs::copy_options::overwrite_existing);
    }
    const std::vector<Use> uses = uses_of(subject, cases);
    for (const Use& use : uses) {
      const CreatedImporterForCheck importer(subject, &use.with);
      const std::string text = content_of(use.file);
      const fs::path edit = "edited" + use.file.extension().string();
      digest_reading(importer, use.file, use.loops, digest);
      for (auto left = static_cast<std::ptrdiff_t>(calls / static_cast<int>(uses.size())); left > 0;) {
        std::ofstream(edit, std::ios::binary) << edited(text, subject.random);
        left -= 1 + static_cast<std::ptrdiff_t>(digest_reading(importer, edit, use.loops, digest));
      }
    }
  }
}

}  // namespace trammel::conformance
