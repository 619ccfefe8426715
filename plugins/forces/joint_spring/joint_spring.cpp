// Plugin: spring, damper, dry friction or a formula on a coordinate of a joint, spatial and planar.
#include "trammel/extensions/static_potential.h"
#include "trammel/sdk/elements/joint_force.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/plugin.h"

// With the law F_l of scalar_law.h over the joint's coordinate x, positive where it pulls x back:
//   Q = -F_l(x, x', t) x_q^T                                                                                       (1)
namespace trammel::joint_spring {

struct Parameters {
  sdk::JointCoordinateKeys joint;
  sdk::LawKeys law;
  FunctionRef free_position;
};

constexpr auto law_fields = sdk::group(
    TRAMMEL_FIELD(sdk::LawKeys, stiffness, "N m/rad or N/m", "Stiffness k.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, damping, "N m s/rad or N s/m", "Damping c.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, spring, "N m or N over rad or m", "Spring force as a function of x - free_position.")
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, damper, "N m or N over rad/s or m/s", "Damper force as a function of the rate.")
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, law, "N m or N over x rad or m, rate rad/s or m/s, t s",
                  "Force as a formula of x, rate, t and signals; positive pulls x back.")
        .expression()
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, friction, "N m or N", "Dry friction F_c, smoothed: F_c tanh(rate/friction_speed).")
        .at_least(0)
        .otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, friction_speed, "rad/s or m/s", "Rate over which dry friction builds up.")
        .above(0)
        .otherwise("0.001"));

template <class State>
class JointSpring final : public sdk::JointForce<JointSpring<State>, State>, DryFriction, StateFunctions, StateLaws {
 public:
  using Parameters = joint_spring::Parameters;
  using Base = sdk::JointForce<JointSpring<State>, State>;
  using Terms = typename Base::Terms;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, joint, sdk::joint_coordinate_fields), TRAMMEL_EMBED(Parameters, law, law_fields),
      TRAMMEL_FIELD(Parameters, free_position, "rad or m over s",
                    "Coordinate at which the spring is free of force, may depend on time; 0 if left out.")
          .optional());

  JointSpring(const Parameters& given, const ModelInfo& model)
      : Base(sdk::JointCoordinate(given.joint, model)),
        law_(given.law, given.free_position, sdk::Side::both, {"x"}, start(given, model), model),
        has_friction_(given.law.friction > 0) {
    law_.list_switches(switches_);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, CountedAngles, DryFriction, StateFunctions,
                                 StateLaws, LawSwitches>(id, this, Base::channel_gradients(), Base::angle(), this, this,
                                                         this, &switches_);
  }

  Status push(double x, double rate, double t, sdk::LawTerms& out) const {
    const Status status = law_.evaluate(x, rate, t, true, out);
    out = {-out.F, -out.F_x, -out.F_r, -out.F_t};  // (1)
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    const Status status = Base::row().evaluate(s, x);
    return status ? law_.energy(x.value, x.rate, s.t, energy) : status;
  }

 private:
  /// The coordinate in the initial configuration, where the potential of a formula is zero.
  static double start(const Parameters& given, const ModelInfo& model) {
    const sdk::JointCoordinate coordinate(given.joint, model);
    const void* states[2] = {model.initial_state(coordinate.row->body(0)),
                             model.initial_state(coordinate.row->body(1))};
    double reference = 0, value = 0;
    const auto* angle = find_extension<CountedAngles>(*coordinate.row);
    if (angle != nullptr) angle->initial_angles({&reference, 1});
    ElementState s;
    s.bodies = states, s.angle_references = angle != nullptr ? &reference : nullptr;
    ConstraintOutput out;
    out.Phi = {&value, 1};
    return coordinate.row->evaluate(s, out).ok() ? value : 0;
  }

  Status switch_values(const ElementState& s, double* out) const {
    Terms x;
    const Status status = Base::row().evaluate(s, x);
    return status ? law_.switches(x.value, x.rate, s.t, out) : status;
  }
  Index state_function_count() const override { return sdk::ScalarLaw::state_functions; }
  const Function* state_function(Index i) const override { return law_.state_function(i); }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override {
    Terms x;
    const Status status = Base::row().evaluate(s, x);
    return status ? law_.arguments(x.value, x.rate, s.t, value.data, rate.data) : status;
  }
  Index law_count() const override { return law_.law_count(); }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    Terms at;
    const Status status = Base::row().evaluate(s, at);
    x[0] = at.value, rate[0] = at.rate;
    return status;
  }
  Status law(Index, const double* x, const double* rate, double t, double* force) const override {
    return law_.law(x, rate, t, force);
  }
  Status law_bounds(Index, const Box& box, double* force) const override { return law_.law_bounds(box, force); }
  bool dry_friction() const override { return has_friction_; }

  sdk::ScalarLaw law_;
  bool has_friction_;
  sdk::OwnSwitches<JointSpring> switches_{*this, &JointSpring::switch_values};
};

}  // namespace trammel::joint_spring

TRAMMEL_PLUGIN("joint_spring", "1.0.0", "BSD-3-Clause",
               component<trammel::joint_spring::JointSpring<SpatialBodyState>>(
                   Host::spatial, "joint_spring", "Spring, damper, friction or a formula on a coordinate of a joint.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"),
               component<trammel::joint_spring::JointSpring<PlanarBodyState>>(
                   Host::planar, "joint_spring", "Spring, damper, friction or a formula on the coordinate of a joint.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"));
