// What loads do: the same in every place and attitude, action and reaction, limits, and where they are not defined.
#include "force_check.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_force.h"

namespace conformance {
namespace {

using sdk::Vec2;
using sdk::Vec3;
using sdk::Vec4;
using State = SpatialBodyState;

// --- Rigid motions, spatial
// ------------------------------------------------------------------------------------------------

Vec4<> product(const Vec4<>& a, const Vec4<>& b) {
  return {a.e0 * b.e0 - sdk::dot(a.e, b.e), a.e0 * b.e + b.e0 * a.e + sdk::cross(a.e, b.e)};
}

/// The state after turning everything by `turn`, moving it by `shift`, and adding the velocity `drift`.
State moved(const State& b, const Vec4<>& turn, const Vec3<>& shift, const Vec3<>& drift) {
  double q[7], v[7];
  sdk::store(shift + sdk::rotate(turn, sdk::position(b)), q);
  sdk::store(product(turn, sdk::parameters(b)), q + 3);
  sdk::store(drift + sdk::rotate(turn, sdk::velocity(b)), v);
  sdk::store(product(turn, sdk::parameter_rates(b)), v + 3);
  State result;
  set_state(result, q, v);
  return result;
}

/// Force and moment about the origin.
struct Wrench {
  Vec3<> force{0, 0, 0}, moment{0, 0, 0};
};
Wrench wrench_of(const State& b, const double* Q) {
  const Vec3<> F = sdk::vec3(Q);
  return {F, sdk::cross(sdk::position(b), F) + 0.5 * sdk::E_apply(sdk::parameters(b), sdk::vec4(Q + 3))};
}

/// Wrenches on both bodies; their sum must vanish.
void check_pair(const ForceElement& element, const State (&b)[2], const double* z, Wrench (&out)[2],
                ForceEnergy& energy, double& z_rate) {
  const void* attached[2] = {&b[0], &b[1]};
  ElementState s;
  s.t = 0.3, s.bodies = attached, s.z = z;
  double Q[2][7] = {};
  const VectorView views[2] = {{Q[0], 7}, {Q[1], 7}};
  REQUIRE(element.force(s, views).ok());
  for (int k = 0; k < 2; ++k) out[k] = wrench_of(b[k], Q[k]);
  CHECK(sdk::norm(out[0].force) + sdk::norm(out[0].moment) > 1e-3);  // it does act
  CHECK(sdk::norm(out[0].force + out[1].force) < 1e-12);
  CHECK(sdk::norm(out[0].moment + out[1].moment) < 1e-12);
  REQUIRE(element.energy(s, energy).ok());
  if (element.internal_states() > 0) REQUIRE(element.internal_rate(s, {&z_rate, 1}).ok());
}

class OneJoint final : public ModelInfo {
 public:
  OneJoint(const Model<State>& model, const Constraint* joint) : model_(model), joint_(joint) {}
  Host host() const override { return Host::spatial; }
  Index body_count() const override { return 2; }
  const char* body_name(Index body) const override { return model_.body_name(body); }
  const void* body_parameters(Index) const override { return nullptr; }
  double body_mass(Index) const override { return 1; }
  const void* initial_state(BodyRef body) const override { return model_.initial_state(body); }
  const Constraint* constraint(ElementRef) const override { return joint_; }

