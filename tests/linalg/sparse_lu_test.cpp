// Sparse LU of random matrices against Eigen's dense LU: solutions, growing patterns, scaling, singular columns, factors.
#include "linalg/sparse_lu.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "dense_solvers.h"

using namespace trammel;

namespace {

/// Random entries: the diagonal and the one below it, both large, and `more` anywhere in each column, some given in two
/// parts. Rows and columns are multiplied by powers of two.
struct RandomSparse {
  RandomSparse(Index n, Index more, unsigned seed)
      : size(n), generator(seed), rows(Eigen::VectorXd::Ones(n)), columns(rows) {
    std::uniform_int_distribution<Index> place(0, n - 1);
    for (Index j = 0; j < n; ++j) {
      entries.emplace_back(j, j);
      entries.emplace_back((j + 1) % n, j);
      for (Index i = 0; i < more; ++i) entries.emplace_back(place(generator), j);
      if (j % 5 == 0) entries.push_back(entries.back());
    }
    draw();
  }
  void draw() {
    std::uniform_real_distribution<double> number(-1, 1);
    values.clear();
    for (const auto& [row, column] : entries) values.push_back(number(generator) + (is_large(row, column) ? 3 : 0));
  }
  bool is_large(Index row, Index column) const { return row == column || row == (column + 1) % size; }
  /// Without the scaling.
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t e = 0; e < entries.size(); ++e) A(entries[e].first, entries[e].second) += values[e];
    return A;
  }
  void fill(SparseLu& lu) const {
    lu.fill([&](auto& add) {
      for (std::size_t e = 0; e < entries.size(); ++e) {
        add(rows[entries[e].first] * values[e] * columns[entries[e].second]);
      }
    });
  }
  Index size;
  std::mt19937 generator;
  std::vector<std::pair<Index, Index>> entries;
  std::vector<double> values;
  Eigen::VectorXd rows, columns;
};

void check_against_dense(SparseLu& lu, const RandomSparse& sparse) {
  sparse.fill(lu);
  REQUIRE(lu.factorize());
  const Eigen::MatrixXd A = sparse.dense(), right = Eigen::MatrixXd::Random(sparse.size, 3);
  for (const bool transposed : {false, true}) {
    const Eigen::MatrixXd matrix = transposed ? Eigen::MatrixXd(A.transpose()) : A;
    const Eigen::VectorXd &from = transposed ? sparse.columns : sparse.rows,
                          &to = transposed ? sparse.rows : sparse.columns;
    const Eigen::FullPivLU<Eigen::MatrixXd> dense(matrix);
    const Eigen::MatrixXd expected = dense.solve(from.cwiseInverse().asDiagonal() * right);
    Eigen::MatrixXd x = right;
    lu.solve(x.data(), 3, transposed);
    CHECK((to.asDiagonal() * x - expected).norm() <= 1e-14 / dense.rcond() * expected.norm());
    CHECK((to.asDiagonal() * x - expected).norm() <= 1e-8 * expected.norm());
  }
}

}  // namespace

TEST_CASE("solutions are those of Eigen: several columns, transposed, other numbers in the same pattern") {
  for (const bool block_triangular : {false, true}) {
    RandomSparse sparse(80, 3, 1);
    SparseLu lu(block_triangular);
    lu.analyse(80, sparse.entries);
    for (int draw = 0; draw < 3; ++draw) {
      check_against_dense(lu, sparse);
      sparse.draw();
    }
  }
}

TEST_CASE("entries that were zero until now enlarge the pattern; kept pivots that vanish are chosen again") {
  RandomSparse sparse(40, 3, 2);
  const std::vector<double> all = sparse.values;
  SparseLu lu;
  lu.analyse(40, sparse.entries);
  for (std::size_t e = 0; e < all.size(); e += 3) {
    if (sparse.entries[e].first != sparse.entries[e].second) sparse.values[e] = 0;
  }
  check_against_dense(lu, sparse);
  sparse.values = all;
  check_against_dense(lu, sparse);
  // A pivot that has nearly vanished would cost six digits: the one below it is taken instead.
  for (const Index column : {7, 20, 33}) {
    sparse.values = all;
    for (std::size_t e = 0; e < all.size(); ++e) {
      if (sparse.entries[e] == std::pair(column, column)) sparse.values[e] *= 1e-6;
    }
    check_against_dense(lu, sparse);
  }
}

