// Forces along one coordinate of a joint, of any joint that offers JointCoordinates: the element says the law alone.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "trammel/sdk/elements/coordinate_row.h"
#include "trammel/sdk/elements/scalar_channels.h"
#include "trammel/sdk/elements/scalar_law.h"
#include "trammel/sdk/elements/two_body_force.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/offer_extensions.h"

//   Q = F(x, x', t) x_q^T, F positive along the coordinate, gradients by scalar_force.h                            (1)
namespace trammel::sdk {

enum class WhichCoordinate : std::int32_t { first, angle, displacement, second_angle };

/// The shared keys; embed `joint_coordinate_fields`.
struct JointCoordinateKeys {
  ElementRef joint;
  WhichCoordinate coordinate;
};
inline constexpr auto joint_coordinate_fields = group(
    TRAMMEL_FIELD(JointCoordinateKeys, joint, "1", "Joint with an angle or a displacement."),
    TRAMMEL_FIELD(JointCoordinateKeys, coordinate, "1", "Which coordinate of the joint; its first one if left out.")
        .choices("first|angle|displacement|second_angle")
        .otherwise("\"first\""));

/// A coordinate of a joint as elements use it.
struct JointCoordinate {
  const Constraint* row;
  bool angular;

  JointCoordinate(const JointCoordinateKeys& keys, const ModelInfo& model) {
    const JointCoordinates& offered = joint_coordinates(keys.joint, "joint", model);
    constexpr const char* names[] = {"", "angle", "displacement", "second_angle"};
    const std::string_view wanted = names[static_cast<int>(keys.coordinate)];
    for (Index k = 0; k < offered.coordinate_count(); ++k) {
      if (keys.coordinate != WhichCoordinate::first && wanted != offered.coordinate_name(k)) continue;
      row = &offered.coordinate(k);
      angular = std::string_view(offered.coordinate_name(k)) != "displacement";
      return;
    }
    throw Error::parameter("coordinate", "the joint has no " + std::string(wanted));
  }
};

/// Derived has `Status push(double x, double rate, double t, LawTerms& out) const` [hot], which writes F of (1) with
/// its derivatives. `State`: body state of the host.
template <class Derived, class State>
class JointForce : public TwoBodyForce, protected ElementChannels {
 public:
  using Row = CoordinateRow<State>;
  using Terms = typename Row::Terms;

  Status force(const ElementState& s, const VectorView* Q) const final {
    Terms x;
    LawTerms F;
    const Status status = evaluate(s, x, F);
    if (status) add_scalar_force(x, -F.F, Q);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const final {
    Terms x;
    LawTerms F;
    Status status = row_.evaluate_gradient(s, x);
    if (status) status = own().push(x.value, x.rate, s.t, F);
    if (!status) return status;
    add_scalar_gradients(x, -F.F_x, -F.F_r, Q_q, Q_v);
    return Q_q != nullptr ? row_.add_hessian(s, F.F, Q_q) : status;
  }
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const final {
    Terms x;
    LawTerms F;
    const Status status = evaluate(s, x, F);
    if (status) add_scalar_force(x, -F.F_t, Q_t);
    return status;
  }

 protected:
  explicit JointForce(const JointCoordinate& coordinate)
      : TwoBodyForce(coordinate.row->body(0), coordinate.row->body(1)),
        row_(*coordinate.row),
        angular_(coordinate.angular) {}
  ~JointForce() = default;

  /// The joint's coordinate and the force.
  Status evaluate(const ElementState& s, Terms& x, LawTerms& F) const {
    const Status status = row_.evaluate(s, x);
    return status ? own().push(x.value, x.rate, s.t, F) : status;
  }
  const Row& row() const { return row_; }
  /// Of the coordinate, or nullptr: the element offers it in its `extension`.
  const CountedAngles* angle() const { return row_.angle(); }
  bool angular() const { return angular_; }
  /// Of the channels: the element offers it in its `extension`.
  const ChannelGradients* channel_gradients() const { return &channel_gradients_; }

  /// `.position .rate .force`, the last one called `.torque` at an angle, and `.power`.
  Index channel_count() const override { return 4; }
  const char* channel_name(Index i) const override {
    constexpr const char* of_force[] = {"position", "rate", "force", "power"};
    return angular_ && i == 2 ? "torque" : of_force[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* of_force[] = {"m", "m/s", "N", "W"};
    constexpr const char* of_torque[] = {"rad", "rad/s", "N m", "W"};
    return angular_ ? of_torque[i] : of_force[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Terms x;
    LawTerms F;
    const Status status = evaluate(s, x, F);
    out[0] = x.value, out[1] = x.rate, out[2] = F.F, out[3] = F.F * x.rate;
    return status;
  }

 private:
  Status terms(const ElementState& s, Terms& x, LawTerms& F) const {
    const Status status = row_.evaluate_gradient(s, x);
    return status ? own().push(x.value, x.rate, s.t, F) : status;
  }
  const Derived& own() const { return static_cast<const Derived&>(*this); }

  Row row_;
  bool angular_;
  ScalarChannels<JointForce, State::coordinates> channel_gradients_{*this, &JointForce::terms, 4};
};

}  // namespace trammel::sdk
