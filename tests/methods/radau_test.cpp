// Radau IIA: coefficients, order on the views, factorizations and Jacobians kept, starting values, dense output, cache.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "built_component.h"
#include "loaded_model.h"
#include "ode_run.h"
#include "run/plant/state_buffer.h"
#include "second_order_run.h"
#include "table.h"

using namespace trammel;

namespace {

using Vector4 = Eigen::Vector4d;

const Arguments fixed{{}, {{"control", "fixed"}}, {}};

Eigen::Matrix3d matrix(const radau::Square& rows) {
  Eigen::Matrix3d A;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) A(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return A;
}

Vector4 state_of(const std::vector<double>& y) { return Eigen::Map<const Vector4>(y.data()); }

/// (x, x') = the oscillators of second_order_run.h as y.
class FirstOrder final : public OdeSystem {
 public:
  Index size() const override { return 4; }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    f.segment(0, 2).map() = y.segment(2, 2).map();
    return system.acceleration(t, y.segment(0, 2), y.segment(2, 2), f.segment(2, 2));
  }
  ConstVectorView mask() const override { return {ones_, 4}; }
  Oscillators system{1};

 private:
  double ones_[4] = {1, 1, 1, 1};
};

}  // namespace

TEST_CASE("coefficients: simplifying assumptions, eigenvalues, transformation, estimate") {
  using namespace radau;
  const Eigen::Matrix3d A = matrix(radau::A), T = matrix(radau::T), T_inverse = matrix(radau::T_inverse);
  for (int k = 1; k <= 3; ++k) {  // C(3): sum_j a_ij c_j^(k-1) = c_i^k / k
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += radau::A[i][j] * std::pow(c[j], k - 1);
      CHECK(sum == doctest::Approx(std::pow(c[i], k) / k).epsilon(1e-14));
    }
  }
  for (int k = 1; k <= 5; ++k) {  // B(5), b the last row of A
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) sum += radau::A[2][j] * std::pow(c[j], k - 1);
    CHECK(sum == doctest::Approx(1.0 / k).epsilon(1e-14));
  }
  Eigen::Matrix3d Lambda = Eigen::Matrix3d::Zero();
  Lambda(0, 0) = radau::gamma;
  Lambda.bottomRightCorner<2, 2>() << alpha, -beta, beta, alpha;
  CHECK((T_inverse * T - Eigen::Matrix3d::Identity()).norm() < 1e-14);
  CHECK((T_inverse * A.inverse() * T - Lambda).norm() < 1e-13);
  CHECK(d[0] + d[1] + d[2] ==
        doctest::Approx(-1).epsilon(1e-14));  // of f_0 and three equal derivatives nothing is left
  for (std::size_t i = 0; i < 3; ++i) {
    const Row at_c = value_weights(c[i]), integral = integral_weights(c[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(at_c[j] == doctest::Approx(i == j ? 1 : 0).epsilon(1e-13));
      CHECK(integral[j] == doctest::Approx(radau::A[i][j]).epsilon(1e-13));
    }
  }
}

TEST_CASE("order 5 on second-order and first-order views, in x and x', with the same numbers") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "radau_iia", fixed);
  const auto second = [&](int steps) { return solution(*method, steps, 1); };
  const auto first = [&](int steps) {
    FirstOrder system;
    OdeRun run(*method, system, 0, {0.5, 0.2, -0.3, 1});
    run.run(1, steps);
    return state_of(run.y());
  };
  const Vector4 exact = second(320);
  double before = 0;
  for (const int steps : {5, 10, 20}) {
    const double error = (second(steps) - exact).norm();
    CHECK((first(steps) - second(steps)).norm() < 1e-10);
    if (before > 0) CHECK(std::log2(before / error) > 4.7);
    before = error;
  }
}

