// What the loads refuse, with the message a reader of the run file sees: file, line, path, value, expectation.
#include <doctest/doctest.h>

#include "loaded_model.h"
#include "refusal.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

const SimulationOptions built{{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};

/// The force stands on line 4.
std::string refusal_of(const std::string& force, const std::string& integrator = "dopri5") {
  const std::filesystem::path file = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "bodies":
    {"one": {"mass": 1, "inertia": 1}, "two": {"mass": 2, "inertia": 1}, "far": {"mass": 1, "inertia": 1, "position": [3, 0]}},
    "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "one"], "at": [0, 0]},
    "weld": {"type": "fixed", "bodies": ["one", "two"]}}, "forces": {"f": )" +
                                                        force + R"(}},
    "analysis": {"type": "dynamics", "duration": 0.1}, "formulation": {"type": "projection"},
    "integrator": {"type": ")" + integrator + R"("}})");
  return refusal([&] { Simulation simulation(file, built); });
}

void check(const std::string& force, const std::string& key, const std::string& text) {
  const std::string message = refusal_of(force);
  CAPTURE(force);
  CAPTURE(message);
  CHECK(message.find("run.json:4: /system/forces/f" + key) != std::string::npos);
  CHECK(message.find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("the model of these tests is accepted with good loads") {
  CHECK(refusal_of(R"({"type": "point_gravity", "bodies": ["one", "far"]})") == "accepted");
  CHECK(refusal_of(R"({"type": "actuator", "joint": "pin", "law": "1 - rate", "lag": 1})") == "accepted");
}

TEST_CASE("point_gravity") {
  check(R"({"type": "point_gravity", "bodies": ["one", "two"]})", "/bodies", "mass centres coincide");
  check(R"({"type": "point_gravity", "bodies": ["ground", "far"]})", "/mass_i", "ground has no mass of its own");
  check(R"({"type": "point_gravity", "bodies": ["one", "far"], "constant": 0})", "/constant", "> 0");
  check(R"({"type": "point_gravity", "bodies": ["one", "far"], "mass_j": -2})", "/mass_j", "-2");
  check(R"({"type": "point_gravity", "bodies": ["far", "far"]})", "/bodies/1", "the body 'far' is named twice");
}

TEST_CASE("aerodynamic_drag") {
  check(R"({"type": "aerodynamic_drag", "body": "one", "area": -0.1, "coefficient": 1})", "/area", "-0.1");
  check(R"({"type": "aerodynamic_drag", "body": "one", "area": 1})", "", "'coefficient'");
  check(R"({"type": "aerodynamic_drag", "body": "ground", "area": 1, "coefficient": 1})", "/body", "moves nothing");
  check(R"({"type": "aerodynamic_drag", "body": "one", "area": 1, "coefficient": 1, "at": [0, 0], "point": [0, 0]})",
        "/at", "not both");
  check(R"({"type": "aerodynamic_drag", "body": "one", "area": 1, "coefficient": 1, "wind": [1, 2, 3]})", "/wind", "2");
}

TEST_CASE("joint_friction") {
  check(R"({"type": "joint_friction", "joint": "pin", "damping": [1, 2]})", "/damping",
        "this joint has 1 coordinate, but 2 coefficients are given");
  check(R"({"type": "joint_friction", "joint": "pin", "damping": -1})", "/damping", "-1");
  check(R"({"type": "joint_friction", "joint": "weld", "damping": 1})", "/joint", "has no joint coordinate");
  check(R"({"type": "joint_friction", "joint": "pins", "damping": 1})", "/joint", "did you mean 'pin'?");
}

TEST_CASE("six_component_force") {
  check(R"({"type": "six_component_force", "bodies": ["one", "far"], "force_x": "-3*vz"})", "/force_x",
        "unknown name 'vz' at column 4; did you mean 'vx'?");
  check(R"({"type": "six_component_force", "bodies": ["one", "far"], "torque": "2*(phi"})", "/torque",
        "')' is missing");
  check(R"({"type": "six_component_force", "bodies": ["one", "far"], "force_z": "1"})", "/force_z", "did you mean");
}

TEST_CASE("actuator") {
  const std::string joint = R"({"type": "actuator", "joint": "pin", )";
  check(joint + R"("law": "1", "lag": 0})", "/lag", "> 0");
  check(joint + R"("lag": 1})", "", "an actuator needs its command");
  check(joint + R"("law": "1", "function": 2, "lag": 1})", "/law", "an actuator needs its command");
  check(joint + R"("law": "u", "lag": 1})", "/law", "unknown name 'u'");
  check(joint + R"("law": "1", "lag": 1, "coordinate": "displacement"})", "/coordinate",
        "the joint has no displacement");
  check(joint + R"("law": "1", "lag": 1, "point_i": [0, 0]})", "/point_i", "no end points");
  check(joint + R"("law": "1", "lag": 1, "minimum": 2, "maximum": 1})", "/maximum", "above the lower one");
  check(joint + R"("law": "1", "lag": 1, "minimum": 2})", "/initial_force", "outside the limits");
  check(R"({"type": "actuator", "law": "1", "lag": 1})", "", "between two 'bodies'");
  check(R"({"type": "actuator", "bodies": ["one", "far"], "joint": "pin", "law": "1", "lag": 1})", "/joint",
        "between two 'bodies'");
  check(R"({"type": "actuator", "bodies": ["one", "two"], "law": "1", "lag": 1})", "/bodies", "coincide");
}
