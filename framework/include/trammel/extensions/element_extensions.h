// Optional abilities of constraints and forces: counted angles, channels, joint coordinates, the point of the reaction.
#pragma once

#include <cmath>

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/math/two_pi.h"
#include "trammel/status.h"

namespace trammel {

class Constraint;
class Function;

/// Angles known modulo 2 pi that must count turns (joint angles, rsda, angle drivers, screws, gears).
/// The kernel owns one reference per angle, the value at the last accepted state; the element works with
/// counted_angle(principal, reference) and so is continuous while an angle turns less than pi in one step.
class CountedAngles {
 public:
  static constexpr const char* id = "trammel.counted_angles/1";

  /// [setup] Number of angles, fixed.
  virtual Index angle_count() const = 0;
  /// [setup] Start values, rad, on the branch the run file asks for.
  virtual void initial_angles(VectorView angle) const = 0;
  /// [step] The angles at s, unwrapped against s.angle_references.
  virtual void angles(const ElementState& s, VectorView angle) const = 0;

 protected:
  ~CountedAngles() = default;
};

/// The value of `principal` (mod 2 pi) nearest to `reference`.
inline double counted_angle(double principal, double reference) {
  return reference + std::remainder(principal - reference, two_pi);
}

/// Named values in addition to the kernel's own columns: joint coordinates, spring length, rate and force.
class ElementChannels {
 public:
  static constexpr const char* id = "trammel.channels/1";

  /// [setup] Number of channels, fixed.
  virtual Index channel_count() const = 0;
  /// [setup] Column name behind "<element>.", snake_case ("angle", "rate"), a literal.
  virtual const char* channel_name(Index i) const = 0;
  /// [setup] SI unit.
  virtual const char* channel_unit(Index i) const = 0;
  /// [step] All values at s.
  virtual Status channel_values(const ElementState& s, VectorView out) const = 0;

 protected:
  ~ElementChannels() = default;
};

/// Joints whose coordinates other elements build on (couplers, friction, drivers).
class JointCoordinates {
 public:
  static constexpr const char* id = "trammel.joint_coordinates/1";

  virtual Index coordinate_count() const = 0;
  /// [setup] As the channel is called: "angle", "displacement", a literal.
  virtual const char* coordinate_name(Index i) const = 0;
  /// [setup] A single row over two of the joint's bodies whose residual is the coordinate itself, rad or m, not
  /// depending on time; its other methods are the coordinate's derivatives. It has CountedAngles (one) if it is an
  /// angle that must count turns. Lives as long as the joint; never part of the model's constraints.
  virtual const Constraint& coordinate(Index i) const = 0;

 protected:
  ~JointCoordinates() = default;
};

/// Constraints whose reaction is reported as force and torque: on the body of number `body()`, about `point()`.
class ReactionPoint {
 public:
  static constexpr const char* id = "trammel.reaction_point/1";

  /// [setup] Position in the element's body list; usually the second body.
  virtual Index reaction_body() const = 0;
  /// [step] The joint point, global frame, m.
  virtual void reaction_point(const ElementState& s, double* point) const = 0;

 protected:
  ~ReactionPoint() = default;
};

/// Elements with functions whose argument is a length, a rate or a position: their break points are no times. Of
/// elements that give the arguments, steps end where these pass a break point at which the function or one of its first
/// two derivatives jumps, or at which a straight part of it ends.
class StateFunctions {
 public:
  static constexpr const char* id = "trammel.state_functions/1";

  /// [setup] Number of such functions, and 0 <= i < state_function_count(); may be null.
  virtual Index state_function_count() const = 0;
  virtual const Function* state_function(Index i) const = 0;
  /// [step] Their arguments and the arguments' rates at s; of those whose rate is not 0, steps also end where the next
  /// break point is expected. Default: `unsupported`.
  virtual Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const {
    (void)s, (void)value, (void)rate;
    return Status::failure(StatusCode::unsupported, "arguments unknown");
  }

 protected:
  ~StateFunctions() = default;
};

/// Forces that are functions F(x, x', t) of a few scalars x which follow the motion: lengths, angles, places on a road.
/// They are cheap to ask: after a step with error control they are looked at along the whole way of x, and a step that
/// passed over something narrow is void.
class StateLaws {
 public:
  static constexpr const char* id = "trammel.state_laws/1";

  /// The least and the largest values that arguments have somewhere: x[0] and x[1], as many as there are arguments.
  struct Box {
    const double* x[2];
    const double* rate[2];
    double t[2];
  };

  /// [setup] Number of laws that may have narrow features, 0: none; and of their arguments.
  virtual Index law_count() const = 0;
  virtual Index law_argument_count() const = 0;
  /// [step] The arguments x and x' at s; x' is NaN where it is not known.
  virtual Status law_places(const ElementState& s, VectorView x, VectorView rate) const = 0;
  /// [step] Law i, N or N m. Of arguments whose rate is not known it gets differences.
  virtual Status law(Index i, const double* x, const double* rate, double t, double* force) const = 0;
  /// [step] force[0] <= F <= force[1] within the box; the closer the narrower it is. Default: `unsupported`, nothing is
  /// known of what lies between two looks.
  virtual Status law_bounds(Index i, const Box& box, double* force) const {
    (void)i, (void)box, (void)force;
    return Status::failure(StatusCode::unsupported, "bounds not known");
  }

 protected:
  ~StateLaws() = default;
};

/// Elements whose law switches: clamped, one-sided, with formulas of abs, min, max or comparisons. A step ends where
/// one of the functions passes zero, and the method restarts behind it: no step leaps over a law that holds in
/// between. Unlike those of EventSource these functions may rest at zero, and may have no value where they do not
/// matter.
class LawSwitches {
 public:
  static constexpr const char* id = "trammel.law_switches/1";

  /// [setup] Number of switching functions, fixed.
  virtual Index switch_count() const = 0;
  /// [setup] Name of the event in events.csv ("law", "one_sided"), a literal.
  virtual const char* switch_name(Index i) const = 0;
  /// [step] The functions at s, continuous where they are finite; NaN where the law does not depend on them.
  virtual Status switch_values(const ElementState& s, VectorView out) const = 0;

 protected:
  ~LawSwitches() = default;
};

/// Drivers: constraints that push along a coordinate. `.effort` = effort_sign * lambda, positive along the coordinate.
/// The first of the driver's ElementChannels, if it has any, is that coordinate: the unit "m" makes it a length, anything
/// else an angle, whose motions are looked at more closely, for it is known modulo 2 pi.
class DriverEffort {
 public:
  static constexpr const char* id = "trammel.driver_effort/1";

  /// [setup] 1 or -1.
  virtual double effort_sign() const = 0;

 protected:
  ~DriverEffort() = default;
};

}  // namespace trammel
