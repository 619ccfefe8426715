// Full LU of small matrices and factors with kept pivots: against Eigen, and bit for bit against KLU's.
#include "linalg/small_lu.h"

#include <doctest/doctest.h>

#include <complex>
#include <limits>
#include <random>
#include <type_traits>

#include "dense_solvers.h"
#include "linalg/kept_pivots.h"
#include "linalg/sparse_lu.h"

using namespace trammel;

namespace {

/// All entries of A that are not zero, in compressed columns.
template <class Scalar>
struct Columns {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  explicit Columns(const Matrix& A) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      for (Eigen::Index i = 0; i < A.rows(); ++i) {
        if (A(i, j) != Scalar(0)) row.push_back(static_cast<Index>(i)), value.push_back(A(i, j));
      }
      start.push_back(static_cast<Index>(row.size()));
    }
  }
  std::vector<Index> start{0}, row;
  std::vector<Scalar> value;
};

template <class Scalar>
void check_small(Index n) {
  using Matrix = typename Columns<Scalar>::Matrix;
  Matrix A = Matrix::Random(n, n);
  for (Index i = 0; i < n; ++i) A(i, i) = 0;  // no pivot where it is looked for first
  A.row(n - 1) *= 1e9;                        // rows of different units
  A.col(0) += Matrix::Constant(n, 1, Scalar(0.5));
  const Columns<Scalar> columns(A);
  SmallLu<Scalar> lu;
  lu.begin(n);
  REQUIRE(lu.factorize(columns.start.data(), columns.row.data(), columns.value.data()) == -1);
  CHECK(lu.pivot_ratio() > 1e-6);
  const Matrix truth = Matrix::Random(n, 1);
  Matrix x = A * truth;
  lu.solve(x.data(), false);
  CHECK((x - truth).norm() <= 1e-10 * truth.norm());
  Matrix units = truth;  // of what belongs to the rows
  units(n - 1, 0) *= 1e-9;
  x = A.transpose() * units;
  lu.solve(x.data(), true);
  x(n - 1, 0) *= 1e9;
  CHECK((x - truth).norm() <= 1e-10 * truth.norm());
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

TEST_CASE("small matrices: solutions are those of Eigen, transposed too, whatever units rows have") {
  for (const Index n : {2, 3, 5, 11, SmallLu<double>::most_unknowns}) {
    CAPTURE(n);
    check_small<double>(n);
    check_small<std::complex<double>>(n);
  }
}

TEST_CASE("a small matrix without a pivot names the column, and a nearly singular one has a small ratio") {
  Eigen::MatrixXd A = Eigen::MatrixXd::Random(6, 6);
  A.col(4) = A.col(1) - 2 * A.col(2);
  SmallLu<double> lu;
  lu.begin(6);
  const Columns<double> columns(A);
  const Index column = lu.factorize(columns.start.data(), columns.row.data(), columns.value.data());
  CHECK((column == 4 || (column == -1 && lu.pivot_ratio() < 1e-14)));
  A.col(4).setZero();
  const Columns<double> zero(A);
  CHECK(lu.factorize(zero.start.data(), zero.row.data(), zero.value.data()) == 4);
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
