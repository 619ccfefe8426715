// Full LU of small matrices and factors with kept pivots: against Eigen, and bit for bit against KLU's.
#include "linalg/small_lu.h"

#include <doctest/doctest.h>

#include <complex>
#include <limits>
#include <random>

#include "dense_solvers.h"
#include "linalg/kept_pivots.h"
#include "linalg/sparse_lu.h"

using namespace trammel;

namespace {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

template <class Scalar>
Status factorize(SmallLu<Scalar>& lu, const Matrix<Scalar>& A) {
  if (lu.size() != static_cast<Index>(A.rows())) lu.begin(static_cast<Index>(A.rows()));
  Scalar* numbers = lu.clear();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) numbers[j * lu.stride() + i] = A(i, j);
  }
  return lu.factorize();
}

template <class Scalar>
void check_small(Index n) {
  using Vector = Matrix<Scalar>;
  Matrix<Scalar> A = Matrix<Scalar>::Random(n, n);
  for (Index i = 0; i < n; ++i) A(i, i) = 0;  // no pivot where it is looked for first
  A.row(n - 1) *= 1e9;                        // rows of different units
  A.col(0) += Vector::Constant(n, 1, Scalar(0.5));
  SmallLu<Scalar> lu;
  REQUIRE(factorize(lu, A));
  CHECK(lu.pivot_ratio() > 1e-6);
  const Vector truth = Vector::Random(n, 1);
  Vector x = A * truth;
  lu.solve(x.data(), false);
  CHECK((x - truth).norm() <= 1e-10 * truth.norm());
  Vector units = truth;  // of what belongs to the rows
  units(n - 1, 0) *= 1e-9;
  x = A.transpose() * units;
  lu.solve(x.data(), true);
  x(n - 1, 0) *= 1e9;
  CHECK((x - truth).norm() <= 1e-10 * truth.norm());
}

/// Unknowns of very different units, as masses of 1e-12 kg beside others make them: columns are balanced.
template <class Scalar>
void check_unbalanced(Index n) {
  using Vector = Matrix<Scalar>;
  const Matrix<Scalar> B = Matrix<Scalar>::Random(n, n) + 3 * Matrix<Scalar>::Identity(n, n);
  Vector units = Vector::Constant(n, 1, Scalar(1));
  units(1, 0) = 1e-16, units(n - 1, 0) = 1e14;
  const Matrix<Scalar> A = B * Matrix<Scalar>(units.asDiagonal());
  SmallLu<Scalar> lu;
  REQUIRE(factorize(lu, A));
  const Vector truth = Vector::Random(n, 1);
  const auto off = [&](const Vector& x) { return (x - truth).cwiseAbs().cwiseQuotient(truth.cwiseAbs()).maxCoeff(); };
  Vector x = B * truth;
  lu.solve(x.data(), false);
  CHECK(off(x.cwiseProduct(units)) <= 1e-9);
  x = A.transpose() * truth;
  lu.solve(x.data(), true);
  CHECK(off(x) <= 1e-9);
}

/// Blocks coupled in one direction, as those of a Jacobian; some numbers in two parts.
struct Blocks {
  explicit Blocks(unsigned seed) : generator(seed) {
    std::uniform_int_distribution<Index> before(0, size - 1);
    for (Index j = 0; j < size; ++j) {
      for (Index i = j - j % 4; i < std::min(size, j - j % 4 + 4); ++i) {
        if ((i + 2 * j) % 3 != 0 || i == j) entries.emplace_back(i, j);
      }
      if (const Index i = before(generator); i < j - j % 4) entries.emplace_back(i, j);
      if (j % 7 == 0) entries.emplace_back(j, j);
    }
    draw();
  }
  void draw() {
    std::uniform_real_distribution<double> number(0.5, 1);
    values.clear();
    for (const auto& [row, column] : entries) values.push_back(number(generator) + (row == column ? 4 : 0));
  }
  void factorize(SparseLu& lu, FactorCopy& copy) const {
    lu.fill([&](auto& add) {
      for (const double value : values) add(value);
    });
    REQUIRE(lu.factorize());
    lu.copy_factors(copy);
  }
  bool factorize(KeptPivots& kept) const {
    return kept.factorize([&](Index i) { return values[static_cast<std::size_t>(i)]; });
  }
  static constexpr Index size = 41;
  std::mt19937 generator;
  KeptPivots::Entries entries;
  std::vector<double> values;
};

}  // namespace

