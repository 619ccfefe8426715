// The state-space view of coordinate partitioning: M^ w'' = Q^ and its Jacobians against differences of the
// accelerations and against the paper's block formulas, at random states of every shipped model.
#include "trammel/sdk/formulations/state_space.h"

#include <doctest/doctest.h>

#include "dense_constrained.h"
#include "dense_solvers.h"
#include "generated_model.h"
#include "model_in_motion.h"
#include "trammel/sdk/formulations/velocity_partition.h"

using namespace trammel;

namespace {

/// Central differences of order 6.
template <class F>
Vector derivative(const F& f, double step) {
  return (45 * (f(step) - f(-step)) - 9 * (f(2 * step) - f(-2 * step)) + (f(3 * step) - f(-3 * step))) / (60 * step);
}

/// What the paper's formulas are made of, dense, from the index-3 view alone: rows that are kept, columns u and w.
struct DenseBlocks {
  explicit DenseBlocks(InMotion& s) : model(s.whole.system()), n(model.coordinates()), m(model.constraints()) {
    Vector q(n), v(n);
    const Memory memory{s.state.data(), s.scratch.data()};
    REQUIRE(s.reduction.lift_second_order(model, s.t, view(s.w), view(s.w_dot), memory, view(q), view(v)));
    REQUIRE(model.evaluate(s.t, view(q), view(v), {}, evaluate_dynamics | evaluate_nu));
    REQUIRE(model.factorize(ProjectionWeights::mass));
    a.resize(n), lambda.resize(m);
    REQUIRE(model.solve(model.Q(), model.gamma(), view(a), view(lambda)));
    REQUIRE(model.linearization()->linearize(view(a), view(lambda)));
    for (Index r = 0; r < m; ++r) {
      if (!s.model.rank().is_redundant(r)) kept.push_back(r);
    }
    std::vector<unsigned char> independent(static_cast<std::size_t>(n), 0);
    for (Index k = 0; k < s.d; ++k) {
      w.push_back(s.reduction.coordinate(model, k, memory));
      independent[static_cast<std::size_t>(w.back())] = 1;
    }
    for (Index i = 0; i < n; ++i) {
      if (independent[static_cast<std::size_t>(i)] == 0) u.push_back(i);
    }
    for (Matrix* A : {&M, &K, &C}) A->resize(n, n);
    for (Matrix* A : {&Phi_q, &G_q, &G_v, &B, &Phi_tq}) A->resize(m, n);
    const Vector none = Vector::Zero(n);
    for (Index i = 0; i < n; ++i) {
      Vector unit = Vector::Unit(n, i), zero = none;
      model.apply_mass(view(unit), {M.col(i).data(), n});
      model.apply_jacobian(view(unit), {Phi_q.col(i).data(), m});
      REQUIRE(model.linearization()->apply_linearization(view(unit), view(zero), {K.col(i).data(), n},
                                                         {G_q.col(i).data(), m}));
      REQUIRE(model.linearization()->apply_linearization(view(zero), view(unit), {C.col(i).data(), n},
                                                         {G_v.col(i).data(), m}));
      REQUIRE(model.linearization()->apply_jacobian_gradient(view(v), view(unit), {B.col(i).data(), m}));
      REQUIRE(model.linearization()->apply_time_jacobian(view(unit), {Phi_tq.col(i).data(), m}));
    }
    Q_t.resize(n), Phi_tt.resize(m), G_t.resize(m);
    REQUIRE(model.linearization()->time_gradients(view(a), view(Q_t), view(Phi_tt), view(G_t)));
    Vector alone(n), of_rows = Vector::Constant(m, std::nan(""));
    REQUIRE(model.linearization()->time_gradients(view(a), view(alone), {}, {}));
    CHECK(alone == Q_t);
    REQUIRE(model.linearization()->time_gradients(view(a), view(alone), {}, view(of_rows)));
    CHECK(of_rows == G_t);
    Phi_tt += Phi_tq * v;
    nu = model.nu().map();
  }

