// Multifrontal LU of random KKT matrices of chains, trees and loops against Eigen's dense LU with full pivoting.
#include "linalg/frontal_lu.h"

#include <doctest/doctest.h>

#include <cmath>

#include "dense_solvers.h"
#include "random_jacobian.h"

using namespace trammel;

namespace {

MechanismPattern pattern_of(const RandomJacobian& jacobian) {
  const KktMatrix& k = jacobian.k;
  MechanismPattern pattern;
  pattern.bodies = k.bodies;
  for (Index b = 0; b < k.bodies; ++b) {
    pattern.coordinates.push_back(k.width(b));
    pattern.intrinsic.push_back(k.intrinsic_rows > 0 && k.width(b) == k.coordinates ? 1 : 0);
  }
  for (std::size_t e = 0; e < jacobian.elements().size(); ++e) {
    pattern.rows.push_back({jacobian.first_row[e], jacobian.elements()[e].rows, jacobian.elements()[e].bodies});
  }
  return pattern;
}

/// [A Phi_q^T; Phi_q 0]. A has a positive definite mass per body, singular along the intrinsic row where there is one,
/// and a small part without symmetry, which also couples the bodies of an element: what implicit methods add.
Eigen::MatrixXd kkt_of(const RandomJacobian& jacobian, unsigned seed, double unsymmetric = 0.1) {
  const KktMatrix& k = jacobian.k;
  const Index n = k.size();
  const auto m = static_cast<Index>(jacobian.dense.rows());
  std::srand(seed);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  for (Index b = 0, row = k.rows; b < k.bodies; ++b) {
    const Index c = k.width(b), first = k.first[b];
    Eigen::MatrixXd L = Eigen::MatrixXd::Identity(c, c) + 0.5 * Eigen::MatrixXd::Random(c, c);
    if (k.intrinsic_rows > 0 && c == k.coordinates) {
      const Eigen::VectorXd p = jacobian.dense.row(row++).segment(first, c).normalized();
      L -= p * (p.transpose() * L);
    }
    A.block(first, first, c, c) = L * L.transpose();
  }
  for (const ElementRows& element : jacobian.elements()) {
    for (const Index a : element.bodies) {
      for (const Index b : element.bodies) {
        A.block(k.first[a], k.first[b], k.width(a), k.width(b)) +=
            unsymmetric * Eigen::MatrixXd::Random(k.width(a), k.width(b));
      }
    }
  }
  A.bottomLeftCorner(m, n) = jacobian.dense;
  A.topRightCorner(n, m) = jacobian.dense.transpose();
  return A;
}

void give(const FrontalLu& lu, const Eigen::MatrixXd& A, double* numbers) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) {
      if (A(i, j) != 0) numbers[lu.structure().place(i, j).at] += A(i, j);
    }
  }
}

bool factorize(FrontalLu& lu, const Eigen::MatrixXd& A) {
  give(lu, A, lu.clear());
  const bool regular = lu.factorize();
  if (regular && lu.needs_given()) give(lu, A, lu.clear_given());
  return regular;
}

void check_against_dense(FrontalLu& lu, const Eigen::MatrixXd& A) {
  REQUIRE(factorize(lu, A));
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.rows(), -1, 2);
  for (const bool transposed : {false, true}) {
    CAPTURE(transposed);
    const Eigen::FullPivLU<Eigen::MatrixXd> dense(transposed ? Eigen::MatrixXd(A.transpose()) : A);
    REQUIRE(dense.isInvertible());
    const Eigen::VectorXd expected = dense.solve(b);
    Eigen::VectorXd x = b;
    lu.solve(x.data(), transposed);
    // Rounding, times the condition, times what narrow pivoting loses.
    CHECK((x - expected).norm() <= 1e-12 / dense.rcond() * expected.norm());
    CHECK((x - expected).norm() <= 1e-7 * expected.norm());
  }
}

}  // namespace

