// A study file, read and typed as far as that goes without knowing any plugin; its cases enumerated.
#pragma once

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "config/set_argument.h"
#include "study/study_options.h"
#include "trammel/parameters.h"

namespace trammel {

/// One run of a study: its run file and the settings that make it.
struct StudyCase {
  std::string name;            ///< as in `cases`, then "key=value,..." of `vary`
  std::string folder;          ///< the name made fit for a file system; no two cases share it
  std::string own_name;        ///< the part from `cases`, "" without
  std::filesystem::path base;  ///< the run file
  std::vector<Setting> set;    ///< in the order in which they are applied
  std::size_t varied = 0;      ///< so many of `set`, before those sampled, are from `vary`
  std::size_t sampled = 0;     ///< the last so many of `set` are from `sample`
  std::size_t point = 0;       ///< of the sample, from 1; 0: not sampled

  /// The value given to this path, or nullptr.
  const Node* find(const std::string& path) const;
  /// The name without the part that varies `path`: what the cases along `path` have in common.
  std::string name_without(const std::string& path) const;
  /// The name of all cases that differ by their point of the sample alone; "" where there are no others.
  std::string sampled_group() const;
};

/// "key=value" as case names show it: objects by their "type".
std::string setting_label(const Setting& setting);

/// One entry of `metrics`.
struct MetricSection {
  std::string name, type;
  const Node* node = nullptr;
  Place place;
  std::string path;
  std::vector<std::string> cases;  ///< names of the cases it is taken in; empty: all

  bool applies_to(const StudyCase& c) const;
};

/// One entry of `expect`. Left-out numbers are NaN.
struct Expectation {
  std::string case_name, metric, source;  ///< "" if left out
  double printed, value, rel, abs, below, above;
  std::int32_t status;  ///< 0 completed, 1 failed, -1 left out
  bool timing;
  const Node* node = nullptr;
  std::string path;

  bool expects_failure() const { return status == 1; }
  /// A printed figure that nothing is judged by: the source's computer or its rounding made it.
  bool shows_only() const {
    return !std::isnan(printed) && std::isnan(value) && std::isnan(below) && std::isnan(above) && status < 0;
  }
};

/// What is left of `sample` when its points are cases.
struct SampleDesign {
  std::vector<std::string> paths;  ///< of the parameters; empty: nothing is sampled
  std::size_t points = 0;          ///< per group of cases
  std::size_t base_points = 0;     ///< Sampling::base_points
};

struct StudyFile {
  std::filesystem::path file;  ///< as given
  std::filesystem::path folder;
  std::unique_ptr<Node> document;
  std::string title, source;
  std::string row;  ///< table, figure or equation of the source that all expectations judge, or ""
  std::vector<StudyCase> cases;
  SampleDesign sample;
  Keep keep = Keep::files;
  CaseLimits limits;
  BestOptions best;
  std::vector<MetricSection> metrics;
  std::vector<Expectation> expect;
  std::vector<std::string> table_columns;  ///< metrics shown, in order; empty: all
  std::int64_t table_digits = 4;           ///< significant digits of the tables for people

  const StudyCase* find_case(const std::string& name) const;
  const MetricSection* find_metric(const std::string& name) const;
};

/// Whether the file holds a study rather than a run file. Throws Error (input) if it is no JSON.
bool is_study_file(const std::filesystem::path& file);

/// Reads a study. Content errors are added to `problems`; malformed JSON, and JSON that is no study, throw Error.
StudyFile load_study_file(const std::filesystem::path& file, Problems& problems);

/// Tables of the parts of a study; also the source of their JSON Schema.
ParameterTable expectation_table();
ParameterTable study_table_table();

}  // namespace trammel
