// A run file run to its end through the library, for tests of what came out.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "loaded_model.h"  // temporary_run_file, for run files from text
#include "trammel/host/simulation.h"

namespace trammel {

struct FinishedRun {
  explicit FinishedRun(const std::filesystem::path& file, std::vector<std::string> sets = {})
      : simulation(file, {std::move(sets), {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}}) {
    CHECK(simulation.run() == RunStatus::completed);
    CHECK(simulation.message() == "");
  }

  /// At the end of the run.
  double channel(const std::string& name) {
    const std::vector<std::string>& names = simulation.channels();
    const auto at = std::find(names.begin(), names.end(), name);
    REQUIRE_MESSAGE(at != names.end(), name);
    return simulation.channel_values()[static_cast<std::size_t>(at - names.begin())];
  }
  double energy_drift() {
    const std::string summary = simulation.summary_json(), key = "\"energy_drift\":";
    const std::size_t at = summary.find(key);
    REQUIRE(at != std::string::npos);
    return std::strtod(summary.c_str() + at + key.size(), nullptr);
  }

  Simulation simulation;
};

}  // namespace trammel
