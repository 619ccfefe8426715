// The contract of integrator.h, written once and run for every integrator of the ode view through its loaded plugin.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "allocation_counter.h"
#include "built_component.h"
#include "ode_run.h"

using namespace trammel;

namespace {

struct Entry {
  const char* type;
  Arguments arguments;
};

Entry adams(int order, const char* mode, const char* start) {
  return {"adams", {{{"order", order}}, {{"mode", mode}, {"start", start}}, {}}};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"euler", {}},
      {"heun", {}},
      {"heun3", {}},
      {"kutta3", {}},
      {"rk4", {}},
      {"fehlberg45", {}},
      {"dopri5", {}},
      {"dopri853", {}},
      adams(1, "predictor", "ramp"),
      adams(4, "predictor", "ramp"),
      adams(1, "pece", "ramp"),
      adams(5, "pece", "ramp"),
      adams(2, "predictor", "runge_kutta"),
      adams(5, "predictor", "runge_kutta"),
      adams(3, "pece", "runge_kutta"),
      adams(6, "pece", "runge_kutta"),
      adams(4, "pece", "zero_differences"),
      {"adams", {{{"order", 4}, {"h_start", 0.00025}}, {{"start", "small_steps"}}, {}}},
      {"ampc", {{{"order", 1}}, {}, {}}},
      {"ampc", {{{"order", 4}}, {}, {}}},
      {"mampc", {{{"order", 3}}, {}, {}}},
      {"mampc", {{{"order", 5}}, {}, {}}}};
  return all;
}

/// Runs `check` with every integrator.
template <class Check>
void for_all(const Check& check) {
  for (const Entry& entry : entries()) {
    std::string name = entry.type;
    for (const auto& [key, value] : entry.arguments.numbers) name += " " + key + " " + std::to_string(value);
    for (const auto& [key, word] : entry.arguments.words) name += " " + word;
    CAPTURE(name);
    const BuiltComponent<Integrator> method(ComponentKind::integrator, entry.type, entry.arguments);
    check(*method);
  }
}

/// The same and methods that choose their own steps.
template <class Check>
void for_all_and_self_controlled(const Check& check) {
  for_all(check);
  for (const Entry& entry : {Entry{"ddeabm", {}}, Entry{"adams", {{{"order", 6}}, {{"control", "haug"}}, {}}}}) {
    const BuiltComponent<Integrator> method(ComponentKind::integrator, entry.type, entry.arguments);
    INFO(entry.type);
    check(*method);
  }
}

/// y' = -2 t y^2, y = 1 / (1 + t^2): not linear, not autonomous, known.
CallableOde witch() {
  return CallableOde(
      1, [](double t, const double* y, double* f) { return f[0] = -2 * t * y[0] * y[0], Status::success(); });
}
double witch_solution(double t) { return 1 / (1 + t * t); }

/// The same beside y' = y^2 cos(t) e^(-sin t), y = e^(sin t): where one leading error term vanishes the other does not.
CallableOde pair() {
  return CallableOde(2, [](double t, const double* y, double* f) {
    f[0] = -2 * t * y[0] * y[0];
    f[1] = y[1] * y[1] * std::cos(t) * std::exp(-std::sin(t));
    return Status::success();
  });
}
std::vector<double> pair_solution(double t) { return {witch_solution(t), std::exp(std::sin(t))}; }

CallableOde pendulum() {
  return CallableOde(2, [](double t, const double* y, double* f) {
    f[0] = y[1];
    f[1] = -std::sin(y[0]) + 0.1 * std::cos(t);
    return Status::success();
  });
}

const std::vector<double> swing = {1.0, 0.5};

/// Step counts between the pre-asymptotic range (long for dopri5, whose leading terms are small) and rounding.
int steps_for(int order) { return order >= 6 ? 12 : order == 4 ? 24 : 80; }

}  // namespace

TEST_CASE("measured order, forwards and backwards in time") {
  for_all([](const Integrator& method) {
    const int order = method.traits().order;
    for (const bool forwards : {true, false}) {
      CAPTURE(forwards);
      const double t0 = forwards ? -0.5 : 1.5, duration = forwards ? 2 : -2;
      double error[2] = {0, 0};  // largest along the way: at a single time the leading term may vanish
      for (int k = 0; k < 2; ++k) {
        CallableOde system = pair();
        OdeRun run(method, system, t0, pair_solution(t0));
        const int steps = steps_for(order) << k;
        for (int i = 0; i < steps; ++i) {
          run.step(duration / steps);
          const std::vector<double> exact = pair_solution(run.state.t);
          for (std::size_t c = 0; c < 2; ++c) error[k] = std::max(error[k], std::abs(run.y()[c] - exact[c]));
        }
      }
      const double slope = std::log2(error[0] / error[1]);
      // One halving: the next terms still show. A method of one order less fails.
      CHECK(slope > order - 0.5);
      CHECK(slope < order + 1.6);
    }
  });
}

