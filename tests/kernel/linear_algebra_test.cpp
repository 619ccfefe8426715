// Dense and range-space solves against each other and against their own equations, at random states off |p| = 1.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "linalg/dense_kkt.h"
#include "linalg/rank.h"
#include "linalg/schur_factor.h"
#include "loaded_model.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";

std::vector<std::filesystem::path> shipped_models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    if (entry.path().extension() != ".json") continue;
    const RunFile run = load_run_file(entry.path());
    if (!run.bodies.empty() && run.bodies.size() <= 70) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return largest / scale;
}

}  // namespace

TEST_CASE("range-space and dense solves agree on every shipped model, off |p| = 1 too") {
  for (const std::filesystem::path& file : shipped_models()) {
    CAPTURE(file.string());
    LoadedModel dense(file, LinearSolver::dense), sparse(file, LinearSolver::range_space);
    const auto n = static_cast<std::size_t>(dense.numbers.coordinates());
    const auto m = static_cast<std::size_t>(dense.numbers.constraints());
    for (unsigned seed = 1; seed <= 3; ++seed) {
      std::vector<double> a1(n), a2(n), l1(m), l2(m);
      for (LoadedModel* side : {&dense, &sparse}) {
        side->disturb(seed, 0.02);
        REQUIRE(side->evaluate(evaluate_dynamics));
        REQUIRE(side->numbers.factorize(ProjectionWeights::mass));
        std::vector<double>&a = side == &dense ? a1 : a2, &lambda = side == &dense ? l1 : l2;
        REQUIRE(side->numbers.solve(side->numbers.Q(), side->numbers.gamma(), LoadedModel::view(a),
                                    LoadedModel::view(lambda)));
      }
      // The range-space matrix has the squared condition of the Jacobian; the models here stay below 1e3.
      CHECK(difference(a2, a1) < 1e-10);
      CHECK(difference(l2, l1) < 1e-10);
      // Residuals of the equations themselves, formed by the model's products rather than by a solver.
      std::vector<double> Ma(n), reaction(n), Phi_q_a(m);
      sparse.numbers.apply_mass(LoadedModel::view(a2), LoadedModel::view(Ma));
      sparse.numbers.apply_jacobian_transpose(LoadedModel::view(l2), LoadedModel::view(reaction));
      sparse.numbers.apply_jacobian(LoadedModel::view(a2), LoadedModel::view(Phi_q_a));
      for (std::size_t i = 0; i < n; ++i) Ma[i] += reaction[i];
      std::vector<double> Q(sparse.numbers.Q().data, sparse.numbers.Q().data + n);
      std::vector<double> gamma(sparse.numbers.gamma().data, sparse.numbers.gamma().data + m);
      CHECK(difference(Ma, Q) < 1e-10);
      CHECK(difference(Phi_q_a, gamma) < 1e-10);
    }
  }
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
  KktMatrix bare = loaded.numbers.kkt();
  bare.weight = nullptr;
  assemble_dense(bare, kkt);
  const Eigen::MatrixXd Phi_q = kkt.bottomLeftCorner(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n));
  const Eigen::VectorXd expected =
      Phi_q.completeOrthogonalDecomposition().solve(Eigen::Map<Eigen::VectorXd>(g.data(), static_cast<Eigen::Index>(m)));
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
      blocks.push_back({group, body, offset});
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
  factor.analyse(rows, blocks, bodies, width);
  REQUIRE(factor.factorize(B.data(), nullptr));
  Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(size, -1, 1), x = right;
  factor.solve({x.data(), size});
  CHECK((dense * dense.transpose() * x - right).norm() < 1e-9);

  SUBCASE("a repeated row is named") {
    // Row 1 of group 1 becomes a copy of its row 0 in both blocks.
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].group != 1) continue;
      for (Index k = 0; k < width; ++k) B[static_cast<std::size_t>(blocks[i].offset + 2 * k + 1)] = B[static_cast<std::size_t>(blocks[i].offset + 2 * k)];
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
