// Joints as run files give them: global and body-fixed geometry, signs, reactions, and what is refused.
#include "element_harness.h"
#include "trammel/error.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "wrench.h"

namespace conformance {
namespace {

using sdk::Vec3;
using State = SpatialBodyState;

/// Two random bodies, and both moved by one rigid motion plus a relative motion of the second about (and along) an axis
/// through `at`.
struct Pair {
  Model<State> model;
  Random random{21};
  Vec3<> at{0.3, -0.2, 0.5}, axis{1, 2, -0.5};

  Pair() {
    model.ground = ground_state<State>();
    model.states = {random_state<State>(random, 1), random_state<State>(random, 1)};
    model.masses = {1, 1};
  }

  static State moved(const State& b, const sdk::Vec4<>& turn, const Vec3<>& about, const Vec3<>& shift) {
    double q[7], v[7] = {};
    sdk::store(about + sdk::rotate(turn, sdk::position(b) - about) + shift, q);
    const sdk::Vec4<> p = sdk::parameters(b);  // quaternion product turn * p
    sdk::store(
        sdk::Vec4<>{turn.e0 * p.e0 - sdk::dot(turn.e, p.e), turn.e0 * p.e + p.e0 * turn.e + sdk::cross(turn.e, p.e)},
        q + 3);
    State result;
    set_state(result, q, v);
    return result;
  }
  sdk::Vec4<> turn_about_axis(double angle) const {
    return {std::cos(angle / 2), (std::sin(angle / 2) / sdk::norm(axis)) * axis};
  }
};

double residual(const Constraint& element, const State& i, const State& j) {
  const void* attached[2] = {&i, &j};
  ElementState s;
  s.bodies = attached;
  std::vector<double> Phi(static_cast<std::size_t>(element.rows()), 1);
  ConstraintOutput out;
  out.Phi = {Phi.data(), element.rows()};
  REQUIRE(element.evaluate(s, out).ok());
  double largest = 0;
  for (const double x : Phi) largest = std::max(largest, std::abs(x));
  return largest;
}

struct Joint {
  const char* type;
  bool axis, angle, displacement;
};

TEST_CASE("joints hold in the initial configuration, under rigid motions and along their own freedoms") {
  for (const Joint& joint : {Joint{"revolute", true, true, false},
                             {"cylindrical", true, true, true},
                             {"translational", true, false, true},
                             {"spherical", false, false, false},
                             {"point", false, false, false}}) {
    CAPTURE(joint.type);
    Pair pair;
    const ComponentRecord& record = find_component(joint.type, ComponentKind::constraint, Host::spatial);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {0, 1}).vector("at", pair.at);
    if (joint.axis) fill.vector("axis", pair.axis);
    if (joint.angle) fill.number("initial_angle", 0.25);
    if (joint.displacement) fill.number("initial_displacement", -0.5);
    const Component<Constraint> element(record, std::move(fill), pair.model);
    const State &i0 = pair.model.states[0], &j0 = pair.model.states[1];
    CHECK(residual(*element, i0, j0) < 1e-14);

    for (int sample = 0; sample < 5; ++sample) {
      const double angle = joint.angle || !joint.axis ? uniform(pair.random, -3, 3) : 0;
      const double slide = joint.displacement ? uniform(pair.random) : 0;
      const Vec3<> along = (slide / sdk::norm(pair.axis)) * pair.axis;
      State j = Pair::moved(j0, pair.turn_about_axis(angle), pair.at, along), i = i0;
      sdk::Vec4<> turn = sdk::parameters(random_state<State>(pair.random, 1));
      const Vec3<> shift = random_vec3(pair.random);
      i = Pair::moved(i, turn, {0, 0, 0}, shift), j = Pair::moved(j, turn, {0, 0, 0}, shift);
      CHECK(residual(*element, i, j) < 1e-13);

      const void* attached[2] = {&i, &j};
      ElementState s;
      s.bodies = attached;
      const ElementChannels* channels = find_extension<ElementChannels>(*element);
      CHECK((channels != nullptr) == joint.axis);
      if (channels != nullptr) {
        double value[4] = {};
        REQUIRE(channels->channel_values(s, {value, channels->channel_count()}).ok());
        for (Index k = 0; k < channels->channel_count(); ++k) {
          const std::string name = channels->channel_name(k);
          // Second body relative to the first, right-handed about the axis.
          if (name == "angle")
            CHECK(std::remainder(value[k] - 0.25 - angle, 2 * std::acos(-1.0)) == doctest::Approx(0).epsilon(1e-12));
          if (name == "displacement") CHECK(value[k] == doctest::Approx(slide - 0.5));
        }
      }
      // Action and reaction: forces and moments of any multipliers on both bodies cancel.
      const ReactionPoint* reaction = find_extension<ReactionPoint>(*element);
      REQUIRE(reaction != nullptr);
      double joint_point[3];
      reaction->reaction_point(s, joint_point);
      const Vec3<> expected = shift + sdk::rotate(turn, pair.at + along);
      CHECK(sdk::norm(sdk::vec3(joint_point) - expected) < 1e-13);
      Blocks Phi_q(element->rows(), 7, {true, true}, 0);
      ConstraintOutput out;
      out.Phi_q = Phi_q.views();
      REQUIRE(element->evaluate(s, out).ok());
      for (Index row = 0; row < element->rows(); ++row) {
        const Wrench sum = wrench(i, Phi_q.views()[0], row) + wrench(j, Phi_q.views()[1], row);
        CHECK(sdk::norm(sum.force) < 1e-13);
        CHECK(sdk::norm(sum.moment) < 1e-13);
      }
    }
  }
}

TEST_CASE("joint angles count turns") {
  Pair pair;
  const ComponentRecord& record = find_component("revolute", ComponentKind::constraint, Host::spatial);
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 1}).vector("at", pair.at).vector("axis", pair.axis).number("initial_angle", 7);
  const Component<Constraint> element(record, std::move(fill), pair.model);
  const CountedAngles* counted = find_extension<CountedAngles>(*element);
  REQUIRE(counted != nullptr);
  double angle[1];
  counted->initial_angles({angle, 1});
  CHECK(angle[0] == 7);
  for (int step = 1; step <= 20; ++step) {
    const State j = Pair::moved(pair.model.states[1], pair.turn_about_axis(0.9 * step), pair.at, {0, 0, 0});
    const void* attached[2] = {&pair.model.ground, &j};
    ElementState s;
    const double reference = angle[0];
    s.bodies = attached, s.angle_references = &reference;
    counted->angles(s, {angle, 1});
    CHECK(angle[0] == doctest::Approx(7 + 0.9 * step));
  }
}

