// The metric `error`: how far columns of a run are from those of a reference, a CSV file or another case.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "results/column_expression.h"
#include "results/csv_table.h"
#include "trammel/host/simulation.h"
#include "trammel/parameters.h"

namespace trammel {

/// What the keys of the metric fill. Left-out numbers are NaN.
struct ErrorOptions {
  Text against;
  enum class Norm : std::int32_t { max, rms } norm;
  enum class Grid : std::int32_t { reference, own } grid;
  double threshold;    ///< given: errors are relative, |y - y_ref| / max(|y_ref|, threshold)
  double from, until;  ///< s; only this part of the run counts
};

/// The reference's column by the run's column; each a name or "=formula".
using ColumnPairs = std::vector<std::pair<std::string, std::string>>;

/// Four-point cubic through the table's points nearest to t (Sandu et al. (2001), section 5.1): of T_{r-1}, T_r,
/// T_{r+1}, T_{r+2} with T_r <= t <= T_{r+1}; at the ends the first and the last four. Fewer points: the polynomial
/// through all.
double local_cubic(const std::vector<double>& times, const std::vector<double>& values, double t);

class ErrorMetric {
 public:
  /// [setup] Adds the run's columns to `columns`. Throws Error (input): wrong formulas, columns that the reference does
  /// not have, a reference without rows in [from, until].
  ErrorMetric(const ErrorOptions& options, const ColumnPairs& pairs, const CsvTable& reference,
              const std::string& reference_name, ColumnSet& columns);

  /// Times at which the run has to be sampled besides its steps.
  const std::vector<double>& times() const { return wanted_; }

  /// [step] A sample of the run, of any kind; values of all columns of the set.
  void sample(ChannelObserver::At at, double t, const double* values);

  /// The metric itself (""), then time (of the largest error), max, rms, percent (largest error, relative to the
  /// reference there). NaN where nothing was compared.
  std::vector<std::pair<std::string, double>> results() const;

 private:
  void compare(double t, double value, double reference);

  ErrorOptions options_;
  std::vector<ColumnExpression> run_;
  std::vector<double> times_;                   ///< of the reference, ascending
  std::vector<std::vector<double>> reference_;  ///< by column
  std::vector<double> wanted_;
  std::size_t next_ = 0;
  double largest_ = -1, time_ = 0, percent_ = 0, squares_ = 0;
  long compared_ = 0;
};

}  // namespace trammel
