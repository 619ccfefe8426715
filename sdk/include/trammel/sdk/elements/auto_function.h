// AutoFunction: write f once as a template, get its three derivatives.
#pragma once

#include "trammel/function.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/math/jet.h"

namespace trammel::sdk {

/// Derive as `class Hill final : public AutoFunction<Hill>` and write
///
///   template <class T>
///   T value(const T& x) const;
///
/// with the operators and functions of jet.h. Where a derivative up to the third jumps, override `break_points`.
template <class Derived>
class AutoFunction : public Function {
 public:
  Status evaluate(double x, int order, double* value) const final {
    return write_jet(static_cast<const Derived*>(this)->value(Jet::argument(x)), order, value);
  }

 protected:
  ~AutoFunction() = default;
};

}  // namespace trammel::sdk