  ConstrainedSystem& model;
  Index n, m;
  std::vector<Index> kept, u, w;
  /// K, C: of M a + Phi_q^T lambda - Q; G = Phi_q a - gamma; B = (Phi_q v)_q.
  Matrix M, K, C, Phi_q, G_q, G_v, B, Phi_tq;
  Vector a, lambda, Q_t, Phi_tt, G_t, nu;
};

/// M^, M^ J1, M^ J2 and M^ d(w'')/dt by Sandu et al. (2001), Eqs. (1), (26) to (35) as they ought to read, and with
/// drivers: u' = H w' + u_t, du' = J dw + J_t dt + H dw', du'' = L dw + N dw' + L_t dt at fixed w''.
struct BlockFormulas {
  explicit BlockFormulas(const DenseBlocks& s) {
    Eigen::FullPivLU<Matrix> lu;
    if (!s.kept.empty()) lu.compute(Matrix(s.Phi_q(s.kept, s.u)));  // Eigen factorizes nothing that is empty
    const auto solved = [&](const Matrix& A) { return s.kept.empty() ? Matrix(A) : Matrix(-lu.solve(A)); };
    const auto rows = [&](const Matrix& A, const std::vector<Index>& columns) { return Matrix(A(s.kept, columns)); };
    const auto entries = [&](const Vector& x) { return Matrix(x(s.kept)); };
    const Matrix H = solved(rows(s.Phi_q, s.w));  // (27)
    const Matrix B = s.B + s.Phi_tq;
    const Matrix J = solved(rows(B, s.u) * H + rows(B, s.w));                                 // (28)
    const Matrix L = solved(rows(s.G_q, s.u) * H + rows(s.G_q, s.w) + rows(s.G_v, s.u) * J);  // (29)
    const Matrix N = solved(rows(s.G_v, s.u) * H + rows(s.G_v, s.w));                         // (30)
    const auto left = [&](const Matrix& A, const std::vector<Index>& columns) {               // T^T A
      return Matrix(Matrix(A(s.w, columns)) + H.transpose() * Matrix(A(s.u, columns)));
    };
    M = left(s.M, s.w) + left(s.M, s.u) * H;                                                 // (1)
    MJ1 = -(left(s.K, s.u) * H + left(s.K, s.w) + left(s.C, s.u) * J + left(s.M, s.u) * L);  // (31)
    MJ2 = -(left(s.C, s.u) * H + left(s.C, s.w) + left(s.M, s.u) * N);                       // (33)
    const Matrix u_t = -solved(entries(s.nu));
    const Matrix J_t = solved(rows(B, s.u) * u_t + entries(s.Phi_tt));
    const Matrix L_t = solved(rows(s.G_q, s.u) * u_t + rows(s.G_v, s.u) * J_t + entries(s.G_t));
    const Matrix F_t = s.Phi_tq.transpose() * s.lambda - s.Q_t;
    const Matrix reaction_t = Matrix(F_t(s.w, Eigen::all)) + H.transpose() * Matrix(F_t(s.u, Eigen::all));
    MJt = -(left(s.K, s.u) * u_t + left(s.C, s.u) * J_t + left(s.M, s.u) * L_t + reaction_t);
  }
  Matrix M, MJ1, MJ2;
  Vector MJt;
};

}  // namespace

namespace {

/// A chain of n links with a motor that lags in every fifth joint, which is a spring and a damper to it.
std::filesystem::path chain_with_motors(int n) {
  std::ifstream stream(generated("planar_chain", n));
  std::string text((std::istreambuf_iterator<char>(stream)), {}), motors;
  for (int k = 1; k <= n; k += 5) {
    motors += (motors.empty() ? "" : ", ") + ("\"motor" + std::to_string(k)) +
              R"(": {"type": "actuator", "joint": "hinge)" + std::to_string(k) +
              R"json(", "law": "-0.3*x - 0.02*rate + 0.1*sin(3*t)",
                     "lag": 0.05, "initial_force": 0.02})json";
  }
  const std::string constraints = "\"constraints\": {";
  text.replace(text.find(constraints), constraints.size(), "\"forces\": {" + motors + "}, " + constraints);
  return temporary_run_file(text, "motors.json");
}

}  // namespace

