// How settling ends, or not, and how the minimum of the potential leaves unstable starts.
#include <cmath>

#include "finished_run.h"

namespace trammel {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A block of 1 kg on a guide along x, at 1.2 with a spring of 100 N/m that is free at 1.
std::string block(const std::string& constraints, const std::string& forces, const std::string& method) {
  return R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "block": { "mass": 1, "inertia": 0.1, "position": [1.2, 0] } },
    "constraints": { "guide": { "type": "translational", "bodies": ["ground", "block"], "at": [1, 0], "axis": [1, 0] })json" +
         constraints + R"json( },
    "forces": { "spring": { "type": "tsda", "bodies": ["ground", "block"], "stiffness": 100, "free_length": 1 })json" +
         forces + R"json( } }, "analysis": { "type": "equilibrium", "method": ")json" + method + "\" } }";
}

TEST_CASE("the minimum of the potential leaves an unstable start") {
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "rod": { "mass": 1, "inertia": 0.08, "position": [0, 0.5] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "rod"], "point_i": [0, 0], "point_j": [0, -0.5] } } },
    "analysis": { "type": "equilibrium" } })json"));
  CHECK(run.channel("rod.y") == doctest::Approx(-0.5).epsilon(1e-10));
  CHECK(contains(run.simulation.summary_json(), "\"stable\": true"));
}

TEST_CASE("a hanging body is neutral after settling, not unstable") {
  FinishedRun run(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "spatial", "gravity": [0, 0, -9.81],
    "bodies": { "bob": { "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [0.5, 0.1, 0.05] } },
    "constraints": { "ball": { "type": "spherical", "bodies": ["ground", "bob"], "at": [0, 0, 0] } } },
    "analysis": { "type": "equilibrium", "method": "settling", "damping": 2 } })json"));
  CHECK(contains(run.simulation.summary_json(), "\"unstable\": 0"));
  CHECK(contains(run.simulation.summary_json(), "\"neutral\": 1"));
}

TEST_CASE("a state that runs away ends the settling") {
  Simulation run(
      temporary_run_file(
          block("", R"(, "motor": { "type": "actuator", "joint": "guide", "law": "200*x", "lag": 0.1 })", "settling")),
      {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(run.run() == RunStatus::failed);
  CHECK(contains(run.message(), "the state runs away"));
}

TEST_CASE("a law that switches where it drives to ends the settling soon, and is told of") {
  for (const char* law : {"if(x<0,5,-5)", "if(x<0,5,-5)-3*x", "if(x<0,2,-20)"}) {
    CAPTURE(law);
    Simulation run(
        temporary_run_file(std::string(R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, 0],
    "bodies": { "a": { "mass": 1, "inertia": 1, "position": [0.05, 0] } },
    "constraints": { "g": { "type": "translational", "bodies": ["ground", "a"], "at": [0, 0], "axis": [1, 0] } },
    "forces": { "k": { "type": "six_component_force", "bodies": ["ground", "a"], "force_x": ")json") +
                           law + R"json(" } } }, "analysis": { "type": "equilibrium", "method": "settling" } })json"),
        {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    CHECK(run.run() == RunStatus::failed);
    CHECK(contains(run.message(), "chattering"));
    CHECK(!contains(run.message(), "\"damping\""));
  }
}

// 10 kg on two stops of 1e5 N/m: 1e-8 m of one are 2e-4 m/s^2.
TEST_CASE("settling on stiff stops names the atol that it needs, and comes to rest with it") {
  const auto settle = [](const char* atol) {
    return temporary_run_file(std::string(R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "b": { "mass": 10, "inertia": 1, "position": [0.2, 0.5] } },
    "constraints": { "g": { "type": "point_on_line", "bodies": ["ground", "b"], "axis_i": [0, 1], "point_i": [0.2, 0], "point_j": [0, 0] } },
    "forces": {
      "s1": { "type": "stop", "bodies": ["ground", "b"], "axis_i": [0, 1], "point_j": [-0.7, -0.1], "stiffness": 1e5, "exponent": 1 },
      "s2": { "type": "stop", "bodies": ["ground", "b"], "axis_i": [0, 1], "point_j": [0.3, -0.1], "stiffness": 1e5, "exponent": 1 } } },
    "analysis": { "type": "equilibrium", "method": "settling", "duration": 50 }, "formulation": { "type": "projection" },
    "integrator": { "type": "dopri5", "rtol": 1e-6, "atol": )json") +
                              atol + " } }");
  };
  const std::string plugins = std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins";
  Simulation noisy(settle("1e-8"), {{}, {plugins}});
  CHECK(noisy.run() == RunStatus::failed);
  CHECK(contains(noisy.message(), "try \"atol\": "));
  CHECK(!contains(noisy.message(), "\"damping\""));
  Simulation fine(settle("1e-10"), {{}, {plugins}});
  CHECK(fine.run() == RunStatus::completed);
}

