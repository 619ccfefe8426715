// Metrics as studies create them, fed with samples in guarded memory.
#pragma once

#include <Eigen/Core>

#include "check/cases.h"
#include "model/component.h"
#include "trammel/extensions/metric_curve.h"
#include "trammel/metric.h"

namespace trammel::conformance {

inline constexpr Index most_memory_of_metric = 100'000'000, most_channels = 10'000;

/// A metric as a study has it.
struct MetricCase {
  Node node;
  std::string place;  ///< for messages
};
/// Distinct uses in the studies; without any the metric with what has no default.
std::vector<MetricCase> metric_cases(const Subject& subject);

class CreatedMetric {
 public:
  CreatedMetric(Subject& subject, const MetricCase& use)
      : node_(use.node), component_(make(subject, node_)), metric(component_.as<Metric>()) {}

 private:
  static Component make(Subject& subject, const Node& node);
  Node node_;
  Component component_;

 public:
  const Metric& metric;
};

/// What is summed up: its channels' values at some times.
struct Signal {
  std::vector<double> times;
  std::function<double(Index channel, double t)> value;
};

/// Keys that are times of the run, as `from` and `until` are: in seconds, and left out as a rule.
std::vector<const Node*> times_in(const Subject& subject, const MetricCase& use);
/// s; in multiples of 2 s, so that a use that looks at a part of the run, or at pieces of it, sees all of one.
int stretches(const Subject& subject, const MetricCase& use);

/// A metric with memory of its own between guards. Scratch is spoilt between calls.
class Fed {
 public:
  Fed(const Metric& metric);
  void feed(double t, double h, const Signal& signal);
  void feed(const Signal& signal);
  Eigen::VectorXd results() const;
  /// Points of the metric's curve, a row each; empty if it has none.
  Eigen::MatrixXd curve() const;
  void check_guards() const;

 private:
  static constexpr std::ptrdiff_t guard = 16;
  Memory memory() const {
    const auto at = [](const std::vector<double>& block) { return const_cast<double*>(block.data()) + guard; };
    return {at(state_), at(scratch_), at(cache_)};
  }
  const Metric& metric_;
  const MetricCurve* curve_;
  Index channels_;
  std::vector<double> state_, scratch_, cache_, values_;
};

}  // namespace trammel::conformance
