// Tables of columns by name: reference data, and the results of a run made through the library's Simulation.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "process.h"
#include "trammel/host/simulation.h"

namespace trammel {

using Column = std::vector<double>;

class Table {
 public:
  explicit Table(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line, cell;
    if (!std::getline(stream, line)) throw std::runtime_error(file.string() + " cannot be read");
    std::istringstream header(line);
    while (std::getline(header, cell, ',')) names_.push_back(cell);
    while (std::getline(stream, line)) {
      std::istringstream row(line);
      for (const std::string& name : names_) {
        if (!std::getline(row, cell, ',')) throw std::runtime_error(file.string() + " has a short row: " + line);
        columns_[name].push_back(std::strtod(cell.c_str(), nullptr));  // stod throws on denormal numbers
      }
    }
  }

  const Column& operator[](const std::string& name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) throw std::runtime_error("there is no column " + name);
    return found->second;
  }
  std::size_t rows() const { return columns_.at(names_.front()).size(); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, Column> columns_;
};

/// From tests/data, or from configs/benchmarks if a shipped study uses it too.
inline Table reference(const std::string& file) {
  const std::filesystem::path shipped = std::filesystem::path(TRAMMEL_SOURCE_DIR "/configs/benchmarks") / file;
  return Table(std::filesystem::exists(shipped) ? shipped.string() : TRAMMEL_SOURCE_DIR "/tests/data/" + file);
}
inline std::string example(const std::string& name) { return TRAMMEL_SOURCE_DIR "/configs/examples/" + name + ".json"; }
inline std::string plugin_case(const std::string& folder, const std::string& name) {
  return TRAMMEL_SOURCE_DIR "/plugins/" + folder + "/cases/" + name + ".json";
}

/// results.csv of a run that must complete.
inline Table results(const std::filesystem::path& run_file, const std::vector<std::string>& set = {}) {
  const TemporaryFolder folder;
  Simulation simulation(run_file, {set, {}});
  simulation.write_results(folder.path());
  if (simulation.run() != RunStatus::completed) throw std::runtime_error(simulation.message());
  return Table(folder.path() / "results.csv");
}

/// The same with the run file given as text.
inline Table results_of(const std::string& json, const std::vector<std::string>& set = {}) {
  const TemporaryFolder folder;
  write_text(folder.path() / "run.json", json);
  return results(folder.path() / "run.json", set);
}

/// Every `stride`-th entry.
inline Column every(const Column& column, std::size_t stride) {
  Column out;
  for (std::size_t i = 0; i < column.size(); i += stride) out.push_back(column[i]);
  return out;
}

/// max |x|; NaN, of which every comparison fails, if one is NaN or there is none.
inline double largest(const Column& column) {
  double worst = column.empty() ? NAN : 0;
  for (double x : column) worst = std::isnan(worst) || std::abs(x) <= worst ? worst : std::abs(x);
  return worst;
}

/// max |a - b|; infinite if the lengths differ, so that a missing row fails.
inline double difference(const Column& a, const Column& b) {
  if (a.size() != b.size()) return INFINITY;
  Column off;
  for (std::size_t i = 0; i < a.size(); ++i) off.push_back(a[i] - b[i]);
  return largest(off);
}

/// f(t) against a column.
template <class F>
double difference(const Table& table, const std::string& name, F f) {
  Column expected;
  for (double t : table["t"]) expected.push_back(f(t));
  return difference(table[name], expected);
}

/// Angle of a turn about z from Euler parameters, continuous over the rows.
inline Column turn_about_z(const Table& table, const std::string& body) {
  Column angle;
  const Column &e0 = table[body + ".e0"], &e3 = table[body + ".e3"];
  for (std::size_t i = 0; i < e0.size(); ++i) {
    double value = 2 * std::atan2(e3[i], e0[i]);
    const double before = angle.empty() ? value : angle.back();
    value += 2 * M_PI * std::round((before - value) / (2 * M_PI));
    angle.push_back(value);
  }
  return angle;
}

inline Column shifted(Column column, double by) {
  for (double& x : column) x += by;
  return column;
}

}  // namespace trammel
