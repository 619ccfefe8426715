// adams with control haug: order and step by the estimates of Haug, Computer Aided Kinematics and Dynamics, 7.4.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "built_component.h"
#include "ode_run.h"
#include "paper_row.h"
#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"

using namespace trammel;

namespace {

Arguments haug(int order) { return {{{"order", order}}, {{"control", "haug"}}, {}}; }

/// y1' = -2 t y1^2, y2' = y2^2 cos(t) e^(-sin t): y = (1 / (1 + t^2), e^(sin t)).
CallableOde pair() {
  return CallableOde(2, [](double t, const double* y, double* f) {
    f[0] = -2 * t * y[0] * y[0];
    f[1] = y[1] * y[1] * std::cos(t) * std::exp(-std::sin(t));
    return Status::success();
  });
}
double error(double t, const std::vector<double>& y) {
  return std::hypot(y[0] - 1 / (1 + t * t), y[1] - std::exp(std::sin(t)));
}

}  // namespace

TEST_CASE("the error follows the tolerance; two evaluations per step; order and local error are told") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(10));
  const auto* channels = find_extension<IntegratorChannels>(*method);
  REQUIRE(channels != nullptr);
  REQUIRE(channels->channel_count() == 2);
  CHECK(std::string(channels->channel_name(0)) == "order");
  CHECK(std::string(channels->channel_name(1)) == "local_error");
  double first = 0, last = 0, highest = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    CAPTURE(tolerance);
    CallableOde system = pair();
    OdeRun run(*method, system, -2, {0.2, std::exp(std::sin(-2))});
    run.set_tolerances(tolerance, tolerance);
    double largest = 0, interpolated = 0;
    run.run_self_controlled(8, [&](const StepResult& step) {
      largest = std::max(largest, error(run.state.t, run.y()));
      highest = std::max(highest, channels->channel(0, run.memory()));
      CHECK(channels->channel(0, run.memory()) + 1 == step.order);
      CHECK(channels->channel(1, run.memory()) <= 1);
      CHECK(error(run.from_t, run.interpolate(run.from_t)) < 1.0001 * largest + 1e-15);
      const double middle = run.from_t + 0.4 * (run.state.t - run.from_t);
      interpolated = std::max(interpolated, error(middle, run.interpolate(middle)));
    });
    CHECK(system.evaluations <= 2 * (run.accepted + run.rejections) + 1);
    // The errors of up to 260 steps; both components multiply those made early by up to 55.
    CHECK(largest < 3000 * tolerance);
    CHECK(interpolated < 1.5 * largest);
    if (first == 0) first = largest;
    last = largest;
  }
  CHECK(std::log10(first / last) == doctest::Approx(8).epsilon(0.2));
  CHECK(highest >= 7);
}

TEST_CASE("back values by interpolation: a polynomial stays exact whatever the steps") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(6));
  // y = t^4 with f = 4 t^3: exact from order 3 on, which the start reaches with tiny steps.
  CallableOde system(1, [](double t, const double*, double* f) { return f[0] = 4 * t * t * t, Status::success(); });
  OdeRun run(*method, system, 0, {0});
  run.set_tolerances(1e-9, 1e-9);
  run.run_self_controlled(0.3);
  const double shares[] = {1, 0.5, 1, 0.31, 1, 1, 0.77, 0.25, 1, 1, 0.9};
  const double before = run.y()[0] - std::pow(run.state.t, 4);
  for (const double share : shares) {
    REQUIRE(run.attempt(0.05 * share).status.ok());
    run.accept();
  }
  CHECK(std::abs(run.y()[0] - std::pow(run.state.t, 4) - before) < 1e-13);
}

TEST_CASE("Estimate (7.4.16) against the true local error" * doctest::test_suite("papers")) {
  // Exact history: f does not depend on y. tau^c = y(t_{n+1}) - y^c.
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(3));
  CallableOde system(1, [](double t, const double*, double* f) { return f[0] = std::exp(t), Status::success(); });
  OdeRun run(*method, system, 0, {1});
  run.set_tolerances(0, 1e-6);
  int judged = 0, equal = 0;
  double last = 0;
  run.run_self_controlled(3, [&](const StepResult& step) {
    equal = std::abs(step.h - last) < 1e-12 ? equal + 1 : 0;
    last = step.h;
    if (step.order < 4 || run.state.t < 0.5) return;
    const double true_error = (run.y()[0] - run.from[0]) - (std::exp(run.state.t) - std::exp(run.from_t));
    CHECK(run.error()[0] == doctest::Approx(true_error).epsilon(0.3));  // nabla^4 f is taken at one end of its points
    ++judged;
    if (equal < 6) return;
    // With a history of equal steps nabla^4 e^t is known in closed form; gamma*_4 = -19/720.
    const double estimate = 19. / 720 * step.h * std::exp(run.state.t) * std::pow(-std::expm1(-step.h), 4);
    check_paper_row({"Haug, (7.4.13), (7.4.16)", "estimate over its closed form, order 4", PaperFigure::none, 1, 1e-6},
                    run.error()[0] / estimate);
  });
  CHECK(judged > 5);
}

TEST_CASE("beyond a jump that no break point announces steps halve, and grow again") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(8));
  CallableOde system(1, [](double t, const double* y, double* f) {
    f[0] = t < 1 ? -y[0] : 5 - y[0];
    return Status::success();
  });
  OdeRun run(*method, system, 0, {1});
  run.set_tolerances(1e-7, 1e-7);
  double smallest = 1, last = 0;
  run.run_self_controlled(6, [&](const StepResult& step) {
    if (run.from_t > 0.5) smallest = std::min(smallest, step.h);
    last = step.h;
  });
  CHECK(run.rejections > 5);
  CHECK(run.rejections < 100);
  CHECK(smallest < 1e-4);
  const double exact = 5 + (std::exp(-1) - 5) * std::exp(-5);
  CHECK(std::abs(run.y()[0] - exact) < 1e-5);
  CHECK(last > 100 * smallest);
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
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(8));
  Masked system;
  OdeRun run(*method, system, 0, {1, 0});
  run.run_self_controlled(10);
  CHECK(run.accepted < 200);  // with the second component: millions
  CHECK(std::abs(run.y()[0] - std::exp(-10)) < 1e-5);
}

TEST_CASE("tolerances below the rounding of the state are refused with advice") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", haug(6));
  CallableOde system = pair();
  OdeRun run(*method, system, 0, {1, 1});
  run.set_tolerances(1e-17, 0);
  const StepResult result = run.attempt(0.1);
  CHECK_FALSE(result.status.ok());
  CHECK(std::string(result.status.what).find("enlarge") != std::string::npos);
}

TEST_CASE("settings that do not go together are refused by their key") {
  const auto refused_key = [](const Arguments& arguments) {
    try {
      const BuiltComponent<Integrator> method(ComponentKind::integrator, "adams", arguments);
    } catch (const Error& error) {
      return error.key();
    }
    return std::string();
  };
  CHECK(refused_key({{{"order", 4}}, {{"control", "haug"}, {"mode", "predictor"}}, {}}) == "mode");
  CHECK(refused_key({{{"order", 4}}, {{"control", "haug"}, {"start", "runge_kutta"}}, {}}) == "start");
  CHECK(refused_key(haug(12)) == "order");
  CHECK(refused_key({{{"order", 4}}, {{"start", "small_steps"}}, {}}) == "h_start");
  CHECK(refused_key({{{"order", 4}, {"h_start", 0.1}}, {}, {}}) == "h_start");
  CHECK(refused_key(haug(11)).empty());
}