TEST_CASE("the implicit solve, dense and sparse, is that of the block formulas; internal states too") {
  bool sparse = false;
  const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
  for (const std::filesystem::path& file :
       {examples / "planar_double_pendulum.json", examples / "slider_crank.json", examples / "spatial_four_bar.json",
        examples / "chain_64.json", examples / "actuator_with_lag.json", chain_with_motors(20),
        chain_with_motors(70)}) {
    CAPTURE(file.string());
    InMotion s(file);
    REQUIRE(s.moves);
    REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
    const BlockFormulas paper{DenseBlocks(s)};
    const double c1 = 0.03, c0 = c1 * c1;
    // The point of the linearization is kept while the model is evaluated elsewhere, as stages do.
    s.acceleration(s.t, s.w + Vector::Constant(s.d, 1e-3), s.w_dot);
    REQUIRE(s.system->prepare(c0, c1));
    Vector r = Vector::LinSpaced(s.d, -1, 2), z(s.d);
    REQUIRE(s.system->solve(view(r), view(z)));
    const Vector exact = (paper.M - c1 * paper.MJ2 - c0 * paper.MJ1).fullPivLu().solve(r);
    CHECK((z - exact).norm() < 1e-10 * exact.norm());
    const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
    CHECK((MJ1 - paper.MJ1).norm() < 1e-9 * (1e-6 + paper.MJ1.norm()));
    const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
    CHECK((MJ2 - paper.MJ2).norm() < 1e-9 * (1e-6 + paper.MJ2.norm()));
    sparse = sparse || s.d > 63;
  }
  CHECK(sparse);
}

TEST_CASE("M^ J1, M^ J2 and M^ d(w'')/dt are the derivatives of the accelerations") {
  int tried = 0;
  for (const auto& file : mechanisms(64)) {
    CAPTURE(file.string());
    InMotion s(file);
    if (!s.moves) continue;
    ++tried;
    REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
    const auto M = s.columns([&](auto y, auto out) { return s.system->apply_mass(y, out); });
    const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
    const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
    Vector MJt(s.d);
    REQUIRE(s.system->time_gradient(view(MJt)));
    CHECK((M - M.transpose()).norm() < 1e-12 * M.norm());

    const BlockFormulas paper{DenseBlocks(s)};
    const auto distance = [](const auto& A, const auto& exact) { return (A - exact).norm() / (1e-6 + exact.norm()); };
    CHECK(distance(M, paper.M) < 1e-9);
    CHECK(distance(MJ1, paper.MJ1) < 1e-9);
    CHECK(distance(MJ2, paper.MJ2) < 1e-9);
    CHECK(distance(MJt, paper.MJt) < 1e-9);

    // Newton's method leaves 1e-13, so differences with a step of 2e-4 are good to some 1e-8 of the accelerations.
    const double step = 2e-4, scale = 1 + s.acceleration(s.t, s.w, s.w_dot).norm();
    Matrix J1(s.d, s.d), J2(s.d, s.d);
    for (Index k = 0; k < s.d; ++k) {
      const Vector unit = Vector::Unit(s.d, k);
      J1.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w + e * unit, s.w_dot); }, step);
      J2.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w, s.w_dot + e * unit); }, step);
    }
    const Vector Jt = derivative([&](double e) { return s.acceleration(s.t + e, s.w, s.w_dot); }, step);
    const auto error = [&](const Matrix& exact, const Matrix& differenced) {
      return (M.ldlt().solve(exact) - differenced).norm() / (scale + differenced.norm());
    };
    CAPTURE(s.d);
    CHECK(error(MJ1, J1) < 1e-7);
    CHECK(error(MJ2, J2) < 1e-7);
    CHECK(error(MJt, Jt) < 1e-7);
  }
  CHECK(tried > 80);
}

