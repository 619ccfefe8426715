// The conditionally explicit family of degree N: its weights, its named sets, its formulas for one step, its stability.
//
// Derivatives d_0 = x, d_1 = x', ..., d_{N-1} = s. Each derivative below s is a Taylor polynomial whose last term mixes
// the old and the new s with a weight (Fernandez de Bustos et al. (2024), Eqs. 15, 16 for N = 3, 40 to 42 for N = 4, 68
// to 71 for N = 5; written here for any N). With n the known and n+1 the wanted time, m = N-1-k:
//   d_k,n+1 = sum_{i<m} h^i/i! d_{k+i},n + h^m/m! [(1 - w_k) s_n + w_k s_{n+1}],  k = 1 ... N-2                   (1)
//   x_{n+1} = sum_{i<N-1} h^i/i! d_i,n + h^{N-1}/(N-1)! [(1 - w_0) s_{n-1} + w_0 s_n]                             (2)
// (2) needs nothing of n+1: where forces depend on x and t only, s_{n+1} follows from one evaluation there. The paper
// calls w_0, w_1, w_2, w_3 alpha, beta, gamma, zeta. Taylor's theorem suggests w_0 = 1 + 1/N, w_k = 1/(N-k), which for
// N > 3 is unstable for every step: as h -> 0 errors of the derivatives above x'' obey (1) with d_2 = 0 by themselves,
// with roots z = 1 + y of
//   N = 4:  w_2 y + 1 = 0,   N = 5:  w_2 y^2/2 + (w_3 + 1/2) y + 1 = 0                                             (3)
//   N = 6:  w_2 y^3/6 + (w_3/2 + w_4/2 + 1/6) y^2 + (w_4 + 1) y + 1 = 0                                             (4)
// They are all z = 0, so that such errors are forgotten at once, with w_2 = 1; 2, 3/2; 6, 11/3, 2. Under constraints x
// is given instead, and w_0, w_1 take part: with 2, 5 the largest root of degree 6 is 0.50.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/parameters.h"

namespace trammel::conditionally_explicit {

inline constexpr int lowest_degree = 3, highest_degree = 6;

/// Choices of the parameter `set`, in the order of `named_sets`.
enum class Set : std::int32_t {
  central_differences,
  alpha_4_3,
  alpha_2,
  alpha_1_4,
  alpha_3_4,
  alpha_5_4,
  stabilized,
  alpha_4_5,
  ones,
  top,
  taylor_5,
  taylor_6,
  balanced_4,
  balanced_5,
  stable_6
};

struct NamedSet {
  int degree;
  double weights[highest_degree - 1];
};
/// Fernandez de Bustos et al. (2024), sections 4.1, 5.2, 5.3, 6; taylor_6 by the rule above; balanced_4 and balanced_5
/// by docs/better_sets.md; stable_6 by (4).
inline constexpr NamedSet named_sets[] = {
    {3, {1, 0.5}},
    {3, {4.0 / 3, 0.5}},
    {3, {2, 0.5}},
    {4, {0.25, 1.0 / 3, 0.5}},
    {4, {0.75, 1.0 / 3, 0.5}},
    {4, {1.25, 1.0 / 3, 0.5}},
    {4, {1.25, 1.0 / 3 + 0.01, 0.5 + 0.0005}},
    {5, {0.8, 1, 1, 1}},
    {5, {1, 1, 1, 1}},
    {5, {1.62, 1.03522, 1.0291293, 1.016}},
    {5, {1.2, 0.25, 1.0 / 3, 0.5}},
    {6, {7.0 / 6, 0.2, 0.25, 1.0 / 3, 0.5}},
    {4, {4.0 / 3, 0.5, 2.0 / 3}},
    {5, {1.02, 0.61, 0.59, 0.55}},
    {6, {2, 5, 6, 11.0 / 3, 2}},
};

class Family {
 public:
  /// `weights` w_0 ... w_{N-2}.
  Family(const double* weights, int degree) : N_(degree) { std::copy_n(weights, degree - 1, w_.begin()); }

  int degree() const { return N_; }
  /// Number of derivatives from x'' on.
  int derivatives() const { return N_ - 2; }
  double weight(int k) const { return w_[static_cast<std::size_t>(k)]; }

  /// Weight of s_{n+1} in (1), k = 1 ... N-1: beta_k.
  double gain(int k, double h) const { return k == N_ - 1 ? 1 : term(h, N_ - 1 - k) * weight(k); }
  /// Weight of s_n in (1).
  double past_gain(int k, double h) const { return k == N_ - 1 ? 0 : term(h, N_ - 1 - k) * (1 - weight(k)); }
  /// h^m / m!
  static double term(double h, int m) {
    double value = 1;
    for (int i = 1; i <= m; ++i) value *= h / i;
    return value;
  }

  /// Eigenvalues of the amplification matrix on x'' = -x with steps h = Omega; state (x_n, d_1,n ... d_{N-1},n,
  /// s_{n-1}).
  Eigen::VectorXcd eigenvalues(double Omega) const {
    const int size = N_ + 1;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (int column = 0; column < size; ++column) {
      std::array<double, highest_degree + 1> d{};
      d[static_cast<std::size_t>(column)] = 1;
      const auto at = [&](int i) { return d[static_cast<std::size_t>(i)]; };
      const double before = at(N_), s = at(N_ - 1);
      double x = term(Omega, N_ - 1) * ((1 - weight(0)) * before + weight(0) * s);
      for (int i = 0; i < N_ - 1; ++i) x += term(Omega, i) * at(i);
      const auto known = [&](int k) {
        double sum = past_gain(k, Omega) * s;
        for (int i = 0; i < N_ - 1 - k; ++i) sum += term(Omega, i) * at(k + i);
        return sum;
      };
      const double s_new = (-x - known(2)) / gain(2, Omega);
      A(0, column) = x;
      for (int k = 1; k < N_; ++k) A(k, column) = known(k) + gain(k, Omega) * s_new;
      A(N_, column) = s;
    }
    // Derivatives times h^k: entries of one size.
    for (int k = 0; k < size; ++k) {
      const double scale = std::pow(Omega, std::min(k, N_ - 1));
      A.row(k) *= scale;
      A.col(k) /= scale;
    }
    return A.eigenvalues();
  }
  double spectral_radius(double Omega) const { return eigenvalues(Omega).cwiseAbs().maxCoeff(); }

 private:
  int N_;
  std::array<double, highest_degree - 1> w_{};
};

/// The coefficients of (1) and (2) for one step size.
struct StepWeights {
  StepWeights(const Family& f, double h) : degree(f.degree()), first(f.weight(0)) {
    term[0] = 1;
    for (int m = 1; m < degree; ++m) term[m] = term[m - 1] * h / m;
    for (int k = 1; k < degree; ++k) {
      const double last = term[degree - 1 - k];
      gain[k] = k == degree - 1 ? 1 : last * f.weight(k);
      past[k] = k == degree - 1 ? 0 : last * (1 - f.weight(k));
    }
  }

  /// (1) without the term of s_{n+1}, for one coordinate: d_1 ... d_{N-2} of t_n in `d`, the results in `out`.
  void known(const double* d, double s, double* out) const {
    for (int k = 1; k < degree - 1; ++k) {
      double change = past[k] * s;
      for (int i = degree - 2 - k; i > 0; --i) change += term[i] * d[k + i];
      out[k] = d[k] + change;
    }
  }

  int degree;
  double first;                                                             ///< w_0
  double term[highest_degree], gain[highest_degree], past[highest_degree];  ///< h^m / m!; of s_{n+1} and of s_n in (1)
};

}  // namespace trammel::conditionally_explicit
