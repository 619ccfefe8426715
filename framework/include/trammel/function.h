// Function: one real argument, three derivatives. Drivers, force laws, roads.
#pragma once

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

class Function : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.function/1";

  /// [hot] const, re-entrant, no allocation. Writes value[0..order]: f, f', f'', f''' at x, 0 <= order <= max_order().
  /// out_of_domain where f is not defined.
  virtual Status evaluate(double x, int order, double* value) const = 0;

  /// [setup] Highest derivative `evaluate` gives, 2 or 3. Rheonomic problems under Rosenbrock methods need 3.
  virtual int max_order() const { return 3; }

  /// [setup] Arguments at which some derivative up to the third jumps, ascending, at most `capacity` written;
  /// returns how many there are. Steps end there when the argument is time.
  virtual Index break_points(double* x, Index capacity) const {
    (void)x;
    (void)capacity;
    return 0;
  }

 protected:
  ~Function() = default;
};

/// Functions that switch where no number is known before: formulas with abs, min, max, comparisons. Break points and
/// switching functions together are where a derivative up to the second, or the value, may jump.
class FunctionSwitches {
 public:
  static constexpr const char* id = "trammel.function_switches/1";

  /// [setup] Number of switching functions, fixed.
  virtual Index switch_count() const = 0;
  /// [hot] Functions of x, at whose zeros the function switches; NaN where it does not depend on them.
  virtual void switch_values(double x, double* out) const = 0;

 protected:
  ~FunctionSwitches() = default;
};

/// Functions that know their integral in closed form: a driver's position from its rate.
class FunctionIntegral {
 public:
  static constexpr const char* id = "trammel.function_integral/1";

  /// [hot] F(x) with F' = f wherever f is defined, continuous over break points; one free constant, the same always.
  virtual Status antiderivative(double x, double* value) const = 0;

 protected:
  ~FunctionIntegral() = default;
};

}  // namespace trammel
