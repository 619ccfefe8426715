// Generalized coordinate partitioning: the kernel's PartitionSolve against dense linear algebra, the identities of
// Haug's section 7.2, and the choice of coordinates.
#include <doctest/doctest.h>

#include <cstdlib>

#include "dense_solvers.h"
#include "generated_model.h"
#include "paper_row.h"

using namespace trammel;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

const std::filesystem::path source = TRAMMEL_SOURCE_DIR, examples = source / "configs/examples";

VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// A model at a state away from rest, and its matrices as dense ones, kept rows only.
struct Parted {
  explicit Parted(const std::filesystem::path& file) : loaded(file), model(loaded.numbers) {
    n = model.coordinates();
    ProjectionReport report;
    VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
    REQUIRE(model.evaluate(0, q, v, LoadedModel::view(loaded.z), evaluate_jacobian));
    model.rank().choose_rows(1e-6);
    for (Index i = 0; i < n; ++i) loaded.v[static_cast<std::size_t>(i)] += 0.3 * std::sin(1.0 + i);
    REQUIRE(model.project_velocities(0, q, v, ProjectionWeights::mass, report));
    REQUIRE(model.evaluate(0, q, v, LoadedModel::view(loaded.z), evaluate_dynamics | evaluate_nu));
    for (Index r = 0; r < model.constraints(); ++r) {
      if (!model.rank().is_redundant(r)) kept.push_back(r);
    }
    solver = find_extension<PartitionSolve>(static_cast<ConstrainedSystem&>(model));
    REQUIRE(solver != nullptr);
    independent = Vector::Constant(n, -1);
    REQUIRE(solver->choose_partition({}, view(independent)));
    for (Index i = 0; i < n; ++i) (independent[i] != 0 ? w : u).push_back(i);
  }

  Matrix jacobian() {
    Matrix J(model.constraints(), n);
    Vector unit(n), column(model.constraints());
    for (Index i = 0; i < n; ++i) {
      unit = Vector::Unit(n, i);
      model.apply_jacobian(view(unit), view(column));
      J.col(i) = column;
    }
    return J(kept, Eigen::all);
  }
  Matrix mass() {
    Matrix M(n, n);
    Vector unit(n), column(n);
    for (Index i = 0; i < n; ++i) {
      unit = Vector::Unit(n, i);
      model.apply_mass(view(unit), view(column));
      M.col(i) = column;
    }
    return M;
  }
  Vector kept_part(ConstVectorView x) const { return x.map()(kept); }

  LoadedModel loaded;
  ConstrainedModel& model;
  PartitionSolve* solver = nullptr;
  Index n = 0;
  Vector independent;
  std::vector<Index> kept, u, w;
};

std::vector<std::filesystem::path> mechanisms() {
  return {examples / "slider_crank.json", examples / "planar_four_bar.json", examples / "bennett_linkage.json",
          examples / "spatial_four_bar.json", examples / "chain_64.json"};
}

}  // namespace

TEST_CASE(
    "the partition has as many dependent coordinates as kept rows; its solves and condition agree with dense ones") {
  for (const auto& file : mechanisms()) {
    CAPTURE(file.filename().string());
    Parted s(file);
    CHECK(s.u.size() == s.kept.size());
    const Matrix Phi_u = s.jacobian()(Eigen::all, s.u);
    REQUIRE(s.solver->factorize_dependent(view(s.independent)));

    const Vector truth = Vector::LinSpaced(s.n, -1, 2);
    Vector r = Vector::Zero(s.model.constraints()), x(s.n), y(s.model.constraints());
    r(s.kept) = Phi_u * truth(s.u);
    s.solver->solve_dependent(view(r), view(x));
    const double condition = Eigen::JacobiSVD<Matrix>(Phi_u).singularValues()(0) /
                             Eigen::JacobiSVD<Matrix>(Phi_u).singularValues().tail(1)(0);
    CAPTURE(condition);
    const double rounding = 1e-14 * condition * condition + 1e-13;  // normal equations
    CHECK((x(s.u) - truth(s.u)).norm() < rounding * truth.norm());
    CHECK(x(s.w).norm() == 0);

    Vector f = Vector::Zero(s.n);
    const Vector multipliers = Vector::LinSpaced(static_cast<Index>(s.kept.size()), 1, -1);
    f(s.u) = Phi_u.transpose() * multipliers;
    f(s.w).setConstant(5);  // not looked at
    s.solver->solve_dependent_transpose(view(f), view(y));
    CHECK((y(s.kept) - multipliers).norm() < rounding * multipliers.norm());

    Vector guess = Vector::Zero(s.model.constraints());
    const double estimate = s.solver->dependent_condition(view(guess));
    const double exact = Phi_u.norm() / Eigen::JacobiSVD<Matrix>(Phi_u).singularValues().tail(1)(0);
    CHECK(estimate < 1.0001 * exact);
    CHECK(estimate > 0.7 * exact);  // inverse iteration stops where it settles within 2 percent per step
    CHECK(s.solver->dependent_condition(view(guess)) > 0.8 * exact);
  }
}

