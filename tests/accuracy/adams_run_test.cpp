// adams with control haug on models: accuracy under every treatment, channels, step underflow.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "table.h"

using namespace trammel;

namespace {

std::string haug(double tolerance, const std::string& more = "") {
  char text[160];
  std::snprintf(text, sizeof text,
                R"(integrator={"type": "adams", "order": 9, "control": "haug", "rtol": %g, "atol": %g%s})", tolerance,
                tolerance, more.c_str());
  return text;
}

double number(Simulation& simulation, const std::string& key) {
  const std::string summary = simulation.summary_json();
  const std::size_t at = summary.find("\"" + key + "\": ");
  REQUIRE(at != std::string::npos);
  return std::strtod(summary.c_str() + at + key.size() + 4, nullptr);
}

}  // namespace

TEST_CASE("slider-crank under every treatment: the error follows the tolerance") {
  const Table expected = reference("slider_crank_wu.csv");
  for (const char* formulation :
       {R"({"type": "direct"})", R"({"type": "baumgarte", "alpha": 5})", R"({"type": "projection"})",
        R"({"type": "coordinate_partitioning"})", R"({"type": "hybrid"})"}) {
    CAPTURE(std::string(formulation));
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      CAPTURE(tolerance);
      const Table run =
          results(example("slider_crank"),
                  {std::string("formulation=") + formulation, haug(tolerance),
                   R"(analysis={"type": "dynamics", "duration": 2, "constraint_limit": 1})", "output.step=0.05"});
      Column x = expected["x"];
      x.resize(run.rows());
      // Local errors of 150 to 600 steps; the motion multiplies errors by less than 10 over 2 s.
      CHECK(difference(run["rod.x"], x) < 2000 * tolerance);
    }
  }
}

TEST_CASE("where the partition changes the history stays") {
  Simulation run(example("slider_crank"), {{R"(formulation={"type": "coordinate_partitioning"})", haug(1e-9),
                                            R"(analysis={"type": "dynamics", "duration": 20})"},
                                           {}});
  REQUIRE(run.run() == RunStatus::completed);
  CHECK(number(run, "partitions") >= 8);
  CHECK(number(run, "restarts") == 0);
  CHECK(number(run, "energy_drift") < 1e-5);
  CHECK(number(run, "constraint_position") < 1e-12);
}

TEST_CASE("channels order and local_error at accepted steps; they exist for methods that tell them only") {
  const std::string output = R"(output={"at": "steps", "channels": ["crank.phi", "order", "local_error"]})";
  const Table run = results(example("slider_crank_planar"), {haug(1e-7), output});
  for (std::size_t i = 1; i < run.rows(); ++i) {
    CHECK(run["order"][i] >= 1);
    CHECK(run["order"][i] <= 9);
    CHECK(run["local_error"][i] <= 1);
  }
  CHECK(*std::max_element(run["order"].begin(), run["order"].end()) >= 7);
  std::string refusal;
  try {
    Simulation other(example("slider_crank_planar"), {{output}, {}});
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  CHECK(refusal.find("there is no channel 'order'") != std::string::npos);
}

TEST_CASE("a step that falls below its limit names the component with the dominant error") {
  Simulation run(example("slider_crank_planar"), {{haug(1e-9, R"(, "min_step": 0.01)")}, {}});
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.message().find("the step size fell below 0.01") != std::string::npos);
  CHECK(run.message().find("has the dominant error") != std::string::npos);
}
