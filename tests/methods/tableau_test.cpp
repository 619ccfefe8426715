// Order conditions of every tableau, of its embedded formulas and of its continuous extension, over all rooted trees.
#include "trammel/sdk/methods/tableau.h"

#include <doctest/doctest.h>

#include "rooted_trees.h"
#include "trammel/sdk/methods/tableaus/classical.h"
#include "trammel/sdk/methods/tableaus/dopri853.h"
#include "trammel/sdk/methods/tableaus/embedded.h"

using namespace trammel;
namespace rk = trammel::sdk::tableaus;

namespace {

const std::vector<RootedTree> trees = rooted_trees(9);

// Rounding of the stored coefficients: a few units of 2^-53 times the sum of absolute values.
constexpr double rounding = 4e-15;

/// The tableau with f(t + h, y_1) and the stages of the extension as further rows.
template <class T>
struct Extended {
  static constexpr int s = T::stages;
  static constexpr bool fsal = sdk::TableauTraits<T>::first_same_as_last();
  static constexpr int extra = sdk::TableauTraits<T>::extra_stages();
  static constexpr int end = fsal ? s - 1 : s;
  static constexpr bool bootstrapped = sdk::TableauTraits<T>::bootstrapped();
  static constexpr int columns = end + 1 + extra + (bootstrapped ? 1 : 0);

  std::vector<double> A = std::vector<double>(static_cast<std::size_t>(columns * columns), 0.0);
  std::vector<double> c = std::vector<double>(static_cast<std::size_t>(columns), 1.0);

  Extended() {
    for (int i = 0; i < s; ++i) {
      c[static_cast<std::size_t>(i)] = T::c[static_cast<std::size_t>(i)];
      for (int j = 0; j < i; ++j) entry(i, j) = sdk::TableauTraits<T>::a(i, j);
    }
    if (!fsal) {
      for (int j = 0; j < s; ++j) entry(end, j) = T::b[static_cast<std::size_t>(j)];
    }
    if constexpr (extra > 0) {
      std::size_t k = 0;
      for (int i = end + 1; i < columns; ++i) {
        c[static_cast<std::size_t>(i)] = T::c_extra[static_cast<std::size_t>(i - end - 1)];
        for (int j = 0; j < i; ++j) entry(i, j) = T::a_extra[k++];
      }
      CHECK(k == T::a_extra.size());
    }
    if constexpr (bootstrapped) {  // f at H(theta*) of (8)
      const double theta = (3 + std::sqrt(3.0)) / 6;
      c[static_cast<std::size_t>(columns - 1)] = theta;
      for (int j = 0; j < columns - 1; ++j) entry(columns - 1, j) = hermite(j, theta);
    }
  }
  /// Weight of stage i in the cubic Hermite polynomial, and in its derivative, from its textbook basis.
  static double hermite(int i, double theta) {
    const double D = i < s ? T::b[static_cast<std::size_t>(i)] : 0.0, u = 1 - theta;
    return theta * theta * (3 - 2 * theta) * D + (i == 0 ? theta * u * u : 0) - (i == end ? theta * theta * u : 0);
  }
  static double hermite_slope(int i, double theta) {
    const double D = i < s ? T::b[static_cast<std::size_t>(i)] : 0.0, u = 1 - theta;
    return 6 * theta * u * D + (i == 0 ? u * (1 - 3 * theta) : 0) + (i == end ? theta * (3 * theta - 2) : 0);
  }
  double& entry(int i, int j) { return A[static_cast<std::size_t>(i * columns + j)]; }