TEST_CASE("small matrices: solutions are those of Eigen, transposed too, whatever units rows and columns have") {
  for (Index n = 2; n <= SmallLu<double>::most_unknowns; ++n) {
    CAPTURE(n);
    check_small<double>(n);
    check_small<std::complex<double>>(n);
    check_unbalanced<double>(n);
    check_unbalanced<std::complex<double>>(n);
  }
}

TEST_CASE("a small matrix without a pivot names the column, and a nearly singular one has a small ratio") {
  Matrix<double> A = Matrix<double>::Random(6, 6);
  A.col(4) = A.col(1) - 2 * A.col(2);
  SmallLu<double> lu;
  Status status = factorize(lu, A);
  CHECK(status.code == StatusCode::singular);
  CHECK(status.value < 1e-14);
  A.col(4).setZero();
  status = factorize(lu, A);
  CHECK(status.code == StatusCode::singular);
  CHECK(status.subject == 4);
  A = Matrix<double>::Identity(6, 6);
  CHECK(factorize(lu, A));
  CHECK(lu.pivot_ratio() == 1);
}

TEST_CASE("a small matrix with a number that is not finite is refused, wherever it stands") {
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (Index k = 0; k < 25; ++k) {
      Matrix<double> A = Matrix<double>::Identity(5, 5);
      A(k % 5, k / 5) = wrong;
      SmallLu<double> lu;
      CHECK(factorize(lu, A).code == StatusCode::not_finite);
      SmallLu<std::complex<double>> complex;
      CHECK(factorize(complex, Matrix<std::complex<double>>(A.cast<std::complex<double>>())).code ==
            StatusCode::not_finite);
    }
  }
}

TEST_CASE("kept pivots: the bits are those of KLU with the same pivots") {
  Blocks blocks(3);
  SparseLu lu(true);
  lu.analyse(Blocks::size, blocks.entries);
  FactorCopy klu;
  blocks.factorize(lu, klu);
  KeptPivots kept;
  kept.take(lu, blocks.entries);
  const FactorCopy& own = kept.factors();
  for (int draw = 0; draw < 3; ++draw) {
    blocks.draw();
    REQUIRE(blocks.factorize(kept));
    blocks.factorize(lu, klu);
    CHECK(lu.choices() == 1);
    const auto same = [](const std::vector<Index>& begin, const std::vector<double>& a, const std::vector<double>& b) {
      CHECK(begin.back() > 10);
      return std::equal(a.begin(), a.begin() + begin.back(), b.begin());
    };
    CHECK(same(own.L_begin, own.L_value, klu.L_value));
    CHECK(same(own.U_begin, own.U_value, klu.U_value));
    CHECK(same(own.F_begin, own.F_value, klu.F_value));
    CHECK(own.inverse_diagonal == klu.inverse_diagonal);
    CHECK(kept.pivot_ratio() == lu.pivot_ratio());
  }
}

TEST_CASE("kept pivots give up where one shrinks, where a number appears, and where one is not finite") {
  Blocks blocks(5);
  std::size_t zero_first = 0;  // between blocks nothing fills in
  while (blocks.entries[zero_first].first / 4 == blocks.entries[zero_first].second / 4) ++zero_first;
  blocks.values[zero_first] = 0;
  SparseLu lu(true);
  lu.analyse(Blocks::size, blocks.entries);
  FactorCopy copy;
  blocks.factorize(lu, copy);
  KeptPivots kept;
  kept.take(lu, blocks.entries);
  const std::vector<double> good = blocks.values;
  CHECK(blocks.factorize(kept));
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    blocks.values[0] = wrong;
    CHECK_FALSE(blocks.factorize(kept));
    blocks.values = good;
    CHECK(blocks.factorize(kept));
  }
  blocks.values[zero_first] = 0.3;
  CHECK_FALSE(blocks.factorize(kept));
  blocks.values = good;
  for (std::size_t e = 0; e < good.size(); ++e) {
    if (blocks.entries[e] == std::pair<Index, Index>(40, 40)) blocks.values[e] *= 1e-3;
  }
  CHECK_FALSE(blocks.factorize(kept));
  blocks.values = good;
  CHECK(blocks.factorize(kept));
}
