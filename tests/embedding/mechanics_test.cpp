// Mechanics: a state is set, the equations are evaluated, and small motions with inputs and outputs are given.
#include "trammel/host/mechanics.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "embedded.h"
#include "refusal.h"

using namespace trammel;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

ConstVectorView view(const Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }
MatrixView view(Matrix& A) {
  const auto rows = static_cast<Index>(A.rows());
  return {A.data(), rows, static_cast<Index>(A.cols()), rows};
}
Matrix matrix(const std::vector<double>& numbers, Eigen::Index rows) {
  const auto columns = rows > 0 ? static_cast<Eigen::Index>(numbers.size()) / rows : 0;
  return Eigen::Map<const Matrix>(numbers.data(), rows, columns);
}

}  // namespace

TEST_CASE("a pushed mass: M, Q, and x' = A x + B u, y = C x + D u in closed form") {
  Mechanics mass(pushed_mass(), options());
  Matrix M(mass.coordinates(), mass.coordinates());
  mass.mass(view(M));
  const double m = M(0, 0);
  CHECK(m > 0);
  mass.set_input("throttle", 3);
  CHECK(std::abs(mass.accelerations()[0] - 6) < 1e-12);  // a = 2 u
  CHECK(std::abs(mass.forces()[0] - 6 * m) < 1e-12);
  const LinearSystem linear = mass.linearize({"throttle"}, {"mass.x", "mass.vx", "mass.ax"});
  const auto size = static_cast<Eigen::Index>(linear.states.size());
  const Matrix A = matrix(linear.A, size), B = matrix(linear.B, size), C = matrix(linear.C, 3), D = matrix(linear.D, 3);
  const auto place = [&](const std::string& name) {
    return std::find(linear.states.begin(), linear.states.end(), name) - linear.states.begin();
  };
  const auto x = place("mass.x"), v = place("rate of mass.x");
  REQUIRE(x < size);
  REQUIRE(v < size);
  CHECK(A(x, v) == 1);
  CHECK(A.col(x).norm() == 0);
  CHECK(std::abs(B(v, 0) - 2) < 1e-9);
  CHECK(std::abs(C(0, x) - 1) < 1e-9);
  CHECK(std::abs(C(1, v) - 1) < 1e-9);
  CHECK(std::abs(D(2, 0) - 2) < 1e-9);
  CHECK(mass.input("throttle") == 3);
}

TEST_CASE("f_y is that of differences, on the constraints and off, with internal states") {
  for (const char* name : {"actuator_with_lag", "slider_crank", "spatial_four_bar"}) {
    CAPTURE(name);
    Mechanics model(example(name), options());
    const Index n = model.coordinates(), nz = model.internal_states(), size = 2 * n + nz;
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> amount(-0.02, 0.02);
    Vector y(size);
    y << model.positions().map(), model.velocities().map(), model.states().map();
    for (double& entry : y) entry += amount(generator) * (1 + std::abs(entry));
    const auto rates = [&](const Vector& at) {
      model.set_state(0.2, {at.data(), n}, {at.data() + n, n}, {at.data() + 2 * n, nz});
      Vector f(size);
      f << model.velocities().map(), model.accelerations().map(), model.state_rates().map();
      return f;
    };
    rates(y);
    Matrix f_y(size, size), differences(size, size);
    model.rate_jacobian(view(f_y));
    const double step = 1e-5;
    for (Index k = 0; k < size; ++k) {
      const Vector move = step * (1 + std::abs(y[k])) * Vector::Unit(size, k);
      differences.col(k) = (rates(y + move) - rates(y - move)) / (2 * move[k]);
    }
    for (Index k = 0; k < size; ++k) {
      CAPTURE(k);
      CHECK((f_y.col(k) - differences.col(k)).norm() < 1e-6 * (1 + differences.col(k).norm()));
    }
  }
}

TEST_CASE("Phi_q a = gamma and M a + Phi_q^T lambda = Q; a state is projected") {
  Mechanics crank(example("slider_crank"), options());
  const Index n = crank.coordinates(), m = crank.constraints();
  Matrix M(n, n), Phi_q(m, n);
  Vector q = crank.positions().map(), v = crank.velocities().map();
  q[0] += 1e-3, v[1] += 0.1;
  crank.set_state(0, view(q), view(v));
  CHECK(crank.violation().map().norm() > 1e-4);
  crank.project();
  CHECK(crank.violation().map().norm() < 1e-12);
  CHECK(crank.velocity_violation().map().norm() < 1e-12);
  crank.mass(view(M)), crank.jacobian(view(Phi_q));
  const Vector balance = M * crank.accelerations().map() + Phi_q.transpose() * crank.multipliers().map();
  CHECK((balance - crank.forces().map()).norm() < 1e-9 * (1 + balance.norm()));
}

TEST_CASE("small motions of a crane: a joint's rate is the derivative of its angle; states come back") {
  Mechanics crane(example("actuator_with_lag"), options());
  const Vector q = crane.positions().map();
  const LinearSystem linear = crane.linearize({}, {"hook.angle", "bearing.angle", "hook.rate", "bearing.rate"});
  CHECK(linear.states.size() == 5);  // two angles, two rates, the cylinder's force
  CHECK(linear.states.back() == "cylinder.z.0");
  const Matrix A = matrix(linear.A, 5), C = matrix(linear.C, 4);
  CHECK((C.bottomRows(2) - C.topRows(2) * A).norm() < 1e-6 * C.norm());
  CHECK((crane.positions().map() - q).norm() == 0);
  CHECK(std::abs(A(4, 4) + 1 / 0.05) < 1e-9);  // the lag
}

TEST_CASE("what does not fit is refused by name") {
  Mechanics mass(pushed_mass(), options());
  const Vector q = Vector::Zero(2), v = Vector::Zero(mass.coordinates());
  CHECK(refusal([&] { mass.set_state(0, view(q), view(v)); }) == "q has 2 entries; the model has 3");
  Vector bad = Vector::Zero(3);
  bad[1] = std::nan("");
  CHECK(refusal([&] { mass.set_state(0, view(bad), view(v)); }) == "q[1] is not finite");
  CHECK(refusal([&] { mass.linearize({"throtle"}, {}); }).find("throttle") != std::string::npos);
  CHECK(refusal([&] { mass.linearize({}, {"mass.xx"}); }).find("mass.x") != std::string::npos);
  RunDescription problem;
  problem.set("system", Value::object({{"type", "exponential"}}));
  problem.set("analysis", Value::json(R"({"type": "dynamics", "duration": 1})"));
  problem.set("integrator", Value::json(R"({"type": "dopri5"})"));
  CHECK(refusal([&] { Mechanics(problem, options()); }).find("has no bodies") != std::string::npos);
}
