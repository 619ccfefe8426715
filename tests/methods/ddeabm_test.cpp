// DDEABM (Shampine and Gordon): coefficients, order and step selection, error against tolerance, dense output, masks.
#include <doctest/doctest.h>

#include <cmath>

#include "built_component.h"
#include "ode_run.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/divided_differences.h"

using namespace trammel;

namespace {

/// Kepler's problem, eccentricity 0.3, period 2 pi (problem D2 of Hull, Enright, Fellen, Sedgwick 1972).
constexpr double eccentricity = 0.3;
CallableOde kepler() {
  return CallableOde(4, [](double, const double* y, double* f) {
    const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
    f[0] = y[2], f[1] = y[3], f[2] = -y[0] / r3, f[3] = -y[1] / r3;
    return Status::success();
  });
}
std::vector<double> kepler_solution(double t) {
  double E = t;  // Kepler's equation by Newton
  for (int i = 0; i < 50; ++i) E -= (E - eccentricity * std::sin(E) - t) / (1 - eccentricity * std::cos(E));
  const double b = std::sqrt(1 - eccentricity * eccentricity), rate = 1 / (1 - eccentricity * std::cos(E));
  return {std::cos(E) - eccentricity, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Solution {
  double error = 0, interpolation_error = 0, last_step_error = 0;
  long steps = 0, rejections = 0, evaluations = 0;
  int highest_order = 0;
  double mean_order = 0;
};

Solution solve_kepler(double tolerance, double end, const Arguments& arguments = {}) {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm", arguments);
  CallableOde system = kepler();
  OdeRun run(*method, system, 0, kepler_solution(0));
  run.set_tolerances(tolerance, tolerance);
  Solution result;
  run.run_self_controlled(end, [&](const StepResult& step) {
    result.highest_order = std::max(result.highest_order, step.order);
    result.mean_order += step.order;
    result.error = std::max(result.error, distance(run.y(), kepler_solution(run.state.t)));
    for (const double theta : {0.25, 0.5, 0.9}) {
      const double t = run.from_t + theta * (run.state.t - run.from_t);
      result.interpolation_error =
          std::max(result.interpolation_error, distance(run.interpolate(t), kepler_solution(t)));
    }
    CHECK(run.interpolate(run.from_t) == run.from);
    CHECK(distance(run.interpolate(run.state.t), run.y()) < 2e-14);  // t = 20 is rounded to 4e-15, the speed is 1.4
  });
  result.steps = run.accepted;
  result.mean_order /= static_cast<double>(run.accepted);
  result.rejections = run.rejections;
  result.evaluations = system.evaluations;
  return result;
}

}  // namespace

TEST_CASE("at equal steps the coefficients are those of Adams and Bashforth") {
  double span[sdk::difference_columns];
  for (int i = 0; i < sdk::difference_columns; ++i) span[i] = 0.1 * i;
  const sdk::StepGrid grid{span, sdk::difference_columns};
  const sdk::DifferenceCoefficients g = grid.integrals(0.1, 0.1, 13), beta = grid.beta(0.1, 13),
                                    sigma = grid.sigma(0.1, 13);
  for (std::size_t j = 0; j < 13; ++j) {
    // Gauss' rule with seven points, all terms positive.
    CHECK(g[j] == doctest::Approx(sdk::adams_gamma[j].value()).epsilon(4e-15));
    CHECK(beta[j] == doctest::Approx(1).epsilon(4e-15));
    CHECK(sigma[j] == doctest::Approx(1).epsilon(4e-15));
  }
}

TEST_CASE("on any grid the coefficients integrate the polynomial through the old points") {
  // Four points, f = x^3: the cubic through them is x^3 itself. x_n = 0.
  double span[sdk::difference_columns] = {0, 0.3, 0.45, 1.05};
  const sdk::StepGrid grid{span, 4};
  const double h = 0.2, cube[4] = {0, std::pow(-0.3, 3), std::pow(-0.45, 3), std::pow(-1.05, 3)};
  // Newton's divided differences, scaled: phi_j = prod_{0<i<=j} s_i f[x_n, ..., x_{n-j}].
  double difference[4] = {cube[0], cube[1], cube[2], cube[3]}, phi[4], scale = 1;
  for (int j = 0; j < 4; ++j) {
    if (j > 0) scale *= span[j];
    phi[j] = scale * difference[0];
    for (int i = 0; i + j + 1 < 4; ++i)
      difference[i] = (difference[i] - difference[i + 1]) / (span[i + j + 1] - span[i]);
  }
  for (const double tau : {0.07, 0.2}) {
    const sdk::DifferenceCoefficients g = grid.integrals(h, tau, 4), beta = grid.beta(h, 4);
    double integral = 0;
    for (std::size_t j = 0; j < 4; ++j) integral += h * g[j] * beta[j] * phi[j];
    CHECK(integral == doctest::Approx(std::pow(tau, 4) / 4).epsilon(1e-13));
  }
}

TEST_CASE("Kepler's problem: the error follows the tolerance, the interpolant is as good, two evaluations per step") {
  double first = 0, last = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    CAPTURE(tolerance);
    const Solution s = solve_kepler(tolerance, 20);
    // Some hundred local errors of the size of the tolerance, each of which moves the phase ever farther.
    CHECK(s.error < 3000 * tolerance);
    CHECK(s.error > 0.1 * tolerance);
    if (first == 0) first = s.error;
    last = s.error;
    CHECK(s.interpolation_error < 1.5 * s.error);
    CHECK(s.evaluations <= 2 * (s.steps + s.rejections) + 1);
    CHECK(s.evaluations >= 2 * s.steps);
  }
  CHECK(std::log10(first / last) == doctest::Approx(8).epsilon(0.15));  // proportional over eight decades
}

TEST_CASE("the order follows the tolerance: at least 8 at 1e-12, never above max_order") {
  const Solution loose = solve_kepler(1e-3, 20), tight = solve_kepler(1e-12, 20);
  CHECK(tight.highest_order >= 8);
  CHECK(tight.mean_order >= 8);
  CHECK(loose.mean_order < tight.mean_order - 2);
  CHECK(solve_kepler(1e-12, 20, {{{"max_order", 5}}, {}, {}}).highest_order == 5);
}

TEST_CASE("backwards in time, and there and back") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  CallableOde system = kepler();
  OdeRun run(*method, system, 3, kepler_solution(3));
  run.set_tolerances(1e-10, 1e-10);
  run.run_self_controlled(-2);
  CHECK(distance(run.y(), kepler_solution(-2)) < 1e-7);
  run.restart();
  run.run_self_controlled(3);
  CHECK(distance(run.y(), kepler_solution(3)) < 1e-7);
}

