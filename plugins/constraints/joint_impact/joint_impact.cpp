// Plugin: rigid limit of a coordinate of a joint, with restitution, spatial and planar; no rows.
#include "trammel/extensions/contact.h"
#include "trammel/sdk/elements/joint_force.h"
#include "trammel/sdk/elements/rowless_constraint.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// The gap g = x - lower, or upper - x, of a joint's coordinate x stays >= 0. Where it reaches zero while closing, the
// velocities jump (docs/events.md):
//   g'(+) = max(-e g'(-), rest speed)                                                                              (1)
namespace trammel::joint_impact {

struct Parameters {
  sdk::JointCoordinateKeys joint;
  double lower;
  double upper;
  double restitution;
  double rest_speed;
};

/// sign (x - limit) with the derivatives of x.
class GapOfCoordinate final : public Constraint {
 public:
  GapOfCoordinate(const Constraint& coordinate, double sign, double limit)
      : x_(coordinate), sign_(sign), limit_(limit) {}

  Index rows() const override { return 1; }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return x_.body(i); }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override {
    const Status status = x_.evaluate(s, out);
    if (out.Phi.data != nullptr) out.Phi[0] = sign_ * (out.Phi[0] - limit_);
    if (out.nu.data != nullptr) out.nu[0] *= sign_;
    if (out.gamma.data != nullptr) out.gamma[0] *= sign_;
    if (out.Phi_q != nullptr) scale(out.Phi_q, 2);
    return status;
  }
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override {
    const Status status = x_.jacobian_gradient(s, x, out);
    scale(out, 2);
    return status;
  }
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override {
    const Status status = x_.multiplier_gradient(s, lambda, out);
    scale(out, 4);
    return status;
  }
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override {
    const Status status = x_.acceleration_gradient(s, a, out_q, out_v);
    scale(out_q, 2), scale(out_v, 2);
    return status;
  }

 private:
  void scale(const MatrixView* blocks, Index count) const {
    for (Index k = 0; k < count; ++k) {
      if (blocks[k]) blocks[k].map() *= sign_;
    }
  }

  const Constraint& x_;
  double sign_, limit_;
};

template <class State>
class JointImpact final : public sdk::RowlessConstraint, UnilateralContact, ElementChannels {
 public:
  using Parameters = joint_impact::Parameters;
  using Row = sdk::CoordinateRow<State>;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, joint, sdk::joint_coordinate_fields),
      TRAMMEL_FIELD(Parameters, lower, "rad or m", "Least value of the coordinate; or give an upper one.").optional(),
      TRAMMEL_FIELD(Parameters, upper, "rad or m", "Largest value of the coordinate; or give a lower one.").optional(),
      TRAMMEL_FIELD(Parameters, restitution, "1", "Coefficient of restitution e.")
          .at_least(0)
          .at_most(1)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, rest_speed, "rad/s or m/s",
                    "Smallest rate of parting: a coordinate at rest at its limit hops with it.")
          .above(0)
          .otherwise("0.005"));

  JointImpact(const Parameters& p, const ModelInfo& model)
      : coordinate_(p.joint, model),
        gap_(*coordinate_.row, given(p.lower) ? 1 : -1, given(p.lower) ? p.lower : p.upper),
        row_(gap_),
        angle_(find_extension<CountedAngles>(*coordinate_.row)),
        restitution_(p.restitution),
        rest_speed_(p.rest_speed) {
    if (given(p.lower) == given(p.upper))
      throw Error::parameter(given(p.lower) ? "upper" : "lower",
                             "give one limit, 'lower' or 'upper'; for both use two elements");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<UnilateralContact, ElementChannels, CountedAngles>(id, this, this, angle_);
  }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return gap_.body(i); }

 private:
  const Constraint& gap() const override { return gap_; }
  double restitution(double) const override { return restitution_; }
  double rest_speed() const override { return rest_speed_; }

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "gap" : "rate"; }
  const char* channel_unit(Index i) const override {
    return coordinate_.angular ? (i == 0 ? "rad" : "rad/s") : (i == 0 ? "m" : "m/s");
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    out[0] = x.value, out[1] = x.rate;
    return status;
  }

  sdk::JointCoordinate coordinate_;
  GapOfCoordinate gap_;
  Row row_;
  const CountedAngles* angle_;
  double restitution_, rest_speed_;
};

}  // namespace trammel::joint_impact

TRAMMEL_PLUGIN("joint_impact", "1.0.0", "BSD-3-Clause",
               component<trammel::joint_impact::JointImpact<SpatialBodyState>>(
                   Host::spatial, "joint_impact", "Rigid limit of a coordinate of a joint, with restitution.",
                   "Brogliato, Nonsmooth Mechanics (2016), chapters 4 and 6"),
               component<trammel::joint_impact::JointImpact<PlanarBodyState>>(
                   Host::planar, "joint_impact", "Rigid limit of the coordinate of a joint, with restitution.",
                   "Brogliato, Nonsmooth Mechanics (2016), chapters 4 and 6"));
