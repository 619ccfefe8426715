// Spectra of graded matrices.
#include "model/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "linalg/dense.h"

namespace trammel {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Powers of two that bring rows and columns of A to like sizes, A := D^-1 A D.
Eigen::VectorXd balance(Eigen::MatrixXd& A) {
  constexpr int most_sweeps = 40;
  constexpr double worth_it = 0.95;  // as in the reference
  const Eigen::Index n = A.rows();
  Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i)),
                   row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (!(column > 0) || !(row > 0) || !std::isfinite(column + row)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * factor + row / factor < worth_it * (column + row))) continue;
      d[i] *= factor;
      A.col(i) *= factor, A.row(i) /= factor;
      changed = true;
    }
  }
  return d;
}

/// Indices by rising modulus; members of a pair have equal ones and stay side by side.
std::vector<Eigen::Index> by_modulus(const Eigen::VectorXcd& lambda) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(lambda.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return std::abs(lambda[a]) < std::abs(lambda[b]); });
  return order;
}

// The inverse's eigenvalues are taken below the widest gap, which no pair straddles.
void take_small_ones_from_inverse(const Eigen::MatrixXd& A, dense::Eigenpairs& pairs) {
  constexpr double wide = 1e-5;  // smallest by largest: until then rounding of the largest leaves eleven digits
  const std::vector<Eigen::Index> order = by_modulus(pairs.lambda);
  const auto modulus = [&](std::size_t i) { return std::abs(pairs.lambda[order[i]]); };
  if (order.size() < 2 || !(modulus(0) < wide * modulus(order.size() - 1))) return;
  std::size_t gap = 1;
  double widest = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const double ratio = modulus(i) / std::max(modulus(i - 1), std::numeric_limits<double>::min());
    if (ratio > widest) widest = ratio, gap = i;
  }
  Eigen::MatrixXd inverse = dense::inverse(A);
  if (!inverse.allFinite()) return;
  const Eigen::VectorXd d = balance(inverse);
  const dense::Eigenpairs reversed = dense::eigenpairs(inverse);
  const std::vector<Eigen::Index> largest_last = by_modulus(reversed.lambda);
  for (std::size_t i = 0; i < gap; ++i) {
    const Eigen::Index from = largest_last[order.size() - 1 - i];
    pairs.lambda[order[i]] = 1.0 / reversed.lambda[from];
    pairs.y.col(order[i]) = (d.cast<std::complex<double>>().asDiagonal() * reversed.y.col(from)).normalized();
  }
}

void spectrum_on(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, const Eigen::MatrixXd& X, std::vector<double>& s,
                 std::vector<Eigen::VectorXd>& x) {
  constexpr double far_below = 1e-5;
  const Eigen::MatrixXd reduced = X.transpose() * K * X, mass = X.transpose() * M * X;
  const auto pairs = dense::symmetric_pairs(0.5 * (reduced + reduced.transpose()), 0.5 * (mass + mass.transpose()));
  if (!pairs) {  // M is not positive definite
    for (Eigen::Index k = 0; k < X.cols(); ++k)
      s.push_back(std::numeric_limits<double>::quiet_NaN()), x.emplace_back(X.col(k));
    return;
  }
  const Eigen::VectorXd& values = pairs->s;
  const double largest = values.cwiseAbs().maxCoeff();
  std::vector<Eigen::Index> small;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::abs(values[k]) < far_below * largest) {
      small.push_back(k);
    } else {
      s.push_back(values[k]), x.emplace_back(X * pairs->x.col(k));
    }
  }
  if (small.empty()) return;
  Eigen::MatrixXd rest(X.rows(), static_cast<Eigen::Index>(small.size()));
  for (std::size_t i = 0; i < small.size(); ++i) rest.col(static_cast<Eigen::Index>(i)) = X * pairs->x.col(small[i]);
  spectrum_on(K, M, rest, s, x);
}

/// Scales that bring the largest entry of every row and column that has any to about 1 (Ruiz, RAL-TR-2001-034).
void equilibrate(Eigen::MatrixXd A, Eigen::VectorXd& row, Eigen::VectorXd& column) {
  constexpr int sweeps = 60;
  row = Eigen::VectorXd::Ones(A.rows()), column = Eigen::VectorXd::Ones(A.cols());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Eigen::VectorXd r = A.rowwise().maxCoeff(), c = A.colwise().maxCoeff().transpose();
    double worst = 0;
    for (double* x : {r.data(), c.data()}) {
      for (Eigen::Index i = 0; i < A.rows(); ++i) {
        if (x[i] > 0) worst = std::max(worst, std::abs(std::log2(x[i])));
        x[i] = x[i] > 0 ? 1 / std::sqrt(x[i]) : 1;
      }
    }
    A = r.asDiagonal() * A * c.asDiagonal();
    row.array() *= r.array(), column.array() *= c.array();
    if (worst < 0.5) break;
  }
}

}  // namespace

SymmetricSpectrum graded_spectrum(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  std::vector<double> s;
  std::vector<Eigen::VectorXd> x;
  spectrum_on(K, M, Eigen::MatrixXd::Identity(K.rows(), K.rows()), s, x);
  std::vector<std::size_t> order(s.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s[a] < s[b]; });
  SymmetricSpectrum result{Eigen::VectorXd(K.rows()), Eigen::MatrixXd(K.rows(), K.rows())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.s[static_cast<Eigen::Index>(i)] = s[order[i]];
    result.x.col(static_cast<Eigen::Index>(i)) = x[order[i]];
  }
  return result;
}

GeneralSpectrum graded_spectrum(const Eigen::MatrixXd& A) {
  constexpr double share = 16 * eps;
  GeneralSpectrum result;
  if (A.rows() == 0) return result;
  Eigen::MatrixXd balanced = A;
  const Eigen::VectorXd d = balance(balanced);
  dense::Eigenpairs pairs = dense::eigenpairs(balanced);
  take_small_ones_from_inverse(balanced, pairs);
  const Eigen::MatrixXcd left = dense::inverse(pairs.y);  // rows w^T, w^T y = 1
  const Eigen::MatrixXd size = balanced.cwiseAbs();
  result.rounding.resize(A.rows());
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const double bound = share * left.row(k).cwiseAbs() * size * pairs.y.col(k).cwiseAbs();
    result.rounding[k] = std::isfinite(bound) ? bound : share * std::abs(pairs.lambda[k]);
  }
  result.lambda = pairs.lambda;
  result.y = d.cast<std::complex<double>>().asDiagonal() * pairs.y;
  return result;
}

Kernels kernels(const Eigen::MatrixXd& S, const Eigen::MatrixXd& magnitude, double share) {
  Eigen::VectorXd row, column;
  equilibrate(magnitude, row, column);
  const Eigen::MatrixXd scaled = row.asDiagonal() * S * column.asDiagonal();
  const dense::SingularValues svd = dense::singular_values(scaled);
  Eigen::Index rank = 0;
  while (rank < S.rows() && svd.s[rank] > share) ++rank;
  const Eigen::Index k = S.rows() - rank;
  return {column.asDiagonal() * svd.V.rightCols(k), row.asDiagonal() * svd.U.rightCols(k)};
}

}  // namespace trammel
