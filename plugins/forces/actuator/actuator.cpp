// Plugin: an actuator with first-order lag, along the line between two points or along the coordinate of a joint.
#include <cmath>
#include <optional>
#include <string>

#include "trammel/extensions/force_claims.h"
#include "trammel/force.h"
#include "trammel/function.h"
#include "trammel/math/interval.h"
#include "trammel/sdk/elements/coordinate_row.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/law_signals.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/math/dual.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/text/expression.h"

// x is the distance |P_j - P_i| or a joint coordinate, z the force (or torque), an internal state.
//   lag z' = u - z,  u = command(t) or law(x, x', z, t), clamped to [minimum, maximum]                            (1)
//   Q = z x_q^T, power z x'                                                                                       (2)
//   Q_q = z x_qq,  Q_z = x_q^T,  lag z'_q = u_x x_q + u_r x'_q,  lag z'_v = u_r x_q,  lag z'_z = u_z - 1          (3)
namespace trammel::actuator {

enum class Choice : std::int32_t { first, angle, displacement, second_angle };

struct Parameters {
  BodyRefs bodies;
  double point_i[3];
  double point_j[3];
  ElementRef joint;
  Choice coordinate;
  FunctionRef function;
  Text law;
  double lag;
  double initial_force;
  double minimum;
  double maximum;
};

constexpr auto table = sdk::table<Parameters>(
    TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body of an actuator along a line.").count(2).optional(),
    TRAMMEL_FIELD(Parameters, point_i, "m", "End point fixed in the first body, its mass centre if left out.")
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(Parameters, point_j, "m", "End point fixed in the second body, its mass centre if left out.")
        .on_body(1)
        .optional(),
    TRAMMEL_FIELD(Parameters, joint, "1", "Joint whose coordinate it drives, instead of bodies.").optional(),
    TRAMMEL_FIELD(Parameters, coordinate, "1", "Which coordinate of the joint; its first one if left out.")
        .choices("first|angle|displacement|second_angle")
        .otherwise("\"first\""),
    TRAMMEL_FIELD(Parameters, function, "N or N m over s", "Command over time; or give a law.").optional(),
    TRAMMEL_FIELD(Parameters, law, "N or N m over x m or rad, rate m/s or rad/s, force N or N m, t s",
                  "Command as a formula of x, rate, force, t and signals; or give a function.")
        .expression()
        .optional(),
    TRAMMEL_FIELD(Parameters, lag, "s", "Time constant of the first-order lag.").above(0),
    TRAMMEL_FIELD(Parameters, initial_force, "N or N m", "Force at the start.").otherwise("0"),
    TRAMMEL_FIELD(Parameters, minimum, "N or N m", "Lower limit of the command, none if left out.").optional(),
    TRAMMEL_FIELD(Parameters, maximum, "N or N m", "Upper limit of the command, none if left out.").optional());

/// The distance of two points as a row.
class SpatialLengthRow final : public sdk::FusedConstraint<sdk::SpatialPair, sdk::SpatialPairVector, sdk::DistanceRow> {
 public:
  using FusedConstraint::FusedConstraint;
};
class PlanarLengthRow final
    : public sdk::FusedConstraint<sdk::PlanarPair, sdk::PlanarPairVector, sdk::PlanarDistanceRow> {
 public:
  using FusedConstraint::FusedConstraint;
};

template <class State, class LengthRow>
class Actuator final : public ForceElement, ElementChannels, StateLaws, ForceClaims {
 public:
  using Parameters = actuator::Parameters;
  using Row = sdk::CoordinateRow<State>;
  using Terms = typename Row::Terms;
  static constexpr auto parameters = table;

