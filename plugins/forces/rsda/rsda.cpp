// Plugin: rotational spring-damper about an axis, spatial and planar.
#include "trammel/extensions/static_potential.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/scalar_channels.h"
#include "trammel/sdk/elements/scalar_law.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/elements/two_body_force.h"
#include "trammel/sdk/plugin.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2 and chapter 11.
//   Q = -T(theta, theta', t) theta_q, T and the energy account as scalar_law.h says                               (1)
// theta counts turns. Spatial: theta is the angle of SpatialAngle (scalar_force.h) for any attitude of the two bodies,
// about the first body's axis; where a joint keeps the axes parallel, (1) is the torque T along that axis. Planar:
// theta = phi_j - phi_i.
namespace trammel::rsda {

struct LawAndAngle {
  sdk::LawKeys law;
  FunctionRef free_angle;
};
constexpr auto law_fields = sdk::group(
    TRAMMEL_FIELD(sdk::LawKeys, stiffness, "N m/rad", "Stiffness k.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, damping, "N m s/rad", "Damping c.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, spring, "N m over rad", "Spring torque as a function of theta - free_angle.")
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, damper, "N m over rad/s", "Damper torque as a function of the rate theta'.").optional(),
    TRAMMEL_FIELD(sdk::LawKeys, law, "N m over theta rad, angle rad, rate rad/s, t s",
                  "Torque as a formula of theta (or angle), rate, t and signals; positive turns the angle back.")
        .expression()
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, friction, "N m", "Dry friction T_c, smoothed: T_c tanh(theta'/friction_speed).")
        .at_least(0)
        .otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, friction_speed, "rad/s", "Rate over which dry friction builds up.")
        .above(0)
        .otherwise("0.001"));
constexpr auto law_and_angle_fields =
    sdk::group(TRAMMEL_EMBED(LawAndAngle, law, law_fields),
               TRAMMEL_FIELD(LawAndAngle, free_angle, "rad over s",
                             "Angle at which the spring is free of torque, may depend on time; 0 if left out.")
                   .optional());

/// The law (1) over a counted angle; `Angle` is SpatialAngle or PlanarAngle.
template <class Angle>
class Rsda : public sdk::TwoBodyForce,
             protected ElementChannels,
             protected DryFriction,
             protected StateFunctions,
             protected StateLaws {
 public:
  static constexpr Index N = Angle::coordinates;

  Status force(const ElementState& s, const VectorView* Q) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::LawTerms torque;
    const Status status = law_.evaluate(x.value, x.rate, s.t, false, torque);
    sdk::add_scalar_force(x, torque.F, Q);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::LawTerms torque;
    const Status status = law_.evaluate(x.value, x.rate, s.t, true, torque);
    sdk::add_scalar_gradients(x, torque.F_x, torque.F_r, Q_q, Q_v);
    if (Q_q != nullptr) angle_.add_hessian(s, -torque.F, Q_q);
    return status;
  }
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::LawTerms torque;
    const Status status = law_.evaluate(x.value, x.rate, s.t, true, torque);
    sdk::add_scalar_force(x, torque.F_t, Q_t);
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    return law_.energy(x.value, x.rate, s.t, energy);
  }

 protected:
  /// `start`: the angle in the initial configuration.
  Rsda(const sdk::TwoBodies& two, const Angle& angle, const LawAndAngle& law, double start, const ModelInfo& model)
      : TwoBodyForce(two.bodies[0], two.bodies[1]),
        angle_(angle),
        law_(law.law, law.free_angle, sdk::Side::both, {"theta", "angle"}, start, model),
        has_friction_(law.law.friction > 0) {
    sdk::require_two_bodies(two);
    law_.list_switches(switches_);
  }
  ~Rsda() = default;

  const LawSwitches& switches() const { return switches_; }
  const ChannelGradients* channel_gradients() const { return &channel_gradients_; }

 private:
  virtual double unwrapped(const ElementState& s, double principal) const = 0;

  sdk::ScalarTerms<N> counted(const ElementState& s) const {
    sdk::ScalarTerms<N> x = angle_.terms(s);
    x.value = unwrapped(s, x.value);
    return x;
  }

  Status switch_values(const ElementState& s, double* out) const {
    const sdk::ScalarTerms<N> x = counted(s);
    return law_.switches(x.value, x.rate, s.t, out);
  }
  Index state_function_count() const final { return sdk::ScalarLaw::state_functions; }
  const Function* state_function(Index i) const final { return law_.state_function(i); }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    return law_.arguments(x.value, x.rate, s.t, value.data, rate.data);
  }

  Index law_count() const final { return law_.law_count(); }
  Index law_argument_count() const final { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const final {
    const sdk::ScalarTerms<N> angle = counted(s);
    x[0] = angle.value, rate[0] = angle.rate;
    return Status::success();
  }
  Status law(Index, const double* x, const double* rate, double t, double* force) const final {
    return law_.law(x, rate, t, force);
  }
  Status law_bounds(Index, const Box& box, double* force) const final { return law_.law_bounds(box, force); }

  bool dry_friction() const final { return has_friction_; }
  Index channel_count() const final { return 3; }
  const char* channel_name(Index i) const final {
    constexpr const char* names[] = {"angle", "rate", "torque"};
    return names[i];
  }
  const char* channel_unit(Index i) const final {
    constexpr const char* units[] = {"rad", "rad/s", "N m"};
    return units[i];
  }
  Status terms(const ElementState& s, sdk::ScalarTerms<N>& x, sdk::LawTerms& torque) const {
    x = counted(s);
    return law_.evaluate(x.value, x.rate, s.t, true, torque);
  }
  Status channel_values(const ElementState& s, VectorView out) const final {
    const sdk::ScalarTerms<N> x = counted(s);
    sdk::LawTerms torque;
    const Status status = law_.evaluate(x.value, x.rate, s.t, false, torque);
    out[0] = x.value, out[1] = x.rate, out[2] = torque.F;
    return status;
  }

  Angle angle_;
  sdk::ScalarLaw law_;
  bool has_friction_;
  sdk::ScalarChannels<Rsda, N> channel_gradients_{*this, &Rsda::terms, 3};
  sdk::OwnSwitches<Rsda> switches_{*this, &Rsda::switch_values};
};