TEST_CASE("near rounding the errors of the additions are carried along") {
  // Near the smallest tolerance that doubles can promise; without the carried errors this is several times as much.
  CHECK(solve_kepler(1e-14, 20).error < 3e-11);
}

TEST_CASE("tolerances below the rounding of the state are refused with advice") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  CallableOde system = kepler();
  OdeRun run(*method, system, 0, kepler_solution(0));
  run.set_tolerances(1e-17, 0);
  const StepResult result = run.attempt(0.1);
  CHECK_FALSE(result.status.ok());
  CHECK(std::string(result.status.what).find("enlarge") != std::string::npos);
}

TEST_CASE("a void attempt leaves no trace: not on what follows, not on the state") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  CallableOde system = kepler();
  OdeRun straight(*method, system, 0, kepler_solution(0)), stumbling(*method, system, 0, kepler_solution(0));
  for (int i = 0; i < 80; ++i) {
    const StepResult expected = straight.attempt(0.02);
    REQUIRE_FALSE(expected.rejected);
    straight.accept();
    for (const double other : {0.005, 0.02}) {
      const std::vector<double> before = stumbling.y();
      REQUIRE(stumbling.attempt(other).status.ok());
      CHECK(stumbling.y() == before);
      stumbling.reject();
    }
    stumbling.attempt(0.02);
    stumbling.accept();
    CHECK(stumbling.state.t == straight.state.t);
    CHECK(stumbling.y() == straight.y());  // bit for bit
  }
}

TEST_CASE("a step that is too long is shortened until it fits, by few evaluations") {
  // A sudden change of the problem by four decades at t = 1, which no break point announces.
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  CallableOde system(1, [](double t, const double* y, double* f) {
    f[0] = t < 1 ? -y[0] : 1e4 * std::cos(1e4 * (t - 1)) - y[0];
    return Status::success();
  });
  OdeRun run(*method, system, 0, {1});
  run.run_self_controlled(1.01);
  CHECK(run.rejections > 3);
  CHECK(run.rejections < 80);
  // y = e^(-t) + (a sin - a^2 cos + a^2 e^(1-t)) / (1 + a^2) behind the change, with a = 1e4.
  const double a = 1e4, t = 1.01, s = t - 1;
  const double exact = std::exp(-t) + a * (std::cos(a * s) + a * std::sin(a * s) - std::exp(-s)) / (1 + a * a);
  CHECK(std::abs(run.y()[0] - exact) < 1e-4);
}

TEST_CASE("components off the mask do not count") {
  class Masked final : public OdeSystem {
   public:
    Index size() const override { return 2; }
    Status rhs(double t, ConstVectorView y, VectorView f) override {
      f[0] = -y[0];
      f[1] = 1e6 * std::cos(1e6 * t);
      return Status::success();
    }
    ConstVectorView mask() const override { return {weights, 2}; }
    double weights[2] = {1, 0};
  };
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  Masked system;
  OdeRun run(*method, system, 0, {1, 0});
  run.run_self_controlled(10);
  CHECK(run.accepted < 200);  // with the second component: millions
  CHECK(std::abs(run.y()[0] - std::exp(-10)) < 1e-5);
}

TEST_CASE("stiffness is noticed and told; smooth problems at loose tolerances are not accused") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "ddeabm");
  const auto* advice = find_extension<IntegratorAdvice>(*method);
  REQUIRE(advice != nullptr);
  CallableOde stiff(1, [](double t, const double* y, double* f) {
    f[0] = -1000 * (y[0] - std::cos(t));
    return Status::success();
  });
  OdeRun run(*method, stiff, 0, {0});
  run.run_self_controlled(2);
  REQUIRE(advice->advice(run.memory()) != nullptr);
  CHECK(std::string(advice->advice(run.memory())).find("implicit") != std::string::npos);
  // y' = -k (y - cos t): y = (k^2 cos t + k sin t) / (k^2 + 1) after the transient.
  CHECK(std::abs(run.y()[0] - (1e6 * std::cos(2) + 1e3 * std::sin(2)) / (1e6 + 1)) < 1e-4);

  for (const double tolerance : {1e-2, 1e-3, 1e-5, 1e-9}) {
    CAPTURE(tolerance);
    CallableOde smooth = kepler();
    OdeRun easy(*method, smooth, 0, kepler_solution(0));
    easy.set_tolerances(tolerance, tolerance);
    easy.run_self_controlled(60);
    CHECK(advice->advice(easy.memory()) == nullptr);
  }
}
