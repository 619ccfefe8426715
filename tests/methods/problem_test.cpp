// ODE problems through their loaded plugins: derivatives against explicit formulas, references, the papers' figures.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include "built_component.h"
#include "ode_run.h"
#include "trammel/system.h"

using namespace trammel;

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

double energy(const System& system, double t, const std::vector<double>& y) {
  const Index n = static_cast<Index>(y.size()) / 2;
  double kinetic = NAN, potential = NAN;
  REQUIRE(system.energy(t, {y.data(), n}, {y.data() + n, n}, kinetic, potential));
  return kinetic + potential;
}

std::vector<double> initial(System& system) {
  const Index n = system.second_order()->size();
  std::vector<double> y(static_cast<std::size_t>(2 * n));
  system.initial({y.data(), n}, {y.data() + n, n});
  return y;
}

/// x''(t, x, x') written out by hand, in complex arithmetic: J1, J2 and d(x'')/dt by the complex step.
template <int N, class Acceleration>
void check_derivatives(SecondOrderSystem& system, const Acceleration& acceleration, const std::vector<double>& y,
                       double t) {
  REQUIRE(system.size() == N);
  Complex z[2 * N + 1], a[N];
  for (int i = 0; i < 2 * N; ++i) z[i] = y[static_cast<std::size_t>(i)];
  z[2 * N] = t;
  Matrix J(N, 2 * N + 1);
  for (int j = 0; j <= 2 * N; ++j) {
    z[j] += Complex(0, 1e-100);
    acceleration(z[2 * N], z, z + N, a);
    z[j] = z[j].real();
    for (int i = 0; i < N; ++i) J(i, j) = a[i].imag() / 1e-100;
  }
  Vector value(N);
  REQUIRE(system.acceleration(t, {y.data(), N}, {y.data() + N, N}, {value.data(), N}).ok());
  for (int i = 0; i < N; ++i) CHECK(value[i] == doctest::Approx(a[i].real()).epsilon(1e-12));

  REQUIRE(system.linearize(t, {y.data(), N}, {y.data() + N, N}).ok());
  Matrix M(N, N), MJ1(N, N), MJ2(N, N);
  Vector M_t(N);
  for (int j = 0; j < N; ++j) {
    const Vector unit = Vector::Unit(N, j);
    REQUIRE(system.apply_mass({unit.data(), N}, {M.col(j).data(), N}).ok());
    REQUIRE(system.apply_J1({unit.data(), N}, {MJ1.col(j).data(), N}).ok());
    REQUIRE(system.apply_J2({unit.data(), N}, {MJ2.col(j).data(), N}).ok());
  }
  REQUIRE(system.time_gradient({M_t.data(), N}).ok());
  // Rounding, relative to the largest term: the mass matrix of the top has condition 10 to 100.
  const double tolerance = 1e-11 * (M.norm() * J.norm() + 1e-300);
  CHECK((MJ1 - M * J.leftCols(N)).norm() <= tolerance);
  CHECK((MJ2 - M * J.middleCols(N, N)).norm() <= tolerance);
  CHECK((M_t - M * J.col(2 * N)).norm() <= tolerance);

  const double c0 = 0.03, c1 = 0.2;
  const Vector r = Vector::LinSpaced(N, 1, 2);
  Vector x(N);
  REQUIRE(system.prepare(c0, c1).ok());
  REQUIRE(system.solve({r.data(), N}, {x.data(), N}).ok());
  CHECK((M * x - c1 * M * J.middleCols(N, N) * x - c0 * M * J.leftCols(N) * x - r).norm() <= 1e-10 * r.norm());
}

std::vector<double> random_state(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0.3, 1.4);
  std::vector<double> y(static_cast<std::size_t>(2 * n));
  for (double& entry : y) entry = uniform(engine);
  return y;
}

}  // namespace

TEST_CASE("exponential") {
  const BuiltComponent<System> system(ComponentKind::system, "exponential", {{{"rate", -2}, {"initial", 3}}, {}, {}});
  OdeSystem* ode = system->ode();
  REQUIRE(ode != nullptr);
  CHECK(system->second_order() == nullptr);
  double x = 0, f = 0, f_y = 0, f_t = 1;
  system->initial({&x, 1}, {nullptr, 0});
  CHECK(x == 3);
  REQUIRE(ode->rhs(0, {&x, 1}, {&f, 1}).ok());
  REQUIRE(ode->jacobian(0, {&x, 1}, {&f_y, 1, 1, 1}).ok());
  REQUIRE(ode->time_gradient(0, {&x, 1}, {&f_t, 1}).ok());
  CHECK(f == -6);
  CHECK(f_y == -2);
  CHECK(f_t == 0);
}