class SpatialRsda final : public Rsda<sdk::SpatialAngle> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::AxisKeys axis;
    double at[3];
    LawAndAngle law;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, axis, sdk::axis_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, global, for the reader: a torque is free of its place.")
          .at_start()
          .optional(),
      TRAMMEL_EMBED(Parameters, law, law_and_angle_fields), TRAMMEL_EMBED(Parameters, angle, sdk::angle_fields));

  SpatialRsda(const Parameters& given, const ModelInfo& model)
      : SpatialRsda(given, sdk::spatial_axes(given.two, given.axis, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ChannelGradients, DryFriction, StateFunctions,
                                 StateLaws, LawSwitches, CoordinateZeros, Drawing>(
        id, &counter_, this, channel_gradients(), this, this, this, &switches(), &zeros_, &drawn_);
  }

 private:
  SpatialRsda(const Parameters& given, const sdk::SpatialAxes& axes, const ModelInfo& model)
      : SpatialRsda(given, axes, sdk::angle_zero(given.two, axes, given.angle, model), model) {}
  SpatialRsda(const Parameters& given, const sdk::SpatialAxes& axes, const sdk::CountedFrom& from,
              const ModelInfo& model)
      : Rsda(given.two, {axes.f_i, axes.g_i, axes.f_j}, given.law, from.start, model),
        counter_(axes, from),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::nothing).at<SpatialBodyState>(given.two, given.at, model)) {}

  double unwrapped(const ElementState& s, double principal) const override { return counter_.unwrap(s, principal); }

  sdk::JointAngle counter_;
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

class PlanarRsda final : public Rsda<sdk::PlanarAngle> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    double at[3];
    LawAndAngle law;
    sdk::AngleKeys angle;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, at, "m", "Where it sits, for the reader: a torque is free of its place.")
          .at_start()
          .optional(),
      TRAMMEL_EMBED(Parameters, law, law_and_angle_fields), TRAMMEL_EMBED(Parameters, angle, sdk::planar_angle_fields));

  PlanarRsda(const Parameters& given, const ModelInfo& model)
      : PlanarRsda(given, sdk::planar_angle_zero(given.two, given.angle, model), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, DryFriction, StateFunctions, StateLaws, LawSwitches,
                                 CoordinateZeros, Drawing>(id, this, channel_gradients(), this, this, this, &switches(),
                                                           &zeros_, &drawn_);
  }

 private:
  PlanarRsda(const Parameters& given, const sdk::CountedFrom& from, const ModelInfo& model)
      : Rsda(given.two, {}, given.law, from.start, model),
        offset_(from.offset()),
        zeros_(from),
        drawn_(sdk::Drawn(Symbol::nothing).at<PlanarBodyState>(given.two, given.at, model)) {}

  double unwrapped(const ElementState&, double angle) const override { return angle + offset_; }

  double offset_;
  sdk::Zeros zeros_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::rsda

TRAMMEL_PLUGIN("rsda", "1.0.0", "BSD-3-Clause",
               component<trammel::rsda::SpatialRsda>(
                   Host::spatial, "rsda", "Rotational spring-damper about an axis.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 11"),
               component<trammel::rsda::PlanarRsda>(
                   Host::planar, "rsda", "Rotational spring-damper between two bodies.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"));
