// GMRES against Eigen's dense LU, and its residual against the smallest one in the Krylov space by Eigen's dense QR.
#include "linalg/gmres.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "allocation_counter.h"
#include "dense_solvers.h"

using namespace trammel;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Nonsymmetric, eigenvalues around 2.
Matrix random_matrix(Index n, unsigned seed) {
  std::srand(seed);
  return 2 * Matrix::Identity(n, n) + Matrix::Random(n, n) / std::sqrt(static_cast<double>(n));
}

struct Solution {
  Status status;
  Vector x;
  Index iterations;
  int products, approximations;  ///< calls of the two callables
};

/// x = 7 on entry.
Solution solve(Gmres& gmres, const Matrix& A, const Matrix& B, const Vector& b) {
  Solution s{{}, Vector::Constant(b.size(), 7), 0, 0, 0};
  const Index n = static_cast<Index>(b.size());
  const auto multiply = [&](ConstVectorView y, VectorView out) {
    out.map().noalias() = A * y.map();
    ++s.products;
  };
  const auto approximate = [&](ConstVectorView y, VectorView out) {
    out.map().noalias() = B * y.map();
    ++s.approximations;
  };
  s.status = gmres.solve({b.data(), n}, {s.x.data(), n}, multiply, approximate);
  s.iterations = gmres.iterations();
  return s;
}

Solution solve(const Matrix& A, const Vector& b, const GmresLimits& limits) {
  Gmres gmres;
  gmres.make_room(static_cast<Index>(b.size()), limits);
  return solve(gmres, A, Matrix::Identity(b.size(), b.size()), b);
}

/// The smallest |b - A x| / |b| of all x in span(b, A b, ..., A^(k-1) b), a basis of which is made orthonormal as it
/// grows.
double smallest_residual(const Matrix& A, const Vector& b, Index k) {
  Matrix basis(b.size(), k);
  Vector next = b;
  for (Index j = 0; j < k; ++j) {
    for (int twice = 0; twice < 2; ++twice) {
      next -= basis.leftCols(j) * (basis.leftCols(j).transpose() * next).eval();
    }
    basis.col(j) = next.normalized();
    next = A * basis.col(j);
  }
  const Matrix image = A * basis;
  return (b - image * image.colPivHouseholderQr().solve(b)).norm() / b.norm();
}

/// P x has the entries of x moved on by one.
Matrix cycle(Index n) {
  Matrix P = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) P((i + 1) % n, i) = 1;
  return P;
}

}  // namespace

TEST_CASE("solutions are those of Eigen's LU: several sizes, right-hand sides and preconditioners") {
  for (const Index n : {1, 2, 7, 60}) {
    CAPTURE(n);
    Gmres gmres;
    gmres.make_room(n, {n + 1, 1e-14, 1e-12});
    for (unsigned seed = 1; seed <= 5; ++seed) {
      CAPTURE(seed);
      const Matrix A = random_matrix(n, seed), near = A + 0.05 * Matrix::Random(n, n);
      const Vector b = Vector::Random(n) * std::pow(1e3, static_cast<double>(seed) - 3);
      const Eigen::PartialPivLU<Matrix> lu(A);
      const Vector expected = lu.solve(b);
      const Solution plain = solve(gmres, A, Matrix::Identity(n, n), b);
      const Solution helped = solve(gmres, A, near.inverse(), b), exact = solve(gmres, A, lu.inverse(), b);
      for (const Solution* s : {&plain, &helped, &exact}) {
        REQUIRE(s->status);
        CHECK((s->x - expected).norm() <= 1e-14 / lu.rcond() * expected.norm());
        CHECK(s->products == s->iterations);
        CHECK(s->approximations == s->iterations + 1);
      }
      CHECK(helped.iterations <= plain.iterations);
      CHECK(exact.iterations <= 2);
    }
  }
}

TEST_CASE("the residual is the smallest one in the Krylov space; more than tolerated at the limit is a failure") {
  const Index n = 30;
  for (const Index k : {1, 3, 8}) {
    CAPTURE(k);
    const Matrix A = random_matrix(n, 11), B = random_matrix(n, 12);
    const Vector b = Vector::Random(n);
    Gmres gmres;
    gmres.make_room(n, {k, 1e-13, 1e-13});
    const Solution failed = solve(gmres, A, B, b);
    CHECK(failed.status.code == StatusCode::not_converged);
    CHECK(failed.iterations == k);
    CHECK(failed.status.value == doctest::Approx(smallest_residual(A * B, b, k)).epsilon(1e-10));
    CHECK(failed.x.norm() == 0);
    gmres.make_room(n, {k, 1e-13, 0.999 * failed.status.value});
    CHECK_FALSE(solve(gmres, A, B, b).status);
    // Where as much is tolerated, x leaves the residual that was told.
    gmres.make_room(n, {k, 1e-13, 1.001 * failed.status.value});
    const Solution tolerated = solve(gmres, A, B, b);
    REQUIRE(tolerated.status);
    CHECK((b - A * tolerated.x).norm() / b.norm() == doctest::Approx(failed.status.value).epsilon(1e-10));
  }
}

