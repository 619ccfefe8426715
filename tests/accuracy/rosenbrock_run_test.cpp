// Rosenbrock methods on mechanisms through the state-space view: values of an independent implementation, and orders.
#include <doctest/doctest.h>

#include <cmath>

#include "driven_mechanism.h"
#include "finished_run.h"
#include "paper_row.h"

using namespace trammel;

namespace {

const std::string source = TRAMMEL_SOURCE_DIR, pendulum = source + "/configs/papers/sandu/double_pendulum_planar.json";

std::string fixed(const std::string& type, double step) {
  return "integrator={\"type\": \"" + type + "\", \"step\": " + std::to_string(step) + "}";
}

}  // namespace

TEST_CASE("single steps of the stiff double pendulum have the values of an independent implementation" *
          doctest::test_suite("papers")) {
  const auto check = [](const std::string& what, double independent, double obtained) {
    check_paper_row({"Sandu, single steps", what, PaperFigure::none, independent, 2e-10}, obtained);
  };
  struct Step {
    const char* type;
    double theta_1, theta_2, rate_1, rate_2;
  };
  // Relative accuracy of the reference: all digits given.
  for (const Step& s : {Step{"rosenbrock_nystrom", 6.29669705274, 6.0503122989, 0.441151289521, 1.91449427079},
                        Step{"rosenbrock_nystrom_w2", 6.2733756227, 6.0267875793, 1.82888802633, 3.30103591386}}) {
    CAPTURE(s.type);
    FinishedRun run(pendulum, {"analysis.duration=0.01", fixed(s.type, 0.01)});
    const std::string step = std::string("step of 0.01, ") + s.type;
    check(step + ", theta_1", s.theta_1, run.channel("rod_1.phi"));
    check(step + ", theta_2", s.theta_2, run.channel("rod_2.phi"));
    check(step + ", theta_1'", s.rate_1, run.channel("rod_1.omega"));
    check(step + ", theta_2'", s.rate_2, run.channel("rod_2.omega"));
  }
  FinishedRun rest(pendulum, {"analysis.duration=0.01", "parameters.omega_2=0", fixed("rosenbrock_nystrom", 0.01)});
  check("step of 0.01 from rest, theta_1", 6.27574457193, rest.channel("rod_1.phi"));
  check("step of 0.01 from rest, theta_2'", 0.421181211064, rest.channel("rod_2.omega"));
}

TEST_CASE("the non-stiff double pendulum: order 4 with the errors of an independent implementation" *
          doctest::test_suite("papers")) {
  const double exact[] = {3.5468921973195, 4.1044666952901, -2.914899542537, -3.7348340099926};
  const double errors[] = {8.846e-5, 5.485e-6, 3.407e-7, 2.122e-8};
  for (int k = 0; k < 4; ++k) {
    FinishedRun run(pendulum, {"analysis.duration=1", "system.forces.spring_1.stiffness=40",
                               "system.forces.spring_1.damping=1.5", "system.forces.spring_2.stiffness=30",
                               "system.forces.spring_2.damping=0.5", fixed("rosenbrock_nystrom", 0.01 / (1 << k))});
    const double values[] = {run.channel("rod_1.phi"), run.channel("rod_2.phi"), run.channel("rod_1.omega"),
                             run.channel("rod_2.omega")};
    double error = 0;
    for (int i = 0; i < 4; ++i) error = std::max(error, std::abs(values[i] - exact[i]));
    const std::string what = "error of the non-stiff pendulum, 0.01 / " + std::to_string(1 << k);
    check_paper_row({"Sandu, single steps", what, PaperFigure::none, errors[k], 1e-3 * errors[k]}, error);
  }
}

TEST_CASE("orders on a mechanism with a driver, against a Runge-Kutta run of all coordinates") {
  DrivenMechanism mechanism;
  struct Method {
    const char* type;
    double order;
  };
  for (const Method& m :
       {Method{"rosenbrock_nystrom", 4}, Method{"rodas43", 4}, Method{"rosenbrock_nystrom_w2", 2}, Method{"ros2", 2}}) {
    CAPTURE(m.type);
    double errors[2];
    for (int k = 0; k < 2; ++k) errors[k] = mechanism.error(fixed(m.type, 0.01 / (1 << k)));
    CAPTURE(errors[0]);
    CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(m.order).epsilon(0.1));
  }
}

TEST_CASE("a new partition in the middle of a run does not show: energy, outputs between steps, counters") {
  // Euler parameters and centres of mass take turns as independent coordinates.
  FinishedRun run(
      source + "/configs/examples/spatial_double_pendulum.json",
      {"formulation={\"type\": \"coordinate_partitioning\"}", "analysis.duration=3",
       "integrator={\"type\": \"rosenbrock_nystrom\", \"rtol\": 1e-7, \"atol\": 1e-7}", "output.step=0.001"});
  const std::string summary = run.simulation.summary_json();
  const std::size_t at = summary.find("\"partitions\": ");
  REQUIRE(at != std::string::npos);
  CHECK(std::strtol(summary.c_str() + at + 14, nullptr, 10) >= 3);
  CHECK(run.energy_drift() < 1e-3);
}
