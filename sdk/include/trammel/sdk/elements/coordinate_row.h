// A scalar coordinate x(q) that comes as a constraint row (JointCoordinates), as forces along it use it.
#pragma once

#include <string_view>

#include "trammel/constraint.h"
#include "trammel/error.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/scalar_force.h"

namespace trammel::sdk {

/// x, x' = x_q v, x_q and x'_q = (x_q v)_q of a row, and the row's Hessian. `State` is the host's body state.
template <class State>
class CoordinateRow {
 public:
  static constexpr Index N = State::coordinates;
  using Terms = ScalarTerms<N>;

  /// [setup] The row must outlive this.
  explicit CoordinateRow(const Constraint& row) : row_(&row), angle_(find_extension<CountedAngles>(row)) {}

  /// [setup] Body 0 or 1 of the coordinate.
  BodyRef body(Index k) const { return row_->body(k); }
  /// [setup] How the coordinate counts turns, or nullptr.
  const CountedAngles* angle() const { return angle_; }

  /// [hot] x, x' and x_q. An angle is unwrapped against the first of `s.angle_references`.
  Status evaluate(const ElementState& s, Terms& x) const {
    x = {};
    const MatrixView Phi_q[2] = {line(x.q[0]), line(x.q[1])};
    ConstraintOutput out;
    out.Phi = {&x.value, 1};
    out.Phi_q = Phi_q;
    const Status status = row_->evaluate(s, out);
    if (!status) return status;
    double v[2][N];
    velocities(s, v);
    for (Index b = 0; b < 2; ++b) {
      for (Index k = 0; k < N; ++k) x.rate += x.q[b][k] * v[b][k];
    }
    return status;
  }
  /// [hot] The same and x'_q.
  Status evaluate_gradient(const ElementState& s, Terms& x) const {
    const Status status = evaluate(s, x);
    if (!status) return status;
    double v[2][N];
    velocities(s, v);
    const ConstVectorView along[2] = {{v[0], N}, {v[1], N}};
    const MatrixView out[2] = {line(x.q1[0]), line(x.q1[1])};
    return row_->jacobian_gradient(s, along, out);
  }
  /// [hot] Adds scale * x_qq to the wanted ones of four blocks.
  Status add_hessian(const ElementState& s, double scale, const MatrixView* Q_q) const {
    double values[4][N * N];
    MatrixView blocks[4];
    for (Index n = 0; n < 4; ++n) {
      if (Q_q[n]) blocks[n] = {values[n], N, N, N};
    }
    const Status status = row_->multiplier_gradient(s, {&scale, 1}, blocks);
    for (Index n = 0; status.ok() && n < 4; ++n) {
      for (Index k = 0; Q_q[n] && k < N; ++k) {
        for (Index m = 0; m < N; ++m) Q_q[n](m, k) += blocks[n](m, k);
      }
    }
    return status;
  }

 private:
  /// Of ground too: whoever asks for the force on ground gets it.
  static MatrixView line(double* values) { return {values, 1, N, 1}; }
  static void velocities(const ElementState& s, double (&v)[2][N]) {
    double q[N];
    for (Index b = 0; b < 2; ++b) coordinates_of(s.body<State>(b), q, v[b]);
  }

  const Constraint* row_;
  const CountedAngles* angle_;
};

/// What pushes along a coordinate, by the coordinate's name: a torque for angles, a force for displacements.
struct EffortName {
  const char* name;
  const char* unit;
};
inline EffortName effort_name(const char* coordinate) {
  const std::string_view name = coordinate;
  if (name == "second_angle") return {"second_torque", "N m"};
  if (name == "angle") return {"torque", "N m"};
  return {"force", "N"};
}

/// [setup] The coordinates that a joint offers; throws Error with `key` if it has none.
inline const JointCoordinates& joint_coordinates(ElementRef joint, const char* key, const ModelInfo& model) {
  const Constraint* element = model.constraint(joint);
  const JointCoordinates* offered = element != nullptr ? find_extension<JointCoordinates>(*element) : nullptr;
  if (offered == nullptr || offered->coordinate_count() == 0) {
    throw Error::parameter(key,
                           "this constraint has no joint coordinate; joints with an angle or a displacement have "
                           "(revolute, cylindrical, translational, ...)");
  }
  return *offered;
}

}  // namespace trammel::sdk