TEST_CASE("as many iterations as the minimal polynomial has degrees, n at most") {
  const Index n = 12;
  const GmresLimits limits{n, 1e-13, 1e-12};
  const Vector b = Vector::Ones(n);
  SUBCASE("n where all eigenvalues differ") {
    const Matrix A = Vector::LinSpaced(n, 1, 4).asDiagonal();
    const Solution s = solve(A, b, limits);
    REQUIRE(s.status);
    CHECK(s.iterations == n);
    CHECK((A * s.x - b).norm() <= 1e-13 * b.norm());
  }
  SUBCASE("a cycle: nothing is gained before the last of n") {
    const Vector unit = Vector::Unit(n, 4);
    const Solution s = solve(cycle(n), unit, limits);
    REQUIRE(s.status);
    CHECK(s.iterations == n);
    CHECK((s.x - Vector::Unit(n, 3)).norm() <= 1e-14);
    const Solution short_of_one = solve(cycle(n), unit, {n - 1, 1e-13, 1e-12});
    CHECK(short_of_one.status.code == StatusCode::not_converged);
    CHECK(short_of_one.status.value == doctest::Approx(1));
  }
  SUBCASE("3 where two eigenvalues differ from all others") {
    Matrix A = Matrix::Identity(n, n);
    A(2, 2) = 3, A(7, 7) = -2;
    CHECK(solve(A, b, limits).iterations == 3);
  }
  SUBCASE("1 where b is an eigenvector") { CHECK(solve(cycle(n), b, limits).iterations == 1); }
}

TEST_CASE("b = 0 has the solution 0, and no product is formed") {
  const Solution s = solve(random_matrix(5, 21), Vector::Zero(5), {5, 1e-13, 1e-12});
  CHECK(s.status);
  CHECK(s.x.norm() == 0);
  CHECK(s.iterations == 0);
  CHECK(s.products + s.approximations == 0);
}

TEST_CASE("numbers that are not finite and singular matrices are failures with x = 0") {
  const GmresLimits limits{5, 1e-13, 1e-12};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector b = Vector::Ones(5);
  SUBCASE("right-hand side") {
    for (const double entry :
         {nan, -std::numeric_limits<double>::infinity(), 1e200}) {  // the square of the last overflows
      CAPTURE(entry);
      Vector bad = b;
      bad[2] = entry;
      const Solution s = solve(Matrix::Identity(5, 5), bad, limits);
      CHECK(s.status.code == StatusCode::not_finite);
      CHECK(s.status.what == doctest::String("right-hand side"));
      CHECK(s.products == 0);
      CHECK(s.x.norm() == 0);
    }
  }
  SUBCASE("matrix") {
    const Solution s = solve(Matrix::Constant(5, 5, nan), b, limits);
    CHECK_FALSE(s.status);
    CHECK(s.iterations <= 1);
    CHECK(s.x.norm() == 0);
  }
  SUBCASE("the matrix 0") {
    const Solution s = solve(Matrix::Zero(5, 5), b, limits);
    CHECK(s.status.code == StatusCode::singular);
    CHECK(s.x.norm() == 0);
  }
  SUBCASE("b outside the range") {
    Matrix A = Matrix::Identity(5, 5);
    A(4, 4) = 0;
    const Solution s = solve(A, b, limits);
    CHECK_FALSE(s.status);
    CHECK(s.x.norm() == 0);
  }
}

TEST_CASE("a solve allocates nothing") {
  if (!allocations_are_counted) return;
  const Index n = 40;
  const Matrix A = random_matrix(n, 31), B = Matrix::Identity(n, n);
  const Vector b = Vector::Random(n);
  Vector x(n);
  Gmres gmres;
  gmres.make_room(n, {n, 1e-13, 1e-12});
  const auto multiply = [&](ConstVectorView y, VectorView out) { out.map().noalias() = A * y.map(); };
  const auto approximate = [&](ConstVectorView y, VectorView out) { out.map() = y.map(); };
  const long before = allocation_count;
  const Status status = gmres.solve({b.data(), n}, {x.data(), n}, multiply, approximate);
  CHECK(allocation_count - before == 0);
  CHECK(status);
}
