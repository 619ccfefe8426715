// Statics of `quasi_static` on a system of its own: what failures it passes on, rows in the model's unit, unknown stability.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "dense_constrained.h"
#include "statics.h"

using namespace trammel;

namespace {

/// M q'' = (t - k x, 0) with the row y = 0: equilibrium x = t / k. What fails is chosen by the test.
class Spring final : public DenseConstrained,
                     private ConstrainedLinearization,
                     private ImplicitSolve,
                     private CoordinateSizes {
 public:
  explicit Spring(double unit = 1) : DenseConstrained(2, 1, 0), unit_(unit) { Phi_q << 0, 1; }
  bool rheonomic() const override { return true; }
  const void* extension(const char* id) const override {
    return std::string(id) == CoordinateSizes::id ? static_cast<const CoordinateSizes*>(this) : nullptr;
  }
  ConstrainedLinearization* linearization() override { return this; }
  ImplicitSolve* implicit_solve() override { return this; }
  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    return projection ? DenseConstrained::project_positions(t, q, weights, tolerance, report) : projection;
  }

  double k = 4, push = 0;
  Status projection, gradients, matrix, linear;
  Index rows_wanted = 0;  ///< by the last call of time_gradients

 protected:
  void compute(double t, const Vector& q, const Vector&, const Vector&) override {
    Q_ << t - k * q[0] + push, 0;
    Phi_ << q[1];
  }

 private:
  double largest_coordinate(ConstVectorView dq) const override { return dq.map().lpNorm<Eigen::Infinity>() / unit_; }
  double largest_row(ConstVectorView Phi) const override { return Phi.map().lpNorm<Eigen::Infinity>() / unit_; }
  Status linearize(ConstVectorView, ConstVectorView) override { return linear; }
  Status apply_linearization(ConstVectorView dq, ConstVectorView, VectorView f, VectorView g) override {
    f[0] = k * dq[0], f[1] = 0, g[0] = 0;
    return Status::success();
  }
  Status apply_jacobian_gradient(ConstVectorView, ConstVectorView, VectorView out) override {
    out[0] = 0;
    return Status::success();
  }
  Status apply_time_jacobian(ConstVectorView, VectorView out) override {
    out[0] = 0;
    return Status::success();
  }
  Status time_gradients(ConstVectorView, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override {
    rows_wanted = Phi_tt.size + acceleration_t.size;
    Q_t[0] = 1, Q_t[1] = 0;
    return gradients;
  }
  Status prepare(Index, const Shift* shifts, Index) override {
    Matrix A = Matrix::Zero(3, 3);
    A.topLeftCorner(2, 2) = M;
    A(0, 0) += shifts[0].c0 * k;
    A(1, 2) = A(2, 1) = 1;
    factor_.compute(A);
    return matrix;
  }
  Status solve_implicit(Index, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    const Eigen::Vector3d all = factor_.solve(Eigen::Vector3d(f[0], f[1], g[0]));
    x.map() = all.head(2), lambda[0] = all[2];
    return Status::success();
  }
  Status solve_implicit_complex(Index, ConstComplexView, ConstComplexView, ComplexView, ComplexView) override {
    return Status::failure(StatusCode::unsupported, "complex");
  }

  double unit_;
  Eigen::PartialPivLU<Matrix> factor_;
};

struct At {
  double q[2] = {0, 0}, lambda[1] = {0}, rate[2] = {7, 7};
  VectorView x() { return {q, 2}; }
  VectorView forces() { return {lambda, 1}; }
  VectorView v() { return {rate, 2}; }
};

const Status nan_somewhere = Status::failure(StatusCode::not_finite, "a force");
const Status outside = Status::failure(StatusCode::out_of_domain, "a spline");

}  // namespace

TEST_CASE("the equilibrium and its rate; nothing is asked of drivers that statics does not need") {
  Spring spring;
  Statics statics(spring);
  At at;
  Index iterations = 0;
  REQUIRE(statics.solve(2, at.x(), at.forces(), true, iterations));
  CHECK(at.q[0] == doctest::Approx(0.5).epsilon(1e-12));
  spring.rows_wanted = -1;
  REQUIRE(statics.rate(2, at.x(), at.forces(), at.v()));
  CHECK(at.rate[0] == doctest::Approx(0.25).epsilon(1e-10));
  CHECK(spring.rows_wanted == 0);
}

TEST_CASE("a search passes on that something is not finite, wherever it appears") {
  const auto search = [](const auto& spoil, bool far) {
    Spring spring;
    spoil(spring);
    Statics statics(spring);
    At at;
    Index iterations = 0;
    return statics.solve(2, at.x(), at.forces(), far, iterations).code;
  };
  for (const bool far : {false, true}) {
    CAPTURE(far);
    CHECK(search([](Spring& s) { s.push = std::nan(""); }, far) == StatusCode::not_finite);
    CHECK(search([](Spring& s) { s.matrix = nan_somewhere; }, far) == StatusCode::not_finite);
  }
  // Where nothing holds the body, the search ends without an equilibrium and the constraints are asked.
  const auto runs_away = [](Spring& s) { s.k = 0; };
  CHECK(search(runs_away, false) == StatusCode::not_converged);
  CHECK(search([&](Spring& s) { runs_away(s), s.projection = nan_somewhere; }, false) == StatusCode::not_finite);
}

