// The choice of dependent coordinates against Eigen: rank, conditioning, coordinates that are forced, rows that depend.
#include "linalg/choose_columns.h"

#include <doctest/doctest.h>

#include <cmath>

#include "dense_solvers.h"
#include "random_jacobian.h"

using namespace trammel;

namespace {

struct Choice {
  Choice(const RandomJacobian& jacobian, const Eigen::VectorXd& scale = {}, const Eigen::VectorXd& forced = {})
      : independent(Eigen::VectorXd::Constant(jacobian.dense.cols(), 7)) {
    const auto view = [](const Eigen::VectorXd& x) { return ConstVectorView{x.data(), static_cast<Index>(x.size())}; };
    status = choose_columns(jacobian.k, view(scale), view(forced),
                            {independent.data(), static_cast<Index>(independent.size())});
    for (Index i = 0; i < static_cast<Index>(independent.size()); ++i) {
      (independent[i] == 0 ? dependent : others).push_back(i);
    }
  }
  Status status;
  Eigen::VectorXd independent;
  std::vector<Index> dependent, others;
};

Eigen::VectorXd scale_of(Eigen::Index n) {
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = std::exp2(0.1 * static_cast<double>(i * 7 % 11));
  return scale;
}

}  // namespace

TEST_CASE("as many columns as rows are chosen, and they are regular") {
  for (const bool spatial : {false, true}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      CAPTURE(spatial);
      CAPTURE(seed);
      const RandomJacobian jacobian(6, spatial ? 7 : 3, loop_of(6, spatial ? 5 : 2), spatial, seed);
      const Choice choice(jacobian);
      REQUIRE(choice.status);
      REQUIRE(static_cast<Eigen::Index>(choice.dependent.size()) == jacobian.dense.rows());
      for (const Index i : choice.others) CHECK(choice.independent[i] == 1);
      const Eigen::MatrixXd Phi_u = jacobian.dense(Eigen::all, choice.dependent);
      // Full pivoting on n columns comes within a modest factor of the best choice, whose condition is at least that of
      // the whole Jacobian.
      const Eigen::JacobiSVD<Eigen::MatrixXd> all(jacobian.dense), chosen(Phi_u);
      const auto smallest = [](const auto& svd) { return svd.singularValues().minCoeff(); };
      CHECK(smallest(chosen) > smallest(all) / (10 * std::sqrt(static_cast<double>(jacobian.dense.cols()))));
    }
  }
}

TEST_CASE("the columns are those of full pivoting on the dense matrix") {
  for (const bool spatial : {false, true}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      CAPTURE(spatial);
      CAPTURE(seed);
      const RandomJacobian jacobian(8, spatial ? 7 : 3, loop_of(8, spatial ? 5 : 2), spatial, seed);
      const Choice choice(jacobian);
      REQUIRE(choice.status);
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(jacobian.dense);
      Eigen::VectorXd independent = Eigen::VectorXd::Ones(jacobian.dense.cols());
      for (Eigen::Index i = 0; i < lu.rank(); ++i) independent[lu.permutationQ().indices()[i]] = 0;
      CHECK(choice.independent == independent);
    }
  }
}

TEST_CASE("with scales no independent coordinate moves a dependent one by more than 1.5 in these units") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const RandomJacobian jacobian(12, 7, loop_of(12, 5), true, seed);
    const Eigen::VectorXd scale = scale_of(jacobian.dense.cols());
    const Choice choice(jacobian, scale);
    REQUIRE(choice.status);
    const Eigen::MatrixXd scaled = jacobian.dense * scale.asDiagonal();
    const Eigen::MatrixXd B = Eigen::MatrixXd(scaled(Eigen::all, choice.dependent))
                                  .fullPivLu()
                                  .solve(Eigen::MatrixXd(scaled(Eigen::all, choice.others)));
    CHECK(B.cwiseAbs().maxCoeff() <= 1.5 * (1 + 1e-9));
  }
}

TEST_CASE("coordinates that are forced become independent, as long as the others have the rank") {
  const RandomJacobian jacobian(5, 3, chain_of(5, 2), false, 21);
  Eigen::VectorXd forced = Eigen::VectorXd::Zero(15);
  forced[0] = forced[4] = forced[8] = 1;
  for (const Eigen::VectorXd& scale : {Eigen::VectorXd(), scale_of(15)}) {
    const Choice choice(jacobian, scale, forced);
    REQUIRE(choice.status);
    for (const Index i : {0, 4, 8}) CHECK(choice.independent[i] == 1);
    CHECK(Eigen::MatrixXd(jacobian.dense(Eigen::all, choice.dependent)).fullPivLu().rank() == 10);
  }
  forced[1] = 1;  // one coordinate is left of the body that two rows hold
  const Choice refused(jacobian, {}, forced);
  CHECK(refused.status.code == StatusCode::singular);
  CHECK(refused.status.value == 9);
  CHECK(refused.others.size() == 15);
  CHECK((refused.independent.array() == 7).all());  // as it was
}

TEST_CASE("rows that depend on others are named with the rank; rows left out do not count") {
  RandomJacobian jacobian(3, 7, {{5, {0}}, {3, {0, 1}}, {3, {0, 1}}, {4, {1, 2}}}, true, 23);
  jacobian.dense.row(9) = 0.5 * jacobian.dense.row(5) - 2 * jacobian.dense.row(7) + jacobian.dense.row(10);
  jacobian.write();
  const Eigen::FullPivLU<Eigen::MatrixXd> transposed(Eigen::MatrixXd(jacobian.dense.transpose()));
  REQUIRE(transposed.rank() == 17);
  const Choice choice(jacobian);
  CHECK(choice.status.code == StatusCode::singular);
  CHECK(choice.status.value == 17);
  REQUIRE(choice.status.subject >= 0);
  const Eigen::MatrixXd kernel = transposed.kernel();
  CHECK(std::abs(kernel(choice.status.subject, 0)) > 1e-9);
  jacobian.dropped[static_cast<std::size_t>(choice.status.subject)] = 1;
  const Choice again(jacobian);
  CHECK(again.status);
  CHECK(again.dependent.size() == 17);
}

TEST_CASE("large models, row by row: regular, with scales within the bound, a dependent row is named") {
  RandomJacobian jacobian(130, 3, loop_of(130, 2), false, 25);  // 262 rows, 390 columns: 2.7e7 = m^2 n lies below
  RandomJacobian large(150, 3, loop_of(150, 2), false, 25);     // 4.1e7 above what is done densely
  for (const Eigen::VectorXd& scale : {Eigen::VectorXd(), scale_of(450)}) {
    const Choice choice(large, scale);
    REQUIRE(choice.status);
    REQUIRE(choice.dependent.size() == 302);
    const Eigen::MatrixXd Phi_u = large.dense(Eigen::all, choice.dependent);
    CHECK(Eigen::PartialPivLU<Eigen::MatrixXd>(Phi_u).rcond() > 1e-9);
    if (scale.size() == 0) continue;
    const Eigen::MatrixXd B = (Phi_u * scale(choice.dependent).asDiagonal())
                                  .partialPivLu()
                                  .solve(large.dense(Eigen::all, choice.others) * scale(choice.others).asDiagonal());
    CHECK(B.cwiseAbs().maxCoeff() <= 1.5 * (1 + 1e-6));
  }
  CHECK(Choice(jacobian).status);
  large.dense.row(200) = large.dense.row(201);
  large.write();
  const Choice refused(large);
  CHECK(refused.status.code == StatusCode::singular);
  CHECK(refused.status.value == 301);
  CHECK((refused.status.subject == 200 || refused.status.subject == 201));
}
