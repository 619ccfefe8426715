// Dependent rows against Eigen: how many, which, of what they are combinations, how they fall into sets.
#include "linalg/row_space.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dense_solvers.h"
#include "linalg/rank.h"
#include "random_jacobian.h"

using namespace trammel;

namespace {

/// Two loops of joints between the same bodies, so that rows may be combinations of others: bodies 0 and 1 with rows 0
/// to 7, bodies 2 and 3 with rows 8 to 13.
struct Rows {
  explicit Rows(bool spatial) : jacobian(4, spatial ? 7 : 3, elements(spatial), spatial, 31) {}
  static std::vector<ElementRows> elements(bool spatial) {
    if (!spatial) return {{2, {0, 1}}, {1, {0, 1}}, {1, {0, 1}}, {2, {2, 3}}, {1, {2, 3}}};
    return {{3, {0, 1}}, {3, {0, 1}}, {2, {0, 1}}, {4, {2, 3}}, {2, {2, 3}}};
  }
  Index select(double threshold = 1e-6) {
    jacobian.write();
    space.analyse(jacobian.k);
    return space.select(jacobian.k, threshold, jacobian.dropped.data());
  }
  Eigen::Index rank() const {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(jacobian.dense.rowwise().normalized());
    lu.setThreshold(1e-6);
    return lu.rank();
  }
  RandomJacobian jacobian;
  RowSpace space;
};

void check_combination(const Rows& rows, const DependentRow& dependent) {
  Eigen::RowVectorXd rest = rows.jacobian.dense.row(dependent.row);
  const double length = rest.norm();
  for (std::size_t i = 0; i < dependent.others.size(); ++i) {
    CHECK(rows.jacobian.dropped[static_cast<std::size_t>(dependent.others[i])] == 0);
    rest -= dependent.combination[i] * rows.jacobian.dense.row(dependent.others[i]);
  }
  CHECK(rest.norm() < 1e-9 * length);
  CHECK(dependent.distance < 1e-12);
}

}  // namespace

TEST_CASE("independent rows are all kept") {
  for (const bool spatial : {false, true}) {
    Rows rows(spatial);
    REQUIRE(rows.rank() == rows.jacobian.dense.rows());
    CHECK(rows.select() == 0);
    CHECK(dependent_sets(rows.jacobian.k, rows.space).empty());
  }
}

TEST_CASE("as many rows are left out as the rank lacks, and each is the combination of those it names") {
  Rows rows(true);
  Eigen::MatrixXd& J = rows.jacobian.dense;
  J.row(5) = 2 * J.row(0) - J.row(3);
  J.row(7) = J.row(1) + 0.25 * J.row(4);
  J.row(13) = -J.row(9);
  REQUIRE(rows.rank() == J.rows() - 3);
  REQUIRE(rows.select() == 3);
  const std::vector<DependentSet> sets = dependent_sets(rows.jacobian.k, rows.space);
  // No row is in two of the three combinations.
  REQUIRE(sets.size() == 3);
  std::vector<std::vector<Index>> found;
  for (const DependentSet& set : sets) {
    REQUIRE(set.dependent.size() == 1);
    check_combination(rows, set.dependent[0]);
    found.push_back(set.rows);
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::vector<Index>>{{0, 3, 5}, {1, 4, 7}, {9, 13}});
}

TEST_CASE("combinations that share a row are one set") {
  Rows rows(true);
  Eigen::MatrixXd& J = rows.jacobian.dense;
  J.row(5) = J.row(0) + J.row(3);
  J.row(7) = J.row(0) - J.row(4);
  REQUIRE(rows.select() == 2);
  const std::vector<DependentSet> sets = dependent_sets(rows.jacobian.k, rows.space);
  REQUIRE(sets.size() == 1);
  CHECK(sets[0].rows == std::vector<Index>{0, 3, 4, 5, 7});
  for (const DependentRow& dependent : sets[0].dependent) check_combination(rows, dependent);
}

TEST_CASE("the sine of a row's angle to the others decides, whatever the rows' lengths") {
  for (const double sine : {1e-4, 1e-8}) {
    CAPTURE(sine);
    Rows rows(false);
    Eigen::MatrixXd& J = rows.jacobian.dense;
    // Row 3 at this angle to row 2: its part across row 2 is made orthogonal to all rows of these bodies.
    Eigen::MatrixXd others = J.topRows(3);
    Eigen::VectorXd across = J.row(3).transpose();
    across -= others.transpose() * (others * others.transpose()).ldlt().solve(others * across);
    J.row(3) = 1e3 * (J.row(2) / J.row(2).norm() + sine * across.transpose() / across.norm());
    CHECK(rows.select(1e-6) == (sine < 1e-6 ? 1 : 0));
    rows.jacobian.dropped.assign(rows.jacobian.dropped.size(), 0);
    rows.jacobian.dropped[3] = 1;
    REQUIRE(rows.space.factorize(rows.jacobian.k));
    CHECK(rows.space.distance(rows.jacobian.k, 3) == doctest::Approx(sine).epsilon(1e-5));
  }
}

TEST_CASE("reactions are unique although multipliers are not, where the indeterminacy stays within an element") {
  Rows rows(false);
  Eigen::MatrixXd& J = rows.jacobian.dense;
  SUBCASE("a row of the same element") {
    J.row(1) = 3 * J.row(0);
    REQUIRE(rows.select() == 1);
    CHECK(dependent_sets(rows.jacobian.k, rows.space)[0].reactions_unique);
  }
  SUBCASE("a row of another element") {
    J.row(2) = 3 * J.row(0);
    REQUIRE(rows.select() == 1);
    CHECK_FALSE(dependent_sets(rows.jacobian.k, rows.space)[0].reactions_unique);
  }
}

TEST_CASE("multipliers of the least squares cause the same reactions and are the shortest of those") {
  Rows rows(false);
  Eigen::MatrixXd& J = rows.jacobian.dense;
  J.row(3) = J.row(0) - 2 * J.row(2);
  J.row(6) = 0.5 * J.row(4);
  REQUIRE(rows.select() == 2);
  REQUIRE(rows.space.factorize(rows.jacobian.k));
  Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(J.rows(), 1, 4);
  const Eigen::VectorXd reaction = J.transpose() * lambda;
  const Eigen::VectorXd expected = J.transpose().completeOrthogonalDecomposition().solve(reaction);
  for (Index r = 0; r < static_cast<Index>(J.rows()); ++r) {
    if (rows.jacobian.dropped[static_cast<std::size_t>(r)] != 0) lambda[r] = 0;
  }
  // The same reactions by the kept rows alone, as solves give them.
  std::vector<Index> kept;
  for (Index r = 0; r < static_cast<Index>(J.rows()); ++r) {
    if (rows.jacobian.dropped[static_cast<std::size_t>(r)] == 0) kept.push_back(r);
  }
  lambda(kept) = Eigen::MatrixXd(J(kept, Eigen::all)).transpose().colPivHouseholderQr().solve(reaction);
  rows.space.minimize(rows.jacobian.k, {lambda.data(), static_cast<Index>(lambda.size())});
  CHECK((lambda - expected).norm() < 1e-9 * expected.norm());
}
