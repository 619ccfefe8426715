// UnilateralContact: bodies that may touch and part but not pass; the kernel turns their velocities round when they
// meet.
#pragma once

#include "trammel/constraint.h"

namespace trammel {

/// Found by its id on constraints without rows. The gap g(q) >= 0 is watched; where it reaches zero while closing, the
/// velocities jump by an impulse along g_q that obeys all constraints, with Newton's law of restitution
///   g'(+) = max(-e g'(-), rest speed).
class UnilateralContact {
 public:
  static constexpr const char* id = "trammel.unilateral_contact/1";

  /// [setup] A single row over the element's bodies, in the element's order, whose residual is the gap, m, positive
  /// while the bodies are apart, not depending on time. Lives as long as the element; never part of the model's
  /// constraints.
  virtual const Constraint& gap() const = 0;
  /// [step] Coefficient of restitution e, 0 to 1, at this approach speed, m/s.
  virtual double restitution(double approach_speed) const = 0;
  /// [setup] Smallest speed of parting, m/s, > 0: bodies at rest on each other hop at this speed.
  virtual double rest_speed() const = 0;

 protected:
  ~UnilateralContact() = default;
};

}  // namespace trammel