TEST_CASE("rows and columns of very different size are no singular matrix") {
  RandomSparse sparse(40, 3, 3);
  for (Index i = 0; i < 40; ++i) {
    sparse.rows[i] = std::exp2(i % 3 == 0 ? 40 : 0);
    sparse.columns[i] = std::exp2(i % 4 == 1 ? -60 : 0);
  }
  SparseLu lu;
  lu.analyse(40, sparse.entries);
  check_against_dense(lu, sparse);
}

TEST_CASE("the column that a singular matrix has no pivot for takes part in its null space") {
  RandomSparse sparse(30, 3, 4);
  SparseLu lu;
  SUBCASE("two columns with the same rows are parallel") {
    for (std::size_t e = 0; e < sparse.entries.size(); ++e) {
      if (sparse.entries[e].second == 17) sparse.values[e] = 0;
    }
    const std::size_t given = sparse.entries.size();
    for (std::size_t e = 0; e < given; ++e) {
      if (sparse.entries[e].second != 5) continue;
      sparse.entries.emplace_back(sparse.entries[e].first, 17);
      sparse.values.push_back(-3 * sparse.values[e]);
    }
  }
  SUBCASE("a column is zero") {
    for (std::size_t e = 0; e < sparse.entries.size(); ++e) {
      if (sparse.entries[e].second == 8) sparse.values[e] = 0;
    }
  }
  lu.analyse(30, sparse.entries);
  sparse.fill(lu);
  const Status status = lu.factorize();
  CHECK(status.code == StatusCode::singular);
  const Eigen::FullPivLU<Eigen::MatrixXd> dense(sparse.dense());
  REQUIRE(dense.dimensionOfKernel() == 1);
  REQUIRE(status.subject >= 0);
  REQUIRE(status.subject < 30);
  const Eigen::MatrixXd kernel = dense.kernel();
  CHECK(std::abs(kernel(status.subject, 0)) > 1e-6 * kernel.norm());
}

TEST_CASE("a number that is not finite is reported as such") {
  RandomSparse sparse(10, 2, 5);
  SparseLu lu;
  lu.analyse(10, sparse.entries);
  check_against_dense(lu, sparse);
  sparse.values[4] = std::numeric_limits<double>::quiet_NaN();
  sparse.fill(lu);
  CHECK(lu.factorize().code == StatusCode::not_finite);
}

TEST_CASE("the copied factors multiply to the permuted matrix, block triangular ones too") {
  RandomSparse sparse(24, 2, 6);
  for (auto& [row, column] : sparse.entries) {
    if (row / 6 > column / 6) row = row % 6 + column / 6 * 6;  // blocks of 6 couple upwards only
  }
  SparseLu lu(true);
  lu.analyse(24, sparse.entries);
  sparse.fill(lu);
  REQUIRE(lu.factorize());
  FactorCopy copy;
  lu.copy_factors(copy);
  CHECK(copy.factors.blocks >= 4);
  const auto part = [&](const BlockTriangularFactors::Part& p) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(24, 24);
    for (Index j = 0; j < 24; ++j) {
      for (Index e = p.begin[j]; e < p.begin[j + 1]; ++e) matrix(p.row[e], j) = p.value[e];
    }
    return matrix;
  };
  const Eigen::MatrixXd L = part(copy.factors.L) + Eigen::MatrixXd::Identity(24, 24);
  Eigen::MatrixXd U = part(copy.factors.U);
  for (Index k = 0; k < 24; ++k) U(k, k) = 1 / copy.factors.inverse_diagonal[k];
  const Eigen::MatrixXd product = L * U + part(copy.factors.F), A = sparse.dense();
  double off = 0;
  for (Index k = 0; k < 24; ++k) {
    for (Index l = 0; l < 24; ++l) {
      const double entry = A(copy.row_of[static_cast<std::size_t>(k)], copy.column_of[static_cast<std::size_t>(l)]);
      off = std::max(off, std::abs(product(k, l) - entry));
    }
  }
  CHECK(off < 1e-14);
}