  Actuator(const Parameters& p, const ModelInfo& model)
      : row_(coordinate(p, model)), lag_(p.lag), initial_(p.initial_force), function_(p.function) {
    if ((p.function != nullptr) == p.law.given()) {
      throw Error::parameter(p.law.given() ? "law" : "function",
                             "an actuator needs its command: a 'function' of time, or a 'law' of x, rate, force and t");
    }
    if (p.law.given()) {
      law_ = signals_.compile("law", p.law.view(), {"x", "rate", "force", "t"}, model);
    }
    if (given(p.minimum)) minimum_ = p.minimum;
    if (given(p.maximum)) maximum_ = p.maximum;
    if (!(minimum_ < maximum_)) throw Error::parameter("maximum", "the upper limit must be above the lower one");
    if (initial_ < minimum_ || initial_ > maximum_) {
      throw Error::parameter("initial_force", "the force at the start lies outside the limits");
    }
    switches_.add("minimum"), switches_.add("maximum");
    switches_.add("law", law_);
  }

  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return row_.body(i); }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, CountedAngles, StateLaws, LawSwitches, Drawing, ForceClaims>(
        id, this, row_.angle(), this, &switches_, &drawn_, this);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    Terms x;
    const Status status = evaluate(s, x);
    if (status) sdk::add_scalar_force(x, -s.z[0], Q);  // (2)
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView*) const override {
    Terms x;
    const Status status = evaluate(s, x);
    return status && Q_q != nullptr ? row_.add_hessian(s, s.z[0], Q_q) : status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    const Status status = evaluate(s, x);
    energy.work += s.z[0] * x.rate;
    return status;
  }

  Index internal_states() const override { return 1; }
  void initial_internal_states(VectorView z) const override { z[0] = initial_; }
  Status internal_rate(const ElementState& s, VectorView z_rate) const override {
    Terms x;
    sdk::Dual<double, 4> u;
    Status status = evaluate(s, x);
    if (status) status = command(s, x, u);
    z_rate[0] = (u.v - s.z[0]) / lag_;  // (1)
    return status;
  }
  Status internal_gradients(const ElementState& s, const InternalGradients& out) const override {
    Terms x;
    sdk::Dual<double, 4> u;
    Status status = evaluate(s, x);
    if (status) status = row_.evaluate_gradient(s, x);
    if (status) status = command(s, x, u);
    if (!status) return status;
    for (Index b = 0; b < 2; ++b) {
      for (Index k = 0; k < Row::N; ++k) {  // (3)
        if (out.Q_z != nullptr && out.Q_z[b]) out.Q_z[b](k, 0) += x.q[b][k];
        if (out.rate_q != nullptr && out.rate_q[b]) {
          out.rate_q[b](0, k) += (u.d[0] * x.q[b][k] + u.d[1] * x.q1[b][k]) / lag_;
        }
        if (out.rate_v != nullptr && out.rate_v[b]) out.rate_v[b](0, k) += u.d[1] * x.q[b][k] / lag_;
      }
    }
    if (out.rate_z) out.rate_z(0, 0) += (u.d[2] - 1) / lag_;
    if (out.rate_t.data != nullptr) out.rate_t[0] += u.d[3] / lag_;
    return status;
  }

 private:
  bool passive() const override { return false; }  // it lags behind its command, so that it may push on the way back

  const Constraint& coordinate(const Parameters& p, const ModelInfo& model) {
    const bool line = p.bodies.size > 0, at_joint = p.joint.index >= 0;
    if (line == at_joint) {
      throw Error::parameter(line ? "joint" : "bodies",
                             "an actuator acts between two 'bodies' (with point_i, point_j), or on a 'joint'");
    }
    if (at_joint) {
      if (trammel::given(p.point_i) || trammel::given(p.point_j)) {
        throw Error::parameter(trammel::given(p.point_i) ? "point_i" : "point_j",
                               "an actuator on a joint has no end points");
      }
      return joint_coordinate(p, model);
    }
    sdk::require_two_bodies({p.bodies});
    const double centre[3] = {0, 0, 0};
    const double* s_i = trammel::given(p.point_i) ? p.point_i : centre;
    const double* s_j = trammel::given(p.point_j) ? p.point_j : centre;
    if constexpr (State::coordinates == PlanarBodyState::coordinates) {
      length_.emplace(p.bodies[0], p.bodies[1], sdk::PlanarDistanceRow{sdk::vec2(s_i), sdk::vec2(s_j), 0});
      drawn_ = sdk::Drawn(Symbol::actuator).at(0, sdk::vec2(s_i)).at(1, sdk::vec2(s_j));
    } else {
      length_.emplace(p.bodies[0], p.bodies[1], sdk::DistanceRow{sdk::vec3(s_i), sdk::vec3(s_j), 0});
      drawn_ = sdk::Drawn(Symbol::actuator).at(0, sdk::vec3(s_i)).at(1, sdk::vec3(s_j));
    }
    const void* states[2] = {model.initial_state(p.bodies[0]), model.initial_state(p.bodies[1])};
    ElementState s;
    s.bodies = states;
    double length = 0;
    ConstraintOutput out;
    out.Phi = {&length, 1};
    if (!length_->evaluate(s, out).ok() || !(length > 0)) {
      throw Error::parameter("bodies",
                             "the two end points coincide in the initial configuration, where the actuator "
                             "has no direction");
    }
    return *length_;
  }
  const Constraint& joint_coordinate(const Parameters& p, const ModelInfo& model) {
    const JointCoordinates& offered = sdk::joint_coordinates(p.joint, "joint", model);
    constexpr const char* names[] = {"", "angle", "displacement", "second_angle"};
    const std::string_view wanted = names[static_cast<int>(p.coordinate)];
    for (Index k = 0; k < offered.coordinate_count(); ++k) {
      if (p.coordinate != Choice::first && wanted != offered.coordinate_name(k)) continue;
      angular_ = std::string_view(offered.coordinate_name(k)) != "displacement";
      return offered.coordinate(k);
    }
    throw Error::parameter("coordinate", "the joint has no " + std::string(wanted));
  }

  Status evaluate(const ElementState& s, Terms& x) const {
    const Status status = row_.evaluate(s, x);
    if (!status || !length_) return status;
    return x.value > 0 ? status : Status::failure(StatusCode::out_of_domain, "the end points coincide");
  }

  /// The clamped command and its derivatives with respect to x, rate, force and t.
  Status command(const ElementState& s, const Terms& x, sdk::Dual<double, 4>& u) const {
    const Status status = unlimited(s, x, u);
    if (u < minimum_) u = sdk::Dual<double, 4>(minimum_);
    if (u > maximum_) u = sdk::Dual<double, 4>(maximum_);
    return status;
  }
  Status unlimited(const ElementState& s, const Terms& x, sdk::Dual<double, 4>& u) const {
    if (function_ != nullptr) {
      double value[2] = {0, 0};
      const Status status = function_->evaluate(s.t, 1, value);
      if (!status) return status;
      u = sdk::Dual<double, 4>(value[0]);
      u.d[3] = value[1];
    } else {
      sdk::Dual<double, 4> variables[4 + sdk::LawSignals::most] = {x.value, x.rate, s.z[0], s.t};
      for (int k = 0; k < 4; ++k) variables[k].d[k] = 1;
      const Status status = signals_.values(variables[3], variables + 4);
      if (!status) return status;
      u = law_.evaluate(variables);
    }
    if (!std::isfinite(u.v)) return Status::failure(StatusCode::out_of_domain, "the law of the command is not defined");
    return Status::success();
  }
  /// Where the command meets a limit, and where the law switches.
  Status switch_values(const ElementState& s, double* out) const {
    Terms x;
    sdk::Dual<double, 4> u;
    const Status status = evaluate(s, x);
    if (!status) return status;
    if (unlimited(s, x, u)) {
      if (std::isfinite(minimum_)) out[0] = u.v - minimum_;
      if (std::isfinite(maximum_)) out[1] = maximum_ - u.v;
    }
    double variables[4 + sdk::LawSignals::most] = {x.value, x.rate, s.z[0], s.t};
    if (signals_.values(s.t, variables + 4).ok()) law_.switches(variables, out + 2);
    return status;
  }

  /// The command over x and the force.
  Index law_count() const override { return function_ == nullptr ? 1 : 0; }
  Index law_argument_count() const override { return 2; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    Terms at;
    const Status status = evaluate(s, at);
    x[0] = at.value, rate[0] = at.rate;
    x[1] = s.z[0], rate[1] = NAN;
    return status;
  }
  Status law(Index, const double* x, const double* rate, double t, double* command) const override {
    double variables[4 + sdk::LawSignals::most] = {x[0], rate[0], x[1], t};
    const Status status = signals_.values(t, variables + 4);
    if (!status) return status;
    *command = std::clamp(law_.evaluate(variables), minimum_, maximum_);
    return Status::success();
  }
  Status law_bounds(Index, const Box& box, double* command) const override {
    Interval variables[4 + sdk::LawSignals::most] = {
        {box.x[0][0], box.x[1][0]}, {box.rate[0][0], box.rate[1][0]}, {box.x[0][1], box.x[1][1]}, {box.t[0], box.t[1]}};
    signals_.ranges(variables[3], variables + 4);
    const Interval u = range_of(law_, variables);
    command[0] = std::clamp(u.low, minimum_, maximum_), command[1] = std::clamp(u.high, minimum_, maximum_);
    return Status::success();
  }

  Index channel_count() const override { return 5; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"position", "rate", "command", "force", "power"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* of_force[] = {"m", "m/s", "N", "N", "W"};
    constexpr const char* of_torque[] = {"rad", "rad/s", "N m", "N m", "W"};
    return angular_ ? of_torque[i] : of_force[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Terms x;
    sdk::Dual<double, 4> u;
    Status status = evaluate(s, x);
    if (status) status = command(s, x, u);
    out[0] = x.value, out[1] = x.rate, out[2] = u.v, out[3] = s.z[0], out[4] = s.z[0] * x.rate;
    return status;
  }

  // Set while row_ is found.
  std::optional<LengthRow> length_;
  bool angular_ = false;
  sdk::Drawn drawn_{Symbol::nothing};  // at a joint, which is drawn itself
  Row row_;
  double lag_, initial_;
  FunctionRef function_;
  sdk::LawSignals signals_;
  Expression law_;
  double minimum_ = -INFINITY, maximum_ = INFINITY;
  sdk::OwnSwitches<Actuator> switches_{*this, &Actuator::switch_values};
};

using SpatialActuator = Actuator<SpatialBodyState, SpatialLengthRow>;
using PlanarActuator = Actuator<PlanarBodyState, PlanarLengthRow>;

}  // namespace trammel::actuator

TRAMMEL_PLUGIN(
    "actuator", "1.0.0", "BSD-3-Clause",
    component<trammel::actuator::SpatialActuator>(Host::spatial, "actuator",
                                                  "Force or torque with first-order lag behind its command."),
    component<trammel::actuator::PlanarActuator>(Host::planar, "actuator",
                                                 "Force or torque with first-order lag behind its command."));