TEST_CASE("solutions of chains, trees and loops are those of Eigen, also with other numbers in the same structure") {
  struct Mechanism {
    const char* name;
    std::vector<ElementRows> elements;
  };
  int solved = 0;
  for (const bool spatial : {false, true}) {
    const Index rows = spatial ? 5 : 2, bodies = 11;
    for (const Mechanism& mechanism : {Mechanism{"chain", chain_of(bodies, rows)},
                                       {"tree", tree_of(bodies, rows)},
                                       {"loop", loop_of(bodies, rows)},
                                       {"free bodies", {}}}) {
      for (const bool late : {false, true}) {
        CAPTURE(mechanism.name);
        CAPTURE(spatial);
        CAPTURE(late);
        RandomJacobian jacobian(bodies, spatial ? 7 : 3, mechanism.elements, spatial, 3);
        FrontalLu lu;
        lu.analyse(pattern_of(jacobian), late);
        REQUIRE(lu.structure().unknowns() == jacobian.dense.rows() + jacobian.dense.cols());
        for (unsigned seed = 1; seed <= 3; ++seed) {
          jacobian.fill(seed);
          const Eigen::MatrixXd A = kkt_of(jacobian, seed);
          // A body between two joints of a loop may have to take more rows than it has freedoms, unless they are late.
          if (!late && mechanism.elements.size() > 11 && !factorize(lu, A)) continue;
          ++solved;
          check_against_dense(lu, A);
        }
      }
    }
  }
  CHECK(solved >= 2 * 4 * 2 * 3 - 3);  // all but the spatial loop with early rows
}

TEST_CASE("bodies have different numbers of coordinates") {
  const std::vector<Index> point_masses = {1, 2, 6, 10};
  for (const bool spatial : {false, true}) {
    const Index rows = spatial ? 2 : 1, bodies = 11;
    for (auto* family : {&chain_of, &tree_of, &loop_of}) {
      for (const bool late : {false, true}) {
        CAPTURE(spatial);
        CAPTURE(late);
        RandomJacobian jacobian(bodies, spatial ? 7 : 3, family(bodies, rows), spatial, 3, point_masses);
        REQUIRE(jacobian.k.size() == (spatial ? 7 * 7 + 4 * 3 : 7 * 3 + 4 * 2));
        REQUIRE(jacobian.k.intrinsic_rows == (spatial ? 7 : 0));
        FrontalLu lu;
        lu.analyse(pattern_of(jacobian), late);
        REQUIRE(lu.structure().unknowns() == jacobian.dense.rows() + jacobian.dense.cols());
        for (unsigned seed = 1; seed <= 3; ++seed) {
          jacobian.fill(seed);
          check_against_dense(lu, kkt_of(jacobian, seed));
        }
      }
    }
  }
}

TEST_CASE("forces couple bodies that no joint connects") {
  RandomJacobian jacobian(6, 3, {{2, {0}}, {2, {0, 1}}, {1, {3}}}, false, 5);
  MechanismPattern pattern = pattern_of(jacobian);
  pattern.pairs = {{1, 4}, {4, 5}, {2, 5}, {0, 5}};
  FrontalLu lu;
  lu.analyse(pattern);
  Eigen::MatrixXd A = kkt_of(jacobian, 5);
  for (const auto& [a, b] : pattern.pairs) {
    A.block(3 * a, 3 * b, 3, 3) = 0.2 * Eigen::Matrix3d::Random();
    A.block(3 * b, 3 * a, 3, 3) = 0.2 * Eigen::Matrix3d::Random();
  }
  check_against_dense(lu, A);
}

TEST_CASE("singular matrices are reported, and do not spoil the next factorization") {
  RandomJacobian jacobian(4, 3, {{2, {0}}, {2, {0, 1}}, {2, {1, 2}}, {1, {2, 3}}, {1, {2, 3}}}, false, 7);
  FrontalLu lu;
  lu.analyse(pattern_of(jacobian));
  const Eigen::MatrixXd regular = kkt_of(jacobian, 7);
  check_against_dense(lu, regular);
  SUBCASE("a row of one element repeats the row of another") {
    jacobian.dense.row(7) = -2 * jacobian.dense.row(6);
    CHECK_FALSE(factorize(lu, kkt_of(jacobian, 7)));
  }
  SUBCASE("a body without mass has a freedom") {
    Eigen::MatrixXd A = kkt_of(jacobian, 7, 0);
    A.block(9, 9, 3, 3).setZero();
    REQUIRE(Eigen::FullPivLU<Eigen::MatrixXd>(A).rank() < A.rows());
    CHECK_FALSE(factorize(lu, A));
  }
  SUBCASE("a row without entries") {
    jacobian.dense.row(2).setZero();
    CHECK_FALSE(factorize(lu, kkt_of(jacobian, 7)));
  }
  check_against_dense(lu, regular);
}

