// The states of a delay: its transfer function is Pade's approximant, and as exact as the documentation says.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "signals/signal_block.h"

using namespace trammel;
using Complex = std::complex<double>;

namespace {

/// Y/U at s = i w.
Complex transfer(const DelayBlock& delay, double w) {
  const Index n = delay.states();
  Eigen::MatrixXcd A(n, n);
  Eigen::VectorXcd B(n);
  std::vector<double> z(static_cast<std::size_t>(n), 0.0), rate(z.size());
  const auto rates = [&](double u) {
    delay.rates(BlockInputs<double>{&u, z.data(), nullptr}, rate.data());
    return Eigen::Map<const Eigen::VectorXd>(rate.data(), n);
  };
  B = rates(1).cast<Complex>();
  for (Index j = 0; j < n; ++j) {
    z[static_cast<std::size_t>(j)] = 1;
    A.col(j) = rates(0).cast<Complex>();
    z[static_cast<std::size_t>(j)] = 0;
  }
  const Eigen::MatrixXcd shifted = Complex(0, w) * Eigen::MatrixXcd::Identity(n, n) - A;
  return Eigen::VectorXcd(shifted.partialPivLu().solve(B))(n - 1);
}

/// [n-1/n] approximant of exp(z) by its closed coefficients.
Complex pade(int n, Complex z) {
  const int k = n - 1, m = n;
  Complex over = 0, under = 0, power = 1;
  double a = 1, b = 1;
  for (int j = 0; j <= m; ++j) {
    if (j <= k) over += a * power;
    under += (j % 2 == 0 ? b : -b) * power;
    power *= z;
    if (j < k) a *= static_cast<double>(k - j) / ((k + m - j) * (j + 1.0));
    b *= static_cast<double>(m - j) / ((k + m - j) * (j + 1.0));
  }
  return over / under;
}

Complex exact(double angle) { return std::exp(Complex(0, -angle)); }

}  // namespace

TEST_CASE("a delay of order n is the [n-1/n] approximant of Pade") {
  for (const double time : {0.02, 1.0, 30.0}) {
    for (int n = 1; n <= 12; ++n) {
      const DelayBlock delay(time, n);
      for (const double angle : {0.1, 1.0, 4.0, 11.0}) {
        CAPTURE(n);
        CAPTURE(angle);
        CHECK(std::abs(transfer(delay, angle / time) - pade(n, Complex(0, -angle))) < 1e-10);
      }
    }
  }
}

TEST_CASE("the documented frequencies of a delay hold") {
  struct Row {
    int order;
    double per_mil, millionth;  // w T up to which the error stays below 1e-3 and below 1e-6 of the amplitude
  };
  for (const Row& row : {Row{4, 2.5, 1.0}, Row{6, 5.2, 2.8}, Row{10, 11.3, 7.6}, Row{20, 28, 22.6}, Row{30, 46, 39}}) {
    CAPTURE(row.order);
    const DelayBlock delay(1, row.order);
    const auto error = [&](double angle) { return std::abs(transfer(delay, angle) - exact(angle)); };
    for (double share = 0.02; share <= 1; share += 0.02) {
      CHECK(error(share * row.per_mil) < 1e-3);
      CHECK(error(share * row.millionth) < 1e-6);
    }
    CHECK(error(1.15 * row.per_mil) > 1e-3);
    CHECK(error(1.15 * row.millionth) > 1e-6);
    CHECK(std::abs(transfer(delay, 1e4 * row.order)) < 0.02);  // what is too fast is lost, not passed on
  }
}

TEST_CASE("the last coefficient of the past says how exact a delay is") {
  for (const int n : {3, 6, 10}) {
    const DelayBlock delay(1, n);
    for (const double share : {0.5, 0.7, 0.9}) {
      CAPTURE(n);
      CAPTURE(share);
      const double angle = share * n;
      // |a_n| of exp(-i w x T) in Legendre polynomials.
      const auto part = [&](bool imaginary) {
        std::vector<double> z;
        for (const double c : delay.points) z.push_back(imaginary ? -std::sin(angle * c) : std::cos(angle * c));
        double value = 0, range = 0;
        delay.resolution(imaginary ? 0 : 1, z.data(), value, range);
        return value;
      };
      const double squared = std::pow(part(false), 2) + std::pow(part(true), 2);
      const double error = std::abs(transfer(delay, angle) - exact(angle));
      CHECK(error / (2 * squared) > 0.85);
      CHECK(error / (2 * squared) < 1);
    }
  }
}
