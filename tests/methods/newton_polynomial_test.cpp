// Newton's backward difference polynomial and its error, Haug (7.4.4) to (7.4.8), and Table 7.4.2: e^t from points 0.1
// apart.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "paper_row.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/backward_differences.h"

using namespace trammel;

namespace {

constexpr double h = 0.1, t_n = 1;
constexpr int points = 11;

/// The differences of e^t at t_n, and the weights with which they make P_k(t_n + u h) and R_k+1(t_n + u h).
struct Interpolation {
  Interpolation() {
    for (int i = points - 1; i >= 0; --i) {
      Eigen::VectorXd f = Eigen::VectorXd::Constant(1, std::exp(t_n - i * h));
      Eigen::Map<Eigen::VectorXd> entry(f.data(), 1);
      D.push(entry);
    }
  }
  double P(int k, double u) const {
    double weights[points], sum = 0;
    sdk::newton_weights(u, k, weights);
    for (int i = 0; i < k; ++i) sum += weights[i] * D[i][0];
    return sum;
  }
  double R(int k, double u) const {
    double weights[points];
    sdk::newton_weights(u, k, weights);
    return weights[k - 1] * D[k - 1][0];
  }

  std::vector<double> memory = std::vector<double>(points, 0.0);
  sdk::BackwardDifferences D{{memory.data(), 1, points}};
};

/// Product of t - t_(n-j) over j < k.
double node_product(int k, double t) {
  double product = 1;
  for (int j = 0; j < k; ++j) product *= t - (t_n - j * h);
  return product;
}

}  // namespace

TEST_CASE("Table 7.4.2: values and errors through k points up to t = 1" * doctest::test_suite("papers")) {
  const double next[] = {2.718281828, 2.976960546, 3.001577080, 3.003919653, 3.004142579, 3.004163793,
                         3.004165812, 3.004166004, 3.004166022, 3.004166024, 3.004166024};
  const double second[] = {2.718281828, 3.235639263, 3.309488867, 3.318859159, 3.319973785, 3.320101070,
                           3.320115202, 3.320116739, 3.320116903, 3.320116921, 3.320116923};
  const double E_next[] = {-0.285884195,
                           -0.027205478,
                           -0.002588944,
                           -0.000246371,
                           -0.000023445,
                           -0.000002231,
                           -0.000000212,
                           -0.000000020,
                           -0.000000002,
                           0,
                           0};
  const double E_second[] = {-0.601835094,
                             -0.084477660,
                             -0.010628056,
                             -0.001257764,
                             -0.000143137,
                             -0.000015852,
                             -0.000001721,
                             -0.000000184,
                             -0.000000019,
                             -0.000000002,
                             0};
  const Interpolation f;
  for (int k = 1; k <= points; ++k) {
    CAPTURE(k);
    const auto check = [k](const char* what, double printed, double obtained) {
      // Nine printed decimals; the differences carry the rounding of e^t.
      check_paper_row({"Haug, Table 7.4.2", what + std::to_string(k), printed, PaperFigure::none, 0.501e-9}, obtained);
    };
    check("t = 1.1, P_", next[k - 1], f.P(k, 1));
    check("t = 1.2, P_", second[k - 1], f.P(k, 2));
    check("t = 1.1, E_", E_next[k - 1], f.P(k, 1) - std::exp(1.1));
    check("t = 1.2, E_", E_second[k - 1], f.P(k, 2) - std::exp(1.2));
  }
}

TEST_CASE("(7.4.5), (7.4.6): a further point adds a term that vanishes at the others") {
  const Interpolation f;
  for (int k = 1; k < points; ++k) {
    CAPTURE(k);
    double factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    for (const double u : {-3.7, -0.5, 0.3, 1.0, 2.0}) {
      const double R = f.D[k][0] / (factorial * std::pow(h, k)) * node_product(k, t_n + u * h);
      CHECK(f.R(k + 1, u) == doctest::Approx(R).epsilon(1e-11));  // t - t_j of numbers near 1
      CHECK(f.P(k + 1, u) - f.P(k, u) == doctest::Approx(f.R(k + 1, u)).epsilon(1e-12));
    }
    for (int j = 0; j < k; ++j) {
      CHECK(f.R(k + 1, -j) == 0);
      CHECK(std::abs(f.P(k, -j) - std::exp(t_n - j * h)) < 1e-13);
    }
  }
}

TEST_CASE("(7.4.7): a divided difference is a derivative somewhere between its points") {
  const Interpolation f;
  for (int k = 1; k < points; ++k) {
    CAPTURE(k);
    const double xi = std::log(f.D[k][0] / std::pow(h, k));  // all derivatives are e^t
    CHECK(xi > t_n - k * h);
    CHECK(xi < t_n);
    // In closed form; a difference has at most 2^k roundings of e.
    const double rounding = std::exp2(k) * 4.4e-16 / f.D[k][0];
    CHECK(std::abs(xi - (t_n + k * std::log(-std::expm1(-h) / h))) < 1e-14 + rounding);
  }
}

TEST_CASE("(7.4.8): the next term estimates the error of the polynomial") {
  const Interpolation f;
  for (int k = 1; k <= 8; ++k) {
    for (const double u : {0.5, 1.0, 2.0}) {
      CAPTURE(k);
      CAPTURE(u);
      const double t = t_n + u * h, error = std::exp(t) - f.P(k, u);
      double factorial = 1;
      for (int i = 2; i <= k; ++i) factorial *= i;
      // The error is a derivative between the first point and t, the estimate one between t_(n-k) and t_n.
      const double xi = std::log(error * factorial / node_product(k, t));
      CHECK(xi > t_n - (k - 1) * h);
      CHECK(xi < t);
      CHECK(error > f.R(k + 1, u));
      CHECK(error < f.R(k + 1, u) * std::exp((k + u) * h));
    }
  }
}

TEST_CASE("the weights of the integral are the integrals of the weights") {
  // Gauss-Legendre with seven points is exact for polynomials of degree 13.
  const double at[] = {0, 0.4058451513773972, 0.7415311855993945, 0.9491079123427585};
  const double share[] = {0.4179591836734694, 0.3818300505051189, 0.2797053914892767, 0.1294849661688697};
  for (const double u : {1.0, 0.4, -1.0}) {
    double sum[points] = {}, whole[points], w[points];
    for (int i = -3; i <= 3; ++i) {
      sdk::newton_weights(u / 2 * (1 + (i < 0 ? -1 : 1) * at[std::abs(i)]), points, w);
      for (int j = 0; j < points; ++j) sum[j] += u / 2 * share[std::abs(i)] * w[j];
    }
    sdk::adams_weights(u, points, whole);
    for (int j = 0; j < points; ++j) CHECK(std::abs(whole[j] - sum[j]) < 1e-14);
  }
}