namespace {

/// A point on a line whose reduced mass is said to be negative, as rounding or a broken element may have it.
class Broken final : public DenseConstrained,
                     private PartitionSolve,
                     private StateSpaceDerivatives,
                     private ConstrainedLinearization,
                     public sdk::StateSpaceChart {
 public:
  Broken() : DenseConstrained(1, 0, 0) {}
  bool rheonomic() const override { return false; }
  const void* extension(const char* id) const override {
    if (std::string(id) == PartitionSolve::id) return static_cast<const PartitionSolve*>(this);
    if (std::string(id) == StateSpaceDerivatives::id) return static_cast<const StateSpaceDerivatives*>(this);
    return nullptr;
  }
  ConstrainedLinearization* linearization() override { return this; }
  double mass = 1;

  Status lift(ConstrainedSystem&, double, ConstVectorView w, ConstVectorView w_dot, VectorView q,
              VectorView v) override {
    q[0] = w[0], v[0] = w_dot[0];
    return Status::success();
  }
  void accelerated(double, ConstVectorView) override {}
  ConstVectorView independent() const override { return {&one_, 1}; }

 protected:
  void compute(double, const Vector&, const Vector&, const Vector&) override {}

 private:
  Status choose_partition(ConstVectorView, VectorView) override { return Status::success(); }
  Status factorize_dependent(ConstVectorView) override { return Status::success(); }
  void solve_dependent(ConstVectorView, VectorView) override {}
  void solve_dependent_transpose(ConstVectorView, VectorView) override {}
  double dependent_condition(VectorView) override { return 1; }
  Status linearize(ConstVectorView, ConstVectorView) override { return Status::success(); }
  Status apply_linearization(ConstVectorView, ConstVectorView, VectorView, VectorView) override { return {}; }
  Status apply_jacobian_gradient(ConstVectorView, ConstVectorView, VectorView) override { return {}; }
  Status apply_time_jacobian(ConstVectorView, VectorView) override { return {}; }
  Status time_gradients(ConstVectorView, VectorView, VectorView, VectorView) override { return {}; }
  void make_room(Index) override {}
  Status reduce(ConstVectorView, ConstVectorView, ConstVectorView, MatrixView M, MatrixView MJ1, MatrixView MJ2,
                VectorView MJt) override {
    M(0, 0) = mass, MJ1(0, 0) = 1, MJ2(0, 0) = 0, MJt[0] = 0;
    return Status::success();
  }
  double one_ = 1;
};

}  // namespace

TEST_CASE("a reduced mass matrix that is not positive definite, and a singular implicit matrix, are named") {
  Broken system;
  sdk::StateSpace view_of;
  view_of.bind(system, system, 1);
  const double w = 0, w_dot = 0;
  REQUIRE(view_of.linearize(0, {&w, 1}, {&w_dot, 1}));
  CHECK(view_of.prepare(0.5, 0));
  const Status status = view_of.prepare(1, 0);  // M^ - c0 M^J1 = 0
  CHECK(status.code == StatusCode::singular);
  CHECK(status.value > 1e13);
  for (const double mass : {-1.0, 0.0}) {
    system.mass = mass;
    const Status lost = view_of.linearize(0, {&w, 1}, {&w_dot, 1});
    CHECK(lost.code == StatusCode::singular);
    CHECK(std::string(lost.what).find("not positive definite") != std::string::npos);
  }
}

TEST_CASE("memory of both partitions is placed with one look-up by name") {
  class Asked final : public DenseConstrained {
   public:
    Asked() : DenseConstrained(2, 1, 0) {}
    bool rheonomic() const override { return false; }
    const void* extension(const char*) const override {
      ++times;
      return nullptr;
    }
    mutable int times = 0;

   protected:
    void compute(double, const Vector&, const Vector&, const Vector&) override {}
  } asked;
  CHECK(sdk::MemoryLayout::size<sdk::VelocityPartition::Both>(asked).state > 0);
  CHECK(asked.times == 1);
}
