// Runs in joint coordinates: the heavy top against another formulation's reference, open trees without drift, cuts.
#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"
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

TEST_CASE(
    "free bodies of a kilometre on massless links: dependent coordinates are chosen in the model's unit of length") {
  const std::filesystem::path file = system_file(R"json("type": "planar", "gravity": [0, -9.81], "bodies": {
      "b1": {"mass": 0.78156, "inertia": 66456, "position": [1029, 124], "angle": 1.43},
      "b2": {"mass": 2.32642, "inertia": 459726, "position": [142, -715], "angle": -0.77} },
    "constraints": {
      "j1": {"type": "revolute_translational", "bodies": ["ground", "b1"], "point_i": [238, -465],
             "point_j": [-652.5690262422726, 596.5268359338178], "axis": [0.544, 0.133]},
      "j2": {"type": "revolute_translational", "bodies": ["ground", "b2"], "point_i": [265, -199],
             "point_j": [-396.4338496258626, 552.1974310614085], "axis": [-0.116, 0.782]} },
    "forces": {
      "f1": {"type": "six_component_force", "bodies": ["ground", "b1"], "point_i": [1029, 124],
             "force_x": "-0.00175*x", "force_y": "-0.00175*y - 0.001*vy", "torque": "-175*phi"} })json");
  const auto run = [&](const std::string& formulation, const std::string& integrator) {
    return results(file.string(), {"analysis.duration=80", "output={\"step\": 2, \"channels\": [\"b1\", \"b2\"]}",
                                   formulation, "integrator=" + integrator});
  };
  const Table expected =
      run(R"(formulation={"type": "projection"})", R"({"type": "dopri853", "rtol": 1e-11, "atol": 1e-10})");
  const std::string method = R"({"type": "rodas43", "rtol": 1e-6, "atol": 1e-6})";
  const Table parted = run(R"(formulation={"type": "coordinate_partitioning"})", method),
              joints = run(recursive, method);
  for (const std::string name : {"b1.x", "b1.y", "b2.x", "b2.y"}) {
    CAPTURE(name);
    const double error = difference(joints[name], expected[name]);
    CHECK(error < 1e-4 * largest(expected[name]));
    CHECK(error < 10 * difference(parted[name], expected[name]) + 1e-6 * largest(expected[name]));
  }
}

TEST_CASE("screws that start after several turns, however small they are beside the model") {
  struct Case {
    const char *pitch, *angle, *far;
  };
  for (const Case& c : {Case{"9e-5", "5", "100"}, Case{"9e-5", "-40", "1000"}, Case{"0.1", "10", "1"}}) {
    for (const char* pair : {R"(["ground", "nut"])", R"(["nut", "ground"])"}) {
      const std::string pitch = c.pitch;
      CAPTURE(pitch);
      CAPTURE(pair);
      const auto run = [&](const std::string& formulation) {
        return results_of(R"({"trammel": 1, "system": {"type": "spatial", "bodies": {
            "nut": {"mass": 1, "inertia": [0.1, 0.1, 0.2]},
            "far": {"mass": 5, "inertia": [1, 1, 1], "position": [)" +
                          std::string(c.far) + R"(, 0, 0]} },
          "constraints": {
            "th": {"type": "screw", "bodies": )" +
                          pair + R"(, "at": [0, 0, 0], "axis": [0, 0, 1], "pitch": )" + c.pitch +
                          R"(},
            "ff": {"type": "revolute", "bodies": ["ground", "far"], "at": [0, 0, 0], "axis": [0, 1, 0]} } },
          "analysis": {"type": "dynamics", "duration": 1,
                       "conditions": [{"of": "th.angle", "value": )" +
                          c.angle + R"(, "rate": 1}]}, "formulation": {"type": ")" + formulation + R"("},
          "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12},
          "output": {"step": 0.1, "channels": "all"}})");
      };
      const Table expected = run("projection"), found = run("recursive");
      for (const char* channel : {"th.displacement", "th.angle", "nut.z"})
        CHECK(difference(found[channel], expected[channel]) < 1e-11 * (1 + largest(expected[channel])));
      CHECK(largest(found["constraint.position"]) < 1e-11);
    }
  }
}

TEST_CASE("where drivers leave nothing free, steps of radau_iia in state space grow") {
  for (const std::string formulation : {"recursive", "coordinate_partitioning"}) {
    CAPTURE(formulation);
    const Table found = results_of(R"({"trammel": 1, "system": {"type": "planar",
        "bodies": {"a": {"mass": 1, "inertia": 0.1, "angular_velocity": 3}},
        "constraints": {"h": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
                        "d": {"type": "angle_driver", "bodies": ["ground", "a"], "rate": 3}}},
      "analysis": {"type": "dynamics", "duration": 0.02}, "formulation": {"type": ")" +
                                   formulation +
                                   R"("}, "integrator": {"type": "radau_iia"},
      "output": {"step": 0.01, "channels": ["step", "a"]}})");
    CHECK(largest(found["step"]) > 1e-3);  // it began with 1e-6
    CHECK(std::abs(found["a.phi"].back() - 0.06) < 1e-9);
  }
}

