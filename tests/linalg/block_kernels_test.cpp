// The block kernels of every instruction set against dense algebra, with groups of 1 to 8 rows and with rows left out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dense_solvers.h"
#include "linalg/schur_factor.h"

using namespace trammel;

namespace {

/// Groups of random sizes, each against two or three random bodies, as one dense matrix and as blocks.
struct RandomRows {
  std::vector<Index> group_rows;
  std::vector<SchurBlock> blocks;
  std::vector<double> numbers;
  Eigen::MatrixXd B;

  RandomRows(Index bodies, Index width, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const Index groups = 8;
    Index rows = 0;
    for (Index g = 0; g < groups; ++g) group_rows.push_back(g + 1), rows += g + 1;
    std::shuffle(group_rows.begin(), group_rows.end(), generator);
    B.setZero(rows, bodies * width);
    Index first = 0;
    for (Index g = 0; g < groups; ++g) {
      const Index m = group_rows[static_cast<std::size_t>(g)];
      for (Index body : {(3 * g) % bodies, (3 * g + 2) % bodies, (3 * g + 7) % bodies}) {
        blocks.push_back({g, body, static_cast<Index>(numbers.size()), width});
        for (Index j = 0; j < width; ++j) {
          for (Index i = 0; i < m; ++i) {
            numbers.push_back(number(generator));
            B(first + i, body * width + j) = numbers.back();
          }
        }
      }
      first += m;
    }
  }
};

}  // namespace

TEST_CASE("S^-1 of every kernel set, with and without rows left out") {
  for (const BlockKernels* kernels : {&baseline_kernels, &block_kernels()}) {
    for (Index width : {3, 6, 7}) {
      CAPTURE(kernels->name);
      CAPTURE(width);
      const RandomRows given(16, width, 7);
      const Eigen::Index rows = given.B.rows();
      SchurFactor factor(*kernels);
      factor.analyse(given.group_rows, given.blocks, 16);
      std::vector<unsigned char> dropped(static_cast<std::size_t>(rows), 0);
      for (const bool some_left_out : {false, true}) {
        if (some_left_out) dropped[2] = dropped[17] = 1;
        REQUIRE(factor.factorize(given.numbers.data(), dropped.data()));
        Eigen::MatrixXd S = given.B * given.B.transpose();
        Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(rows, -1, 2), expected = x;
        for (Eigen::Index r = 0; r < rows; ++r) {
          if (dropped[static_cast<std::size_t>(r)] == 0) continue;
          S.row(r).setZero(), S.col(r).setZero();
          S(r, r) = 1, expected[r] = 0;
        }
        expected = S.ldlt().solve(expected).eval();
        factor.solve({x.data(), static_cast<Index>(rows)});
        // Condition of S is about 1e4 here, rounding 1e-16.
        CHECK((x - expected).norm() <= 1e-10 * expected.norm());
        CHECK(factor.watch().weak == 0);
      }
    }
  }
}

TEST_CASE("a number that is not finite is named by its row, whatever the kernel set") {
  for (const BlockKernels* kernels : {&baseline_kernels, &block_kernels()}) {
    RandomRows given(11, 6, 3);
    SchurFactor factor(*kernels);
    factor.analyse(given.group_rows, given.blocks, 11);
    given.numbers[0] = std::nan("");
    const Status status = factor.factorize(given.numbers.data(), nullptr);
    CHECK(status.code == StatusCode::not_finite);
    CHECK(status.subject >= 0);
  }
}
