// Joints of the catalogue in the initial configuration and moved rigidly: rows that hold, action equal to reaction.
#include <functional>

#include "element_harness.h"
#include "trammel/error.h"
#include "trammel/extensions/element_extensions.h"
#include "wrench.h"

namespace conformance {
namespace {

using sdk::Vec2;
using sdk::Vec3;

const Vec3<> at{0.3, -0.2, 0.5}, axis{0.6, 0.8, 0}, second_axis{0.8, -0.6, 0};

struct Case {
  const char* type;
  std::function<void(ParameterFill&)> fill;
  std::vector<std::int32_t> bodies = {0, 1};
};

/// Body b moved by the rotation `turn` about the origin and a shift.
SpatialBodyState moved(const SpatialBodyState& b, const sdk::Vec4<>& turn, const Vec3<>& shift) {
  double q[7], v[7] = {};
  sdk::store(sdk::rotate(turn, sdk::position(b)) + shift, q);
  const sdk::Vec4<> p = sdk::parameters(b);
  sdk::store(
      sdk::Vec4<>{turn.e0 * p.e0 - sdk::dot(turn.e, p.e), turn.e0 * p.e + p.e0 * turn.e + sdk::cross(turn.e, p.e)},
      q + 3);
  SpatialBodyState result;
  set_state(result, q, v);
  return result;
}
PlanarBodyState moved(const PlanarBodyState& b, double angle, const Vec2<>& shift) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double q[3] = {c * b.r[0] - s * b.r[1] + shift.x, s * b.r[0] + c * b.r[1] + shift.y, b.phi + angle};
  const double v[3] = {};
  PlanarBodyState result;
  set_state(result, q, v);
  return result;
}

template <class State>
void check_balance(const Case& given, const Constraint& element, const std::vector<State>& states) {
  CAPTURE(given.type);
  const std::size_t count = states.size();
  std::vector<const void*> attached;
  for (const State& state : states) attached.push_back(&state);
  ElementState s;
  s.bodies = attached.data();
  const Index m = element.rows();
  std::vector<double> Phi(static_cast<std::size_t>(m), 1);
  Blocks Phi_q(m, State::coordinates, std::vector<bool>(count, true), 0);
  ConstraintOutput out;
  out.Phi = {Phi.data(), m}, out.Phi_q = Phi_q.views();
  REQUIRE(element.evaluate(s, out).ok());
  for (const double x : Phi) CHECK(std::abs(x) < 1e-13);  // rounding of numbers of size 1, also under rigid motions
  const ReactionPoint* reaction = find_extension<ReactionPoint>(element);
  CHECK(reaction != nullptr);
  for (Index row = 0; row < m; ++row) {
    Wrench sum{{0, 0, 0}, {0, 0, 0}};
    for (std::size_t b = 0; b < count; ++b) sum = sum + wrench(states[b], Phi_q.views()[b], row);
    CHECK(sdk::norm(sum.force) < 1e-13);
    CHECK(sdk::norm(sum.moment) < 1e-13);
  }
}

template <class State>
Model<State> model_of_three() {
  Random random(5);
  Model<State> model;
  model.ground = ground_state<State>();
  for (int b = 0; b < 3; ++b) model.states.push_back(random_state<State>(random, 1));
  return model;
}

const std::vector<Case> spatial_cases = {
    {"universal", [](ParameterFill& p) { p.vector("at", at).vector("axis", axis).vector("second_axis", second_axis); }},
    {"fixed", [](ParameterFill& p) { p.vector("at", at); }},
    {"fixed", [](ParameterFill&) {}},
    {"in_line", [](ParameterFill& p) { p.vector("at", at).vector("axis", axis); }},
    {"in_plane", [](ParameterFill& p) { p.vector("at", at).vector("axis", axis); }},
    {"planar_joint", [](ParameterFill& p) { p.vector("at", at).vector("axis", axis); }},
    {"parallel_axes", [](ParameterFill& p) { p.vector("axis", axis); }},
    {"spherical_spherical", [](ParameterFill& p) { p.vector("point_i", at); }},
    {"screw", [](ParameterFill& p) { p.vector("at", at).vector("axis", axis).number("pitch", 0.7); }},
    {"gear_pair",
     [](ParameterFill& p) { p.body("carrier", 2).vector("axis", axis).vector("second_axis", at).number("ratio", -2); }},
    {"rack_and_pinion",
     [](ParameterFill& p) { p.vector("axis", axis).vector("second_axis", second_axis).number("radius", 0.3); }},
};

const std::vector<Case> planar_cases = {
    {"fixed", [](ParameterFill& p) { p.vector("at", at); }},
    {"fixed", [](ParameterFill&) {}},
    {"gear", [](ParameterFill& p) { p.number("radius_i", 0.2).number("radius_j", 0.5); }},
    {"gear", [](ParameterFill& p) { p.number("radius_i", 0.2).number("radius_j", 0.5).boolean("internal", true); }},
    {"rack_and_pinion", [](ParameterFill& p) { p.vector("axis", axis).number("radius", 0.3); }},
    {"revolute_translational", [](ParameterFill& p) { p.vector("axis", axis); }},
};

TEST_CASE("spatial joints hold at the start and under rigid motions, action equals reaction") {
  Random random(8);
  const Model<SpatialBodyState> model = model_of_three<SpatialBodyState>();
  for (const Case& given : spatial_cases) {
    const ComponentRecord& record = find_component(given.type, ComponentKind::constraint, Host::spatial);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", given.bodies);
    given.fill(fill);
    const Component<Constraint> element(record, std::move(fill), model);
    for (int sample = 0; sample < 4; ++sample) {
      const sdk::Vec4<> turn = sdk::parameters(random_state<SpatialBodyState>(random, 1));
      const Vec3<> shift = random_vec3(random);
      std::vector<SpatialBodyState> states;
      for (Index b = 0; b < element->body_count(); ++b) {
        states.push_back(moved(model.states[static_cast<std::size_t>(element->body(b).index)], turn, shift));
      }
      check_balance(given, *element, states);
    }
  }
}

TEST_CASE("planar joints hold at the start and under rigid motions, action equals reaction") {
  Random random(8);
  const Model<PlanarBodyState> model = model_of_three<PlanarBodyState>();
  for (const Case& given : planar_cases) {
    const ComponentRecord& record = find_component(given.type, ComponentKind::constraint, Host::planar);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", given.bodies);
    given.fill(fill);
    const Component<Constraint> element(record, std::move(fill), model);
    for (int sample = 0; sample < 4; ++sample) {
      const double angle = uniform(random, -3, 3);
      const Vec2<> shift = random_vec2(random);
      std::vector<PlanarBodyState> states;
      for (Index b = 0; b < element->body_count(); ++b) {
        states.push_back(moved(model.states[static_cast<std::size_t>(element->body(b).index)], angle, shift));
      }
      check_balance(given, *element, states);
    }
  }
}

/// "key: message" with which creating an element is refused, "" if it is not.
template <class State>
std::string refusal(const Case& given) {
  const ComponentRecord& record =
      find_component(given.type, ComponentKind::constraint, State::coordinates == 3 ? Host::planar : Host::spatial);
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", given.bodies);
  given.fill(fill);
  try {
    const Component<Constraint> element(record, std::move(fill), model_of_three<State>());
  } catch (const Error& error) {
    return error.key() + ": " + error.what();
  }
  return "";
}

TEST_CASE("wrong geometry of catalogue joints is refused with the key and the reason") {
  using P = ParameterFill;
  using S = SpatialBodyState;
  CHECK(refusal<S>({"universal", [](P& p) { p.vector("at", at).vector("axis", axis).vector("second_axis", axis); }}) ==
        "second_axis: the two axes of the cross must be perpendicular, and are more than 30 degrees from it");
  CHECK(refusal<S>({"universal", [](P& p) { p.vector("at", at).vector("axis", axis); }}) ==
        "second_axis: is missing beside 'axis'");
  CHECK(refusal<S>({"in_line", [](P& p) { p.vector("at", at); }}) ==
        "axis: needs 'axis' (global) or 'axis_i' (body-fixed)");
  CHECK(refusal<S>({"in_plane", [](P& p) {
                      p.vector("at", at).vector("axis", {0, 0, 0});
                    }}) == "axis: an axis may not be zero");
  CHECK(refusal<S>({"fixed", [](P& p) { p.vector("point_i", at); }}) ==
        "point_j: needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)");
  CHECK(refusal<S>({"spherical_spherical", [](P& p) { p.number("length", -1); }}) ==
        "length: the length of the link must be positive");
  CHECK(refusal<S>({"revolute_spherical", [](P&) {}}) == "axis: needs 'axis' (global) or 'axis_i' (body-fixed)");
  CHECK(refusal<S>({"gear_pair", [](P& p) { p.body("carrier", 1).vector("axis", axis).number("ratio", 1); }}) ==
        "carrier: the carrier must be another body than the two gears");
  CHECK(refusal<S>({"gear_pair", [](P& p) { p.body("carrier", 2).vector("axis", axis).number("ratio", 0); }}) ==
        "ratio: the ratio of a gear pair may not be zero");
  CHECK(refusal<S>({"rack_and_pinion",
                    [](P& p) { p.vector("axis", axis).vector("second_axis", axis).number("radius", 1); }}) ==
        "second_axis: the rack must be perpendicular to the pinion's axis, and is more than 30 degrees from it");
  CHECK(refusal<PlanarBodyState>(
            {"gear", [](P& p) { p.number("radius_i", 1).number("radius_j", 1).boolean("internal", true); }}) ==
        "radius_j: the ring of an internal pair needs another radius than the gear inside it");
  CHECK(refusal<PlanarBodyState>({"rack_and_pinion", [](P& p) { p.number("radius", 1); }}) ==
        "axis: needs 'axis' (global) or 'axis_j' (fixed in the rack), not both");
  CHECK(refusal<S>({"screw", [](P& p) { p.vector("at", at).number("pitch", 0.1); }}) ==
        "axis: needs 'axis' (global), or both 'axis_i' and 'axis_j' (body-fixed)");
  CHECK(
      refusal<S>({"screw",
                  [](P& p) { p.vector("at", at).vector("axis_i", axis).vector("axis_j", axis).number("pitch", 1); }}) ==
      "at: 'at' is global and cannot be mixed with body-fixed point_i, point_j, axis_i, axis_j: give either kind");
  CHECK(refusal<S>({"planar_joint", [](P& p) {
                      p.vector("at", at).vector("axis", {0, 0, 0});
                    }}) == "axis: an axis may not be zero");
  CHECK(refusal<S>({"planar_joint", [](P& p) { p.vector("axis", axis); }}) ==
        "at: needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)");
  CHECK(refusal<PlanarBodyState>({"fixed", [](P& p) { p.vector("point_j", at); }}) ==
        "point_i: needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)");
  CHECK(refusal<PlanarBodyState>({"fixed", [](P& p) { p.vector("at", at); }, {1, 1}}) ==
        "bodies: the two bodies must differ");
  CHECK(refusal<PlanarBodyState>({"revolute_translational", [](P&) {}}) ==
        "axis: needs 'axis' (global) or 'axis_i' (fixed in the first body), not both");
  CHECK(refusal<PlanarBodyState>({"revolute_translational", [](P& p) {
                                    p.vector("axis_i", {0, 0, 0});
                                  }}) == "axis_i: an axis may not be zero");
  CHECK(refusal<S>({"revolute_spherical", [](P& p) { p.vector("axis", axis).vector("axis_i", axis); }}) ==
        "axis: give 'axis' (global) or 'axis_i' (fixed in the first body), not both");
  CHECK(refusal<S>({"parallel_axes", [](P& p) {
                      p.bodies("bodies", {1, 1}).vector("axis", axis);
                    }}) == "bodies: the two bodies must differ");
}

}  // namespace
}  // namespace conformance
