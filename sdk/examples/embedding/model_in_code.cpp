// A model made in code: a pendulum of several links, stepped, with states and multipliers read from the kernel's
// memory.
//   model_in_code [FILE.json]: writes the model as a run file besides
#include <trammel/error.h>
#include <trammel/host/run_description.h>
#include <trammel/host/simulation.h>

#include <cmath>
#include <cstdio>

namespace {

trammel::RunDescription chain(int links) {
  trammel::RunDescription run("chain");
  run.title("Chain made in code");
  run.system("planar").set("gravity", {0, -9.81});
  std::string before = "ground";
  for (int i = 0; i < links; ++i) {
    const std::string link = "link" + std::to_string(i);
    run.add_body(link).mass(0.5).inertia(0.5 / 12).position({i + 0.5, 0});
    run.add_constraint("pin" + std::to_string(i), "revolute", {before, link}).set("at", {i, 0});
    before = link;
  }
  run.analysis("dynamics").set("duration", 2);
  run.formulation("projection");
  run.integrator("dopri5").set("rtol", 1e-9).set("atol", 1e-11);
  run.output(0.1, {"energy.total"});
  return run;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const trammel::RunDescription run = chain(3);
    if (count > 1) run.save(arguments[1]);
    trammel::Simulation simulation(run);
    // Views look at the same addresses for the whole run.
    const trammel::ConstVectorView q = simulation.positions();
    while (simulation.step()) {
      const trammel::ConstVectorView lambda = simulation.multipliers();
      std::printf("%.6f  x %.6f  y %.6f  pin0 %.4f N\n", simulation.time(), q[6], q[7],
                  std::hypot(lambda[0], lambda[1]));
    }
    std::printf("%s", simulation.report().c_str());
    return simulation.status() == trammel::RunStatus::completed ? 0 : 4;
  } catch (const trammel::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind());
  }
}