TEST_CASE("a last pivot that is rounding only is reported: nothing is left that it would have to divide") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    RandomJacobian jacobian(1, 3, {{2, {0}}}, false, seed);
    FrontalLu lu;
    lu.analyse(pattern_of(jacobian));
    check_against_dense(lu, kkt_of(jacobian, seed));
    jacobian.dense.row(1) = M_PI * jacobian.dense.row(0);
    CHECK_FALSE(factorize(lu, kkt_of(jacobian, seed)));
  }
}

TEST_CASE("bodies that are coupled more than held have small pivots: solutions are refined to all digits") {
  const Index bodies = 10;
  const RandomJacobian jacobian(bodies, 3, {}, false, 5);
  MechanismPattern pattern = pattern_of(jacobian);
  for (Index b = 0; b + 1 < bodies; ++b) pattern.pairs.emplace_back(b, b + 1);
  FrontalLu lu;
  lu.analyse(pattern);
  for (const double held : {3e-5, 1e-5}) {
    CAPTURE(held);
    std::srand(5);
    Eigen::MatrixXd A = held * Eigen::MatrixXd::Identity(3 * bodies, 3 * bodies);
    for (const auto& [a, b] : pattern.pairs) {
      A.block(3 * a, 3 * b, 3, 3) = Eigen::Matrix3d::Identity() + 0.2 * Eigen::Matrix3d::Random();
      A.block(3 * b, 3 * a, 3, 3) = Eigen::Matrix3d::Identity() + 0.2 * Eigen::Matrix3d::Random();
    }
    REQUIRE(factorize(lu, A));
    REQUIRE(lu.needs_given());
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.rows(), -1, 2);
    for (const bool transposed : {false, true}) {
      CAPTURE(transposed);
      const Eigen::MatrixXd given = transposed ? Eigen::MatrixXd(A.transpose()) : A;
      Eigen::VectorXd x = b;
      lu.solve(x.data(), transposed);
      CHECK((given * x - b).lpNorm<Eigen::Infinity>() <= 1e-14 * (given.cwiseAbs() * x.cwiseAbs()).maxCoeff());
    }
  }
}

TEST_CASE("a matrix with a NaN is refused, wherever it is") {
  RandomJacobian jacobian(4, 3, chain_of(4, 2), false, 7);
  FrontalLu lu;
  lu.analyse(pattern_of(jacobian));
  const Eigen::MatrixXd regular = kkt_of(jacobian, 7);
  for (Index i = 0; i < regular.rows(); ++i) {
    for (Index j = 0; j < regular.cols(); ++j) {
      if (regular(i, j) == 0) continue;
      CAPTURE(i);
      CAPTURE(j);
      Eigen::MatrixXd A = regular;
      A(i, j) = std::nan("");
      CHECK_FALSE(factorize(lu, A));
      give(lu, A, lu.clear_given());
      CHECK_FALSE(lu.given_is_finite());
    }
  }
  check_against_dense(lu, regular);
}

TEST_CASE("work and storage of chains, trees and loops grow with the number of bodies, not faster") {
  for (auto* family : {&chain_of, &tree_of, &loop_of}) {
    double work[2], numbers[2];
    for (const Index size : {1, 2}) {
      const RandomJacobian jacobian(100 * size, 7, family(100 * size, 5), true, 1);
      FrontStructure structure;
      structure.analyse(pattern_of(jacobian), false);
      work[size - 1] = structure.work(), numbers[size - 1] = structure.numbers();
    }
    CHECK(work[1] < 2.1 * work[0]);
    CHECK(numbers[1] < 2.1 * numbers[0]);
  }
}
