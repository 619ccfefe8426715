// ColumnExpression: a column, or "=formula of columns and t", of a run or of a table.
#pragma once

#include <string>
#include <vector>

#include "trammel/math/interval.h"
#include "trammel/text/expression.h"

namespace trammel {

/// The columns that formulas refer to, each once, in the order of `values` in `evaluate`.
class ColumnSet {
 public:
  std::size_t index_of(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// Formulas know all that Expression knows, the variable t, and unwrap(angle): the angle without its jumps by 2 pi, by
/// the branch nearest to the value before. Hence evaluate it at points in order, closer than half a turn.
class ColumnExpression {
 public:
  /// [setup] "rod.x" or "=unwrap(2*atan2(crank.e3, crank.e0))". Adds the columns it needs to `columns`.
  /// Throws Error (input): what is wrong with the formula.
  ColumnExpression(const std::string& text, ColumnSet& columns);

  /// [step] Value at time t; `values` belong to ColumnSet::names().
  double evaluate(double t, const double* values);

  /// [setup] What it stays between over these times, whatever its columns are.
  Interval range(const Interval& t) const;
  /// [step] The same with its columns at `values`.
  Interval range(const Interval& t, const double* values) const;

  /// Where its abs, min, max and comparisons switch (Expression::switches); not inside of unwrap.
  std::size_t switches() const { return formula_.switches(); }
  /// [step] The switching functions where it was evaluated last.
  void switches(double* out) const { formula_.switches(variables_.data(), out); }

 private:
  /// unwrap(...): its argument, and the last value on the branch followed.
  struct Unwrapped {
    Expression argument;
    bool begun = false;
    double last = 0;
  };

  Expression formula_;
  std::vector<Unwrapped> unwrapped_;
  std::vector<std::size_t> columns_;  ///< of the variables behind t and the unwrapped angles
  std::vector<double> variables_;     ///< t, unwrapped angles, columns
};

}  // namespace trammel
