// Comparison on the reference's grid or on the run's own.
#include "study/error_metric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {

double local_cubic(const std::vector<double>& times, const std::vector<double>& values, double t) {
  const std::size_t n = times.size(), points = std::min<std::size_t>(4, n);
  const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  const std::size_t first = std::min(after < 2 ? 0 : after - 2, n - points);
  double sum = 0;
  for (std::size_t i = first; i < first + points; ++i) {
    double weight = values[i];  // Lagrange's form
    for (std::size_t j = first; j < first + points; ++j) {
      if (j != i) weight *= (t - times[j]) / (times[i] - times[j]);
    }
    sum += weight;
  }
  return sum;
}

ErrorMetric::ErrorMetric(const ErrorOptions& options, const ColumnPairs& pairs, const CsvTable& reference,
                         const std::string& reference_name, ColumnSet& columns)
    : options_(options) {
  if (!given(options_.from)) options_.from = -std::numeric_limits<double>::infinity();
  if (!given(options_.until)) options_.until = std::numeric_limits<double>::infinity();
  ColumnSet needed;
  const std::size_t time = needed.index_of("t");
  std::vector<ColumnExpression> formulas;
  for (const auto& [run, theirs] : pairs) {
    run_.emplace_back(run, columns);
    formulas.emplace_back(theirs, needed);
  }
  std::vector<std::size_t> positions;
  for (const std::string& name : needed.names()) {
    const auto found = std::find(reference.columns.begin(), reference.columns.end(), name);
    if (found == reference.columns.end()) {
      throw Error(ErrorKind::input, "the reference " + reference_name + " has no column '" + name + "'" +
                                        did_you_mean(name, reference.columns));
    }
    positions.push_back(static_cast<std::size_t>(found - reference.columns.begin()));
  }
  reference_.resize(formulas.size());
  std::vector<double> values(positions.size());
  for (std::size_t i = 0; i < reference.rows(); ++i) {
    for (std::size_t k = 0; k < positions.size(); ++k) values[k] = reference.row(i)[positions[k]];
    const double t = values[time];
    if (!times_.empty() && t < times_.back()) {
      throw Error(ErrorKind::input, "the reference " + reference_name + " has times that go backwards");
    }
    const bool again = !times_.empty() && t == times_.back();  // after an event: the later row holds
    if (!again) times_.push_back(t);
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      if (again) reference_[k].pop_back();
      reference_[k].push_back(formulas[k].evaluate(t, values.data()));
    }
  }
  if (options_.grid == ErrorOptions::Grid::own) return;
  for (const double t : times_) {
    if (t >= options_.from && t <= options_.until) wanted_.push_back(t);
  }
  if (wanted_.empty()) {
    throw Error(ErrorKind::input, "the reference " + reference_name + " has no rows between \"from\" and \"until\"");
  }
}

void ErrorMetric::sample(ChannelObserver::At at, double t, const double* values) {
  using At = ChannelObserver::At;
  const bool own = options_.grid == ErrorOptions::Grid::own;
  bool counts = own ? at == At::step && t >= std::max(options_.from, times_.front()) &&
                          t <= std::min(options_.until, times_.back())
                    : at == At::time;
  if (!own && counts) {
    while (next_ < wanted_.size() && wanted_[next_] < t) ++next_;
    counts = next_ < wanted_.size() && wanted_[next_] == t;  // else another metric asked for it
  }
  const auto index = static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin());
  for (std::size_t k = 0; k < run_.size(); ++k) {
    const double value = run_[k].evaluate(t, values);  // always: unwrap follows every sample
    if (counts) compare(t, value, own ? local_cubic(times_, reference_[k], t) : reference_[k][index]);
  }
}

void ErrorMetric::compare(double t, double value, double reference) {
  const double difference = std::abs(value - reference);
  const double error =
      given(options_.threshold) ? difference / std::max(std::abs(reference), options_.threshold) : difference;
  ++compared_;
  squares_ += error * error;
  if (std::isnan(largest_) || error <= largest_) return;  // once there is no number, there is no largest one
  largest_ = error;
  time_ = t;
  percent_ = 100 * difference / std::abs(reference);
}

std::vector<std::pair<std::string, double>> ErrorMetric::results() const {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const bool any = compared_ > 0;
  const double rms = any ? std::sqrt(squares_ / static_cast<double>(compared_)) : nothing;
  const double max = any ? largest_ : nothing;
  return {{"", options_.norm == ErrorOptions::Norm::max ? max : rms},
          {"time", any ? time_ : nothing},
          {"max", max},
          {"rms", rms},
          {"percent", any ? percent_ : nothing}};
}

}  // namespace trammel