TEST_CASE("dense output: meets both ends, keeps the order in between") {
  for_all([](const Integrator& method) {
    const IntegratorTraits traits = method.traits();
    const int order = std::min(traits.order, traits.interpolation_order + 1);
    double error[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      CallableOde system = witch();
      OdeRun run(method, system, -0.5, {witch_solution(-0.5)});
      const int steps = steps_for(order) << k;
      const double h = 2.0 / steps;
      for (int i = 0; i < steps; ++i) {
        REQUIRE(run.attempt(h).status.ok());
        const double t = run.state.t;
        double out;
        StateView from, middle;
        from.t = t, from.x = {run.from.data(), 1};
        middle.t = t + 0.4 * h, middle.x = {&out, 1};
        const Status status = method.interpolate(run.problem, from, run.next, middle.t, middle, run.memory());
        if (status.ok()) {
          error[k] = std::max(error[k], std::abs(out - witch_solution(middle.t)));
          CHECK(std::abs(run.interpolate(t)[0] - run.y()[0]) < 1e-15);
          CHECK(std::abs(run.interpolate(t + h)[0] - run.attempted()[0]) < 1e-15);
        } else {
          CHECK(status.code == StatusCode::unsupported);
        }
        run.accept();
        if (status.ok()) CHECK(run.interpolate(middle.t)[0] == out);  // still valid after accept
      }
    }
    CHECK(error[0] > 0);
    CHECK(std::log2(error[0] / error[1]) > order - 0.5);
  });
}

TEST_CASE("order of the dense output within one step from exact values") {
  for (const char* type : {"euler", "heun", "heun3", "kutta3", "rk4", "fehlberg45", "dopri5", "dopri853"}) {
    CAPTURE(type);
    const BuiltComponent<Integrator> method(ComponentKind::integrator, type);
    const int order = method->traits().interpolation_order;
    double error[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      const double h = (order > 5 ? 0.4 : 0.1) / (k + 1);
      CallableOde system = witch();
      OdeRun run(*method, system, 0.3, {witch_solution(0.3)});
      REQUIRE(run.attempt(h).status.ok());
      for (const double part : {0.2, 0.4, 0.6, 0.8}) {  // at a single point leading terms may cancel
        const double t = 0.3 + part * h;
        error[k] = std::max(error[k], std::abs(run.interpolate(t)[0] - witch_solution(t)));
      }
    }
    CHECK(std::log2(error[0] / error[1]) > order + 1 - 0.5);
  }
}

TEST_CASE("error estimate: its order, and every entry written") {
  for_all([](const Integrator& method) {
    const int order = method.traits().error_order;
    if (order == 0) return;
    double estimate[2];
    for (int k = 0; k < 2; ++k) {
      CallableOde system = pendulum();
      OdeRun run(method, system, 0, swing);
      REQUIRE(run.attempt((order > 5 ? 0.6 : 0.1) / (k + 1)).status.ok());
      estimate[k] = std::hypot(run.error()[0], run.error()[1]);
    }
    CHECK(std::abs(std::log2(estimate[0] / estimate[1]) - (order + 1)) < 0.6);
  });
}

TEST_CASE("the estimate of fehlberg45 has the sign of computed minus exact") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "fehlberg45");
  CallableOde system = witch();
  OdeRun run(*method, system, 0.3, {witch_solution(0.3)});
  REQUIRE(run.attempt(0.1).status.ok());
  const double error = run.attempted()[0] - witch_solution(0.4);
  CHECK(run.error()[0] == doctest::Approx(error).epsilon(0.3));
}

TEST_CASE("sizes 0 and 1") {
  for_all_and_self_controlled([](const Integrator& method) {
    CallableOde nothing(0, [](double, const double*, double*) { return Status::success(); });
    OdeRun run(method, nothing, 0, {});
    for (int i = 0; i < 8; ++i) run.step(0.1);
    CHECK(run.interpolate(run.from_t + 0.05).empty());
    CHECK(run.state.t == doctest::Approx(0.8));
  });
}

TEST_CASE("an attempt changes neither state nor, once rejected, anything that follows") {
  for_all([](const Integrator& method) {
    CallableOde system = pendulum();
    OdeRun straight(method, system, 0, swing), stumbling(method, system, 0, swing);
    const double wrong = method.traits().variable_step ? 0.4 : 0.1;
    for (int i = 0; i < 12; ++i) {
      straight.step(0.1);
      const std::vector<double> before = stumbling.y();
      REQUIRE(stumbling.attempt(wrong).status.ok());
      CHECK(stumbling.y() == before);
      stumbling.reject();
      stumbling.step(0.1);
      CHECK(stumbling.y() == straight.y());  // bit for bit
    }
  });
}

