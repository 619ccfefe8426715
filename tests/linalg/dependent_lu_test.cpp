// LU of the dependent columns of a constraint Jacobian against Eigen: solves, determinants, what is refused.
#include "linalg/dependent_lu.h"

#include <doctest/doctest.h>

#include <cmath>

#include "dense_solvers.h"
#include "random_jacobian.h"

using namespace trammel;

namespace {

/// Columns that Eigen finds independent of each other count as dependent coordinates, all others as independent ones.
Eigen::VectorXd partition_of(const Eigen::MatrixXd& Phi_q) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(Phi_q);
  REQUIRE(lu.rank() == Phi_q.rows());
  Eigen::VectorXd independent = Eigen::VectorXd::Ones(Phi_q.cols());
  for (Eigen::Index i = 0; i < Phi_q.rows(); ++i) independent[lu.permutationQ().indices()[i]] = 0;
  return independent;
}

ConstVectorView view(const Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// Rows and columns of the dense Phi_u.
struct Part {
  Part(const RandomJacobian& jacobian, const Eigen::VectorXd& independent) {
    for (Index i = 0; i < static_cast<Index>(independent.size()); ++i) {
      if (independent[i] == 0) columns.push_back(i);
    }
    for (Index r = 0; r < static_cast<Index>(jacobian.dense.rows()); ++r) {
      if (jacobian.dropped[static_cast<std::size_t>(r)] == 0) rows.push_back(r);
    }
    Phi_u = jacobian.dense(rows, columns);
  }
  std::vector<Index> rows, columns;
  Eigen::MatrixXd Phi_u;
};

void check_against_dense(DependentLu& lu, const RandomJacobian& jacobian, const Eigen::VectorXd& independent) {
  REQUIRE(lu.factorize(jacobian.k, view(independent)));
  const Part part(jacobian, independent);
  const Eigen::Index n = jacobian.dense.cols(), m = jacobian.dense.rows();
  const Eigen::FullPivLU<Eigen::MatrixXd> forward(part.Phi_u), backward(Eigen::MatrixXd(part.Phi_u.transpose()));
  CHECK(lu.squared_length() == doctest::Approx(part.Phi_u.squaredNorm()).epsilon(1e-14));
  const DependentLu::Determinant determinant = lu.determinant();
  const double expected = forward.determinant();
  CHECK(determinant.sign == (expected > 0 ? 1 : -1));
  CHECK(determinant.logarithm == doctest::Approx(std::log(std::abs(expected))).epsilon(1e-10));
  for (const Index stride : {1, 4}) {
    const Index columns = stride == 1 ? 1 : 3;
    for (const bool transposed : {false, true}) {
      CAPTURE(stride);
      CAPTURE(transposed);
      // Numbers of one coordinate lie together: row-major, the rest of the stride zero.
      using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      Rows in = Rows::Zero(transposed ? n : m, stride), out = Rows::Constant(transposed ? m : n, stride, 7);
      in.leftCols(columns).setRandom();
      lu.solve(in.data(), transposed, stride, out.data());
      Rows reference = Rows::Zero(out.rows(), stride);
      const auto &from = transposed ? part.columns : part.rows, &to = transposed ? part.rows : part.columns;
      reference(to, Eigen::all) = (transposed ? backward : forward).solve(Eigen::MatrixXd(in(from, Eigen::all)));
      CHECK((out - reference).norm() <= 1e-13 / forward.rcond() * reference.norm());
    }
  }
}

}  // namespace

TEST_CASE("solves and determinants are those of Eigen: loops, other numbers, another partition, rows left out") {
  for (const bool spatial : {false, true}) {
    CAPTURE(spatial);
    RandomJacobian jacobian(7, spatial ? 7 : 3, loop_of(7, spatial ? 5 : 2), spatial, 11);
    DependentLu lu;
    const Eigen::VectorXd first = partition_of(jacobian.dense);
    check_against_dense(lu, jacobian, first);
    jacobian.dense *= -1.5;
    jacobian.write();
    check_against_dense(lu, jacobian, first);
    jacobian.fill(12);
    check_against_dense(lu, jacobian, partition_of(jacobian.dense));
    jacobian.dropped[3] = 1;
    const std::vector<Index> kept = Part(jacobian, first).rows;
    check_against_dense(lu, jacobian, partition_of(jacobian.dense(kept, Eigen::all)));
  }
}

TEST_CASE("the sign of the determinant changes where two rows or two columns of numbers change places") {
  RandomJacobian jacobian(5, 3, chain_of(5, 2), false, 13);
  const Eigen::VectorXd independent = partition_of(jacobian.dense);
  DependentLu lu;
  REQUIRE(lu.factorize(jacobian.k, view(independent)));
  const DependentLu::Determinant before = lu.determinant();
  const Eigen::RowVectorXd row = jacobian.dense.row(4);
  jacobian.dense.row(4) = jacobian.dense.row(5);
  jacobian.dense.row(5) = row;
  jacobian.write();
  REQUIRE(lu.factorize(jacobian.k, view(independent)));
  CHECK(lu.determinant().sign == -before.sign);
  CHECK(lu.determinant().logarithm == doctest::Approx(before.logarithm).epsilon(1e-12));
}

TEST_CASE("no factors where there are too many dependent coordinates, or where Phi_u is nearly singular") {
  RandomJacobian jacobian(4, 3, {{2, {0}}, {2, {0, 1}}, {1, {1, 2}}, {1, {1, 2}}, {1, {3}}}, false, 17);
  Eigen::VectorXd independent = partition_of(jacobian.dense);
  DependentLu lu;
  check_against_dense(lu, jacobian, independent);
  SUBCASE("one dependent coordinate more than rows") {
    for (Eigen::Index i = 0; i < independent.size(); ++i) {
      if (independent[i] == 0) continue;
      independent[i] = 0;
      break;
    }
    CHECK_FALSE(lu.factorize(jacobian.k, view(independent)));
    CHECK(lu.determinant().sign == 0);
  }
  SUBCASE("two rows are nearly parallel: the determinant is known all the same") {
    jacobian.dense.row(5) = jacobian.dense.row(4) + 1e-10 * jacobian.dense.row(5);
    jacobian.write();
    CHECK_FALSE(lu.factorize(jacobian.k, view(independent)));
    const double expected = Part(jacobian, independent).Phi_u.fullPivLu().determinant();
    CHECK(lu.determinant().sign == (expected > 0 ? 1 : -1));
    CHECK(lu.determinant().logarithm == doctest::Approx(std::log(std::abs(expected))).epsilon(1e-5));
  }
  SUBCASE("two rows are the same") {
    jacobian.dense.row(5) = jacobian.dense.row(4);
    jacobian.write();
    CHECK_FALSE(lu.factorize(jacobian.k, view(independent)));
  }
  jacobian.fill(17);
  check_against_dense(lu, jacobian, partition_of(jacobian.dense));
}
