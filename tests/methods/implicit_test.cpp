// Implicit methods on the second-order view: order conditions, orders with true and false Jacobians, estimates, dense
// output, what restarts, rejections and moved states do to histories.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "allocation_counter.h"
#include "built_component.h"
#include "dense_solvers.h"
#include "rooted_trees.h"
#include "second_order_run.h"
#include "trammel/sdk/methods/rosenbrock_nystrom.h"
#include "trammel/sdk/methods/tableaus/rosenbrock.h"
#include "trammel/sdk/methods/tableaus/sdirk.h"

using namespace trammel;
using Table = sdk::tableaus::Sdirk4;

namespace {

struct Entry {
  const char* type;
  int order;
  Arguments arguments;
};

/// With fixed steps; Newton's iteration to 1e-14, which the weights of sdirk4 make 30 times as much.
std::vector<Entry> fixed_step_methods() {
  const double tight = 1e-8;
  std::vector<Entry> all{{"sdirk4", 4, {{{"newton_tolerance", tight}}, {}, {}}},
                         {"trapezoidal", 2, {{{"newton_tolerance", tight}}, {}, {}}}};
  for (int k = 1; k <= 5; ++k) {
    all.push_back({"bdf", k, {{{"newton_tolerance", tight}, {"order", k}}, {{"control", "fixed"}}, {}}});
  }
  return all;
}

template <class Check>
void for_all(const Check& check) {
  for (const Entry& entry : fixed_step_methods()) {
    INFO(entry.type, " of order ", entry.order);
    const BuiltComponent<Integrator> method(ComponentKind::integrator, entry.type, entry.arguments);
    check(*method, entry.order);
  }
}

const Eigen::Vector4d& exact_at_2() {
  static const Eigen::Vector4d exact = solution(sdk::RosenbrockNystrom<sdk::tableaus::Rodas43>({false}), 4000, 2);
  return exact;
}
Eigen::Vector4d exact_at(double t) { return solution(sdk::RosenbrockNystrom<sdk::tableaus::Rodas43>({false}), 400, t); }
Eigen::Vector4d vector(const std::vector<double>& y) { return Eigen::Map<const Eigen::Vector4d>(y.data()); }

}  // namespace

TEST_CASE("the SDIRK table: order conditions, continuous extension, stiffly accurate, R(inf) = 0") {
  constexpr int s = Table::stages;
  Eigen::Matrix<double, s, s, Eigen::RowMajor> A = Table::gamma * Eigen::Matrix<double, s, s>::Identity();
  for (int i = 0, at = 0; i < s; ++i) {
    for (int j = 0; j < i; ++j) A(i, j) = Table::a[static_cast<std::size_t>(at++)];
    CHECK(A.row(i).sum() == doctest::Approx(Table::c[static_cast<std::size_t>(i)]).epsilon(1e-14));
  }
  for (int i = 0; i < s; ++i) CHECK(A(s - 1, i) == Table::b[static_cast<std::size_t>(i)]);
  const std::vector<double> a(A.data(), A.data() + s * s), b(Table::b.begin(), Table::b.end()),
      b_hat(Table::b_hat.begin(), Table::b_hat.end());
  const std::vector<RootedTree> trees = rooted_trees(5);
  const double rounding = 1e-14;  // coefficients up to 8
  for (int order = 1; order <= 4; ++order) CHECK(order_defect(trees, order, a, b) < rounding);
  for (int order = 1; order <= 3; ++order) CHECK(order_defect(trees, order, a, b_hat) < rounding);
  CHECK(order_defect(trees, 5, a, b) > 1e-4);
  CHECK(order_defect(trees, 4, a, b_hat) > 1e-3);
  for (const double part : {0.3, 0.8, 1.0}) {
    std::vector<double> weights;
    for (const auto& d : Table::d) weights.push_back(part * (d[0] + part * (d[1] + part * (d[2] + part * d[3]))));
    for (int order = 1; order <= 3; ++order) CHECK(order_defect(trees, order, a, weights, part) < 3 * rounding);
  }
  const Eigen::Matrix<double, s, 1> one = Eigen::Matrix<double, s, 1>::Ones();
  CHECK(std::abs(1 - Eigen::Map<const Eigen::Matrix<double, 1, s>>(b.data()).dot(A.inverse() * one)) < rounding);
}

