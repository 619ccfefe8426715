// Coefficients of Rosenbrock methods for second-order systems, and the two forms they are written in.
//
// Base form, for y' = f(y) (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.7):
//   k_i = h f(y + sum_{j<i} alpha_ij k_j) + h J sum_{j<=i} gamma_ij k_j,  y_1 = y + sum b_i k_i,  gamma_ii = gamma  (1)
// For x'' = f(t, x, x'), with l_i the velocity part of k_i and beta = alpha + gamma, the position part is
// h x' + h sum beta_ij l_j. With z = Gamma l, Gamma = (gamma_ij), no product with J2 is left (Sandu et al. 2001,
// Theorem
// 2.1, there with its own letters):
//   a = alpha Gamma^-1,  theta = alpha beta Gamma^-1,  delta = Gamma beta Gamma^-1,  c = diag(1 / gamma) - Gamma^-1  (2)
//   m = b Gamma^-1,  mu = b beta Gamma^-1                                                                            (3)
#pragma once

#include <array>
#include <cstddef>

namespace trammel::sdk {

template <int s>
using StageRow = std::array<double, static_cast<std::size_t>(s)>;
template <int s>
using StageMatrix = std::array<StageRow<s>, static_cast<std::size_t>(s)>;

/// Base form (1). alpha and gamma_ij are strictly lower triangular.
template <int s>
struct RosenbrockBase {
  double gamma = 0;
  StageMatrix<s> alpha{}, gammas{};
  StageRow<s> b{}, b_hat{};
};

namespace rosenbrock {

template <int s>
constexpr StageMatrix<s> product(const StageMatrix<s>& A, const StageMatrix<s>& B) {
  StageMatrix<s> C{};
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) {
      for (std::size_t k = 0; k < s; ++k) C[i][j] += A[i][k] * B[k][j];
    }
  }
  return C;
}
template <int s>
constexpr StageRow<s> product(const StageRow<s>& b, const StageMatrix<s>& A) {
  StageRow<s> c{};
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t j = 0; j < s; ++j) c[j] += b[k] * A[k][j];
  }
  return c;
}
template <int s>
constexpr StageMatrix<s> sum(const StageMatrix<s>& A, const StageMatrix<s>& B, double diagonal) {
  StageMatrix<s> C = A;
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) C[i][j] += B[i][j];
    C[i][i] += diagonal;
  }
  return C;
}
/// Of a lower triangular matrix.
template <int s>
constexpr StageMatrix<s> inverse(const StageMatrix<s>& L) {
  StageMatrix<s> X{};
  for (std::size_t j = 0; j < s; ++j) {
    for (std::size_t i = j; i < s; ++i) {
      double rest = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) rest -= L[i][k] * X[k][j];
      X[i][j] = rest / L[i][i];
    }
  }
  return X;
}

}  // namespace rosenbrock

/// Base form of coefficients published as (2) and (3): gamma, a_ij, c_ij (strictly lower triangular), m and m^.
template <int s>
constexpr RosenbrockBase<s> rosenbrock_base(double gamma, const StageMatrix<s>& a, const StageMatrix<s>& c,
                                            const StageRow<s>& m, const StageRow<s>& m_hat) {
  using namespace rosenbrock;
  StageMatrix<s> inverted{};
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < i; ++j) inverted[i][j] = -c[i][j];
    inverted[i][i] = 1 / gamma;
  }
  const StageMatrix<s> Gamma = inverse<s>(inverted);
  RosenbrockBase<s> base;
  base.gamma = gamma;
  base.alpha = product<s>(a, Gamma);
  base.gammas = Gamma;
  for (std::size_t i = 0; i < s; ++i) base.gammas[i][i] = 0;
  base.b = product<s>(m, Gamma);
  base.b_hat = product<s>(m_hat, Gamma);
  return base;
}

/// What the steps are made with: (2), (3) and the abscissae.
template <int s>
struct RosenbrockTable {
  double gamma = 0;
  StageMatrix<s> a{}, theta{}, c{}, delta{};
  StageRow<s> m{}, m_hat{}, mu{}, mu_hat{};
  StageRow<s> alpha{};                   ///< sum_j alpha_ij
  StageRow<s> gammas{};                  ///< gamma + sum_j gamma_ij
  StageMatrix<s> to_l{}, to_position{};  ///< Gamma^-1 and beta Gamma^-1, for dense output

  constexpr explicit RosenbrockTable(const RosenbrockBase<s>& base) {
    using namespace rosenbrock;
    gamma = base.gamma;
    const StageMatrix<s> Gamma = sum<s>(base.gammas, {}, gamma), beta = sum<s>(base.alpha, Gamma, 0);
    to_l = inverse<s>(Gamma);
    to_position = product<s>(beta, to_l);
    a = product<s>(base.alpha, to_l);
    theta = product<s>(base.alpha, to_position);
    delta = product<s>(Gamma, to_position);
    for (std::size_t i = 0; i < s; ++i) {
      gammas[i] = gamma;
      delta[i][i] = 0;  // gamma, which stands in the matrix of the steps
      for (std::size_t j = 0; j < i; ++j) {
        c[i][j] = -to_l[i][j];
        alpha[i] += base.alpha[i][j];
        gammas[i] += base.gammas[i][j];
      }
    }
    m = product<s>(base.b, to_l), m_hat = product<s>(base.b_hat, to_l);
    mu = product<s>(base.b, to_position), mu_hat = product<s>(base.b_hat, to_position);
  }

  /// Whether stage i evaluates f where stage i - 1 did.
  constexpr bool same_point(std::size_t i) const {
    return i > 0 && a[i] == a[i - 1] && theta[i] == theta[i - 1] && alpha[i] == alpha[i - 1];
  }
};

}  // namespace trammel::sdk
