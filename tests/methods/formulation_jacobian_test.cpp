// Formulation::jacobian against central differences of the right-hand sides, on shipped models under every formulation;
// the differences and the factorizations that the SDK offers beside it.
#include <doctest/doctest.h>

#include <cmath>

#include "built_component.h"
#include "model_in_motion.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/sdk/math/lu.h"
#include "trammel/sdk/math/ode_jacobian.h"

using namespace trammel;

namespace {

/// A model at a consistent state under the first-order view of a formulation.
struct Formulated {
  Formulated(LoadedModel& model, const Formulation& treatment) : loaded(model), formulation(treatment) {
    ConstrainedModel& m = model.numbers;
    const MemorySize size = formulation.memory(m);
    state.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    const VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
    y.resize(formulation.ode_size(m));
    starts = formulation.start(m, t, q, v, memory()).ok();
    REQUIRE(embed_state(formulation, m, t, q, v, LoadedModel::view(loaded.z), memory(), view(y)));
  }
  Memory memory() { return {state.data(), scratch.data(), nullptr}; }
  Vector rhs(const Vector& at) {
    Vector f(at.size()), copy = at;
    REQUIRE(formulation.rhs(loaded.numbers, t, view(copy), memory(), view(f)));
    std::fill(scratch.begin(), scratch.end(), 1e300);
    return f;
  }
  Matrix jacobian() {
    Matrix J = Matrix::Constant(y.size(), y.size(), std::nan(""));
    const auto size = static_cast<Index>(y.size());
    REQUIRE(formulation.jacobian(loaded.numbers, t, view(y), memory(), {J.data(), size, size, size}));
    std::fill(scratch.begin(), scratch.end(), 1e300);
    return J;
  }
  /// By four points, error of order step^4 where forces are smooth.
  Matrix differences(double step) {
    Matrix J(y.size(), y.size());
    for (Eigen::Index j = 0; j < y.size(); ++j) {
      const auto at = [&](double e) {
        Vector moved = y;
        moved[j] += e;
        return rhs(moved);
      };
      J.col(j) = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    }
    return J;
  }

  static constexpr double t = InMotion::t;
  LoadedModel& loaded;
  const Formulation& formulation;
  std::vector<double> state, scratch;
  Vector y;
  bool starts = false;
};

Status consistent(LoadedModel& loaded) {
  ConstrainedModel& m = loaded.numbers;
  ProjectionReport report;
  loaded.disturb(7, 0.01);
  const VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
  Status status = m.project_positions(Formulated::t, q, ProjectionWeights::identity, 1e-13, report);
  if (status) status = m.evaluate(Formulated::t, q, v, {}, evaluate_jacobian);
  if (status) m.rank().choose_rows(1e-6);
  return status ? m.project_velocities(Formulated::t, q, v, ProjectionWeights::mass, report) : status;
}

}  // namespace

TEST_CASE("exact Jacobians of first-order views are the derivatives of their right-hand sides") {
  const BuiltComponent<Formulation> direct(ComponentKind::formulation, "direct"),
      baumgarte(ComponentKind::formulation, "baumgarte", {{{"alpha", 5}, {"beta", 3}}, {}, {}}),
      projection(ComponentKind::formulation, "projection"),
      partitioning(ComponentKind::formulation, "coordinate_partitioning"), hybrid(ComponentKind::formulation, "hybrid"),
      recursive(ComponentKind::formulation, "recursive");
  int tried = 0, with_states = 0, smooth_ones = 0;
  for (const auto& file : mechanisms(6)) {
    CAPTURE(file.string());
    LoadedModel loaded(file);
    if (!consistent(loaded) || loaded.numbers.constraints() >= loaded.numbers.coordinates()) continue;
    if (tried >= 60 && loaded.numbers.internal_states() == 0) continue;
    ++tried;
    with_states += loaded.numbers.internal_states() > 0;
    for (const Formulation* treatment : {&*direct, &*baumgarte, &*projection, &*partitioning, &*hybrid, &*recursive}) {
      Formulated s(loaded, *treatment);
      if (!s.starts) continue;
      if (treatment == &*hybrid) {  // stabilized behind a step within its tolerances
        Vector y = s.y;
        treatment->correct(loaded.numbers, s.t, view(y), {}, s.memory());
      }
      const Matrix exact = s.jacobian(), differenced = s.differences(1e-3), finer = s.differences(1e-4);
      const double size = 1 + differenced.norm() + s.rhs(s.y).norm();
      CAPTURE(treatment->traits().constraint_limit);
      // Knots of splines and laws with kinks stand between the points: the finer differences decide, less exactly.
      const bool smooth = (differenced - finer).norm() < 1e-6 * size;
      CHECK((exact - (smooth ? differenced : finer)).norm() < (smooth ? 2e-6 : 1e-4) * size);
      smooth_ones += smooth;
    }
  }
  MESSAGE(tried << " models, " << with_states << " with internal states");
  CHECK(tried > 40);
  CHECK(with_states > 0);
  CHECK(smooth_ones > 5 * tried);  // of six
}

namespace {

class Quadratic final : public OdeSystem {
 public:
  Index size() const override { return 2; }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    f[0] = t * y[0] * y[1];
    f[1] = y[0] - y[1] * y[1];
    return Status::success();
  }
  ConstVectorView mask() const override { return {ones_, 2}; }

 private:
  double ones_[2] = {1, 1};
};

}  // namespace

TEST_CASE("differences of a first-order view, and complex LU in memory of the caller") {
  Quadratic system;
  Vector y(2), f(2), moved(2), f_moved(2);
  y << 1.5, -0.5;
  REQUIRE(system.rhs(2, view(y), view(f)));
  Matrix J(2, 2), exact(2, 2);
  exact << -1, 3, 1, 1;
  bool differenced = false;
  REQUIRE(sdk::ode_jacobian(system, 2, view(y), view(f), view(moved), view(f_moved), {J.data(), 2, 2, 2}, differenced));
  CHECK(differenced);
  CHECK((J - exact).norm() < 1e-6);

  const Index n = 5;
  std::vector<double> storage(static_cast<std::size_t>(sdk::ComplexLu::size(n)));
  sdk::ComplexLu lu(storage.data(), n);
  const Eigen::MatrixXcd A = Eigen::MatrixXcd::Random(n, n);
  const Eigen::VectorXcd b = Eigen::VectorXcd::Random(n);
  lu.matrix() = A;
  REQUIRE(lu.factorize());
  Eigen::VectorXcd x = b;
  lu.solve(x);
  CHECK((A * x - b).norm() < 1e-12);
  lu.matrix() = A;
  lu.matrix().col(3) = std::complex<double>(0, 2) * A.col(1);
  CHECK(lu.factorize().code == StatusCode::singular);
}
