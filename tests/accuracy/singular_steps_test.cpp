// Forty four-bars in a row (benchmark A02) through the positions where all their links are in line, at loose and at the
// tightest tolerances: on the branch of the closed form, or stopped with the reason.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"
#include "table.h"

using namespace trammel;

namespace {

const std::string model = TRAMMEL_SOURCE_DIR "/configs/benchmarks/a02_four_bar_40.json";

std::vector<std::string> settings(const std::string& formulation, const std::string& integrator, double rtol) {
  const std::string r = std::to_string(-std::lround(std::log10(rtol)));
  const std::string a = std::to_string(std::max(8L, -std::lround(std::log10(rtol))));
  return {"analysis.duration=10", "formulation=" + formulation,
          R"(integrator={"type": ")" + integrator + R"(", "rtol": 1e-)" + r + R"(, "atol": 1e-)" + a + "}"};
}

/// Distance of the first crank's end from the closed form at the end of the run, m.
double error_at_end(FinishedRun& run) {
  static const Table closed_form = reference("a02_four_bar.csv");
  const Column& t = closed_form["t"];
  const auto row = static_cast<std::size_t>(std::find(t.begin(), t.end(), 10.0) - t.begin());
  REQUIRE(row < t.size());
  return std::hypot(2 * run.channel("crank0.x") - closed_form["x_N40"][row],
                    2 * run.channel("crank0.y") - closed_form["y_N40"][row]);
}

}  // namespace

TEST_CASE("no step ends where rows are left out: A02 at the tightest tolerance under a correcting formulation") {
  for (const char* formulation : {R"({"type": "projection"})", R"({"type": "coordinate_partitioning"})"}) {
    CAPTURE(formulation);
    FinishedRun run(model, settings(formulation, "dopri5", 1e-12));
    CHECK(error_at_end(run) < 1e-7);
    CHECK(run.energy_drift() < 1e-6);  // J
    CHECK(run.simulation.summary_json().find("the number of dependent constraint rows changes") == std::string::npos);
  }
}

TEST_CASE("the hybrid's feedback stays slow beside the step: A02 at loose tolerances") {
  FinishedRun run(model, settings(R"({"type": "hybrid"})", "dopri5", 1e-5));
  CHECK(error_at_end(run) < 0.02);
  CHECK(run.energy_drift() < 0.1);  // J
}

TEST_CASE("a tolerance that cannot be kept next to a singular position stops the run with that reason") {
  for (const auto& [formulation, integrator] : {std::pair{R"({"type": "baumgarte", "alpha": 30})", "dopri5"},
                                                std::pair{R"({"type": "projection"})", "ddeabm"}}) {
    CAPTURE(integrator);
    Simulation simulation(
        model, {settings(formulation, integrator, 1e-12), {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    REQUIRE(simulation.run() == RunStatus::failed);
    INFO(simulation.message());
    CHECK(simulation.message().find("the position is singular or nearly so: row 'near") != std::string::npos);
    CHECK(simulation.message().find("'rtol' 1e-12 asks for more than is left there, try 1e-10") != std::string::npos);
  }
}