/// The message with which creating a component is refused, and the key it blames.
template <class Fill>
std::pair<std::string, std::string> refusal(const char* type, ComponentKind kind, const Fill& fill_in) {
  Pair pair;
  const ComponentRecord& record = find_component(type, kind, Host::spatial);
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {0, 1});
  fill_in(fill);
  try {
    const Component<Constraint> element(record, std::move(fill), pair.model);
  } catch (const Error& error) {
    return {error.key(), error.what()};
  }
  return {};
}

TEST_CASE("wrong geometry is refused with the key and the way out") {
  using P = ParameterFill;
  const Vec3<> x{1, 0, 0}, zero{0, 0, 0};
  constexpr ComponentKind constraint = ComponentKind::constraint;
  const auto same = [](const std::pair<std::string, std::string>& got, const char* key, const char* text) {
    CHECK(got.first == key);
    CHECK(got.second == text);
  };
  same(refusal("revolute", constraint, [&](P& p) { p.vector("at", x).vector("axis", zero); }), "axis",
       "an axis may not be zero");
  same(refusal("revolute", constraint, [&](P& p) { p.vector("at", x).vector("axis_i", x).vector("axis_j", x); }), "at",
       "'at' is global and cannot be mixed with body-fixed point_i, point_j, axis_i, axis_j: give either kind");
  same(refusal("spherical", constraint, [&](P& p) { p.vector("at", x).vector("point_i", x); }), "at",
       "'at' is global and cannot be mixed with body-fixed point_i, point_j, axis_i, axis_j: give either kind");
  same(refusal("spherical", constraint, [&](P& p) { p.vector("point_i", x); }), "point_j",
       "needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)");
  same(refusal("revolute", constraint, [&](P& p) { p.vector("at", x); }), "axis",
       "needs 'axis' (global), or both 'axis_i' and 'axis_j' (body-fixed)");
  same(refusal("spherical", constraint,
               [&](P& p) {
                 p.bodies("bodies", {1, 1}).vector("at", x);
               }),
       "bodies", "the two bodies must differ");
  same(refusal("distance", constraint, [&](P& p) { p.number("length", 0); }), "length",
       "the distance must be positive; for coincident points use 'point'");
  CHECK(refusal("distance", constraint, [](P&) {}).second.empty());  // the initial distance
  same(refusal("dot1", constraint, [&](P& p) { p.vector("axis", x); }), "second_axis", "is missing beside 'axis'");
}

std::string body_refusal(double mass, const std::vector<double>& inertia) {
  const ComponentRecord& record = find_component("spatial", ComponentKind::system, Host::spatial);
  Model<State> model;
  ParameterFill body(record.body_parameters);
  body.number("mass", mass).numbers("inertia", inertia);
  model.body_parameter_structs = {body.data()};
  try {
    const Component<System> system(record, ParameterFill(record.parameters), model);
    return system->bodies()->reduction() != nullptr ? "" : "singular";
  } catch (const Error& error) {
    return error.key() + ": " + error.what();
  }
}

TEST_CASE("masses and inertias no body can have are refused by name") {
  CHECK(body_refusal(1, {1, 1, 1.5}).empty());
  CHECK(body_refusal(1, {0.1, 0.2, 0.1 + 0.2}).empty());  // equality up to rounding: a flat plate
  CHECK(body_refusal(1, {0, 1, 1}) == "singular");        // an ideal rod
  CHECK(body_refusal(1, {0, 0, 0}) == "singular");        // a point mass
  CHECK(body_refusal(0, {1, 1, 1}) == "bodies/first/mass: body 'first': mass must be positive, is 0");
  CHECK(body_refusal(1, {1, 1}) ==
        "bodies/first/inertia: body 'first': inertia needs 3 principal moments or 6 tensor entries xx yy zz xy xz yz, "
        "has 2 "
        "numbers");
  CHECK(body_refusal(1, {1, 1, 2.5}).find("no body has principal moments 1, 1, 2.5") != std::string::npos);
  CHECK(body_refusal(1, {1, 1, 1, 2, 0, 0}).find("may not be negative: -1, 1, 3") != std::string::npos);
}

}  // namespace
}  // namespace conformance