namespace {

/// q, v, a and lambda of a double pendulum in the plane at t = 0.5, on the index-3 equations, beside its fixed steps.
struct Index3End {
  Index3End(const Integrator& method, int steps)
      : loaded(system_file(R"json("type": "planar", "gravity": [0, -9.81],
          "bodies": {
            "upper": { "mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 1, "velocity": [0, 0.5] },
            "lower": { "mass": 1, "inertia": 0.2, "position": [1.5, 0], "angular_velocity": 1, "velocity": [0, 1.5] } },
          "constraints": {
            "a": { "type": "revolute", "bodies": ["ground", "upper"], "at": [0, 0] },
            "b": { "type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0] } })json")),
        size{loaded.numbers.coordinates(), loaded.numbers.constraints(), ViewKind::constrained},
        now(size, ViewKind::constrained),
        next(size, ViewKind::constrained) {
    ConstrainedModel& model = loaded.numbers;
    Problem problem;
    problem.constrained = &model;
    problem.tolerances.rtol = problem.tolerances.atol = {&tolerance, 1};
    const MemorySize wanted = method.memory(size);
    std::vector<double> state(static_cast<std::size_t>(wanted.state)),
        scratch(static_cast<std::size_t>(wanted.scratch)), cache(static_cast<std::size_t>(wanted.cache));
    const Memory memory{state.data(), scratch.data(), cache.data()};
    now.view.x.map() = LoadedModel::view(loaded.q).map();
    now.view.v.map() = LoadedModel::view(loaded.v).map();
    REQUIRE(model.evaluate(0, now.view.x, now.view.v, {}, evaluate_dynamics));
    REQUIRE(model.factorize(ProjectionWeights::mass));
    REQUIRE(model.solve(model.Q(), model.gamma(), now.view.a, now.view.lambda));
    REQUIRE(method.start(problem, now.view, memory));
    const double h = 0.5 / steps;
    for (int i = 0; i < steps; ++i) {
      next.view.t = now.view.t + h;
      const StepResult result = method.attempt(problem, now.view, h, next.view, {}, memory);
      REQUIRE(result.status);
      std::fill(scratch.begin(), scratch.end(), 1e300);
      now.copy_from(next);
      method.accept(problem, now.view, false, memory);
    }
    REQUIRE(model.evaluate(now.view.t, now.view.x, now.view.v, {}, evaluate_Phi | evaluate_jacobian | evaluate_nu));
    violation = model.Phi().map().norm();
    std::vector<double> rows(static_cast<std::size_t>(size.m));
    model.apply_jacobian(now.view.v, LoadedModel::view(rows));
    violation += (LoadedModel::view(rows).map() - model.nu().map()).norm();
  }

  double tolerance = 1e-6, violation = 0;
  LoadedModel loaded;
  ProblemSize size;
  StateBuffer now, next;
};

}  // namespace

TEST_CASE(
    "index 3: order 5 in positions, velocities, accelerations and multipliers, on both levels of the constraints") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "radau_iia", fixed);
  const Index3End exact(*method, 320);
  double before[4] = {};
  for (const int steps : {10, 20, 40}) {
    const Index3End end(*method, steps);
    CHECK(end.violation < 1e-12);
    const StateView &s = end.now.view, &e = exact.now.view;
    const double errors[4] = {(s.x.map() - e.x.map()).norm(), (s.v.map() - e.v.map()).norm(),
                              (s.a.map() - e.a.map()).norm(), (s.lambda.map() - e.lambda.map()).norm()};
    for (int k = 0; k < 4; ++k) {
      CAPTURE(k);
      if (before[k] > 0) CHECK(std::log2(before[k] / errors[k]) > 4.7);
      before[k] = errors[k];
    }
  }
}

TEST_CASE("dense output is the collocation polynomial: it meets both ends, and has order 4 between") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "radau_iia", fixed);
  double before = 0;
  for (const int steps : {10, 20, 40}) {
    const double h = 1.0 / steps;
    Oscillators system(1);
    SecondOrderRun run(*method, system);
    for (int i = 0; i + 1 < steps; ++i) run.attempt(h), run.accept();
    run.attempt(h);
    CHECK((run.interpolate(run.from.t) - state_of(run.now)).norm() < 1e-13);
    CHECK((run.interpolate(run.to.t) - state_of(run.next)).norm() < 1e-13);
    const Vector4 between = run.interpolate(run.from.t + 0.4 * h);
    SecondOrderRun fine(*method, system);
    const double step = (run.from.t + 0.4 * h) / 200;
    for (int i = 0; i < 200; ++i) fine.attempt(step), fine.accept();
    const double error = (between - state_of(fine.now)).norm();
    if (before > 0) CHECK(std::log2(before / error) > 3.6);
    before = error;
  }
}

TEST_CASE("with step control errors follow the tolerance; Jacobians and factorizations serve for several steps") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "radau_iia");
  const BuiltComponent<Integrator> exact_method(ComponentKind::integrator, "radau_iia", fixed);
  const Vector4 exact = solution(*exact_method, 320, 1);
  double before = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    FirstOrder ode;
    OdeRun run(*method, ode, 0, {0.5, 0.2, -0.3, 1});
    run.set_tolerances(tolerance, tolerance);
    int steps = 0;
    run.run_self_controlled(1, [&](const StepResult&) { ++steps; });
    const double error = (state_of(run.y()) - exact).norm();
    CAPTURE(tolerance);
    CHECK(error < 10 * tolerance);
    CHECK(error < before);
    CHECK(steps < 3 * std::pow(tolerance, -0.25));
    before = error;
  }
}

TEST_CASE("a cache that is lost or left over changes how a step is found, not what it is") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "radau_iia", fixed);
  Oscillators system(1);
  SecondOrderRun kept(*method, system), lost(*method, system);
  for (int i = 0; i < 5; ++i) {
    kept.attempt(0.1), kept.accept();
    lost.attempt(0.1), lost.accept();
    std::fill(lost.cache.begin(), lost.cache.end(), 0.0);  // as behind a checkpoint
    CHECK((state_of(kept.now) - state_of(lost.now)).norm() < 1e-11);
  }
}