TEST_CASE("Haug (7.2.14) to (7.2.16): the reduced equations give the accelerations of the KKT system" *
          doctest::test_suite("papers")) {
  for (const auto& file : mechanisms()) {
    CAPTURE(file.filename().string());
    Parted s(file);
    const Matrix J = s.jacobian(), M = s.mass();
    const Matrix Phi_u = J(Eigen::all, s.u), Phi_w = J(Eigen::all, s.w);
    const Eigen::PartialPivLU<Matrix> lu(Phi_u);
    const Matrix H = lu.solve(Phi_w);  // Phi_u^-1 Phi_w
    const Matrix Muu = M(s.u, s.u), Muw = M(s.u, s.w), Mww = M(s.w, s.w);
    const Vector Q = s.model.Q().map(), gamma = lu.solve(s.kept_part(s.model.gamma()));
    const Matrix M_hat = Mww - Muw.transpose() * H - H.transpose() * (Muw - Muu * H);                // (7.2.15)
    const Vector Q_hat = Q(s.w) - Muw.transpose() * gamma - H.transpose() * (Q(s.u) - Muu * gamma);  // (7.2.16)
    const Vector reduced = M_hat.ldlt().solve(Q_hat);                                                // (7.2.14)

    Vector a(s.n), lambda(s.model.constraints());
    REQUIRE(s.model.factorize(ProjectionWeights::mass));
    REQUIRE(s.model.solve(s.model.Q(), s.model.gamma(), view(a), view(lambda)));
    // Rounding grows with the conditions of Phi_u and M^; 64 links are the worst here.
    const auto check = [&](const char* what, double error) {
      const std::string name = file.stem().string() + what;
      check_paper_row({"Haug, (7.2.14) to (7.2.18)", name, PaperFigure::none, 0, 1e-7}, error);
    };
    check(": difference of w'', (7.2.14)", (reduced - a(s.w)).norm() / (1 + a(s.w).norm()));
    check(": difference of u'', (7.2.12)", (gamma - H * reduced - a(s.u)).norm() / (1 + a.norm()));
  }
}

TEST_CASE("Haug (7.2.18): dq'^T M dq' of admissible velocities is the reduced quadratic form in dw'" *
          doctest::test_suite("papers")) {
  for (const auto& file : mechanisms()) {
    CAPTURE(file.filename().string());
    Parted s(file);
    const Matrix J = s.jacobian(), M = s.mass();
    const Matrix H = J(Eigen::all, s.u).partialPivLu().solve(Matrix(J(Eigen::all, s.w)));
    const Matrix Muu = M(s.u, s.u), Muw = M(s.u, s.w);
    const Matrix M_hat = Matrix(M(s.w, s.w)) - Muw.transpose() * H - H.transpose() * (Muw - Muu * H);
    // Admissible by the minimal-norm projection, which knows nothing of the partition.
    Vector v = Vector::LinSpaced(s.n, -2, 1);
    const Matrix S = J * J.transpose();
    for (int sweep = 0; sweep < 2; ++sweep) v -= J.transpose() * S.ldlt().solve(J * v);
    const double full = v.dot(M * v), reduced = v(s.w).dot(M_hat * v(s.w));
    CHECK(full > 0);
    const std::string name = file.stem().string() + ": dw'^T M^ dw' over dq'^T M dq'";
    check_paper_row({"Haug, (7.2.14) to (7.2.18)", name, PaperFigure::none, 1, 1e-8}, reduced / full);
    CHECK(M_hat.selfadjointView<Eigen::Lower>().llt().info() == Eigen::Success);  // positive definite
  }
}

TEST_CASE("forced coordinates are independent, or the rank that the others have is told") {
  Parted s(examples / "slider_crank.json");
  Vector forced = Vector::Zero(s.n), chosen = Vector::Zero(s.n);
  forced[6] = 1;  // e3 of the crank, which turns about z
  REQUIRE(s.solver->choose_partition(view(forced), view(chosen)));
  CHECK(chosen[6] == 1);
  CHECK(chosen.sum() == doctest::Approx(s.n - static_cast<double>(s.kept.size())));
  forced.setZero();
  forced[2] = 1;  // z of the crank does not move
  chosen.setConstant(7);
  const Status status = s.solver->choose_partition(view(forced), view(chosen));
  CHECK(status.code == StatusCode::singular);
  CHECK(status.value == static_cast<double>(s.kept.size()) - 1);
  CHECK(status.subject >= 0);
  CHECK(chosen == Vector::Constant(s.n, 7));
}

TEST_CASE("large models: elimination by sparse rows gives a well-conditioned partition") {
  for (const char* family : {"revolute_chain", "four_bar_ladder_redundant", "binary_tree"}) {
    CAPTURE(family);
    Parted s(generated(family, 255));
    CHECK(s.u.size() == s.kept.size());
    REQUIRE(s.solver->factorize_dependent(view(s.independent)));
    Vector guess = Vector::Zero(s.model.constraints());
    const double condition = s.solver->dependent_condition(view(guess));
    CAPTURE(condition);
    CHECK(condition < 1e6);  // Newton's method through the normal equations converges below about 1e7
  }
}