TEST_CASE("measured orders, with exact and with false Jacobians") {
  for_all([](const Integrator& method, int order) {
    for (const double truth : {1.0, 0.5}) {
      CAPTURE(truth);
      const int steps = order == 5 ? 60 : 80;
      const double coarse = (solution(method, steps, 2, truth) - exact_at_2()).norm();
      const double fine = (solution(method, 2 * steps, 2, truth) - exact_at_2()).norm();
      CAPTURE(coarse);
      CHECK(std::log2(coarse / fine) > order - 0.2);
      CHECK(std::log2(coarse / fine) < order + 0.5);
    }
  });
}

TEST_CASE("dense output meets both ends and keeps the order") {
  for_all([](const Integrator& method, int order) {
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const double h = 0.05 / (1 << k);
      Oscillators system;
      SecondOrderRun run(method, system);
      for (int i = 0; i < 8 << k; ++i) run.attempt(h), run.accept();
      run.attempt(h);
      CHECK((run.interpolate(run.from.t) - vector(run.now)).norm() < 1e-13);
      CHECK((run.interpolate(run.to.t) - vector(run.next)).norm() < 1e-13);
      errors[k] = (run.interpolate(run.from.t + 0.4 * h) - exact_at(run.from.t + 0.4 * h)).norm();
    }
    CHECK(std::log2(errors[0] / errors[1]) > std::min(order, 4) - 0.35);
  });
}

TEST_CASE("the trapezoidal estimate is the local error, with its sign, in the first step and after it") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "trapezoidal",
                                          {{{"newton_tolerance", 1e-8}}, {}, {}});
  const double h = 0.004;
  Oscillators system;
  SecondOrderRun run(*method, system);
  for (int step = 0; step < 2; ++step) {
    CAPTURE(step);
    run.attempt(h);
    // From the exact values at both ends; (3) and (2) are of the first order in h, and so is the filter's effect.
    const Eigen::Vector4d local = vector(run.next) - exact_at(h * (step + 1)) -
                                  (vector(run.now) - (step == 0 ? vector(run.now) : exact_at(h * step)));
    CHECK((vector(run.error) - local).norm() < 0.05 * local.norm());
    run.accept();
  }
}

TEST_CASE("the SDIRK estimate is of order 3") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "sdirk4", {{{"newton_tolerance", 1e-8}}, {}, {}});
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Oscillators system;
    SecondOrderRun run(*method, system);
    run.attempt(0.04 / (1 << k));
    errors[k] = vector(run.error).norm();
  }
  CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(4).epsilon(0.05));
}

TEST_CASE("one Jacobian serves while the iteration contracts, one factorization while the step stays") {
  for_all([](const Integrator& method, int order) {
    Oscillators system;
    SecondOrderRun run(method, system);
    int iterations = 0;
    for (int i = 0; i < 10; ++i) iterations += run.attempt(0.005).newton_iterations, run.accept();
    const bool starter = method.traits().error_order == 0 && order > 1;
    CHECK(system.jacobians == (starter ? 2 : 1));  // the starter has one of its own
    CHECK(system.factorizations == system.jacobians);
    CHECK(system.evaluations <= iterations + 2);  // beside the acceleration at the start
    CHECK(system.evaluations > iterations);
  });
}

TEST_CASE("a rejected step leaves no trace in the history") {
  for_all([](const Integrator& method, int) {
    Oscillators system, other;
    SecondOrderRun run(method, system), straight(method, other);
    for (int i = 0; i < 6; ++i) {
      if (i == 0 || i == 5) run.attempt(0.2), method.reject(run.memory());
      run.attempt(0.02), straight.attempt(0.02);
      CHECK((vector(run.next) - vector(straight.next)).norm() < 1e-11);  // Newton's tolerance
      run.accept(), straight.accept();
    }
  });
}

TEST_CASE("a restart drops the history: what follows depends on the new state only") {
  for_all([](const Integrator& method, int) {
    Oscillators system, other;
    SecondOrderRun run(method, system), fresh(method, other);
    for (int i = 0; i < 7; ++i) run.attempt(0.02), run.accept();
    run.now = {-0.3, 0.9, 0.4, -0.7}, fresh.now = run.now;
    fresh.from.t = run.from.t;
    REQUIRE(method.start(run.problem, run.from, run.memory()).ok());
    REQUIRE(method.start(fresh.problem, fresh.from, fresh.memory()).ok());
    for (int i = 0; i < 7; ++i) {
      run.attempt(0.02), fresh.attempt(0.02);
      CHECK(run.next == fresh.next);
      run.accept(), fresh.accept();
    }
  });
}

