// Features of forces that nothing declares and no stage meets: narrow detents on a body's way, found by looks into
// steps.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"
#include "process.h"

using namespace trammel;

namespace {

// A body of 1 kg passes a detent of the law F(l) = A exp(-((l - place)/w)^2), from l = 1 with 2 m/s, nothing else
// acting.
std::string detent(const std::string& law, const std::string& formulation, const std::string& integrator,
                   double duration = 5) {
  return R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "position": [1, 0],
    "velocity": [2, 0]}}, "forces": {"detent": {"type": "tsda", "bodies": ["ground", "b"], "law": ")" +
         law + R"("}}}, "analysis": {"type": "dynamics", "duration": )" + std::to_string(duration) + "}, " +
         formulation + R"("integrator": )" + integrator + "}";
}

std::string method(const std::string& type, const std::string& rtol, const std::string& more = "") {
  return R"({"type": ")" + type + R"(", "rtol": )" + rtol + R"(, "atol": )" + rtol + more + "}";
}

const char* const partitioned = R"("formulation": {"type": "coordinate_partitioning"}, )";
const char* const law = "50*exp(-((l-3.0173)/0.01)^2)";
// v^2/2 loses A w sqrt(pi), the area under the detent.
const double behind = std::sqrt(4 - 2 * 50 * 0.01 * std::sqrt(std::acos(-1.0)));

}  // namespace

TEST_CASE("every method with tolerances feels a detent of 1 cm on a way of 9 m") {
  for (const char* type : {"dopri5", "dopri853", "ddeabm", "rosenbrock_nystrom", "sdirk4", "trapezoidal"}) {
    for (const char* rtol : {"1e-6", "1e-9"}) {
      if (std::string(type) == "trapezoidal" && std::string(rtol) == "1e-9") continue;  // many steps
      CAPTURE(type);
      CAPTURE(rtol);
      FinishedRun run(temporary_run_file(detent(law, partitioned, method(type, rtol))));
      CHECK(run.channel("b.vx") == doctest::Approx(behind).epsilon(2e-3));
    }
  }
}

// A look meets the slope of a detent rather than its middle, and steps end on it: 2.0, 2.42, ... lie differently to
// looks and steps.
TEST_CASE("a detent that one look met is not passed over by shorter steps, wherever it lies") {
  for (const char* type : {"dopri5", "ddeabm", "rosenbrock_nystrom", "trapezoidal"}) {
    for (const char* rtol : {"1e-4", "1e-6"}) {
      CAPTURE(type);
      CAPTURE(rtol);
      int right = 0;
      for (int k = 0; k < 8; ++k) {
        const std::string at = std::to_string(2 + 0.4173 * k);
        FinishedRun run(
            temporary_run_file(detent("50*exp(-((l-" + at + ")/0.01)^2)", partitioned, method(type, rtol))));
        const bool felt = std::abs(run.channel("b.vx") - behind) < 0.05 * behind;  // loose tolerances: percents
        right += felt;
        CHECK((felt || run.simulation.summary_json().find("energy balance") != std::string::npos));
      }
      CHECK(right >= 6);
    }
  }
}

// What a damper of high stiffness does to steps is no feature: nothing is voided, no step is lost.
TEST_CASE("a stiff motion that is right keeps its steps") {
  const std::string law = "1e6*(l-1)";
  FinishedRun with(temporary_run_file(detent(law, partitioned, method("sdirk4", "1e-4"), 0.2)));
  FinishedRun without(temporary_run_file(detent(law, partitioned, method("sdirk4", "1e-4"), 0.2)),
                      {"integrator.defect_control=off"});
  CHECK(with.channel("b.x") == without.channel("b.x"));
}

TEST_CASE("index-3 methods feel it") {
  FinishedRun run(temporary_run_file(detent(law, "", method("hht", "1e-6"))));
  CHECK(run.channel("b.vx") == doctest::Approx(behind).epsilon(2e-2));
}

// An actuator that lags beside the detent and does nothing: the model has an internal state.
TEST_CASE("models with internal states feel it") {
  std::string file = detent(law, partitioned, method("dopri5", "1e-6"));
  const std::string forces = R"("forces": {)";
  file.replace(file.find(forces), forces.size(),
               R"("constraints": {"slide": {"type": "translational", "bodies": ["ground", "b"],
    "at": [0, 0], "axis": [1, 0]}}, "forces": {"motor": {"type": "actuator", "joint": "slide", "function": 0, "lag": 0.5}, )");
  for (const char* type : {"dopri5", "ddeabm", "rosenbrock_nystrom", "sdirk4"}) {
    CAPTURE(type);
    FinishedRun run(temporary_run_file(file), {std::string("integrator.type=") + type});
    CHECK(run.channel("b.vx") == doctest::Approx(behind).epsilon(2e-3));
  }
}

TEST_CASE("split by a checkpoint on the way to the detent and behind it, the run keeps its bits") {
  const TemporaryFolder folder;
  const std::filesystem::path file = temporary_run_file(detent(law, partitioned, method("rosenbrock_nystrom", "1e-6")));
  const SimulationOptions options{{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};
  for (const double every : {0.9, 1.1, 1.6}) {
    CAPTURE(every);
    Simulation whole(file, options);
    whole.checkpoint_every(every);
    whole.write_results(folder.path());
    // Not by landing there: a step that was shortened for that and is void has other successors.
    // The checkpoint of a step whose inside is shown is written before the next step.
    whole.advance_to(every * 1.2);
    REQUIRE(std::isfinite(whole.positions()[0]));
    if (!std::filesystem::exists(folder.path() / "checkpoint.json")) REQUIRE(whole.step());
    Simulation again(file, options);
    again.restart(folder.path() / "checkpoint.json");
    CHECK(whole.run() == RunStatus::completed);
    CHECK(again.run() == RunStatus::completed);
    for (Index i = 0; i < whole.positions().size; ++i) {
      CHECK(whole.positions()[i] == again.positions()[i]);
      CHECK(whole.velocities()[i] == again.velocities()[i]);
    }
  }
}

TEST_CASE("the same bits again; off passes over the detent; every step may be looked into") {
  FinishedRun first(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6"))));
  FinishedRun again(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6"))));
  CHECK(first.channel("b.x") == again.channel("b.x"));
  FinishedRun off(
      temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6", R"(, "defect_control": "off")"))));
  CHECK(off.channel("b.vx") == 2);
  FinishedRun all(
      temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6", R"(, "defect_control": "every_step")"))));
  CHECK(all.simulation.step() == false);
}

TEST_CASE("a run that was right takes no other steps: an oscillator") {
  const std::string file = detent("10*(l-1)", partitioned, method("dopri5", "1e-8"));
  FinishedRun with(temporary_run_file(file));
  FinishedRun without(temporary_run_file(file), {"integrator.defect_control=off"});
  CHECK(with.channel("b.x") == without.channel("b.x"));
  // x = 1 + (2/w) sin w t, w^2 = 10
  const double w = std::sqrt(10.0);
  CHECK(with.channel("b.x") == doctest::Approx(1 + 2 / w * std::sin(5 * w)).epsilon(1e-5));
}
