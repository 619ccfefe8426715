// Black-box stability against characteristic polynomials and stability functions written down here.
#include "stability/stability.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "built_component.h"

using namespace trammel;

namespace {

using Complex = std::complex<double>;

struct Method {
  explicit Method(const std::string& type, const Arguments& arguments = {})
      : component(ComponentKind::integrator, type, arguments), probe(*component) {
    REQUIRE_MESSAGE(probe.status().ok(), type << ": " << probe.status().what);
  }
  BuiltComponent<Integrator> component;
  StabilityProbe probe;
};

Arguments set(const char* name) { return {{}, {{"set", name}}, {}}; }
Arguments adams_predictor(int order) {
  return {{{"order", order}}, {{"mode", "predictor"}, {"start", "runge_kutta"}}, {}};
}

/// Largest modulus of the roots of x^k = sum_j a_j x^(k-1-j).
double largest_root(const std::vector<Complex>& a) {
  const auto k = static_cast<Eigen::Index>(a.size());
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(k, k);
  for (Eigen::Index j = 0; j < k; ++j) companion(0, j) = a[static_cast<std::size_t>(j)];
  for (Eigen::Index j = 1; j < k; ++j) companion(j, j - 1) = 1;
  return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues().cwiseAbs().maxCoeff();
}

const Complex plane[] = {{0, 0.3}, {0, 1.2}, {-0.4, 0}, {-0.7, 0.5}, {-3, 2}, {0.2, 0.4}};

void same(double obtained, double expected, double tolerance = 1e-10) {
  CHECK(std::abs(obtained - expected) < tolerance * std::max(1.0, expected));
}

}  // namespace

TEST_CASE("one-step methods: |R(z)| of the literature") {
  for (const Complex z : plane) {
    CAPTURE(z);
    same(Method("euler").probe.spectral_radius(z), std::abs(1.0 + z));
    same(Method("kutta3").probe.spectral_radius(z), std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0))));
    same(Method("rk4").probe.spectral_radius(z),
         std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))));
    same(Method("trapezoidal").probe.spectral_radius(z), std::abs((2.0 + z) / (2.0 - z)), 1e-8);
  }
  const Arguments mean_acceleration = {{{"beta", 0.25}, {"gamma", 0.5}}, {}, {}};
  same(Method("newmark", mean_acceleration).probe.spectral_radius({0, 50}), 1, 1e-7);
}

TEST_CASE("multistep methods: characteristic roots, whatever the start") {
  for (const Complex z : plane) {
    CAPTURE(z);
    same(Method("adams", adams_predictor(4)).probe.spectral_radius(z),
         largest_root({1.0 + 55.0 / 24 * z, -59.0 / 24 * z, 37.0 / 24 * z, -9.0 / 24 * z}));
    // BDF 2: (3/2 - z) y_2 = 2 y_1 - y_0 / 2
    const Arguments bdf = {{{"order", 2}}, {{"control", "fixed"}}, {}};
    same(Method("bdf", bdf).probe.spectral_radius(z), largest_root({2.0 / (1.5 - z), -0.5 / (1.5 - z)}), 1e-7);
  }
  Arguments ramp = adams_predictor(4);
  ramp.words["start"] = "ramp";
  same(Method("adams", ramp).probe.spectral_radius({0, 0.5}),
       Method("adams", adams_predictor(4)).probe.spectral_radius({0, 0.5}));
}

TEST_CASE("second-order methods: characteristic polynomials") {
  for (const double Omega : {0.01, 0.5, 1.3, 1.9, 2.4}) {
    CAPTURE(Omega);
    const double O = Omega * Omega;
    const double verlet = largest_root({2 - O, -1.0});  // x_2 - (2 - O) x_1 + x_0 = 0
    for (const char* type : {"velocity_verlet", "leapfrog", "beeman", "central_differences", "rattle"}) {
      CAPTURE(type);
      same(Method(type).probe.spectral_radius({0, Omega}), verlet, 1e-9);
    }
    // Degree 3 by the matrix of seed formulas: l^3 + ((beta + alpha/2) O - 2) l^2 + ((3/2 - alpha - beta) O + 1) l +
    // (alpha - 1)/2 O
    const double alpha = 4.0 / 3, beta = 0.5;
    same(Method("conditionally_explicit", set("alpha_4_3")).probe.spectral_radius({0, Omega}),
         largest_root({2 - (beta + alpha / 2) * O, -(1.5 - alpha - beta) * O - 1, -(alpha - 1) / 2 * O}), 1e-9);
  }
}

