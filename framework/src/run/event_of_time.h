// EventOfTime: what the formula of an event does by itself in time.
#pragma once

#include <vector>

#include "config/run_file.h"
#include "results/column_expression.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/function.h"

namespace trammel {

/// The formula at two sets of fixed values of its columns, added up.
class EventOfTime final : public Function, public FunctionBounds {
 public:
  /// [setup] The events whose formulas contain t.
  static std::vector<EventOfTime> of(const std::vector<RunEvent>& events);

  explicit EventOfTime(const std::string& formula);
  Status evaluate(double t, int order, double* value) const override;
  int max_order() const override { return 0; }
  Status bounds(double from, double to, double* range) const override;
  const void* extension(const char* id) const override;

 private:
  ColumnSet columns_;
  mutable ColumnExpression formula_;  ///< remembers angles that it unwraps; events have none
  std::vector<double> values_[2];
};

}  // namespace trammel