 private:
  const Model<State>& model_;
  const Constraint* joint_;
};

TEST_CASE("forces between two bodies: action and reaction, and the same after every rigid motion") {
  Random random(31);
  Model<State> model;
  model.ground = ground_state<State>();
  model.states = {random_state<State>(random, 1), random_state<State>(random, 1)};
  const ComponentRecord& shaft = find_component("cylindrical", ComponentKind::constraint, Host::spatial);
  const Component<Constraint> joint(shaft,
                                    ParameterFill(shaft.parameters)
                                        .bodies("bodies", {0, 1})
                                        .vector("at", Vec3<>{0.1, 0, 0.2})
                                        .vector("axis", Vec3<>{1, 2, 2}),
                                    model);
  const OneJoint jointed(model, joint.get());

  const auto make = [&](const char* type, const auto& fill_in) {
    const ComponentRecord& record = find_component(type, ComponentKind::force, Host::spatial);
    ParameterFill fill(record.parameters);
    fill_in(fill);
    return std::make_unique<Component<ForceElement>>(record, std::move(fill), jointed);
  };
  const Vec3<> s_i{0.3, -0.1, 0.2}, s_j{-0.2, 0.4, 0};
  const auto ends = [&](ParameterFill& fill) -> ParameterFill& {
    return fill.bodies("bodies", {0, 1}).vector("point_i", s_i).vector("point_j", s_j);
  };
  std::vector<std::unique_ptr<Component<ForceElement>>> elements;
  elements.push_back(make("point_gravity", [&](ParameterFill& fill) {
    fill.bodies("bodies", {0, 1}).number("constant", 1).number("mass_i", 2).number("mass_j", 3);
  }));
  elements.push_back(make("joint_friction", [&](ParameterFill& fill) {
    fill.element("joint", 0).numbers("damping", {2, 3});
  }));
  elements.push_back(make("six_component_force", [&](ParameterFill& fill) {
    ends(fill).text("force_x", "1 + x*y - vz").text("force_y", "vx + ry").text("force_z", "wx*z");
    fill.text("torque_x", "rx + x").text("torque_y", "wy - vy").text("torque_z", "rz*t + wz");
  }));
  elements.push_back(
      make("actuator", [&](ParameterFill& fill) { ends(fill).number("lag", 0.5).text("law", "x + rate"); }));
  elements.push_back(make("actuator", [&](ParameterFill& fill) {
    fill.element("joint", 0).choice("coordinate", 2).number("lag", 0.5).text("law", "x + rate");
  }));
  for (const auto& element : elements) {
    for (int sample = 0; sample < 5; ++sample) {
      const State here[2] = {random_state<State>(random, 1), random_state<State>(random, 1)};
      const Vec4<> turn = sdk::parameters(random_state<State>(random, 1));
      const Vec3<> shift = random_vec3(random), drift = random_vec3(random);
      const State there[2] = {moved(here[0], turn, shift, drift), moved(here[1], turn, shift, drift)};
      const double z = 1.5;
      Wrench first[2], second[2];
      ForceEnergy energy, same;
      double rate = 0, same_rate = 0;
      check_pair(**element, here, &z, first, energy, rate);
      check_pair(**element, there, &z, second, same, same_rate);
      for (int k = 0; k < 2; ++k) {
        const Vec3<> F = sdk::rotate(turn, first[k].force);
        CHECK(sdk::norm(second[k].force - F) < 1e-12);
        CHECK(sdk::norm(second[k].moment - sdk::rotate(turn, first[k].moment) - sdk::cross(shift, F)) < 1e-11);
      }
      CHECK(same.potential == doctest::Approx(energy.potential).epsilon(1e-12));
      CHECK(same.dissipation == doctest::Approx(energy.dissipation).epsilon(1e-12));
      CHECK(same.work == doctest::Approx(energy.work).epsilon(1e-12));
      CHECK(same_rate == doctest::Approx(rate).epsilon(1e-12));
    }
  }
}

// --- Limits and gaps
// ---------------------------------------------------------------------------------------------------------

PlanarBodyState planar_body(double x, double y, double vx) {
  PlanarBodyState b;
  const double q[3] = {x, y, 0}, v[3] = {vx, 0, 0};
  set_state(b, q, v);
  return b;
}

TEST_CASE("aerodynamic_drag: smooth where the air moves with the body, and split into loss and work of the wind") {
  const ComponentRecord& record = find_component("aerodynamic_drag", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {planar_body(0, 0, 0)};
  const auto fill = [&](double linear) {
    ParameterFill made(record.parameters);
    made.body("body", 0).number("area", 2).number("coefficient", 1).number("density", 1).number("linear", linear);
    return std::move(made.vector("wind", Vec2<>{4, 0}));
  };
  const Component<ForceElement> quadratic(record, fill(0), model), both(record, fill(0.5), model);
  PlanarBodyState b = planar_body(0, 0, 4);
  const void* attached[1] = {&b};
  ElementState s;
  s.bodies = attached;
  double Q[3] = {};
  const VectorView view{Q, 3};
  REQUIRE(both->force(s, &view).ok());
  CHECK(Q[0] == 0);
  Blocks Q_q(3, 3, {true}, 0), Q_v(3, 3, {true}, 0), Q_v0(3, 3, {true}, 0);
  REQUIRE(both->gradients(s, Q_q.views(), Q_v.views()).ok());
  CHECK(Q_v.views()[0](0, 0) == -0.5);
  REQUIRE(quadratic->gradients(s, Q_q.views(), Q_v0.views()).ok());
  CHECK(Q_v0.views()[0](0, 0) == 0);

  b = planar_body(0, 0, 1);  // F = (3 + 0.5) 3 with the wind
  REQUIRE(both->force(s, &view).ok());
  CHECK(Q[0] == doctest::Approx(10.5));
  const ForceEnergy energy = energy_at<PlanarBodyState>(*both, {b}, 0);
  CHECK(energy.dissipation == doctest::Approx(31.5));
  CHECK(energy.work == doctest::Approx(42));
  const ElementChannels* channels = find_extension<ElementChannels>(*both);
  double value[4];
  REQUIRE(channels->channel_count() == 4);
  REQUIRE(channels->channel_values(s, {value, 4}).ok());
  CHECK(value[0] == doctest::Approx(3));
  CHECK(value[1] == doctest::Approx(10.5));
  CHECK(value[2] == doctest::Approx(10.5));
  CHECK(value[3] == doctest::Approx(0));
}

TEST_CASE("point_gravity and actuator: no direction where their ends meet") {
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {planar_body(1, 0, 0)};
  model.masses = {1};
  const PlanarBodyState met = planar_body(0, 0, 0);
  const void* attached[2] = {&model.ground, &met};
  const double z = 1;
  ElementState s;
  s.bodies = attached, s.z = &z;
  double Q[3] = {};
  const VectorView views[2] = {{}, {Q, 3}};
  const ComponentRecord& gravity = find_component("point_gravity", ComponentKind::force, Host::planar);
  const Component<ForceElement> pull(
      gravity, ParameterFill(gravity.parameters).bodies("bodies", {-1, 0}).number("mass_i", 1), model);
  CHECK(pull->force(s, views).code == StatusCode::out_of_domain);
  const ComponentRecord& record = find_component("actuator", ComponentKind::force, Host::planar);
  const Vec2<> centre{0, 0};
  const Component<ForceElement> cylinder(record,
                                         ParameterFill(record.parameters)
                                             .bodies("bodies", {-1, 0})
                                             .vector("point_i", centre)
                                             .vector("point_j", centre)
                                             .number("lag", 1)
                                             .text("law", "1"),
                                         model);
  CHECK(cylinder->force(s, views).code == StatusCode::out_of_domain);
}

TEST_CASE("actuator: the command is clamped, force and channels follow") {
  const ComponentRecord& record = find_component("actuator", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {planar_body(2, 0, 3)};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).number("lag", 0.5).text("law", "10*x").number("initial_force", 4);
  fill.number("minimum", -5).number("maximum", 8);
  const Component<ForceElement> element(record, std::move(fill), model);
  REQUIRE(element->internal_states() == 1);
  double z = 0, rate = 0;
  element->initial_internal_states({&z, 1});
  CHECK(z == 4);
  const void* attached[2] = {&model.ground, &model.states[0]};
  ElementState s;
  s.bodies = attached, s.z = &z;
  REQUIRE(element->internal_rate(s, {&rate, 1}).ok());
  CHECK(rate == doctest::Approx((8 - 4) / 0.5));
  double value[5];
  REQUIRE(find_extension<ElementChannels>(*element)->channel_values(s, {value, 5}).ok());
  const double expected[5] = {2, 3, 8, 4, 12};  // position, rate, command, force, power
  for (int k = 0; k < 5; ++k) CHECK(value[k] == doctest::Approx(expected[k]));
  double Q[3] = {};
  const VectorView views[2] = {{}, {Q, 3}};
  REQUIRE(element->force(s, views).ok());
  CHECK(Q[0] == doctest::Approx(4));  // pushes apart
}

TEST_CASE("six_component_force: a law that is not defined is no force") {
  const ComponentRecord& record = find_component("six_component_force", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {planar_body(1, 0, 0)};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).text("force_x", "sqrt(x)").text("force_y", "0").text("torque", "0");
  const Component<ForceElement> element(record, std::move(fill), model);
  const PlanarBodyState left = planar_body(-1, 0, 0);
  const void* attached[2] = {&model.ground, &left};
  ElementState s;
  s.bodies = attached;
  double Q[3] = {};
  const VectorView views[2] = {{}, {Q, 3}};
  CHECK(element->force(s, views).code == StatusCode::out_of_domain);
}

// --- AutoForce: what a stranger writes
// -----------------------------------------------------------------------------------------

/// V = t |r|^2 / 2 with a damper: potential, time dependence and loss in one element.
class Well final : public sdk::AutoForce<Well, PlanarBodyState, 1> {
 public:
  static constexpr bool dissipative = true;
  Well() : AutoForce(BodyRef{0}) {}
  template <class T>
  T potential(const T& t, const sdk::Pose<PlanarBodyState, T>* b) const {
    return 0.5 * t * sdk::dot(b[0].r, b[0].r);
  }
  template <class T>
  void force(const T&, const sdk::Motion<PlanarBodyState, T>* b, sdk::Load<PlanarBodyState, T>* loads) const {
    loads[0].add_force(b[0], Vec2<>{0, 0}, -0.5 * b[0].rdot);
  }
};

TEST_CASE("AutoForce: force, gradients and energy account from a potential") {
  const Well well;
  const PlanarBodyState b = planar_body(2, 1, 3);
  const void* attached[1] = {&b};
  ElementState s;
  s.t = 4, s.bodies = attached;
  const Evaluation e(well, s, 3, {true}, {true});
  CHECK(e.Q[0][0] == doctest::Approx(-4 * 2 - 0.5 * 3));
  CHECK(e.Q[0][1] == doctest::Approx(-4 * 1));
  CHECK(e.Q_t[0][0] == doctest::Approx(-2));
  CHECK(e.Q_q.views()[0](0, 0) == doctest::Approx(-4));
  CHECK(e.Q_v.views()[0](0, 0) == doctest::Approx(-0.5));
  const ForceEnergy energy = energy_at<PlanarBodyState>(well, {b}, 4);
  CHECK(energy.potential == doctest::Approx(10));
  CHECK(energy.dissipation == doctest::Approx(4.5));
  CHECK(energy.work == doctest::Approx(2.5));  // V_t
  // Q.v = -V' - dissipation + work
  CHECK(-9.5 * 3 == doctest::Approx(-(4 * 2 * 3 + 2.5) - 4.5 + 2.5));
}

}  // namespace
}  // namespace conformance
