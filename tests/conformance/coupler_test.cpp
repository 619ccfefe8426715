// The coupler against its oracle: two joints with and without a common body, angles that count turns.
#include "row_oracle.h"
#include "trammel/error.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

using State = SpatialBodyState;

/// The model with two joints made before the coupler.
class JointedModel final : public ModelInfo {
 public:
  JointedModel(const Model<State>& model, const Constraint* first, const Constraint* second)
      : model_(model), joints_{first, second} {}
  Host host() const override { return model_.host(); }
  Index body_count() const override { return model_.body_count(); }
  const char* body_name(Index body) const override { return model_.body_name(body); }
  const void* body_parameters(Index) const override { return nullptr; }
  double body_mass(Index) const override { return 1; }
  const void* initial_state(BodyRef body) const override { return model_.initial_state(body); }
  const Constraint* constraint(ElementRef e) const override {
    return e.index == 0 || e.index == 1 ? joints_[e.index] : nullptr;
  }

 private:
  const Model<State>& model_;
  const Constraint* joints_[2];
};

std::unique_ptr<Component<Constraint>> joint(const char* type, const std::vector<std::int32_t>& bodies,
                                             const Vec3<>& at, const Vec3<>& axis, const ModelInfo& model) {
  const ComponentRecord& record = find_component(type, ComponentKind::constraint, Host::spatial);
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", bodies).vector("at", at).vector("axis", axis);
  return std::make_unique<Component<Constraint>>(record, std::move(fill), model);
}

sdk::SpatialAxes frames(std::int32_t i, std::int32_t j, const Vec3<>& h, const ModelInfo& model) {
  const BodyRef refs[2] = {{i}, {j}};
  const double none = left_out();
  return sdk::spatial_axes({{refs, 2}}, {{h.x, h.y, h.z}, {none, none, none}, {none, none, none}}, model);
}

template <class Pose>
auto angle_about(const Pose& i, const Pose& j, const sdk::SpatialAxes& a) {
  const auto F_j = turned(j, a.f_j);
  return atan2(sdk::dot(F_j, turned(i, a.g_i)), sdk::dot(F_j, turned(i, a.f_i)));
}

const Vec3<> at{0.2, -0.1, 0.4}, first_axis{0.6, 0, 0.8}, second_axis{0, 1, 0};

TEST_CASE("a coupler of two angles, and of an angle and a displacement, equals its oracle") {
  std::vector<std::unique_ptr<Component<Constraint>>> joints;
  const ComponentRecord& record = find_component("coupler", ComponentKind::constraint, Host::spatial);
  // Bodies of the coupler in the order in which the joints name them: {0, 1} and {1, 2} share body 1.
  check_constraint<State>("coupler (angles)",
                          [&](const std::vector<std::int32_t>& b, const Model<State>& model, Random&) {
                            joints.push_back(joint("revolute", {b[0], b[1]}, at, first_axis, model));
                            joints.push_back(joint("cylindrical", {b[1], b[2]}, at, second_axis, model));
                            const JointedModel jointed(model, joints[joints.size() - 2]->get(), joints.back()->get());
                            ParameterFill fill(record.parameters);
                            fill.element("first", 0).element("second", 1).number("ratio", 0.7).number("offset", 0.2);
                            const sdk::SpatialAxes one = frames(b[0], b[1], first_axis, model),
                                                   two = frames(b[1], b[2], second_axis, model);
                            return with_oracle<State, 3, 1>(
                                record, std::move(fill), jointed, b,
                                [=](const auto* p, auto* out, const double* references) {
                                  out[0] = nearest(angle_about(p[1], p[2], two), references[1]) - 0.2 -
                                           0.7 * nearest(angle_about(p[0], p[1], one), references[0]);
                                });
                          },
                          {{0, 1, 2}, {-1, 0, 1}, {1, -1, 2}});
  check_constraint<State>(
      "coupler (four bodies)",
      [&](const std::vector<std::int32_t>& b, const Model<State>& model, Random&) {
        joints.push_back(joint("revolute", {b[0], b[1]}, at, first_axis, model));
        joints.push_back(joint("cylindrical", {b[2], b[3]}, at, second_axis, model));
        const JointedModel jointed(model, joints[joints.size() - 2]->get(), joints.back()->get());
        ParameterFill fill(record.parameters);
        fill.element("first", 0).element("second", 1).number("ratio", 0.7).choice("second_coordinate", 2);
        const auto start = [&](std::int32_t k) { return *static_cast<const State*>(model.initial_state(BodyRef{k})); };
        const sdk::SpatialAxes one = frames(b[0], b[1], first_axis, model);
        const auto local = [&](std::int32_t k, const Vec3<>& x) { return sdk::multiply_transposed(start(k).A, x); };
        const Vec3<> s_i = local(b[2], at - sdk::position(start(b[2]))),
                     s_j = local(b[3], at - sdk::position(start(b[3])));
        const Vec3<> h_i = local(b[2], second_axis);
        return with_oracle<State, 4, 1>(record, std::move(fill), jointed, b,
                                        [=](const auto* p, auto* out, const double* references) {
                                          out[0] = sdk::dot(turned(p[2], h_i), between(p[2], p[3], s_i, s_j)) -
                                                   0.7 * nearest(angle_about(p[0], p[1], one), references[0]);
                                        });
      },
      {{0, 1, 2, 3}, {-1, 1, 2, 3}});
}

TEST_CASE("couplers refuse joints without coordinates") {
  Random random(3);
  Model<State> model;
  model.ground = ground_state<State>();
  for (int b = 0; b < 2; ++b) model.states.push_back(random_state<State>(random, 1));
  const auto hinge = joint("revolute", {0, 1}, at, first_axis, model);
  const ComponentRecord& record = find_component("spherical", ComponentKind::constraint, Host::spatial);
  ParameterFill ball(record.parameters);
  ball.bodies("bodies", {0, 1}).vector("at", at);
  const Component<Constraint> sphere(record, std::move(ball), model);
  const JointedModel jointed(model, hinge->get(), sphere.get());
  const auto refusal = [&](std::int32_t first, std::int32_t second, std::int32_t choice) -> std::string {
    const ComponentRecord& coupler = find_component("coupler", ComponentKind::constraint, Host::spatial);
    ParameterFill fill(coupler.parameters);
    fill.element("first", first).element("second", second).number("ratio", 1).choice("first_coordinate", choice);
    try {
      const Component<Constraint> element(coupler, std::move(fill), jointed);
    } catch (const Error& error) {
      return error.key() + ": " + error.what();
    }
    return "";
  };
  CHECK(refusal(0, 1, 0) == "second: this constraint has no joint coordinate that a coupler could use");
  CHECK(refusal(0, 2, 0) == "second: the joint must stand above the coupler in the run file");
  CHECK(refusal(0, 0, 0) == "second: a coupler needs two different joint coordinates");
  CHECK(refusal(0, 0, 2) == "first_coordinate: the joint has no displacement");
}

}  // namespace
}  // namespace conformance
