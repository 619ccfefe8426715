// Views of the linear test equation.
#include "stability/test_equation.h"

#include <vector>

namespace trammel {
namespace {

constexpr double both_counted[2] = {1, 1};

}  // namespace

/// The numbers 1 - c1 J2 - c0 J1 by handle.
class TestEquation::Matrices {
 public:
  Status prepare(Index first, const Shift* shifts, Index count, double J1, double J2) {
    if (static_cast<std::size_t>(first + count) > values_.size())
      values_.resize(static_cast<std::size_t>(first + count));
    for (Index k = 0; k < count; ++k) {
      const Shift& s = shifts[k];
      std::complex<double>& matrix = values_[static_cast<std::size_t>(first + k)];
      matrix = {1 - s.c1 * J2 - s.c0 * J1, -s.c1_imag * J2 - s.c0_imag * J1};
      if (matrix == 0.0) return Status::failure(StatusCode::singular, "test equation");
    }
    return Status::success();
  }
  double real(Index handle) const { return values_[static_cast<std::size_t>(handle)].real(); }
  void divide(Index handle, const ConstComplexView& r, const ComplexView& z) const {
    const std::complex<double> x = std::complex<double>(r.re[0], r.im[0]) / values_[static_cast<std::size_t>(handle)];
    z.re[0] = x.real(), z.im[0] = x.imag();
  }

 private:
  std::vector<std::complex<double>> values_;
};

class TestEquation::FirstOrder final : public OdeSystem {
 public:
  explicit FirstOrder(std::complex<double> lambda) : re_(lambda.real()), im_(lambda.imag()) {}
  Index size() const override { return 2; }
  Status rhs(double, ConstVectorView y, VectorView f) override {
    f[0] = re_ * y[0] - im_ * y[1];  // (1)
    f[1] = im_ * y[0] + re_ * y[1];
    return Status::success();
  }
  Status jacobian(double, ConstVectorView, MatrixView f_y) override {
    f_y(0, 0) = f_y(1, 1) = re_;
    f_y(0, 1) = -im_;
    f_y(1, 0) = im_;
    return Status::success();
  }
  Status time_gradient(double, ConstVectorView, VectorView f_t) override {
    f_t[0] = f_t[1] = 0;
    return Status::success();
  }
  ConstVectorView mask() const override { return {both_counted, 2}; }

 private:
  double re_, im_;
};

class TestEquation::SecondOrder final : public SecondOrderSystem {
 public:
  explicit SecondOrder(std::complex<double> lambda) : J1_(-std::norm(lambda)), J2_(2 * lambda.real()) {}
  Index size() const override { return 1; }
  Status acceleration(double, ConstVectorView x, ConstVectorView x_dot, VectorView a) override {
    a[0] = J1_ * x[0];
    if (J2_ != 0) a[0] += J2_ * x_dot[0];  // (2)
    return Status::success();
  }
  Status apply_mass(ConstVectorView y, VectorView out) override { return scaled(1, y, out); }
  Status linearize(double, ConstVectorView, ConstVectorView) override { return Status::success(); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return scaled(J1_, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return scaled(J2_, y, out); }
  Status time_gradient(VectorView out) override {
    out[0] = 0;
    return Status::success();
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    return matrices_.prepare(first, shifts, count, J1_, J2_);
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    z[0] = 1 / matrices_.real(handle) * r[0];
    return Status::success();
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    matrices_.divide(handle, r, z);
    return Status::success();
  }
  ConstVectorView mask() const override { return {both_counted, 2}; }

 private:
  static Status scaled(double factor, ConstVectorView y, VectorView out) {
    out[0] = factor * y[0];
    return Status::success();
  }
  double J1_, J2_;
  Matrices matrices_;
};

class TestEquation::Unconstrained final : public ConstrainedSystem, ConstrainedLinearization, ImplicitSolve {
 public:
  explicit Unconstrained(std::complex<double> lambda) : J1_(-std::norm(lambda)), J2_(2 * lambda.real()) {}
  Index coordinates() const override { return 1; }
  Index constraints() const override { return 0; }
  Index internal_states() const override { return 0; }
  const char* coordinate_name(Index) const override { return "x"; }
  const char* row_name(Index) const override { return ""; }
  bool rheonomic() const override { return false; }

  Status evaluate(double, ConstVectorView q, ConstVectorView v, ConstVectorView, unsigned parts) override {
    if ((parts & evaluate_force) != 0) Q_ = J1_ * q[0] + J2_ * v[0];  // (3)
    return Status::success();
  }
  ConstrainedLinearization* linearization() override { return this; }
  ImplicitSolve* implicit_solve() override { return this; }
  ConstVectorView Phi() const override { return {}; }
  ConstVectorView nu() const override { return {}; }
  ConstVectorView gamma() const override { return {}; }
  ConstVectorView Q() const override { return {&Q_, 1}; }
  ConstVectorView z_rate() const override { return {}; }
  void apply_jacobian(ConstVectorView, VectorView) const override {}
  void apply_jacobian_transpose(ConstVectorView, VectorView out) const override { out[0] = 0; }
  void apply_mass(ConstVectorView x, VectorView out) const override { out[0] = x[0]; }
  Status factorize(ProjectionWeights) override { return Status::success(); }
  Status solve(ConstVectorView f, ConstVectorView, VectorView x, VectorView) override {
    x[0] = f[0];
    return Status::success();
  }
  Status linearize(ConstVectorView, ConstVectorView) override { return Status::success(); }
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView) override {
    f[0] = -J1_ * dq[0] - J2_ * dv[0];
    return Status::success();
  }
  Status apply_jacobian_gradient(ConstVectorView, ConstVectorView, VectorView) override { return Status::success(); }
  Status apply_time_jacobian(ConstVectorView, VectorView) override { return Status::success(); }
  Status time_gradients(ConstVectorView, VectorView Q_t, VectorView, VectorView) override {
    Q_t[0] = 0;
    return Status::success();
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    return matrices_.prepare(first, shifts, count, J1_, J2_);
  }
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView, VectorView x, VectorView) override {
    x[0] = f[0] / matrices_.real(handle);
    return Status::success();
  }
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView, ComplexView x,
                                ComplexView) override {
    matrices_.divide(handle, f, x);
    return Status::success();
  }
  Status project_positions(double, VectorView, ProjectionWeights, double, ProjectionReport& report) override {
    report = {};
    return Status::success();
  }
  Status project_velocities(double, ConstVectorView, VectorView, ProjectionWeights, ProjectionReport& report) override {
    report = {};
    return Status::success();
  }
  Status project_tangent(VectorView) override { return Status::success(); }

 private:
  double J1_, J2_, Q_ = 0;
  Matrices matrices_;
};

TestEquation::TestEquation(ViewKind view, std::complex<double> lambda) : view_(view) {
  switch (view) {
    case ViewKind::ode: first_order_ = std::make_unique<FirstOrder>(lambda); break;
    case ViewKind::second_order: second_order_ = std::make_unique<SecondOrder>(lambda); break;
    case ViewKind::constrained: unconstrained_ = std::make_unique<Unconstrained>(lambda); break;
  }
}

TestEquation::~TestEquation() = default;

ProblemSize TestEquation::size() const { return {view_ == ViewKind::ode ? 2 : 1, 0, view_}; }

Problem TestEquation::problem() {
  Problem problem;
  problem.ode = first_order_.get();
  problem.second_order = second_order_.get();
  problem.constrained = unconstrained_.get();
  return problem;
}

}  // namespace trammel
