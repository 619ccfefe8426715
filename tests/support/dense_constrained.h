// A ConstrainedSystem for tests: hand-written equations, dense full-pivoting solves, no concern for speed.
#pragma once

#include "dense_solvers.h"
#include "trammel/constrained_system.h"

namespace trammel {

/// Derived models fill the members below in `compute`; everything else follows.
class DenseConstrained : public ConstrainedSystem {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  DenseConstrained(Index n, Index m, Index nz) : n_(n), m_(m), nz_(nz) {
    M = Matrix::Identity(n, n), Q_ = Vector::Zero(n);
    Phi_ = nu_ = gamma_ = Vector::Zero(m);
    Phi_q = Matrix::Zero(m, n), z_rate_ = Vector::Zero(nz);
  }
  virtual ~DenseConstrained() = default;

  Index coordinates() const override { return n_; }
  Index constraints() const override { return m_; }
  Index internal_states() const override { return nz_; }
  const char* coordinate_name(Index) const override { return "q"; }
  const char* row_name(Index) const override { return "row"; }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned) override {
    const Vector velocity = v.size > 0 ? Vector(v.map()) : Vector(Vector::Zero(n_));
    const Vector internal = z.size > 0 ? Vector(z.map()) : Vector(Vector::Zero(nz_));
    compute(t, q.map(), velocity, internal);
    return Status::success();
  }
  ConstVectorView Phi() const override { return {Phi_.data(), m_}; }
  ConstVectorView nu() const override { return {nu_.data(), m_}; }
  ConstVectorView gamma() const override { return {gamma_.data(), m_}; }
  ConstVectorView Q() const override { return {Q_.data(), n_}; }
  ConstVectorView z_rate() const override { return {z_rate_.data(), nz_}; }

  void apply_jacobian(ConstVectorView x, VectorView out) const override { out.map() = Phi_q * x.map(); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override {
    out.map() = Phi_q.transpose() * y.map();
  }
  void apply_mass(ConstVectorView x, VectorView out) const override { out.map() = M * x.map(); }

  Status factorize(ProjectionWeights weights) override {
    W_ = weights == ProjectionWeights::mass ? M : Matrix(Matrix::Identity(n_, n_));
    Matrix kkt = Matrix::Zero(n_ + m_, n_ + m_);
    kkt.topLeftCorner(n_, n_) = W_;
    kkt.topRightCorner(n_, m_) = Phi_q.transpose();
    kkt.bottomLeftCorner(m_, n_) = Phi_q;
    factor_.compute(kkt);
    return factor_.isInvertible() ? Status::success() : Status::failure(StatusCode::singular, "the KKT matrix");
  }
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    Vector right(n_ + m_);
    right << f.map(), g.map();
    const Vector both = factor_.solve(right);
    x.map() = both.head(n_);
    if (lambda.size > 0) lambda.map() = both.tail(m_);  // may be empty
    return Status::success();
  }

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    report = {};
    const Vector start = q.map();
    Vector dq(n_), lambda(m_);
    const Vector zero = Vector::Zero(n_);
    for (report.iterations = 0; report.iterations < 20;) {
      evaluate(t, q, {}, {}, evaluate_Phi | evaluate_jacobian);
      if (report.iterations++ == 0) report.violation = Phi_.norm();
      const Status status = factorize(weights);
      if (!status) return status;
      const Vector right = -Phi_;
      solve({zero.data(), n_}, {right.data(), m_}, {dq.data(), n_}, {lambda.data(), m_});
      q.map() += dq;
      if (!(dq.lpNorm<Eigen::Infinity>() > tolerance)) {
        report.correction = (q.map() - start).lpNorm<Eigen::Infinity>();
        return Status::success();
      }
    }
    return Status::failure(StatusCode::not_converged, "projection");
  }
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override {
    report = {};
    evaluate(t, q, v, {}, evaluate_jacobian | evaluate_nu);
    const Status status = factorize(weights);
    if (!status) return status;
    Vector dv(n_), lambda(m_);
    const Vector zero = Vector::Zero(n_), right = nu_ - Phi_q * v.map();
    solve({zero.data(), n_}, {right.data(), m_}, {dv.data(), n_}, {lambda.data(), m_});
    v.map() += dv;
    report.correction = dv.lpNorm<Eigen::Infinity>();
    return Status::success();
  }
  Status project_tangent(VectorView dq) override {
    Vector lambda(m_);
    const Vector f = W_ * dq.map(), zero = Vector::Zero(m_);
    return solve({f.data(), n_}, {zero.data(), m_}, dq, {lambda.data(), m_});
  }

  Matrix M, Phi_q;
  Vector Q_, Phi_, nu_, gamma_, z_rate_;

 protected:
  virtual void compute(double t, const Vector& q, const Vector& v, const Vector& z) = 0;

 private:
  Index n_, m_, nz_;
  Matrix W_;
  Eigen::FullPivLU<Matrix> factor_;
};

