// Decompositions of dense matrices for set-up, modes and checks: Eigen's, which take long to compile, in one place.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "trammel/linalg.h"

namespace trammel::dense {

/// A y_k = lambda_k y_k, y_k column k of y.
struct Eigenpairs {
  Eigen::VectorXcd lambda;
  Eigen::MatrixXcd y;
};
Eigenpairs eigenpairs(const Eigen::MatrixXd& A);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

/// Of a symmetric matrix, to working accuracy: by Cholesky's pivots of the matrix with a diagonal of ones, which are the
/// squared sines of angles in its metric.
bool is_positive_definite(const Eigen::MatrixXd& M);
/// K x_k = s_k M x_k of symmetric K and M, x_k^T M x_k = 1, s rising. Nothing unless M is positive definite.
struct SymmetricPairs {
  Eigen::VectorXd s;
  Eigen::MatrixXd x;
};
std::optional<SymmetricPairs> symmetric_pairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

/// A^-1 B by LU with partial pivoting; not finite where A is singular.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A);

/// x with the least |A x - b|, and of these the smallest.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

/// Number of columns of A that QR with column pivoting finds independent: the others' distance from these is below
/// `threshold` times the longest column.
Index rank(const Eigen::MatrixXd& A, double threshold);
/// Orthonormal columns: all y with y^T A = 0, A of that rank.
Eigen::MatrixXd left_null_space(const Eigen::MatrixXd& A, double threshold);
/// Orthonormal columns that span those of A, of that rank.
Eigen::MatrixXcd range(const Eigen::MatrixXcd& A, double threshold);
/// Orthonormal, n x n: the first columns span those of A (n x k, of rank k).
Eigen::MatrixXd completed_basis(const Eigen::MatrixXd& A);

/// A = U diag(s) V^T, s falling, U and V square.
struct SingularValues {
  Eigen::VectorXd s;
  Eigen::MatrixXd U, V;
};
SingularValues singular_values(const Eigen::MatrixXd& A);

}  // namespace trammel::dense
