// Fingerprints of analyses.
#include <algorithm>
#include <cctype>

#include "check/cases.h"
#include "check/element_point.h"
#include "check/fingerprint_files.h"
#include "check/importer_bench.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

/// Numbers of the model and of its analysis, by their dotted paths.
void find_numbers(const Node& node, const std::string& path, std::vector<std::pair<std::string, double>>& found) {
  if (node.is_number()) found.emplace_back(path, node.number);
  for (const Member& member : node.members) find_numbers(member.value, path + "." + member.key, found);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    find_numbers(node.items[i], path + "." + std::to_string(i), found);
}

std::vector<std::string> random_settings(const Node& document, std::mt19937& random) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const char* section : {"parameters", "system", "analysis"}) {
    if (const Node* node = document.find(section)) find_numbers(*node, section, numbers);
  }
  std::vector<std::string> settings;
  for (const auto& [path, value] : numbers) {
    if (random() % 6 != 0) continue;
    const double other = value != 0          ? value * uniform(random, 0.8, 1.2)
                         : random() % 4 == 0 ? uniform(random, -0.1, 0.1)
                                             : 0;
    settings.push_back(path + "=" + number_text(other));
  }
  return settings;
}

/// Ends runs that go on for ever, at the same step each time.
class StepLimit final : public RunObserver {
 public:
  bool step(double, double, double, long steps) override { return steps < 20000; }
};

std::size_t digest_run(const fs::path& file, const SimulationOptions& options, const fs::path& out, Digest& digest) {
  fs::remove_all(out);
  try {
    Simulation run(file, options);
    run.write_results(out);
    StepLimit limit;
    run.run(&limit);
    digest.add(static_cast<double>(run.status())), digest.add(std::string_view(run.message()));
  } catch (const Error& error) {
    digest.add(std::string_view(error.what()));
    return 1;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(out)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t numbers = 1;
  for (const fs::path& made : files) {
    digest.add(std::string_view(made.filename().string()));
    if (made.filename() == "summary.json") {  // which has times on the clock, too
      const Node summary = read_json_file(made);
      for (const char* part : {"results", "warnings", "statistics", "final"}) {
        if (const Node* node = summary.find(part)) digest.add(std::string_view(to_json(*node)));
      }
      continue;
    }
    const std::string text = content_of(made);
    digest.add(std::string_view(text));
    numbers += numbers_in(text);
  }
  return numbers;
}

}  // namespace

std::size_t numbers_in(const std::string& text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (word && !inside) count += std::isdigit(static_cast<unsigned char>(c)) != 0;
    inside = word;
  }
  return count;
}

void digest_analyses(Subject& subject, int calls, Digest& digest) {
  for (const fs::path& file : subject.cases) {
    const Node document = read_json_file(file);
    SimulationOptions options{{}, {subject.file.parent_path()}};
    for (auto left = static_cast<std::ptrdiff_t>(calls / static_cast<int>(subject.cases.size())); left > 0;) {
      left -= static_cast<std::ptrdiff_t>(digest_run(file, options, check_folder() / "print", digest));
      options.set = random_settings(document, subject.random);
    }
  }
}

}  // namespace trammel::conformance
