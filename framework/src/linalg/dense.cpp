// Decompositions of dense matrices, compiled here and nowhere else.
#include "linalg/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace trammel::dense {
namespace {

template <class Matrix>
Eigen::ColPivHouseholderQR<Matrix> pivoted(const Matrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(threshold);
  return qr;
}

}  // namespace

Eigenpairs eigenpairs(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

bool is_positive_definite(const Eigen::MatrixXd& M) {
  constexpr double smallest_pivot = 1e-12;  // below it, a thousandth of what belongs to it is rounding
  if (M.size() == 0) return true;
  if (!M.allFinite() || !(M.diagonal().minCoeff() > 0)) return false;
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> cholesky(scale.asDiagonal() * M * scale.asDiagonal());
  if (cholesky.info() != Eigen::Success) return false;
  return cholesky.matrixLLT().diagonal().array().square().minCoeff() >= smallest_pivot;
}

std::optional<SymmetricPairs> symmetric_pairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  if (!is_positive_definite(M)) return std::nullopt;  // Eigen does not look
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return SymmetricPairs{solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(B);
}

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A) { return Eigen::PartialPivLU<Eigen::MatrixXd>(A).inverse(); }
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A) { return Eigen::PartialPivLU<Eigen::MatrixXcd>(A).inverse(); }

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A).solve(b);
}

Index rank(const Eigen::MatrixXd& A, double threshold) { return static_cast<Index>(pivoted(A, threshold).rank()); }

Eigen::MatrixXd left_null_space(const Eigen::MatrixXd& A, double threshold) {
  const auto qr = pivoted(A, threshold);
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(Q.cols() - qr.rank());
}

Eigen::MatrixXcd range(const Eigen::MatrixXcd& A, double threshold) {
  const auto qr = pivoted(A, threshold);
  return Eigen::MatrixXcd(qr.householderQ()).leftCols(qr.rank());
}

Eigen::MatrixXd completed_basis(const Eigen::MatrixXd& A) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
}

SingularValues singular_values(const Eigen::MatrixXd& A) {
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

}  // namespace trammel::dense
