// Runs in joint coordinates: the heavy top against another formulation's reference, open trees without drift, cuts.
#include <doctest/doctest.h>

#include "table.h"

using namespace trammel;

namespace {

const std::string recursive = R"(formulation={"type": "recursive"})";

}  // namespace

TEST_CASE("heavy top in joint coordinates of a ball: motion and reactions of the reference, which knows no joints") {
  const Table expected = reference("heavy_top.csv");
  const std::string all = "output={\"step\": 0.002, \"channels\": \"all\"}";
  const struct {
    const char* integrator;
    double position, force;
  } methods[] = {{R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})", 1e-9, 1e-6},
                 {R"(integrator={"type": "ddeabm", "rtol": 1e-12, "atol": 1e-13})", 1e-9, 1e-5},
                 {R"(integrator={"type": "rodas43", "rtol": 1e-9, "atol": 1e-10})", 2e-6, 2e-2}};
  for (const auto& method : methods) {
    CAPTURE(method.integrator);
    const Table run = results(example("heavy_top"), {recursive, method.integrator, all});
    for (const std::string axis : {"x", "y", "z"}) {
      CAPTURE(axis);
      CHECK(difference(run["top." + axis], expected[axis]) < method.position);
      CHECK(difference(run["pivot.force." + axis], expected["R" + axis]) < method.force);
    }
    CHECK(largest(run["constraint.position"]) < 1e-14);
  }
}

TEST_CASE("open trees do not drift: constraints hold to rounding under long steps, where others leave them") {
  for (const char* model : {"planar_double_pendulum", "spatial_double_pendulum"}) {
    CAPTURE(model);
    const std::vector<std::string> set = {R"(integrator={"type": "rk4", "step": 0.005, "step_check": false})",
                                          R"(analysis={"type": "dynamics", "duration": 2, "constraint_limit": 1})",
                                          R"(output={"step": 0.05, "channels": ["constraint"]})"};
    std::vector<std::string> direct = set, joints = set;
    direct.emplace_back(R"(formulation={"type": "direct"})"), joints.emplace_back(recursive);
    CHECK(largest(results(example(model), direct)["constraint.position"]) > 1e-6);
    const Table run = results(example(model), joints);
    CHECK(largest(run["constraint.position"]) < 1e-14);
    CHECK(largest(run["constraint.velocity"]) < 1e-12);
  }
}

TEST_CASE("loops, drivers and screws in joint coordinates: the motion of the reference treatment") {
  for (const char* model : {"slider_crank", "spatial_four_bar", "spatial_slider_crank", "actuator_with_lag"}) {
    CAPTURE(model);
    const auto with = [&](const std::string& formulation, const std::string& integrator) {
      std::vector<std::string> set = {"analysis.duration=1", "output={\"step\": 0.05, \"channels\": \"all\"}"};
      set.push_back(formulation), set.push_back("integrator=" + integrator);
      return results(example(model), set);
    };
    const std::string tight = R"({"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";
    const Table expected = with(R"(formulation={"type": "projection"})", tight), first = with(recursive, tight),
                second = with(recursive, R"({"type": "rodas43", "rtol": 1e-8, "atol": 1e-9})");
    for (const std::string& name : expected.names()) {
      const bool coordinate =
          name.size() > 2 && (name.substr(name.size() - 2) == ".x" || name.substr(name.size() - 2) == ".y");
      if (!coordinate) continue;
      CAPTURE(name);
      const double size = 1 + largest(expected[name]);
      CHECK(difference(first[name], expected[name]) < 1e-8 * size);
      CHECK(difference(second[name], expected[name]) < 1e-5 * size);
    }
  }
}