TEST_CASE("limits of stability") {
  const auto limit = [](const char* type, const Arguments& arguments = {}) {
    return find_stability_limit(Method(type, arguments).probe);
  };
  const auto family = [&](const char* name) { return limit("conditionally_explicit", set(name)); };
  // A double root ends the interval: the radius is known to the root of rounding there.
  CHECK(std::abs(family("central_differences").limit - 2) < 1e-6);
  CHECK(std::abs(family("alpha_4_3").limit - std::sqrt(12.0 / 5)) < 1e-7);
  CHECK(std::abs(family("alpha_2").limit - std::sqrt(4.0 / 3)) < 1e-7);
  CHECK(std::abs(family("alpha_1_4").limit - std::sqrt(8.0 / 5)) < 1e-7);
  CHECK(std::abs(family("alpha_3_4").limit - std::sqrt(3.0)) < 1e-7);
  CHECK(std::abs(limit("velocity_verlet").limit - 2) < 1e-6);
  CHECK(std::abs(limit("rk4").limit - 2 * std::sqrt(2.0)) < 1e-7);
  CHECK(std::abs(limit("kutta3").limit - std::sqrt(3.0)) < 1e-7);
  const Arguments linear_acceleration = {{{"beta", 1.0 / 6}, {"gamma", 0.5}}, {}, {}};
  CHECK(std::abs(limit("newmark", linear_acceleration).limit - std::sqrt(12.0)) < 1e-6);
  const StabilityLimit hht = limit("hht");
  CHECK(hht.unlimited);
  CHECK(hht.limit == 4);

  RayOptions real;
  real.re = -1, real.im = 0;
  CHECK(std::abs(find_stability_limit(Method("euler").probe, real).limit - 2) < 1e-8);
  CHECK(std::abs(find_stability_limit(Method("adams", adams_predictor(4)).probe, real).limit - 0.3) < 1e-8);
}

TEST_CASE("weakly unstable methods have no limit but a growth") {
  const StabilityLimit alpha = find_stability_limit(Method("conditionally_explicit", set("alpha_5_4")).probe);
  CHECK(alpha.limit == 0);
  CHECK(std::abs(alpha.growth_power - 2) < 0.1);
  CHECK(std::abs(alpha.growth - 1.0 / 3) < 0.05);  // rho - 1 = (h w)^2 / 3
  const StabilityLimit five = find_stability_limit(Method("conditionally_explicit", set("alpha_4_5")).probe);
  CHECK(five.limit == 0);
  CHECK(std::abs(five.growth - 0.8 / 3) < 0.02);  // -(1 + alpha (h w)^2 / 3)
  const StabilityLimit taylor = find_stability_limit(Method("conditionally_explicit", set("taylor_5")).probe);
  CHECK(taylor.limit == 0);
  CHECK(taylor.growth_power < 0.05);
  CHECK(std::abs(taylor.growth - 2.732) < 0.05);  // radius 3.73
  const StabilityLimit heun = find_stability_limit(Method("heun").probe);
  CHECK(heun.limit == 0);
  CHECK(std::abs(heun.growth_power - 4) < 0.1);  // |R(iy)|^2 = 1 + y^4/4
  CHECK(std::abs(heun.growth - 0.125) < 0.01);
}

TEST_CASE("defective eigenvalues of modulus 1 grow with the number of steps") {
  Amplification A;
  const Method verlet("velocity_verlet");
  REQUIRE(verlet.probe.amplification({0, 2}, A).ok());
  CHECK(std::abs(A.growth_exponent() - 1) < 0.1);
  REQUIRE(verlet.probe.amplification({0, 1.5}, A).ok());
  CHECK(A.growth_exponent() < 0.1);
  REQUIRE(verlet.probe.amplification({0, 2.1}, A).ok());
  CHECK(std::isinf(A.growth_exponent()));
}

TEST_CASE("region of the explicit Euler method: the disc about -1") {
  const Method euler("euler");
  RegionOptions window;
  window.re_min = -2.5, window.re_max = 0.5, window.im_max = 1.5, window.columns = 60;
  const StabilityRegion region = stability_region(euler.probe, window);
  CHECK(std::abs(region.area - 1.5707963) < 2e-3);  // cells of 0.05
  REQUIRE(region.boundary.size() > 40);
  for (const auto& [a, b] : region.boundary) CHECK(std::abs(std::hypot(a.re + 1, a.im) - 1) < 2e-3);
}

TEST_CASE("methods that choose their own steps are not looked at") {
  const BuiltComponent<Integrator> ddeabm(ComponentKind::integrator, "ddeabm");
  CHECK(StabilityProbe(*ddeabm).status().code == StatusCode::unsupported);
}
