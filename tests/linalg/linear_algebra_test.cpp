// Dense and range-space solves against each other and against their own equations, at random states off |p| = 1.
#include <doctest/doctest.h>

#include "dense_kkt.h"
#include "dense_solvers.h"
#include "linalg/schur_factor.h"
#include "loaded_model.h"
#include "shipped_models.h"
#include "trammel/error.h"
#include "trammel/math/dense_lu.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return largest / scale;
}

}  // namespace

TEST_CASE(
    "dense, range-space, sparse and automatic solves agree on every shipped model of up to 100 bodies, off |p| = 1 "
    "too") {
  for (const std::filesystem::path& file : shipped_models()) {
    CAPTURE(file.string());
    std::vector<std::vector<double>> reference;
    for (const std::string solver : {"dense", "sparse", "auto", "range_space", "articulated"}) {
      CAPTURE(solver);
      const RunFile run = load_run_file(file);
      try {
        LoadedModel loaded(file, {"analysis.solver=" + solver});
        const auto n = static_cast<std::size_t>(loaded.numbers.coordinates());
        const auto m = static_cast<std::size_t>(loaded.numbers.constraints());
        // The rows that are redundant on the constraints stay left out off them.
        REQUIRE(loaded.evaluate(evaluate_jacobian));
        loaded.numbers.rank().choose_rows(1e-6);
        for (unsigned seed = 1; seed <= 3; ++seed) {
          loaded.disturb(seed, 0.02);
          REQUIRE(loaded.evaluate(evaluate_dynamics));
          REQUIRE(loaded.numbers.factorize(ProjectionWeights::mass));
          std::vector<double> a(n), lambda(m);
          REQUIRE(loaded.numbers.solve(loaded.numbers.Q(), loaded.numbers.gamma(), LoadedModel::view(a),
                                       LoadedModel::view(lambda)));
          if (solver == "dense") {
            reference.push_back(a), reference.push_back(lambda);
          } else {
            // The range-space matrix has the squared condition of the Jacobian; the models here stay below 1e3.
            CHECK(difference(a, reference[2 * seed - 2]) < 1e-10);
            CHECK(difference(lambda, reference[2 * seed - 1]) < 1e-10);
          }
          // Residuals of the equations themselves, formed by the model's products rather than by a solver.
          std::vector<double> Ma(n), reaction(n), Phi_q_a(m);
          loaded.numbers.apply_mass(LoadedModel::view(a), LoadedModel::view(Ma));
          loaded.numbers.apply_jacobian_transpose(LoadedModel::view(lambda), LoadedModel::view(reaction));
          loaded.numbers.apply_jacobian(LoadedModel::view(a), LoadedModel::view(Phi_q_a));
          double terms = 1;  // the balance is good to rounding of what cancels in it
          for (std::size_t i = 0; i < n; ++i) terms = std::max({terms, std::abs(Ma[i]), std::abs(reaction[i])});
          for (std::size_t i = 0; i < n; ++i) Ma[i] += reaction[i];
          std::vector<double> Q(loaded.numbers.Q().data, loaded.numbers.Q().data + n), gamma(m);
          for (std::size_t r = 0; r < m; ++r) {
            const auto row = static_cast<Index>(r);
            gamma[r] = loaded.numbers.rank().is_redundant(row) ? Phi_q_a[r] : loaded.numbers.gamma()[row];
          }
          CHECK(difference(Ma, Q) < 1e-12 * terms);
          // Stiff models off their rest are accelerated by so much that gamma is what is left of it.
          const double largest =
              *std::max_element(a.begin(), a.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
          CHECK(difference(Phi_q_a, gamma) < std::max(1e-10, 1e-12 * std::abs(largest)));
        }
      } catch (const Error& error) {  // singular inertia: a rod without thickness
        CHECK((solver == "range_space" || solver == "articulated"));
        const std::string what = error.what();
        CHECK((what.find("regular inertia") != std::string::npos ||
               (solver == "articulated" && what.find("rigid bodies only") != std::string::npos)));
      }
    }
  }
}

TEST_CASE("implicit solves: sparse against dense, several right-hand sides, transposed") {
  LoadedModel loaded(examples / "slider_crank.json");
  loaded.disturb(3, 0.02);
  REQUIRE(loaded.evaluate(evaluate_dynamics));
  REQUIRE(loaded.numbers.factorize(ProjectionWeights::mass));
  const Index n = loaded.numbers.coordinates(), m = loaded.numbers.constraints(), size = n + m;
  std::vector<double> a(static_cast<std::size_t>(n)), lambda(static_cast<std::size_t>(m));
  REQUIRE(loaded.numbers.solve(loaded.numbers.Q(), loaded.numbers.gamma(), LoadedModel::view(a),
                               LoadedModel::view(lambda)));
  REQUIRE(loaded.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
  const double c0 = 0.3, c1 = 0.2;
  REQUIRE(loaded.numbers.derivatives().prepare(c0, c1));
  // The matrix column by column from the products K dq + C dv.
  Eigen::MatrixXd matrix(size, size);
  KktMatrix bare = loaded.numbers.parts().kkt.matrix();
  assemble_dense(bare, matrix);
  Eigen::VectorXd dq = Eigen::VectorXd::Zero(n), dv = Eigen::VectorXd::Zero(n), f(n), g(m);
  for (Index j = 0; j < n; ++j) {
    dq[j] = c0, dv[j] = c1;
    loaded.numbers.derivatives().apply_linearization({dq.data(), n}, {dv.data(), n}, {f.data(), n}, {g.data(), m});
    matrix.col(j).head(n) += f;
    dq[j] = dv[j] = 0;
  }
  const Eigen::MatrixXd right = Eigen::MatrixXd::Random(size, 3);
  BlockSolve* block = find_extension<BlockSolve>(static_cast<ConstrainedSystem&>(loaded.numbers));
  REQUIRE(block != nullptr);
  Eigen::MatrixXd x = right;
  ModelParts& parts = loaded.numbers.parts();
  const Shift shift{c0, c1};
  REQUIRE(parts.implicit_factors.prepare(parts.kkt.with_all_numbers(), 0, &shift, 1));  // by coordinates
  parts.implicit_factors.real(0).solve(parts.kkt.matrix_of_all_rows(), x.data(), 3, false);
  CHECK((matrix * x - right).norm() < 1e-10 * x.norm() * matrix.norm());
  x = right;
  parts.implicit_factors.real(0).solve(parts.kkt.matrix_of_all_rows(), x.data(), 3, true);
  CHECK((matrix.transpose() * x - right).norm() < 1e-10 * x.norm() * matrix.norm());
  x = right;
  block->solve_block(x.data(), 3);
  assemble_dense(bare, matrix);
  CHECK((matrix * x - right).norm() < 1e-10 * x.norm() * matrix.norm());
}

TEST_CASE("identity-weighted solves give the minimal-norm correction") {
  LoadedModel loaded(examples / "slider_crank.json");
  loaded.disturb(5, 0.02);
  REQUIRE(loaded.evaluate(evaluate_Phi | evaluate_jacobian));
  REQUIRE(loaded.numbers.factorize(ProjectionWeights::identity));
  const auto n = static_cast<std::size_t>(loaded.numbers.coordinates()),
             m = static_cast<std::size_t>(loaded.numbers.constraints());
  std::vector<double> zero(n, 0.0), g(loaded.numbers.Phi().data, loaded.numbers.Phi().data + m), x(n), lambda(m);
  REQUIRE(loaded.numbers.solve(LoadedModel::view(zero), LoadedModel::view(g), LoadedModel::view(x),
                               LoadedModel::view(lambda)));
  // Reference: pseudo-inverse of the dense Jacobian.
  Eigen::MatrixXd kkt(n + m, n + m);
  KktMatrix bare = loaded.numbers.parts().kkt.matrix();
  bare.weight = nullptr;
  assemble_dense(bare, kkt);
  const Eigen::MatrixXd Phi_q = kkt.bottomLeftCorner(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n));
  const Eigen::VectorXd expected = Phi_q.completeOrthogonalDecomposition().solve(
      Eigen::Map<Eigen::VectorXd>(g.data(), static_cast<Eigen::Index>(m)));
  CHECK(difference(x, {expected.data(), expected.data() + n}) < 1e-12);
}

TEST_CASE("the block Cholesky factor of a random graph solves what Eigen's dense one solves") {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> number(-1, 1);
  const Index bodies = 12, width = 6;
  std::vector<Index> rows;
  std::vector<SchurBlock> blocks;
  std::vector<std::pair<Index, Index>> first_rows;
  Index offset = 0, size = 0;
  for (Index group = 0; group < 13; ++group) {  // a chain closed to a loop, with groups of 1 to 5 rows
    const Index count = 1 + group % 5;
    for (Index body : {group % bodies, (group + 1) % bodies}) {
      blocks.push_back({group, body, offset, width});
      first_rows.emplace_back(size, count);
      offset += count * width;
    }
    rows.push_back(count);
    size += count;
  }
  std::vector<double> B(static_cast<std::size_t>(offset));
  for (double& entry : B) entry = number(generator);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, bodies * width);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [first, count] = first_rows[i];
    dense.block(first, blocks[i].body * width, count, width) +=
        Eigen::Map<Eigen::MatrixXd>(B.data() + blocks[i].offset, count, width);
  }
  SchurFactor factor;
  factor.analyse(rows, blocks, bodies);
  REQUIRE(factor.factorize(B.data(), nullptr));
  Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(size, -1, 1), x = right;
  factor.solve({x.data(), size});
  CHECK((dense * dense.transpose() * x - right).norm() < 1e-9);

  SUBCASE("a repeated row is named") {
    // Row 1 of group 1 becomes a copy of its row 0 in both blocks.
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].group != 1) continue;
      for (Index k = 0; k < width; ++k)
        B[static_cast<std::size_t>(blocks[i].offset + 2 * k + 1)] =
            B[static_cast<std::size_t>(blocks[i].offset + 2 * k)];
    }
    std::vector<unsigned char> dropped(static_cast<std::size_t>(size), 0);
    CHECK(factor.select(B.data(), 1e-12, dropped.data()) == 1);
    CHECK(dropped[1] + dropped[2] == 1);
    // Kept: left out for this factorization, and said so.
    REQUIRE(factor.factorize(B.data(), nullptr));
    CHECK(factor.watch().weak == 1);
    REQUIRE(factor.factorize(B.data(), dropped.data()));
    CHECK(factor.watch().weak == 0);
    CHECK(factor.watch().largest_dropped < 1e-12);
  }
}

TEST_CASE("the dense LU names the unknown it cannot determine and does not care about units") {
  DenseLu lu;
  lu.resize(3);
  lu.matrix() << 2e9, 1e3, 0, 1e3, 4e-3, 1e-3, 0, 1e-3, 5e-3;
  const Eigen::Matrix3d A = lu.matrix();
  REQUIRE(lu.factorize());
  Eigen::Vector3d x(1e9, 2e-3, -1e-3);
  const Eigen::Vector3d b = x;
  lu.solve({x.data(), 3});
  // The second row sums terms of 500 to 2e-3: forming A x rounds by 5e-11 of that.
  CHECK(((A * x - b).array() / Eigen::Array3d(1e9, 1e-3, 1e-3)).abs().maxCoeff() < 1e-9);
  lu.matrix() << 1, 2, 3, 2, 4, 6, 3, 6, 10;
  CHECK(lu.factorize().code == StatusCode::singular);
}
