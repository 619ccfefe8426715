// Named points with axes of their own: places, directions and rotations given by name against the same in numbers.
#include <doctest/doctest.h>

#include <string>

#include "loaded_model.h"
#include "trammel/error.h"

namespace trammel {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Two bodies, drawn turned, and points with axes on both and on the ground.
std::string spatial(const std::string& rest) {
  return R"("type": "spatial", "bodies": {
      "a": {"mass": 1, "inertia": [0.1, 0.2, 0.25], "position": [0.3, -0.2, 0.5], "rotation": {"axis": [1, 2, 0.5], "angle": 0.7}},
      "b": {"mass": 2, "inertia": [0.1, 0.2, 0.25], "position": [-0.4, 0.1, 0.2], "rotation": {"zxz": [0.4, -0.3, 1.1]}}},
    "points": {
      "hub": {"body": "a", "point": [0.1, 0.05, -0.2], "rotation": {"axis": [0, 0, 1], "angle": "=pi/2"}},
      "rim": {"body": "b", "point": [0, 0.3, 0.1], "rotation": {"axis": [1, 0, 0], "angle": "=pi/6"}},
      "base": {"body": "ground", "point": [1, 2, 3], "rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}},
      "bare": {"body": "a", "point": [0.2, 0, 0]}}, )" +
         rest;
}
std::string planar(const std::string& rest) {
  return R"("type": "planar", "bodies": {
      "a": {"mass": 1, "inertia": 0.1, "position": [0.3, -0.2], "angle": 0.4},
      "b": {"mass": 2, "inertia": 0.1, "position": [-0.4, 0.1], "angle": -1.2}},
    "points": {"hub": {"body": "a", "point": [0.1, 0.05], "angle": "=pi/2"}, "rim": {"body": "b", "point": [0, 0.3]}}, )" +
         rest;
}

/// All numbers of a model at a state off the start: residuals, Jacobian, forces.
Eigen::VectorXd numbers_of(const std::string& system) {
  LoadedModel loaded(system_file(system));
  loaded.disturb(5, 0.05);
  REQUIRE(loaded.evaluate(evaluate_Phi | evaluate_dynamics));
  const Index n = loaded.numbers.coordinates(), m = loaded.numbers.constraints();
  Eigen::VectorXd all(m + m + n + n), ones = Eigen::VectorXd::LinSpaced(m, 1, 2), x(n);
  loaded.numbers.apply_jacobian_transpose({ones.data(), m}, {x.data(), n});
  all << loaded.numbers.Phi().map(), loaded.numbers.gamma().map(), x, loaded.numbers.Q().map();
  return all;
}

void same(const std::string& by_name, const std::string& in_numbers, bool is_planar = false) {
  CAPTURE(by_name);
  const Eigen::VectorXd one = numbers_of(is_planar ? planar(by_name) : spatial(by_name)),
                        other = numbers_of(is_planar ? planar(in_numbers) : spatial(in_numbers));
  REQUIRE(one.size() == other.size());
  CHECK((one - other).norm() < 1e-12 * (1 + other.norm()));
}

