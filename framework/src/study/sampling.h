// `sample` of a study: which parameters vary at random, how, and the values that each case gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "study/distribution.h"
#include "study/sample_points.h"
#include "trammel/parameters.h"

namespace trammel {

/// A sample of a study. Point k is a function of the section and of k: whoever computes it gets the same bits.
class Sampling {
 public:
  /// What is wrong is added to `problems`; the sample is then empty.
  Sampling(const Node& section, Problems& problems);

  /// Number of points: count, or count (d + 2) where indices are wanted.
  std::size_t size() const { return paths_.empty() ? 0 : values_.size() / paths_.size(); }
  /// The parameters, in the order of the file.
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<Place>& places() const { return places_; }
  double value(std::size_t k, std::size_t i) const { return values_[k * paths_.size() + i]; }

  /// Points of each of the two samples A and B of Saltelli's design, whose points come as A, B, and A with parameter i
  /// out of B for each i; 0: a plain sample.
  std::size_t base_points() const { return base_points_; }

 private:
  void read(const Node& section, Problems& problems);
  void read_distributions(const Node& section, Problems& problems);
  void read_correlations(const Node& section, Problems& problems);
  void read_correlation(const Node& node, const std::string& path, Problems& problems);
  /// The position of a parameter; -1: there is none, which is reported.
  long position(const Node& name, const std::string& path, Problems& problems) const;
  void make_points(SampleMethod method, std::size_t count, std::uint64_t seed);
  /// Numbers of the unit cube to values, through normal variables that are correlated.
  void to_values(std::vector<double>& point) const;

  std::vector<std::string> paths_;
  std::vector<Place> places_;
  std::vector<Distribution> distributions_;
  std::vector<double> correlations_;  ///< of the normal variables, by rows; empty: none
  std::vector<double> factor_;        ///< its Cholesky factor
  std::vector<double> values_;        ///< point by point
  std::size_t base_points_ = 0;
};

ParameterTable sample_table();
ParameterTable correlation_table();

/// A dotted path such as integrator.step.
bool is_setting_path(const std::string& path);

}  // namespace trammel
