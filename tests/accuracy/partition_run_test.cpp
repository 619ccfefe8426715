// Coordinate partitioning and the hybrid algorithm over runs in which the partition changes.
#include <doctest/doctest.h>

#include <cstdlib>

#include "finished_run.h"
#include "table.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

/// A finished run; numbers of its summary by key.
struct Run {
  Run(const std::string& file, const std::vector<std::string>& set) : simulation(file, {set, {}}) {
    const RunStatus status = simulation.run();
    INFO(simulation.message());
    REQUIRE(status == RunStatus::completed);
    summary = simulation.summary_json();
  }
  double number(const std::string& key) const {
    const std::size_t at = summary.find("\"" + key + "\": ");
    REQUIRE(at != std::string::npos);
    return std::strtod(summary.c_str() + at + key.size() + 4, nullptr);
  }
  double channel(const std::string& name) { return trammel::channel(simulation, name); }
  Simulation simulation;
  std::string summary;
};

std::string refusal(const std::string& file, const std::vector<std::string>& set) {
  try {
    Simulation simulation(file, {set, {}});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string partitioning = R"(formulation={"type": "coordinate_partitioning"})";
const std::string tight = R"(integrator={"type": "dopri853", "rtol": 1e-10, "atol": 1e-12})";

}  // namespace

TEST_CASE("slider-cranks over 20 s: partitions change, constraints hold to rounding, energy stays") {
  // Euler parameters take turns; in the planar models the angles stay the best independent coordinates.
  const std::pair<std::string, double> runs[] = {
      {"slider_crank", 8}, {"spatial_double_pendulum", 8}, {"slider_crank_planar", 1}, {"planar_double_pendulum", 1}};
  for (const auto& given : runs) {
    const auto& [file, partitions] = given;
    CAPTURE(given.first);
    Run run(example(file), {partitioning, tight, R"(analysis={"type": "dynamics", "duration": 20})", "output.step=1"});
    CHECK(run.number("partitions") >= partitions);
    CHECK(run.number("constraint_position") < 1e-13);
    CHECK(run.number("constraint_velocity") < 1e-12);
    CHECK(run.number("restarts") == 0);
    CHECK(run.number("energy_drift") < 1e-7);
  }
}

TEST_CASE("a linkage with redundant rows passes its singular configurations") {
  const std::string integrator = R"(integrator={"type": "dopri5", "rtol": 1e-7, "atol": 1e-9})";
  Run run(example("bennett_linkage"), {partitioning, integrator, "analysis.duration=10"});
  CHECK(run.number("redundant") == 3);
  CHECK(run.number("constraint_position") < 1e-6);
  CHECK(run.number("energy_drift") < 1e-4);
}

TEST_CASE("a new partition may restart the integrator") {
  Run run(example("slider_crank"),
          {R"(formulation={"type": "coordinate_partitioning", "restart": true})", tight, "analysis.duration=5"});
  CHECK(run.number("partitions") >= 2);
  CHECK(run.number("restarts") == run.number("partitions") - 1);
}

TEST_CASE("multistep methods keep their order where the partition changes: the mask is exchanged, histories stay") {
  const auto end = [](const std::string& formulation, const std::string& integrator, double& partitions) {
    Run run(example("slider_crank"), {formulation, integrator, R"(analysis={"type": "dynamics", "duration": 2})"});
    partitions = run.number("partitions");
    return std::vector<double>{run.channel("rod.x"), run.channel("rod.y"), run.channel("rod.vx"),
                               run.channel("crank.wz")};
  };
  double partitions = 0;
  const std::vector<double> exact = end(R"(formulation={"type": "projection"})",
                                        R"(integrator={"type": "dopri853", "rtol": 1e-13, "atol": 1e-14})", partitions);
  CHECK(partitions == 0);
  struct Method {
    const char* json;
    double claimed;
    int steps;
  };
  for (const Method& method :
       {Method{R"("type": "adams", "order": 2, "mode": "predictor")", 2, 800},
        Method{R"("type": "adams", "order": 4, "mode": "predictor", "start": "runge_kutta")", 4, 600},
        Method{R"("type": "adams", "order": 4, "mode": "pece", "start": "runge_kutta")", 5, 1000},
        Method{R"("type": "ampc", "order": 4)", 4, 800}, Method{R"("type": "mampc", "order": 3)", 4, 800}}) {
    // The hybrid looks after its partition where it corrects: here after every step.
    for (const char* formulation : {R"(formulation={"type": "coordinate_partitioning"})",
                                    R"(formulation={"type": "hybrid", "position_tolerance": 1e-300})"}) {
      double error[2];
      for (int k = 0; k < 2; ++k) {
        const std::string step = std::to_string(2.0 / (method.steps << k));
        const std::vector<double> obtained =
            end(formulation, R"(integrator={)" + std::string(method.json) + ", \"step\": " + step + "}", partitions);
        double sum = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) sum += std::pow(obtained[i] - exact[i], 2);
        error[k] = std::sqrt(sum);
      }
      const double order = std::log2(error[0] / error[1]);
      CAPTURE(std::string(method.json));
      CAPTURE(std::string(formulation));
      CAPTURE(error[1]);
      CHECK(partitions >= 2);
      CHECK(error[1] > 1e-12);
      CHECK(order > method.claimed - 0.3);
    }
  }
}