TEST_CASE("joint axes that are opposed at the start stay opposed") {
  struct Case {
    const char *joint, *coordinate;
  };
  const std::string points = R"("point_i": [0.5, 0, 0], "point_j": [-0.5, 0, 0], )";
  for (const Case& c : {Case{R"("type": "revolute", "axis_i": [0, 1, 0], "axis_j": [0, -1, 0])", "angle"},
                        Case{R"("type": "cylindrical", "axis_i": [1, 1, 0], "axis_j": [-1, -1, 0])", "displacement"},
                        Case{R"("type": "translational", "axis_i": [1, 0, 1], "axis_j": [-1, 0, -1])", "displacement"},
                        Case{R"("type": "translational", "axis_i": [1, 0, 0], "axis_j": [-1, 0, 0],
                                "reference_i": [0, 1, 0], "reference_j": [0, -1, 0])",
                             "displacement"},
                        Case{R"("type": "planar_joint", "axis_i": [1, 0, 1], "axis_j": [-1, 0, -1])", "angle"}}) {
    for (const std::string pair : {R"(["base", "arm"])", R"(["arm", "base"])"}) {
      std::string at = points;
      if (pair[2] == 'a') at = R"("point_i": [-0.5, 0, 0], "point_j": [0.5, 0, 0], )";
      CAPTURE(c.joint);
      CAPTURE(pair);
      const auto run = [&](const std::string& formulation, const std::string& integrator) {
        return results_of(R"({"trammel": 2, "system": {"type": "spatial", "gravity": [0, 0.3, -9.81], "bodies": {
            "base": {"mass": 2, "inertia": [0.1, 0.2, 0.15]},
            "arm": {"mass": 1, "inertia": [0.1, 0.3, 0.2], "position": [1, 0, 0]}},
          "constraints": {"ball": {"type": "spherical", "bodies": ["ground", "base"], "at": [-0.5, 0, 0]},
                          "joint": {"bodies": )" +
                          pair + ", " + at + c.joint + R"(}},
          "forces": {"spring": {"type": "joint_spring", "joint": "joint", "stiffness": 20, "damping": 1}} },
          "analysis": {"type": "dynamics", "duration": 0.5}, "formulation": )" +
                          formulation + R"(, "integrator": )" + integrator +
                          R"(, "output": {"step": 0.05, "channels": "all"}})");
      };
      const std::string tight = R"({"type": "dopri853", "rtol": 1e-11, "atol": 1e-12})";
      const Table expected = run(R"("projection")", tight), first = run(R"("recursive")", tight),
                  second = run(R"("recursive")", R"({"type": "rodas43", "rtol": 1e-8, "atol": 1e-9})");
      for (const std::string& channel :
           {std::string("joint.") + c.coordinate, std::string("arm.x"), std::string("arm.z")}) {
        CAPTURE(channel);
        CHECK(difference(first[channel], expected[channel]) < 1e-8);
        CHECK(difference(second[channel], expected[channel]) < 1e-5);
      }
      CHECK(largest(first["constraint.position"]) < 1e-13);
    }
  }
}
