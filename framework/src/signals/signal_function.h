// Signals as functions: those of time alone, those that have a value within a force only, and sample times.
#pragma once

#include <cstring>
#include <vector>

#include "signals/signal_network.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/function.h"
#include "trammel/math/interval.h"

namespace trammel {

/// The signals that a force reads, at the state for which it is called now: values, and the derivatives that functions of
/// time would have. Set around each call of the force; one per thread.
struct SignalScope {
  const double* value;
  const double* rate;
  const Interval* range = nullptr;  ///< in place of both, where the force is asked for its bounds
};
/// nullptr: no force is being called.
inline thread_local const SignalScope* signal_scope = nullptr;

/// For the time of a call.
class SignalsActing {
 public:
  SignalsActing(const double* value, const double* rate) : scope_{value, rate}, before_(signal_scope) {
    signal_scope = &scope_;
  }
  explicit SignalsActing(const Interval* range) : scope_{nullptr, nullptr, range}, before_(signal_scope) {
    signal_scope = &scope_;
  }
  ~SignalsActing() { signal_scope = before_; }
  SignalsActing(const SignalsActing&) = delete;
  SignalsActing& operator=(const SignalsActing&) = delete;

 private:
  SignalScope scope_;
  const SignalScope* before_;
};

/// Signal number `place` of the force that is being called.
class SignalInput final : public Function, public FunctionBounds {
 public:
  explicit SignalInput(std::size_t place) : place_(place) {}
  Status evaluate(double, int order, double* value) const override {
    if (signal_scope == nullptr || signal_scope->value == nullptr)
      return Status::failure(StatusCode::out_of_domain, "a signal has a value while a force acts, not before");
    if (order > 1) return Status::failure(StatusCode::unsupported, "a signal has one derivative");
    value[0] = signal_scope->value[place_];
    if (order > 0) value[1] = signal_scope->rate[place_];
    return Status::success();
  }
  /// Not of a stretch of time, but of all that the force is asked about.
  Status bounds(double, double, double* range) const override {
    if (signal_scope == nullptr || signal_scope->range == nullptr)
      return Status::failure(StatusCode::unsupported, "no bounds of this signal are known here");
    range[0] = signal_scope->range[place_].low, range[1] = signal_scope->range[place_].high;
    return Status::success();
  }
  const void* extension(const char* id) const override {
    return std::strcmp(id, FunctionBounds::id) == 0 ? static_cast<const FunctionBounds*>(this) : nullptr;
  }
  int max_order() const override { return 1; }

 private:
  std::size_t place_;
};

/// A signal that depends on time alone.
class TimeSignal final : public Function, public FunctionSwitches, public FunctionBounds {
 public:
  TimeSignal(const SignalGraph& graph, Index node);
  Status evaluate(double t, int order, double* value) const override;
  int max_order() const override { return max_order_; }
  Index break_points(double* t, Index capacity) const override;
  Index switch_count() const override { return static_cast<Index>(switches_); }
  void switch_values(double t, double* out) const override;
  Status bounds(double from, double to, double* range) const override;
  const void* extension(const char* id) const override;

 private:
  SignalNetwork network_;
  std::size_t slot_;
  std::size_t switches_ = 0;
  int max_order_ = 3;
  std::vector<double> break_points_;
};

/// Steps end at its break points, the sample times up to `end`, where it jumps.
class SampleTimes final : public Function {
 public:
  /// [setup] Throws Error(input) if these are too many.
  SampleTimes(const HoldBlock& hold, double end);
  Status evaluate(double t, int order, double* value) const override;
  Index break_points(double* t, Index capacity) const override;

 private:
  std::vector<double> times_;
};

}  // namespace trammel
