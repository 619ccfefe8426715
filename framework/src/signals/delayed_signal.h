// DelayedSignal: a signal of time alone, as it was some time ago.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "signals/signal_function.h"

namespace trammel {

/// f(t - T) of a signal of time alone; before t = T what `before` says, if there is one.
class DelayedSignal final : public Function, public FunctionSwitches, public FunctionBounds {
 public:
  /// `before`: of times before the start, which are negative.
  DelayedSignal(TimeSignal f, std::optional<TimeSignal> before, double delay);

  Status evaluate(double t, int order, double* value) const override;
  int max_order() const override;
  Index break_points(double* t, Index capacity) const override;
  Index switch_count() const override;
  void switch_values(double t, double* out) const override;
  Status bounds(double from, double to, double* range) const override;
  const void* extension(const char* id) const override;

  /// [setup] Why the delayed values before t = T are not known, or "".
  std::string unknown_before() const;

 private:
  /// Calls visit(part, whether it is that before the start).
  template <class Visit>
  void visit_parts(const Visit& visit) const;
  bool is_before(double t) const { return before_ && t < delay_; }

  TimeSignal f_;
  std::optional<TimeSignal> before_;
  double delay_;
  std::vector<double> break_points_;
};

}  // namespace trammel