TEST_CASE("copying memory.state is a rollback") {
  for_all_and_self_controlled([](const Integrator& method) {
    CallableOde system = pendulum();
    OdeRun run(method, system, 0, swing);
    for (int i = 0; i < 9; ++i) run.step(0.1);
    const std::vector<double> memory = run.memory_state, y = run.y();
    for (int i = 0; i < 5; ++i) run.step(0.1);
    const std::vector<double> after = run.y();
    run.memory_state = memory;
    run.state.t = 0.9;
    run.state.x.map() = Eigen::Map<const Eigen::VectorXd>(y.data(), 2);
    OdeRun replay(method, system, 0, swing);
    for (int i = 0; i < 9; ++i) replay.step(0.1);
    const double t = replay.state.t;
    run.state.t = t;
    for (int i = 0; i < 5; ++i) run.step(0.1);
    CHECK(run.y() == after);
  });
}

TEST_CASE("a restart drops all history") {
  for_all_and_self_controlled([](const Integrator& method) {
    CallableOde system = pendulum();
    OdeRun old(method, system, 0, swing);
    for (int i = 0; i < 10; ++i) old.step(0.1);
    old.restart();
    OdeRun fresh(method, system, old.state.t, old.y());
    for (int i = 0; i < 10; ++i) {
      old.step(0.07);
      fresh.step(0.07);
      CHECK(old.y() == fresh.y());
    }
  });
}

TEST_CASE("two interleaved integrations do not disturb each other") {
  for_all_and_self_controlled([](const Integrator& method) {
    CallableOde system_a = pendulum(), system_b = witch();
    OdeRun a(method, system_a, 0, swing), b(method, system_b, 0.2, {witch_solution(0.2)});
    OdeRun a_alone(method, system_a, 0, swing), b_alone(method, system_b, 0.2, {witch_solution(0.2)});
    for (int i = 0; i < 10; ++i) {
      a.step(0.1);
      b.step(0.05);
    }
    for (int i = 0; i < 10; ++i) a_alone.step(0.1);
    for (int i = 0; i < 10; ++i) b_alone.step(0.05);
    CHECK(a.y() == a_alone.y());
    CHECK(b.y() == b_alone.y());
  });
}

TEST_CASE("after a large correction f is evaluated at the corrected state") {
  for_all_and_self_controlled([](const Integrator& method) {
    std::set<std::pair<double, double>> points;
    CallableOde system(1, [&](double t, const double* y, double* f) {
      points.insert({t, y[0]});
      f[0] = -2 * t * y[0] * y[0];
      return Status::success();
    });
    OdeRun run(method, system, 0, {1});
    for (int i = 0; i < 9; ++i) {
      REQUIRE(run.attempt(0.1).status.ok());
      run.accept([](std::vector<double>& y) { y[0] += 0.25; });
      points.clear();
      const double t = run.state.t, y = run.y()[0];
      REQUIRE(run.attempt(0.1).status.ok());
      CHECK(points.count({t, y}) == 1);
      run.reject();
    }
    if (!method.traits().variable_step || method.traits().self_controlled) return;
    OdeRun fresh(method, system, run.state.t, run.y());
    fresh.step(0.1);
    run.step(0.1);
    CHECK(run.y() == fresh.y());  // one-step methods remember nothing else
  });
}

TEST_CASE("failures of f and numbers that are not finite fail the attempt, and a smaller step recovers") {
  for_all([](const Integrator& method) {
    for (const bool status_fails : {true, false}) {
      CAPTURE(status_fails);
      // Defined for t < 0.35 only.
      CallableOde system(2, [&](double t, const double* y, double* f) {
        if (t > 0.35 && status_fails) return Status::failure(StatusCode::out_of_domain, "beyond 0.35");
        f[0] = y[1];
        f[1] = t > 0.35 ? std::numeric_limits<double>::quiet_NaN() : -y[0];
        return Status::success();
      });
      OdeRun run(method, system, 0, swing);
      StepResult result;
      int steps = 0;
      for (; steps < 20 && result.status.ok(); ++steps) {
        result = run.attempt(0.1);
        if (result.status.ok()) run.accept();
      }
      REQUIRE_FALSE(result.status.ok());
      CHECK(steps >= 3);
      CHECK(result.status.code == (status_fails ? StatusCode::out_of_domain : StatusCode::not_finite));
      run.reject();
      if (run.state.t > 0.35) continue;  // euler and the predictor find out one step late
      if (!method.traits().variable_step) run.restart();
      CHECK(run.attempt(0.02).status.ok());
    }
  });
}

TEST_CASE("no allocation in the step loop") {
  if (!allocations_are_counted) return;
  for_all_and_self_controlled([](const Integrator& method) {
    CallableOde system = pendulum();
    OdeRun run(method, system, 0, swing);
    double out[2];
    StateView from, middle;
    middle.x = {out, 2};
    const long before = allocation_count;
    for (int i = 0; i < 20; ++i) {
      run.attempt(0.1);
      from.t = run.from_t, from.x = {run.from.data(), 2};
      middle.t = run.from_t + 0.03;
      method.interpolate(run.problem, from, run.next, middle.t, middle, run.memory());
      run.accept();
      run.attempt(0.1);
      run.reject();
    }
    const long after = allocation_count;
    CHECK(after - before <= 1);  // the driver's own copy of the state, made once
  });
  const long before = allocation_count;
  const std::vector<double> counted(100);
  CHECK(allocation_count - before >= 1);
}
