// A mechanism with a driver, and the error of runs of it against a Runge-Kutta run of all coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "finished_run.h"

namespace trammel {

/// Planar slider-crank under a harmonic driver, a pendulum hung from the slider on a spring and damper.
inline const char* const driven = R"run({ "trammel": 1,
  "parameters": { "start": 0.4, "rod": "=asin(-0.12*sin(start)/0.4)", "reach": "=0.12*cos(start)+0.4*cos(rod)" },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": {
      "crank": { "mass": 1.2, "inertia": 0.0021, "position": ["=0.05*cos(start)", "=0.05*sin(start)"], "angle": "=start" },
      "rod": { "mass": 1.8, "inertia": 0.027, "angle": "=rod",
               "position": ["=0.12*cos(start)+0.17*cos(rod)", "=0.12*sin(start)+0.17*sin(rod)"] },
      "slider": { "mass": 2.5, "inertia": 0.01, "position": ["=reach", 0] },
      "bob": { "mass": 0.7, "inertia": 0.004, "position": ["=reach+0.2", -0.1], "angle": 0.3 } },
    "constraints": {
      "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0] },
      "crank_pin": { "type": "revolute", "bodies": ["crank", "rod"], "at": ["=0.12*cos(start)", "=0.12*sin(start)"] },
      "piston_pin": { "type": "revolute", "bodies": ["rod", "slider"], "at": ["=reach", 0] },
      "guide": { "type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0] },
      "hinge": { "type": "revolute", "bodies": ["slider", "bob"], "at": ["=reach", 0] },
      "motor": { "type": "angle_driver", "bodies": ["ground", "crank"],
                 "function": { "type": "harmonic", "offset": "=start", "amplitude": 0.8, "frequency": 0.7 } } },
    "forces": { "spring": { "type": "rsda", "bodies": ["slider", "bob"], "stiffness": 2, "damping": 0.1, "free_angle": 0 } } },
  "analysis": { "type": "dynamics", "duration": 1, "correction_limit": 10 },
  "formulation": { "type": "coordinate_partitioning", "tolerance": 1e-13 },
  "integrator": { "type": "rosenbrock_nystrom", "step": 0.01 },
  "output": { "step": 1, "channels": ["bob", "motor"] } })run";

class DrivenMechanism {
 public:
  /// Largest error at the end, under coordinate partitioning with the run file's `integrator`, set anew.
  double error(const std::string& integrator) {
    FinishedRun run(file_, {integrator});
    double largest = 0;
    for (const char* name : {"bob.x", "bob.y", "bob.phi", "bob.vx", "bob.omega"}) {
      largest = std::max(largest, std::abs(run.channel(name) - reference_.channel(name)));
    }
    return largest;
  }

 private:
  std::filesystem::path file_ = temporary_run_file(driven, "driven.json");
  FinishedRun reference_{file_,
                         {"formulation={\"type\": \"projection\"}",
                          "integrator={\"type\": \"dopri853\", \"rtol\": 1e-12, \"atol\": 1e-12, \"max_step\": 0.01}"}};
};

}  // namespace trammel
