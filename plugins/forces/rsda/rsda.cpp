// Plugin: rotational spring-damper about an axis, spatial and planar.
#include "trammel/sdk/planar_joint.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/spatial_joint.h"
#include "trammel/sdk/two_body_force.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2 and chapter 11.
//   T = k (theta - theta0) + c theta', Q = -T theta_q, V = k (theta - theta0)^2 / 2                               (1)
// theta counts turns. Spatial: theta is the angle of SpatialAngle (scalar_force.h) for any attitude of the two bodies,
// about the first body's axis; where a joint keeps the axes parallel, (1) is the torque T along that axis. Planar:
// theta = phi_j - phi_i.
namespace trammel::rsda {

/// The law (1) over a counted angle; `Angle` is SpatialAngle or PlanarAngle.
template <class Angle>
class Rsda : public sdk::TwoBodyForce, protected ElementChannels {
 public:
  static constexpr Index N = Angle::coordinates;

  Status force(const ElementState& s, const VectorView* Q) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::add_scalar_force(x, torque(x), Q);
    return Status::success();
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::add_scalar_gradients(x, stiffness_, damping_, Q_q, Q_v);
    if (Q_q != nullptr) angle_.add_hessian(s, -torque(x), Q_q);
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    energy.potential += 0.5 * stiffness_ * (x.value - free_angle_) * (x.value - free_angle_);
    energy.dissipation += damping_ * x.rate * x.rate;
    return Status::success();
  }

 protected:
  Rsda(const sdk::TwoBodies& two, const Angle& angle, double stiffness, double damping, double free_angle)
      : TwoBodyForce(two.bodies[0], two.bodies[1]),
        angle_(angle),
        stiffness_(stiffness),
        damping_(damping),
        free_angle_(free_angle) {
    sdk::require_two_bodies(two);
  }
  ~Rsda() = default;

 private:
  virtual double unwrapped(const ElementState& s, double principal) const = 0;

  sdk::ScalarTerms<N> counted(const ElementState& s) const {
    sdk::ScalarTerms<N> x = angle_.terms(s);
    x.value = unwrapped(s, x.value);
    return x;
  }
  double torque(const sdk::ScalarTerms<N>& x) const { return stiffness_ * (x.value - free_angle_) + damping_ * x.rate; }

  Index count() const final { return 3; }
  const char* name(Index i) const final {
    constexpr const char* names[] = {"angle", "rate", "torque"};
    return names[i];
  }
  const char* unit(Index i) const final {
    constexpr const char* units[] = {"rad", "rad/s", "N m"};
    return units[i];
  }
  Status values(const ElementState& s, VectorView out) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    out[0] = x.value, out[1] = x.rate, out[2] = torque(x);
    return Status::success();
  }

  Angle angle_;
  double stiffness_, damping_, free_angle_;
};

class SpatialRsda final : public Rsda<sdk::SpatialAngle> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::AxisKeys axis;
    double at[3];
    double stiffness;
    double damping;
    double free_angle;
    double initial_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, global, for the reader: a torque is free of its place.")
          .optional(),
      TRAMMEL_FIELD(Parameters, stiffness, "N m/rad", "Stiffness k.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, damping, "N m s/rad", "Damping c.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, free_angle, "rad", "Angle at which the spring is free of torque.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, initial_angle, "rad", "Value of .angle in the initial configuration.").otherwise("0"));

  SpatialRsda(const Parameters& given, const ModelInfo& model)
      : SpatialRsda(given, sdk::spatial_axes(given.two, given.axis, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels>(id, &counter_, this);
  }

 private:
  SpatialRsda(const Parameters& given, const sdk::SpatialAxes& axes)
      : Rsda(given.two, {axes.f_i, axes.g_i, axes.f_j}, given.stiffness, given.damping, given.free_angle),
        counter_(axes, given.initial_angle) {}

  double unwrapped(const ElementState& s, double principal) const override { return counter_.unwrap(s, principal); }

  sdk::JointAngle counter_;
};

class PlanarRsda final : public Rsda<sdk::PlanarAngle> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    double at[3];
    double stiffness;
    double damping;
    double free_angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, for the reader: a torque is free of its place.").optional(),
      TRAMMEL_FIELD(Parameters, stiffness, "N m/rad", "Stiffness k.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, damping, "N m s/rad", "Damping c.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, free_angle, "rad", "Angle phi_j - phi_i at which the spring is free of torque.")
          .otherwise("0"));

  explicit PlanarRsda(const Parameters& given)
      : Rsda(given.two, {}, given.stiffness, given.damping, given.free_angle) {}

  const void* extension(const char* id) const override { return sdk::offer_extensions<ElementChannels>(id, this); }

 private:
  double unwrapped(const ElementState&, double angle) const override { return angle; }
};

}  // namespace trammel::rsda

TRAMMEL_PLUGIN("rsda", "1.0.0", "BSD-3-Clause",
               component<trammel::rsda::SpatialRsda>(
                   Host::spatial, "rsda", "Rotational spring-damper about an axis.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 11"),
               component<trammel::rsda::PlanarRsda>(
                   Host::planar, "rsda", "Rotational spring-damper between two bodies.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"));
