// Eigenvalues of linearized motions whose frequencies spread over many decades, each to its own rounding.
#pragma once

#include <Eigen/Core>
#include <complex>

namespace trammel {

/// K x = s M x, both symmetric, M positive definite; ascending, x^T M x = 1.
struct SymmetricSpectrum {
  Eigen::VectorXd s;
  Eigen::MatrixXd x;
};
/// [setup] A dense solver leaves rounding of the largest s in the smallest. Those far below it are found again from K
/// on their own subspace, in which the rounding of the large ones counts squared (Rayleigh-Ritz: Parlett, The Symmetric
/// Eigenvalue Problem, section 11.5).
SymmetricSpectrum graded_spectrum(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

/// A y = lambda y, real A; `rounding` is what entries known to a share of |A| leave of each lambda, |dlambda| <=
/// share |w|^T |A| |y| / |w^T y| with the left eigenvector w (Golub and Van Loan, Matrix Computations, section 7.2.2).
struct GeneralSpectrum {
  Eigen::VectorXcd lambda;
  Eigen::MatrixXcd y;
  Eigen::VectorXd rounding;
};
/// [setup] Balanced by powers of two (Parlett and Reinsch, Numer. Math. 13 (1969) 293-304). Where the eigenvalues
/// spread over many decades the small ones are those of the inverse, which keeps their digits.
GeneralSpectrum graded_spectrum(const Eigen::MatrixXd& A);

/// Null spaces of S, whose entries are sums of terms of the sizes `magnitude`: right (S x = 0) and left (l^T S = 0),
/// one vector per column. Rows and columns are scaled so that the largest magnitudes are 1, and singular values within
/// `share` of that are rounding.
struct Kernels {
  Eigen::MatrixXd right, left;
};
Kernels kernels(const Eigen::MatrixXd& S, const Eigen::MatrixXd& magnitude, double share);

}  // namespace trammel