TEST_CASE("derivatives of the second-order problems") {
  SUBCASE("pendulum_angle") {
    const BuiltComponent<System> system(ComponentKind::system, "pendulum_angle", {{{"length", 0.7}}, {}, {}});
    check_derivatives<1>(
        *system->second_order(),
        [](Complex, const Complex* x, const Complex*, Complex* a) { a[0] = -9.81 / 0.7 * std::cos(x[0]); },
        random_state(1, 1), 0.2);
  }
  SUBCASE("vibration") {
    const BuiltComponent<System> system(
        ComponentKind::system, "vibration",
        {{{"mass", 2}, {"omega", 3}, {"damping_ratio", 0.1}, {"forcing", 1.5}, {"forcing_omega", 0.7}}, {}, {}});
    check_derivatives<1>(
        *system->second_order(),
        [](Complex t, const Complex* x, const Complex* v, Complex* a) {
          a[0] = 1.5 * std::sin(0.7 * t) - 0.6 * v[0] - 9.0 * x[0];
        },
        random_state(1, 2), 0.2);
  }
  SUBCASE("spinning_top, against the equations solved for the accelerations") {
    const BuiltComponent<System> system(ComponentKind::system, "spinning_top");
    for (unsigned seed = 1; seed <= 5; ++seed) {
      check_derivatives<3>(
          *system->second_order(),
          [](Complex, const Complex* x, const Complex* v, Complex* a) {
            const double I1 = 5e-5, I3 = 2e-4, mgl = 0.02 * 9.81 * 0.05;
            const Complex s = std::sin(x[1]), c = std::cos(x[1]), w3 = v[2] + v[0] * c;
            a[0] = (I3 * w3 * v[1] - 2 * I1 * v[0] * v[1] * c) / (I1 * s);
            a[1] = (I1 * v[0] * v[0] * s * c - I3 * w3 * v[0] * s + mgl * s) / I1;
            a[2] = -a[0] * c + v[0] * v[1] * s;
          },
          random_state(3, seed), 0);
    }
  }
}

TEST_CASE("a singular position of the Euler angles is a status, not a number") {
  const BuiltComponent<System> system(ComponentKind::system, "spinning_top");
  const double x[3] = {0, 0, 0}, v[3] = {1, 1, 1};
  double a[3];
  CHECK(system->second_order()->acceleration(0, {x, 3}, {v, 3}, {a, 3}).code == StatusCode::singular);
}

TEST_CASE("pendulum_angle returns to the horizontal after the period of the closed form") {
  // 4 K(1 / sqrt 2) / sqrt(g / L), benchmark A01.
  constexpr double period = 2.3678419475762374493;
  const BuiltComponent<System> system(ComponentKind::system, "pendulum_angle");
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "dopri853");
  FirstOrderView view(*system->second_order());
  OdeRun run(*method, view, 0, initial(*system));
  const double E = energy(*system, 0, run.y());
  CHECK(E == 0);
  run.run(period, 400);
  CHECK(std::abs(run.y()[0]) < 1e-12);  // rounding of 400 steps, times the sensitivity near 10
  CHECK(std::abs(run.y()[1]) < 1e-11);
  CHECK(std::abs(energy(*system, period, run.y())) < 1e-11);
}

TEST_CASE("vibration free of natural motion follows the closed form") {
  const double omega = 2, w = 0.5;
  const BuiltComponent<System> system(
      ComponentKind::system, "vibration",
      {{{"omega", omega}, {"forcing", 1}, {"forcing_omega", w}, {"velocity", w / (omega * omega - w * w)}}, {}, {}});
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "dopri853");
  FirstOrderView view(*system->second_order());
  OdeRun run(*method, view, 0, initial(*system));
  run.run(10, 400);
  CHECK(std::abs(run.y()[0] - std::sin(w * 10) / (omega * omega - w * w)) < 1e-13);
}

TEST_CASE("spinning_top against the reference solution") {
  const BuiltComponent<System> system(ComponentKind::system, "spinning_top");
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "dopri853");
  FirstOrderView view(*system->second_order());
  OdeRun run(*method, view, 0, initial(*system));
  std::ifstream file(std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/spinning_top.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  int rows = 0;
  double worst_angle = 0, worst_rate = 0;
  while (std::getline(file, line)) {
    double expected[7];
    REQUIRE(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf,%lf", expected, expected + 1, expected + 2, expected + 3,
                        expected + 4, expected + 5, expected + 6) == 7);
    if (expected[0] > 5) break;  // half of it does for the problem; the rest measures accumulated rounding
    if (rows++ > 0) run.run(0.05, 100);
    for (std::size_t i = 0; i < 3; ++i) {
      worst_angle = std::max(worst_angle, std::abs(run.y()[i] - expected[i + 1]));
      worst_rate = std::max(worst_rate, std::abs(run.y()[i + 3] - expected[i + 4]));
    }
  }
  CHECK(rows == 101);
  CHECK(worst_angle < 1e-11);  // the reference holds 7e-13 and 2e-11; the top amplifies rounding
  CHECK(worst_rate < 1e-10);
}

TEST_CASE("Table 8 of Fernandez de Bustos et al.: energy error of the top with the third-order method") {
  const BuiltComponent<System> system(ComponentKind::system, "spinning_top");
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "kutta3");
  const struct {
    int steps;
    double printed;
  } rows[] = {{1000, 8.79e-6}, {10000, 2.88e-8}, {100000, 2.89e-11}};
  for (const auto& row : rows) {
    FirstOrderView view(*system->second_order());
    OdeRun run(*method, view, 0, initial(*system));
    const double start = energy(*system, 0, run.y());
    double error = 0;
    for (int i = 0; i < row.steps; ++i) {
      run.step(10.0 / row.steps);
      error = std::max(error, std::abs(energy(*system, 0, run.y()) - start));
    }
    CHECK(error == doctest::Approx(row.printed).epsilon(2e-3));  // three printed digits
  }
}