TEST_CASE("a rate fails as singular where equilibria have none, and as what failed elsewhere") {
  const auto rate = [](const auto& spoil) {
    Spring spring;
    Statics statics(spring);
    At at;
    Index iterations = 0;
    REQUIRE(statics.solve(2, at.x(), at.forces(), true, iterations));
    spoil(spring);
    return statics.rate(2, at.x(), at.forces(), at.v());
  };
  CHECK(Statics::finds_none(rate([](Spring& s) { s.matrix = Status::failure(StatusCode::singular, "matrix"); })));
  for (const Status& failure : {outside, nan_somewhere, Status::failure(StatusCode::unsupported, "no derivative")}) {
    CAPTURE(status_name(failure.code));
    const Status status = rate([&](Spring& s) { s.gradients = failure; });
    CHECK(status.code == failure.code);
    CHECK(!Statics::finds_none(status));
  }
  CHECK(!Statics::finds_none(Status::success()));
}

TEST_CASE("a jump passes on what is no missing equilibrium, and puts back where it began") {
  for (const Status& failure : {outside, nan_somewhere}) {
    CAPTURE(status_name(failure.code));
    Spring spring;
    Statics statics(spring);
    At at;
    Index iterations = 0;
    REQUIRE(statics.solve(2, at.x(), at.forces(), true, iterations));
    const double x = at.q[0];
    spring.push = 10, spring.linear = failure;
    const Statics::Jump jump = statics.jump(2, at.x(), at.forces());
    CHECK(jump.status.code == failure.code);
    CHECK(!jump.snaps);
    CHECK(at.q[0] == x);
  }
}

TEST_CASE("rows are held in the model's unit of length") {
  constexpr double unit = 1.0 / (1024.0 * 1024.0);
  Spring spring(unit);
  Statics statics(spring);
  At at;
  at.q[1] = 5e-13;  // nothing for a crane; half a part in a million of this model
  Index iterations = 0;
  REQUIRE(statics.solve(0, at.x(), at.forces(), false, iterations));
  CHECK(std::abs(at.q[1]) < 1e-12 * unit);
}

TEST_CASE("stability is known to be unknown where the equations or the masses do not tell") {
  Spring spring;
  Statics statics(spring);
  At at;
  CHECK(statics.stability(0, at.x(), at.forces()).unknown == nullptr);
  CHECK(statics.stability(0, at.x(), at.forces()).unstable == 0);
  spring.k = -4;
  CHECK(statics.stability(0, at.x(), at.forces()).unstable == 1);
  // Light, but not without mass.
  spring.M(0, 0) = 1e-20;
  CHECK(statics.stability(0, at.x(), at.forces()).unknown == nullptr);
  spring.M(0, 0) = 0;
  REQUIRE(statics.stability(0, at.x(), at.forces()).unknown != nullptr);
  CHECK(std::string(statics.stability(0, at.x(), at.forces()).unknown).find("has no mass") != std::string::npos);
  spring.M(0, 0) = 1, spring.linear = outside;
  REQUIRE(statics.stability(0, at.x(), at.forces()).unknown != nullptr);
  CHECK(std::string(statics.stability(0, at.x(), at.forces()).unknown).find("linearized") != std::string::npos);
}

TEST_CASE("two directions that move one mass are one too many") {
  class Pair final : public DenseConstrained, private ConstrainedLinearization, private ImplicitSolve {
   public:
    Pair() : DenseConstrained(2, 0, 0) { M << 1, 1, 1, 1 + 4 * std::numeric_limits<double>::epsilon(); }
    bool rheonomic() const override { return false; }
    ConstrainedLinearization* linearization() override { return this; }
    ImplicitSolve* implicit_solve() override { return this; }

   protected:
    void compute(double, const Vector& q, const Vector&, const Vector&) override { Q_ = -q; }

   private:
    Status linearize(ConstVectorView, ConstVectorView) override { return {}; }
    Status apply_linearization(ConstVectorView dq, ConstVectorView, VectorView f, VectorView) override {
      f.map() = dq.map();
      return {};
    }
    Status apply_jacobian_gradient(ConstVectorView, ConstVectorView, VectorView) override { return {}; }
    Status apply_time_jacobian(ConstVectorView, VectorView) override { return {}; }
    Status time_gradients(ConstVectorView, VectorView, VectorView, VectorView) override { return {}; }
    Status prepare(Index, const Shift*, Index) override { return {}; }
    Status solve_implicit(Index, ConstVectorView, ConstVectorView, VectorView, VectorView) override { return {}; }
    Status solve_implicit_complex(Index, ConstComplexView, ConstComplexView, ComplexView, ComplexView) override {
      return {};
    }
  } pair;
  Statics statics(pair);
  double q[2] = {0, 0};
  CHECK(statics.stability(0, {q, 2}, {}).unknown != nullptr);
}
