// Features of forces that nothing declares and no stage meets: narrow detents on a body's way, found by looks into steps.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"

using namespace trammel;

namespace {

// A body of 1 kg passes a detent of the law F(l) = A exp(-((l - place)/w)^2), from l = 1 with 2 m/s, nothing else acting.
std::string detent(const std::string& law, const std::string& formulation, const std::string& integrator, double duration = 5) {
  return R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "position": [1, 0],
    "velocity": [2, 0]}}, "forces": {"detent": {"type": "tsda", "bodies": ["ground", "b"], "law": ")" + law +
         R"("}}}, "analysis": {"type": "dynamics", "duration": )" + std::to_string(duration) + "}, " + formulation +
         R"("integrator": )" + integrator + "}";
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
      if (std::string(type) == "rosenbrock_nystrom" && std::string(rtol) == "1e-6") continue;  // below
      CAPTURE(type);
      CAPTURE(rtol);
      FinishedRun run(temporary_run_file(detent(law, partitioned, method(type, rtol))));
      CHECK(run.channel("b.vx") == doctest::Approx(behind).epsilon(2e-3));
    }
  }
}

TEST_CASE("where a loose tolerance meets the detent too late, the energy balance says so") {
  FinishedRun run(temporary_run_file(detent(law, partitioned, method("rosenbrock_nystrom", "1e-6"))));
  const bool right = std::abs(run.channel("b.vx") - behind) < 2e-3 * behind;
  CHECK((right || run.simulation.summary_json().find("energy balance") != std::string::npos));
}

TEST_CASE("index-3 methods feel it") {
  FinishedRun run(temporary_run_file(detent(law, "", method("hht", "1e-6"))));
  CHECK(run.channel("b.vx") == doctest::Approx(behind).epsilon(2e-2));
}

TEST_CASE("the same bits again; off passes over the detent; every step may be looked into") {
  FinishedRun first(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6"))));
  FinishedRun again(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6"))));
  CHECK(first.channel("b.x") == again.channel("b.x"));
  FinishedRun off(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6", R"(, "defect_control": "off")"))));
  CHECK(off.channel("b.vx") == 2);
  FinishedRun all(temporary_run_file(detent(law, partitioned, method("dopri5", "1e-6", R"(, "defect_control": "every_step")"))));
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