  /// Weights b_i(theta) of the continuous extension, written out from (7) of explicit_runge_kutta.h.
  std::vector<double> weights(double theta) const {
    std::vector<double> b(static_cast<std::size_t>(columns), 0.0);
    const double u = 1 - theta;
    if constexpr (bootstrapped) {  // (8)
      const double at = (3 + std::sqrt(3.0)) / 6, slope = 2 * at * (1 - at) * (1 - 2 * at);
      for (int i = 0; i < columns; ++i) {
        const double off = (i == columns - 1 ? 1 : 0) - hermite_slope(i, at);
        b[static_cast<std::size_t>(i)] = hermite(i, theta) + theta * theta * u * u / slope * off;
      }
      return b;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double D = i < static_cast<std::size_t>(s) ? T::b[i] : 0.0;
      const double B = (i == 0 ? 1.0 : 0.0) - D, C = D - (i == static_cast<std::size_t>(end) ? 1.0 : 0.0) - B;
      b[i] = theta * D + theta * u * B + theta * theta * u * C;
      if constexpr (sdk::TableauTraits<T>::has_extension) {
        double factor = theta * theta * u * u;
        for (std::size_t r = 0; r < T::d.size(); ++r) {
          b[i] += factor * T::d[r][i];
          factor *= r % 2 == 0 ? theta : u;
        }
      }
    }
    return b;
  }
};

template <std::size_t N>
std::vector<double> padded(const std::array<double, N>& b, int size) {
  std::vector<double> result(b.begin(), b.end());
  result.resize(static_cast<std::size_t>(size), 0.0);
  return result;
}

void check_order(const std::vector<double>& A, const std::vector<double>& b, int order, double theta = 1) {
  for (int p = 1; p <= order; ++p) {
    double scale = 1;
    const double defect = order_defect(trees, p, A, b, theta, &scale);
    CAPTURE(p);
    CHECK(defect <= rounding * scale);
  }
}

}  // namespace

TEST_CASE("the numbers of rooted trees") {
  const int count[] = {0, 1, 1, 2, 4, 9, 20, 48, 115, 286};
  for (int n = 1; n <= 9; ++n) {
    CHECK(std::count_if(trees.begin(), trees.end(), [n](const RootedTree& t) { return t.order == n; }) == count[n]);
  }
}

TEST_CASE_TEMPLATE("order conditions", T, rk::Euler, rk::Heun, rk::Heun3, rk::Kutta3, rk::Rk4, rk::Fehlberg45,
                   rk::Dopri5, rk::Dopri853) {
  const Extended<T> tableau;
  constexpr int columns = Extended<T>::columns;
  using Traits = sdk::TableauTraits<T>;

  SUBCASE("rows sum to the abscissae") {
    for (std::size_t i = 0; i < tableau.c.size(); ++i) {
      double sum = 0, absolute = 1;
      for (std::size_t j = 0; j < tableau.c.size(); ++j) {
        sum += tableau.A[i * tableau.c.size() + j], absolute += std::abs(tableau.A[i * tableau.c.size() + j]);
      }
      CAPTURE(i);
      CHECK(std::abs(sum - tableau.c[i]) <= 1e-15 * absolute);
    }
  }
  SUBCASE("weights, and not one order more") {
    const std::vector<double> b = padded(T::b, columns);
    check_order(tableau.A, b, T::order);
    CHECK(order_defect(trees, T::order + 1, tableau.A, b) > 1e-7);
  }
  if constexpr (Traits::has_estimate) {
    SUBCASE("embedded weights") {
      const std::vector<double> b_hat = padded(T::b_hat, columns);
      check_order(tableau.A, b_hat, T::embedded_order);
      CHECK(order_defect(trees, T::embedded_order + 1, tableau.A, b_hat) > 1e-7);
    }
  }
  if constexpr (Traits::has_low_estimate) {
    SUBCASE("low embedded weights") {
      const std::vector<double> b_low = padded(T::b_low, columns);
      check_order(tableau.A, b_low, T::low_order);
      CHECK(order_defect(trees, T::low_order + 1, tableau.A, b_low) > 1e-7);
    }
  }
  SUBCASE("continuous extension") {
    for (const double theta : {0.0, 0.1, 0.37, 0.5, 0.83, 1.0}) {
      CAPTURE(theta);
      check_order(tableau.A, tableau.weights(theta), Traits::interpolation_order(), theta);
    }
    CHECK(order_defect(trees, Traits::interpolation_order() + 1, tableau.A, tableau.weights(0.37), 0.37) > 1e-9);
  }
}

TEST_CASE("first same as last is recognised") {
  CHECK(sdk::TableauTraits<rk::Dopri5>::first_same_as_last());
  CHECK_FALSE(sdk::TableauTraits<rk::Dopri853>::first_same_as_last());
  CHECK_FALSE(sdk::TableauTraits<rk::Rk4>::first_same_as_last());
}
