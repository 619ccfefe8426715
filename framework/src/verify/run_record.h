// What verification knows of one run: its rows at given times, its events, how it ended.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/search_folder.h"
#include "trammel/host/simulation.h"

namespace trammel {

using VerifyJson = nlohmann::ordered_json;

/// Told about progress; `step` as in RunObserver.
class VerifyObserver {
 public:
  virtual ~VerifyObserver() = default;
  /// A run begins: "dopri853 under projection, rtol 1e-10".
  virtual void begin(const std::string& what) { (void)what; }
  virtual bool step(double t, double t_end, double h, long steps) {
    (void)t, (void)t_end, (void)h, (void)steps;
    return true;
  }
};

struct RunEventRecord {
  double t = 0;
  std::string name;  ///< "stop.contact", "analysis.arrived"
  int direction = 0;
};

struct RunRecord {
  bool completed = false;
  bool interrupted = false;  ///< by the user
  std::string message;       ///< why it did not complete
  std::vector<std::string> columns;
  std::vector<double> t;
  std::vector<double> values;  ///< row by row
  std::vector<RunEventRecord> events;
  VerifyJson summary;

  std::size_t rows() const { return t.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
};

struct RunOrder {
  std::filesystem::path file;
  std::vector<std::string> set;
  PluginSearch plugins;
  std::filesystem::path folder;      ///< results are written there
  std::vector<std::string> columns;  ///< that are wanted ...
  std::vector<double> times;         ///< ... at these times, ascending
  long most_steps = 0;               ///< the run is given up after so many; 0: never
};

/// Runs and collects. What makes the run impossible (wrong input, refused combinations) is its message.
RunRecord collect(const RunOrder& order, VerifyObserver& observer);

/// A finished run from its folder.
RunRecord read_record_of(const std::filesystem::path& folder);

}  // namespace trammel
