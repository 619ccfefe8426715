// Decompositions of dense matrices against their definitions, on random matrices of known rank.
#include "linalg/dense.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>

using namespace trammel;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

namespace {

constexpr double tight = 1e-12;  // of entries of size 1, orders up to 12

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns) {
  static std::mt19937 generator(7);
  std::uniform_real_distribution<double> amount(-1, 1);
  MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = amount(generator);
  return A;
}

MatrixXd of_rank(Eigen::Index rows, Eigen::Index columns, Eigen::Index rank) {
  return random_matrix(rows, rank) * random_matrix(rank, columns);
}

double off(const MatrixXcd& A) { return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff(); }

bool has_orthonormal_columns(const MatrixXcd& Q) {
  return Q.cols() == 0 || off(Q.adjoint() * Q - MatrixXcd::Identity(Q.cols(), Q.cols())) < tight;
}

}  // namespace

TEST_CASE("eigenpairs and eigenvalues solve A y = lambda y") {
  const MatrixXd A = random_matrix(9, 9);
  const dense::Eigenpairs pairs = dense::eigenpairs(A);
  CHECK(off(A.cast<std::complex<double>>() * pairs.y - pairs.y * pairs.lambda.asDiagonal()) < 1e-11);
  std::complex<double> sum = 0;
  for (const std::complex<double>& lambda : dense::eigenvalues(A)) sum += lambda;
  CHECK(std::abs(sum - A.trace()) < tight);
}

TEST_CASE("symmetric pairs are M-orthonormal, rising, and need a positive definite M") {
  const MatrixXd B = random_matrix(8, 8), C = random_matrix(8, 8);
  const MatrixXd K = B + B.transpose(), M = C * C.transpose() + MatrixXd::Identity(8, 8);
  const auto pairs = dense::symmetric_pairs(K, M);
  REQUIRE(pairs.has_value());
  CHECK(off(K * pairs->x - M * pairs->x * pairs->s.asDiagonal()) < 1e-11);
  CHECK(off(pairs->x.transpose() * M * pairs->x - MatrixXd::Identity(8, 8)) < tight);
  for (Eigen::Index k = 1; k < 8; ++k) CHECK(pairs->s[k] >= pairs->s[k - 1]);
  MatrixXd indefinite = M;
  indefinite(3, 3) = -1;
  CHECK(dense::is_positive_definite(M));
  CHECK_FALSE(dense::is_positive_definite(indefinite));
  CHECK_FALSE(dense::symmetric_pairs(K, indefinite).has_value());
  CHECK_FALSE(dense::symmetric_pairs(K, MatrixXd::Zero(8, 8)).has_value());
}

TEST_CASE("positive definite to working accuracy, in whatever units") {
  const MatrixXd C = random_matrix(6, 6), M = C * C.transpose() + MatrixXd::Identity(6, 6);
  for (const double unit : {1e-9, 1.0, 1e7}) {
    Eigen::VectorXd scale(6);
    for (Eigen::Index k = 0; k < 6; ++k) scale[k] = std::pow(unit, static_cast<double>(k) / 5);
    CHECK(dense::is_positive_definite(scale.asDiagonal() * M * scale.asDiagonal()));
  }
  // Columns at an angle e: a pivot of e^2, of which rounding leaves nothing below 1e-16.
  for (const double e : {1e-3, 1e-5, 1e-7, 1e-9}) {
    MatrixXd near = MatrixXd::Ones(2, 2);
    near(0, 1) = near(1, 0) = std::cos(e);
    CAPTURE(e);
    CHECK(dense::is_positive_definite(near) == (e > 1e-6));
    CHECK(dense::symmetric_pairs(MatrixXd::Identity(2, 2), near).has_value() == (e > 1e-6));
  }
  CHECK(dense::is_positive_definite(MatrixXd(0, 0)));
}

TEST_CASE("solutions and inverses, real and complex") {
  const MatrixXd A = random_matrix(10, 10) + 4 * MatrixXd::Identity(10, 10), B = random_matrix(10, 3);
  CHECK(off(A * dense::solve(A, B) - B) < tight);
  CHECK(off(A * dense::inverse(A) - MatrixXd::Identity(10, 10)) < tight);
  const MatrixXcd Z = A.cast<std::complex<double>>() + std::complex<double>(0, 1) * random_matrix(10, 10);
  CHECK(off(Z * dense::inverse(Z) - MatrixXcd::Identity(10, 10)) < tight);
  CHECK_FALSE(dense::solve(MatrixXd::Zero(2, 2), MatrixXd::Ones(2, 1)).allFinite());
}

TEST_CASE("least squares leave a residual orthogonal to the columns, by the smallest x") {
  const MatrixXd A = of_rank(9, 6, 4), b = random_matrix(9, 1);
  const MatrixXd x = dense::least_squares(A, b);
  CHECK(off(A.transpose() * (A * x - b)) < 1e-11);
  const MatrixXd free = dense::left_null_space(A.transpose(), 1e-9);  // A free = 0
  REQUIRE(free.cols() == 2);
  CHECK(off(free.transpose() * x) < 1e-11);
}

TEST_CASE("rank, null space and range are those of the matrix") {
  for (const Eigen::Index rank : {0, 1, 5, 7}) {
    CAPTURE(rank);
    const MatrixXd A = rank == 0 ? MatrixXd::Zero(12, 7) : of_rank(12, 7, rank);
    CHECK(dense::rank(A, 1e-9) == rank);
    const MatrixXd null = dense::left_null_space(A, 1e-9);
    CHECK(null.cols() == 12 - rank);
    CHECK(has_orthonormal_columns(null));
    CHECK(off(null.transpose() * A) < tight);
    const MatrixXcd range = dense::range(A.cast<std::complex<double>>(), 1e-9);
    CHECK(range.cols() == rank);
    CHECK(has_orthonormal_columns(range));
    CHECK(off(A - range * (range.adjoint() * A)) < tight);
  }
}

TEST_CASE("a completed basis begins with the span of the columns") {
  const MatrixXd A = random_matrix(9, 4), Q = dense::completed_basis(A);
  CHECK(Q.cols() == 9);
  CHECK(has_orthonormal_columns(Q));
  CHECK(off(Q.rightCols(5).transpose() * A) < tight);
}

TEST_CASE("singular values fall and give the matrix back") {
  const MatrixXd A = of_rank(11, 11, 8);
  const dense::SingularValues svd = dense::singular_values(A);
  CHECK(off(svd.U * svd.s.asDiagonal() * svd.V.transpose() - A) < tight);
  CHECK(has_orthonormal_columns(svd.U));
  CHECK(has_orthonormal_columns(svd.V));
  for (Eigen::Index k = 1; k < 11; ++k) CHECK(svd.s[k] <= svd.s[k - 1]);
  CHECK(svd.s[7] > 1e-3);
  CHECK(svd.s[8] < tight);
}