TEST_CASE("a state moved after the step is where the next one starts, with its own acceleration") {
  for_all([](const Integrator& method, int) {
    Oscillators system, other;
    SecondOrderRun run(method, system), fresh(method, other);
    for (int i = 0; i < 6; ++i) run.attempt(0.01), run.accept();
    run.attempt(0.01);
    const double shift = 1e-3;
    run.now = run.next, run.now[1] += shift;
    run.accept(true);
    run.attempt(0.01);
    CHECK((run.interpolate(run.from.t) - vector(run.now)).norm() < 1e-2 * shift);
    fresh.now = run.now, fresh.from.t = run.from.t;
    fresh.attempt(0.01);
    // One-step methods know nothing but this state: equal to Newton's tolerance.
    if (method.traits().error_order > 0) CHECK((vector(run.next) - vector(fresh.next)).norm() < 1e-11);
  });
}

TEST_CASE(
    "bdf chooses order and step: within its tolerances, high orders in use, rejections without effect on the grid") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "bdf");
  for (const double tolerance : {1e-4, 1e-7}) {
    CAPTURE(tolerance);
    Oscillators system;
    SecondOrderRun run(*method, system);
    run.tolerance = tolerance;
    double h = 1e-4;
    int highest = 0, steps = 0;
    while (run.from.t < 2 - 1e-12) {
      const StepResult result = run.attempt(std::min(h, 2 - run.from.t));
      h = result.h_next;
      if (result.rejected) {
        method->reject(run.memory());
        continue;
      }
      highest = std::max(highest, result.order);
      REQUIRE(++steps < 2000);
      run.accept();
    }
    CHECK((vector(run.now) - exact_at_2()).norm() < 50 * tolerance);  // error per step, some hundred steps
    CHECK(highest >= (tolerance < 1e-5 ? 4 : 3));
    CHECK(system.jacobians < steps / 4);
  }
}

TEST_CASE("tolerances per component: the second half is that of x'") {
  // Newton's corrections of x are c <= h times those of x': with x' left out it stops earlier than with x left out.
  const std::vector<double> equal(4, 1e-6), x_only{1e-6, 1e-6, 1e6, 1e6}, v_only{1e6, 1e6, 1e-6, 1e-6};
  int for_x = 0, for_v = 0;
  for_all([&](const Integrator& method, int) {
    const auto run_with = [&](const std::vector<double>& own, int& iterations) {
      Oscillators system;
      SecondOrderRun run(method, system);
      run.problem.tolerances.rtol = run.problem.tolerances.atol = {own.data(), static_cast<Index>(own.size())};
      for (int i = 0; i < 20; ++i) iterations += run.attempt(0.03).newton_iterations, run.accept();
      return run.next;
    };
    int ignored = 0;
    CHECK(run_with(equal, ignored) == run_with({1e-6}, ignored));
    run_with(x_only, for_x), run_with(v_only, for_v);
  });
  CHECK(for_x < for_v);
}

TEST_CASE("nothing is allocated on the way") {
  if (!allocations_are_counted) return;
  for_all([](const Integrator& method, int) {
    Oscillators system;
    SecondOrderRun run(method, system);
    std::vector<double> out(4);
    const StateView at = SecondOrderRun::view(0.005, out);
    long before = 0;
    for (int i = 0; i < 12; ++i) {
      run.to.t = run.from.t + 0.01;
      const long count = allocation_count;
      const Index estimated = method.traits().error_order > 0 ? 4 : 0;
      (void)method.attempt(run.problem, run.from, 0.01, run.to, {run.error.data(), estimated}, run.memory());
      (void)method.interpolate(run.problem, run.from, run.to, run.from.t + 0.005, at, run.memory());
      method.accept(run.problem, run.from, false, run.memory());
      before += allocation_count - count;
      std::copy(run.next.begin(), run.next.end(), run.now.begin());
      run.from.t = run.to.t;
    }
    CHECK(before == 0);
  });
}
