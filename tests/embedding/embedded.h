// What the tests of embedding share: runs through files, and options that find the built plugins.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "process.h"
#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

namespace trammel {

inline SimulationOptions options(const std::vector<std::string>& set = {}) {
  return {set, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};
}

inline std::string example(const std::string& name) { return TRAMMEL_SOURCE_DIR "/configs/examples/" + name + ".json"; }

inline std::vector<double> numbers(ConstVectorView view) { return {view.data, view.data + view.size}; }

/// All of a state, for comparing bit by bit.
inline std::vector<double> whole_state(Simulation& simulation) {
  std::vector<double> all = {simulation.time()};
  for (const ConstVectorView part :
       {simulation.positions(), simulation.velocities(), simulation.accelerations(), simulation.multipliers()}) {
    all.insert(all.end(), part.data, part.data + part.size);
  }
  for (const double value : simulation.channel_values()) all.push_back(value);
  return all;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// A mass of 2 kg that a force of 4 N times the input "throttle" pushes along x.
inline RunDescription pushed_mass() {
  RunDescription made("pushed mass");
  made.system("planar");
  made.add_body("mass").mass(2).inertia(0.1);
  made.add_force("push", "applied_force")
      .set("body", "mass")
      .set("force", {4, 0})
      .set("function", Value::object({{"type", "input"}, {"name", "throttle"}}));
  made.analysis("dynamics").set("duration", 2);
  made.formulation("projection");
  made.integrator("dopri5").set("rtol", 1e-10).set("atol", 1e-12);
  return made.output(0.1), made;
}

}  // namespace trammel