/// Pendulum in q = (x, y, theta), m = L = 1, no moment of inertia: x = sin theta, y = -cos theta.
/// Fernandez de Bustos et al. (2024), Tables 9 to 11. M has rank 2; the KKT matrix is regular.
class RodPendulum final : public DenseConstrained {
 public:
  RodPendulum() : DenseConstrained(3, 2, 0) {}
  bool rheonomic() const override { return false; }

 protected:
  void compute(double, const Vector& q, const Vector& v, const Vector&) override {
    const double s = std::sin(q[2]), c = std::cos(q[2]), w = v[2];
    M.diagonal() << 1, 1, 0;
    Q_ << 0, -9.81, 0;
    Phi_ << q[0] - s, q[1] + c;
    Phi_q << 1, 0, -c, 0, 1, -s;
    gamma_ << -s * w * w, c * w * w;
  }
};

/// Bead (mass 2) on a straight wire that turns with w about the origin, without gravity: Phi = y cos(w t) - x sin(w t),
/// r(t) = r0 cosh(w t) for a bead that starts at rest on the wire; beside it z' = x - z.
class BeadOnWire final : public DenseConstrained {
 public:
  static constexpr double w = 1.3, r0 = 0.8;

  BeadOnWire() : DenseConstrained(2, 1, 1) {}
  bool rheonomic() const override { return true; }

  static Vector solution(double t) {
    const double r = r0 * std::cosh(w * t), rdot = r0 * w * std::sinh(w * t), c = std::cos(w * t), s = std::sin(w * t);
    // z' = r0 cosh(w t) cos(w t) - z, z(0) = 0: undetermined coefficients with e^(+-w t) (cos, sin).
    const auto particular = [&](double k) {  // response to e^(k t) cos(w t): ((k + 1) cos + w sin) / ((k + 1)^2 + w^2)
      const double d = (k + 1) * (k + 1) + w * w;
      return std::pair(std::exp(k * t) * ((k + 1) * c + w * s) / d, (k + 1) / d);
    };
    const auto [p, p0] = particular(w);
    const auto [n, n0] = particular(-w);
    Vector y(5);
    y << r * c, r * s, rdot * c - r * w * s, rdot * s + r * w * c, r0 / 2 * (p + n - (p0 + n0) * std::exp(-t));
    return y;
  }

 protected:
  void compute(double t, const Vector& q, const Vector& v, const Vector& z) override {
    const double c = std::cos(w * t), s = std::sin(w * t);
    M = 2 * Matrix::Identity(2, 2);
    Q_.setZero();
    Phi_ << q[1] * c - q[0] * s;
    Phi_q << -s, c;
    nu_ << w * (q[1] * s + q[0] * c);                                         // -Phi_t
    gamma_ << 2 * w * (v[1] * s + v[0] * c) + w * w * (q[1] * c - q[0] * s);  // -(2 Phi_qt v + Phi_tt)
    z_rate_ << q[0] - z[0];
  }
};

}  // namespace trammel