std::string refused(const std::string& system) {
  try {
    LoadedModel loaded(system_file(system));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string constraint(const std::string& keys) { return R"("constraints": {"tested": {)" + keys + "}}"; }
std::string force(const std::string& keys) { return R"("forces": {"tested": {)" + keys + "}}"; }

}  // namespace

TEST_CASE("axes of a named point stand for directions fixed in its body") {
  // Turned about z by a right angle: x of the point is y of the body, y of the point is -x.
  same(
      constraint(R"("type": "dot1", "bodies": ["a", "b"], "axis_i": "hub.x", "axis_j": "rim.z")"),
      constraint(
          R"("type": "dot1", "bodies": ["a", "b"], "axis_i": [0, 1, 0], "axis_j": [0, "=-sin(pi/6) ", "=cos(pi/6) "])"));
  same(constraint(R"("type": "dot1", "bodies": ["a", "b"], "axis_i": "hub.y", "axis_j": "rim.x")"),
       constraint(R"("type": "dot1", "bodies": ["a", "b"], "axis_i": [-1, 0, 0], "axis_j": [1, 0, 0])"));
  same(constraint(R"("type": "dot2", "bodies": ["a", "b"], "axis_i": "bare.z", "point_i": "hub", "point_j": "rim")"),
       constraint(R"("type": "dot2", "bodies": ["a", "b"], "axis_i": [0, 0, 1], "point_i": [0.1, 0.05, -0.2],
                  "point_j": [0, 0.3, 0.1])"));
  same(constraint(
           R"("type": "point_on_line", "bodies": ["a", "b"], "axis_i": "hub.x", "point_i": "hub", "point_j": "rim")"),
       constraint(R"("type": "point_on_line", "bodies": ["a", "b"], "axis_i": [0, 1], "point_i": [0.1, 0.05],
                  "point_j": [0, 0.3])"),
       true);
}

TEST_CASE("places and axes of a named point at the start stand for global ones") {
  // On the ground, turned about y by a right angle: z of the point is x.
  same(constraint(R"("type": "revolute", "bodies": ["a", "b"], "at": "base", "axis": "base.z")"),
       constraint(R"("type": "revolute", "bodies": ["a", "b"], "at": [1, 2, 3], "axis": [1, 0, 0])"));
  // The same joint, once drawn at a point of a body and once by what is fixed in both.
  LoadedModel loaded(
      system_file(spatial(constraint(R"("type": "revolute", "bodies": ["a", "b"], "at": "hub", "axis": "hub.z")"))));
  REQUIRE(loaded.evaluate(evaluate_Phi));
  const auto start = [&] {
    REQUIRE(loaded.numbers.evaluate(0, LoadedModel::view(loaded.q), {}, {}, evaluate_Phi));
    return loaded.numbers.Phi().segment(0, 5).map().norm();
  };
  CHECK(start() < 1e-14);
  same(constraint(R"("type": "spherical", "bodies": ["ground", "b"], "at": "rim")"),
       constraint(R"("type": "spherical", "bodies": ["ground", "b"], "at": "rim")"));
  same(constraint(R"("type": "revolute", "bodies": ["a", "b"], "at": "hub")"),
       constraint(R"("type": "revolute", "bodies": ["a", "b"],
                  "at": ["=0.3 + 0.1*cos(0.4) - 0.05*sin(0.4) ", "=-0.2 + 0.1*sin(0.4) + 0.05*cos(0.4) "])"),
       true);
  same(constraint(R"("type": "translational", "bodies": ["a", "b"], "at": [0, 0], "axis": "hub.x")"),
       constraint(
           R"("type": "translational", "bodies": ["a", "b"], "at": [0, 0], "axis": ["=-sin(0.4) ", "=cos(0.4) "])"),
       true);
  same(force(R"("type": "applied_force", "body": "a", "at": "hub", "force": [1, 2, 3])"),
       force(R"("type": "applied_force", "body": "a", "point": "hub", "force": [1, 2, 3])"));
}

TEST_CASE("the axes of a named point are a rotation") {
  same(force(R"("type": "bushing", "bodies": ["a", "b"], "point_i": "hub", "point_j": "rim", "rotation_i": "hub",
             "rotation_j": "rim", "stiffness": [10, 20, 30], "torsional_stiffness": [1, 2, 3])"),
       force(R"("type": "bushing", "bodies": ["a", "b"], "point_i": [0.1, 0.05, -0.2], "point_j": [0, 0.3, 0.1],
             "rotation_i": {"axis": [0, 0, 1], "angle": "=pi/2"}, "rotation_j": {"axis": [1, 0, 0], "angle": "=pi/6"},
             "stiffness": [10, 20, 30], "torsional_stiffness": [1, 2, 3])"));
  same(
      force(R"("type": "bushing", "bodies": ["a", "b"], "at": "base", "rotation": "base", "stiffness": [10, 20, 30],
             "torsional_stiffness": [1, 2, 3])"),
      force(
          R"("type": "bushing", "bodies": ["a", "b"], "at": [1, 2, 3], "rotation": {"axis": [0, 1, 0], "angle": "=pi/2"},
             "stiffness": [10, 20, 30], "torsional_stiffness": [1, 2, 3])"));
}

TEST_CASE("names that cannot be meant are refused") {
  const auto with_axis = [](const std::string& axis) {
    return refused(spatial(
        constraint(R"("type": "dot1", "bodies": ["a", "b"], "axis_i": ")" + axis + R"(", "axis_j": [1, 0, 0])")));
  };
  CHECK(contains(with_axis("rim.x"), "the point 'rim' is not on 'a', to which 'axis_i' belongs here"));
  CHECK(contains(with_axis("hub"), "a direction by name is a point and one of its axes"));
  CHECK(contains(with_axis("hub.w"), "a direction by name is a point and one of its axes"));
  CHECK(contains(with_axis("hubs.x"), "there is no point 'hubs'; did you mean 'hub'?"));
  CHECK(contains(with_axis("rim.x"), "/system/constraints/tested/axis_i"));
  CHECK(contains(
      refused(planar(constraint(R"("type": "translational", "bodies": ["a", "b"], "at": [0, 0], "axis": "hub.z")"))),
      "a direction by name"));
  CHECK(contains(
      refused(spatial(constraint(R"("type": "revolute", "bodies": ["a", "b"], "at": "nave", "axis": [0, 0, 1])"))),
      "there is no point 'nave'"));
  CHECK(contains(refused(R"("type": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}},
                         "points": {"p": {"body": "a", "point": [0, 0], "rotation": {"axis": [0, 0, 1], "angle": 1}}})"),
                 "a planar point has an 'angle'"));
  CHECK(contains(refused(R"("type": "spatial", "bodies": {"a": {"type": "point_mass", "mass": 1}},
                         "points": {"p": {"body": "a", "point": [0, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": 1}}})"),
                 "is a point mass and has no axes"));
  CHECK(contains(refused(R"("type": "spatial", "gravity": "p", "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                         "points": {"p": {"body": "a", "point": [0, 0, 0]}})"),
                 "must be an array of 3 numbers"));
}

}  // namespace trammel
