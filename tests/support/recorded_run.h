// A run file run to its end with its results and events read back.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "loaded_model.h"  // temporary_run_file
#include "trammel/host/simulation.h"

namespace trammel {

struct RecordedEvent {
  double t;
  std::string element, name;
  int direction;
};

struct RecordedRun {
  explicit RecordedRun(const std::filesystem::path& file, const std::vector<std::string>& set = {}) {
    const std::filesystem::path folder = file.parent_path() / "recorded";
    Simulation simulation(file, {set, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    simulation.write_results(folder);
    status = simulation.run();
    message = simulation.message();
    CHECK_MESSAGE(status == RunStatus::completed, message);
    const std::string summary = simulation.summary_json(), key = "\"energy_drift\":";
    energy_drift = std::strtod(summary.c_str() + summary.find(key) + key.size(), nullptr);
    read_rows(folder / "results.csv");
    read_events(folder / "events.csv");
  }

  std::size_t column(const std::string& name) const {
    const auto at = std::find(header.begin(), header.end(), name);
    REQUIRE_MESSAGE(at != header.end(), name);
    return static_cast<std::size_t>(at - header.begin());
  }
  double final(const std::string& name) const { return rows.back()[column(name)]; }
  double t() const { return rows.back()[0]; }
  double largest(const std::string& name) const {
    double value = 0;
    for (const auto& row : rows) {
      const double size = std::abs(row[column(name)]);
      value = std::isnan(value) || size <= value ? value : size;  // NaN stays, and fails every comparison
    }
    return value;
  }

  RunStatus status;
  std::string message;
  double energy_drift;
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
  std::vector<RecordedEvent> events;

 private:
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    return all;
  }
  void read_rows(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    header = cells(line);
    while (std::getline(stream, line)) {
      rows.emplace_back();
      for (const std::string& cell : cells(line)) rows.back().push_back(std::strtod(cell.c_str(), nullptr));
    }
  }
  void read_events(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      const std::vector<std::string> row = cells(line);
      events.push_back({std::strtod(row[0].c_str(), nullptr), row[1], row[2], std::atoi(row[3].c_str())});
    }
  }
};

}  // namespace trammel