TEST_CASE("smoothed dry friction holds nothing at rest: what can settle through it does, what creeps is told as such") {
  // The velocity scale of the friction is large, so that creeping takes seconds.
  FinishedRun held(
      temporary_run_file(block("", R"(, "rubbing": { "type": "tsda", "bodies": ["ground", "block"], "free_length": 1,
    "friction": 5, "friction_speed": 0.1 })",
                               "settling")));
  CHECK(held.channel("block.x") ==
        doctest::Approx(1).epsilon(1e-7));  // free there; 1e-6 m/s^2 are 1e-8 m of the spring
  CHECK(contains(held.simulation.summary_json(), "\"stable\": true"));

  Simulation creeping(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "rod": { "mass": 1, "inertia": 0.08, "position": [0.5, 0] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0] } },
    "forces": { "rubbing": { "type": "joint_friction", "joint": "pin", "damping": [0], "friction": [1], "friction_speed": 0.1 } } },
    "analysis": { "type": "equilibrium", "method": "settling", "duration": 3 } })json"),
                      {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(creeping.run() == RunStatus::failed);
  CHECK(contains(creeping.message(), "creep in the smoothed dry friction of force 'rubbing'"));
}

TEST_CASE("drivers that move at the start hold their positions, by every method") {
  // 1.2 + t + 3 t^2: neither its velocity nor its acceleration counts.
  const std::string driver = R"(, "motor": { "type": "coordinate_driver", "body": "block", "coordinate": "x",
    "function": { "type": "polynomial", "coefficients": [1.2, 1, 3] } })";
  for (const char* method : {"minimum_potential", "newton", "settling"}) {
    CAPTURE(method);
    FinishedRun run(temporary_run_file(block(driver, "", method)));
    CHECK(run.channel("block.x") == doctest::Approx(1.2).epsilon(1e-9));
    CHECK(run.channel("motor.effort") == doctest::Approx(20).epsilon(1e-6));
  }
}

TEST_CASE("a kink at the state is reported: frequencies and stability hold on one side of it") {
  struct Law {
    const char* force;
    bool kink;
  };
  for (const Law& law : {Law{R"json("type": "six_component_force", "force_x": "if(x<0,-100*x,-4*x)")json", true},
                         {R"json("type": "six_component_force", "force_x": "-100*max(0,-x)")json", true},
                         {R"json("type": "stop", "axis_i": [1, 0], "stiffness": 1e5, "exponent": 1)json", true},
                         {R"json("type": "six_component_force", "force_x": "-100*x-1e4*x^2")json", false},
                         {R"json("type": "six_component_force", "force_x": "-100*x^3")json", false},
                         {R"json("type": "six_component_force", "force_x": "if(x<-0.01,-100*x,-4*x)")json", false}}) {
    for (const char* analysis : {R"("modes")", R"("equilibrium", "method": "newton")"}) {
      CAPTURE(std::string(law.force));
      CAPTURE(std::string(analysis));
      FinishedRun run(temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar", "gravity": [0, 0],
        "bodies": { "a": { "mass": 1, "inertia": 1, "position": [0, 0] } },
        "constraints": { "g": { "type": "translational", "bodies": ["ground", "a"], "at": [0, 0], "axis": [1, 0] } },
        "forces": { "k": { "bodies": ["ground", "a"], )json" +
                                         std::string(law.force) + R"json( } } }, "analysis": { "type": )json" +
                                         analysis + " } }"));
      CHECK(contains(run.simulation.summary_json(), "has a kink at this state") == law.kink);
    }
  }
}

}  // namespace
}  // namespace trammel
