// SignalFunctions: the signals of the run file as functions, for components with formulas; a service of the host.
#pragma once

#include "trammel/extension.h"
#include "trammel/function.h"
#include "trammel/linalg.h"
#include "trammel/refusal.h"

namespace trammel {

/// A signal is a named value of the run file: of time, of the motion, or with states of its own. A force that names one gets
/// it as if it were a function of time: `evaluate(t, order, value)` with order 0 or 1, called from within the force's own
/// methods, gives the signal at the state with which the force was called and its derivative. A force handles it as any
/// function of time, in `time_gradient`, `internal_gradients` (rate_t) and `energy`; from the first two the kernel derives
/// the exact gradients with respect to whatever the signal depends on. Outside of these calls a signal that does not depend
/// on time alone has no value (out_of_domain).
class SignalFunctions {
 public:
  static constexpr const char* id = "trammel.signal_functions/1";

  /// [setup] Signals in the order of the run file, and their names.
  virtual Index signal_count() const = 0;
  virtual const char* signal_name(Index i) const = 0;
  /// [setup] While a component is created: the signal as that component sees it, for its life. nullptr, and why: the
  /// signal depends on more than time, and the component is no force.
  virtual const Function* use_signal(Index i, Refusal* refusal) const = 0;

 protected:
  ~SignalFunctions() = default;
};

}  // namespace trammel
