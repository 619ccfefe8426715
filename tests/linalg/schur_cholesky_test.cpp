// The factorization of the example acme.schur_cholesky at sizes at which Eigen's product of matrices takes memory.
#include <doctest/doctest.h>

#include <random>

#include "allocation_counter.h"
#include "cholesky.h"

using namespace trammel;

TEST_CASE("S = B B^T of many rows, its factor and its solves are right and allocate nothing") {
  constexpr Index rows = 260, width = 700;
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> number(-1, 1);
  Eigen::MatrixXd Bt(width, rows);
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < width; ++j) Bt(j, r) = number(generator);
  }
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(rows, -1, 1);
  const Eigen::VectorXd known = x;
  acme::Cholesky S;
  S.resize(rows);
  x = Bt.transpose() * (Bt * known);
  const long before = allocation_count;
  S.set_gram(Bt);
  const Status status = S.factorize(nullptr, 1e-11);
  S.solve(x);
  const long after = allocation_count;
  REQUIRE(status);
  CHECK(S.watch().weak == 0);
  CHECK((x - known).lpNorm<Eigen::Infinity>() < 1e-10);
  if (allocations_are_counted) CHECK(after == before);
}