TEST_CASE("hybrid: every step is stabilized or corrected, violations stay within the tolerances") {
  const std::string tolerances = R"("position_tolerance": 1e-8, "velocity_tolerance": 1e-6})";
  Run run(example("slider_crank"),
          {R"(formulation={"type": "hybrid", "alpha": 0.1, )" + tolerances,
           R"(integrator={"type": "dopri5", "rtol": 1e-7, "atol": 1e-9})", "analysis.duration=20"});
  CHECK(run.number("stabilized_steps") > 0);
  CHECK(run.number("stabilized_steps") + run.number("corrected_steps") + run.number("fall_backs") ==
        run.number("steps"));
  CHECK(run.number("limited_steps") == 0);  // of less than 1 s
  Run limited(example("slider_crank"), {R"(formulation={"type": "hybrid", "alpha": 1e6, )" + tolerances,
                                        R"(integrator={"type": "dopri5", "rtol": 1e-7, "atol": 1e-9})"});
  CHECK(limited.number("stabilized_steps") > 0);
  CHECK(limited.number("limited_steps") == limited.number("stabilized_steps"));
  CHECK(run.number("constraint_position") < 1e-8 * 6);  // 2-norm of at most 14 rows of 1e-8
  CHECK(run.number("constraint_velocity") < 1e-6 * 6);
  Run strict(example("slider_crank"), {R"(formulation={"type": "hybrid", "position_tolerance": 1e-14})", tight});
  CHECK(strict.number("corrected_steps") > 0.5 * strict.number("steps"));
  Run singular(example("slider_crank"), {R"(formulation={"type": "hybrid", "condition_limit": 1.0001})", tight});
  CHECK(singular.number("stabilized_steps") == 0);
  CHECK(singular.number("fall_backs") > 0.5 * singular.number("steps"));
  CHECK(singular.number("constraint_position") < 1e-12);
}

TEST_CASE("hybrid: rows inside a step are corrected where they are off, and cost next to nothing where they are not") {
  // All steps of Andrews' mechanism are those of partitioning: its matrix is ill-conditioned. Its unit of length is
  // 1/1024 m, in which the tolerances of rows count: 1e-7 m and 1e-5 m/s.
  const auto factorizations = [](const char* formulation, int rows) {
    const TemporaryFolder folder;
    Simulation run(
        TRAMMEL_SOURCE_DIR "/configs/benchmarks/a03_andrews.json",
        {{std::string("formulation={\"alpha\": 500, \"type\": \"") + formulation + "\"" +
              (formulation == std::string("hybrid") ? ", \"position_tolerance\": 1e-4, \"velocity_tolerance\": 1e-2}"
                                                    : "}"),
          R"(integrator={"type": "ddeabm", "rtol": 1e-7, "atol": 1e-9})", "output.step=" + std::to_string(0.03 / rows)},
         {}});
    run.write_results(folder.path());
    REQUIRE(run.run() == RunStatus::completed);
    const std::string summary = run.summary_json();
    const std::size_t at = summary.find("\"factorizations\": ");
    return std::strtod(summary.c_str() + at + 18, nullptr);
  };
  const auto of_rows = [&](const char* formulation) {
    return factorizations(formulation, 600) - factorizations(formulation, 6);
  };
  CHECK(of_rows("hybrid") < 1.05 * of_rows("baumgarte"));
  // Loose tolerances: the interpolant is off the constraints between the ends of steps.
  Run loose(example("planar_double_pendulum"),
            {R"(formulation={"type": "hybrid"})", R"(integrator={"type": "ddeabm", "rtol": 1e-4, "atol": 1e-6})",
             "output.step=1e-3", "analysis.duration=2"});
  CHECK(loose.number("constraint_position") < 1e-7 * 2);
  CHECK(loose.number("constraint_velocity") < 1e-5 * 2);
}

TEST_CASE("wrong independent coordinates are refused with file, key and reason") {
  const auto with = [](const char* names) {
    return std::vector<std::string>{R"(formulation={"type": "coordinate_partitioning", "independent": )" +
                                    std::string(names) + "}"};
  };
  const std::string file = example("slider_crank_planar");
  CHECK(contains(refusal(file, with(R"(["crank.fhi"])")),
                 "there is no coordinate 'crank.fhi'; did you mean 'crank.phi'?"));
  CHECK(contains(refusal(file, with(R"(["crank.phi", "rod.x"])")),
                 "names 2 coordinates; the model has 1 degree of freedom"));
  CHECK(contains(refusal(file, with(R"([3])")), "must be a text"));
  Run forced(file, with(R"(["crank.phi"])"));
  CHECK(forced.number("partitions") == 1);
  CHECK(contains(forced.summary, "\"independent\": [\n    \"crank.phi\"\n  ]"));
  const std::string tied = refusal(example("slider_crank"), with(R"(["crank.z"])"));
  CHECK(contains(tied, "/formulation/independent: these coordinates cannot all be independent"));
}
