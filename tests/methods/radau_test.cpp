// Radau IIA: coefficients, order on the views, factorizations and Jacobians kept, starting values, dense output, cache.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "built_component.h"
#include "ode_run.h"
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
