// A run file run to its end through the library, and what tests ask of any simulation: channels, warnings, balances.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "loaded_model.h"  // temporary_run_file, for run files from text
#include "trammel/host/simulation.h"

namespace trammel {

/// With these --set arguments, and the plugins that were built beside the test.
inline SimulationOptions with_sets(std::vector<std::string> sets = {}) {
  return {std::move(sets), {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};
}

/// At the time reached.
inline double channel(Simulation& run, const std::string& name) {
  const std::vector<std::string>& names = run.channels();
  const auto at = std::find(names.begin(), names.end(), name);
  REQUIRE_MESSAGE(at != names.end(), name);
  return run.channel_values()[static_cast<std::size_t>(at - names.begin())];
}

/// What the summary says.
inline double energy_drift(Simulation& run) {
  const std::string summary = run.summary_json(), key = "\"energy_drift\":";
  const std::size_t at = summary.find(key);
  REQUIRE(at != std::string::npos);
  return std::strtod(summary.c_str() + at + key.size(), nullptr);
}

/// Whether one of the warnings so far has these words.
inline bool warned(const Simulation& run, const std::string& words) {
  const std::vector<std::string>& all = run.warnings();
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

struct FinishedRun {
  explicit FinishedRun(const std::filesystem::path& file, std::vector<std::string> sets = {})
      : simulation(file, with_sets(std::move(sets))) {
    CHECK(simulation.run() == RunStatus::completed);
    CHECK(simulation.message() == "");
  }

  /// At the end of the run.
  double channel(const std::string& name) { return trammel::channel(simulation, name); }
  double energy_drift() { return trammel::energy_drift(simulation); }

  Simulation simulation;
};

}  // namespace trammel
