// Equations of statics.
#include "statics.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace trammel {
namespace {

// c, s^2. The largest makes c K in (2) as much larger than M, and than Phi_q, as elimination bears; motions ten thousand times
// slower than the fastest then still count as stiff.
constexpr double first_flow = 1e-4, largest_share = 1e8, most_flow = 1e8, smallest_flow = 1e-14, growth = 4;
constexpr double standing = 1e-9;  // 1/s^2: what grows more slowly than by e in half a day stands
constexpr double longest = 0.1;    // of a coordinate, in its unit; linear equations mean nothing beyond
constexpr double settled = 1e-9;   // last change of a coordinate; with Newton's method the next one is its square
constexpr double balanced = 64 * std::numeric_limits<double>::epsilon();  // of the forces that balance
constexpr double rounding = 1e-12;                                        // of a step, in the same unit
constexpr Index most_far = 400, most_near = 120;

}  // namespace

Statics::Statics(ConstrainedSystem& system)
    : system_(system),
      linearization_(*system.linearization()),
      implicit_(*system.implicit_solve()),
      sizes_(find_extension<CoordinateSizes>(system)),
      layout_(find_extension<BodyLayout>(system)),
      n_(system.coordinates()),
      m_(system.constraints()),
      rest_(static_cast<std::size_t>(n_)),
      residual_(rest_),
      step_(rest_),
      work_(rest_),
      g_(static_cast<std::size_t>(m_)),
      mu_(g_) {}

double Statics::size(ConstVectorView dq) const {
  if (sizes_ != nullptr) return sizes_->largest_coordinate(dq);
  return dq.size > 0 ? dq.map().lpNorm<Eigen::Infinity>() : 0;
}

Status Statics::evaluate(double t, ConstVectorView q) {
  return system_.evaluate(t, q, view(rest_), {}, evaluate_dynamics | evaluate_Phi | evaluate_nu);
}

// By the largest K x in the norm of M, of vectors x without a pattern.
Status Statics::choose_largest_flow(double t, ConstVectorView q, ConstVectorView lambda) {
  const VectorView x = view(step_), Kx = view(residual_), Mx = view(work_), none = view(mu_);
  Status status = evaluate(t, q);
  if (status) status = linearization_.linearize(view(rest_), lambda);
  double fastest = 0;
  for (int trial = 1; status && trial <= 3; ++trial) {
    for (Index i = 0; i < n_; ++i) x[i] = std::sin(1.7 * trial * (i + 1) + 0.3);
    status = linearization_.apply_linearization(x, view(rest_), Kx, none);
    system_.apply_mass(x, Mx);
    if (Mx.map().norm() > 0) fastest = std::max(fastest, Kx.map().norm() / Mx.map().norm());
  }
  largest_ = fastest > 0 ? std::clamp(largest_share / fastest, 1.0, most_flow) : most_flow;
  return status;
}

Status Statics::solve(double t, VectorView q, VectorView lambda, bool far, Index& iterations) {
  const VectorView r = view(residual_), dq = view(step_), f = view(work_), g = view(g_), mu = view(mu_);
  const Index most = far ? most_far : most_near;
  Status status = far ? choose_largest_flow(t, q, lambda) : Status::success();
  if (!status) return status;
  double top = largest_, c = far ? first_flow : top, before = 0;  // length of the last step with the largest c
  for (iterations = 0; iterations < most; ++iterations) {
    status = evaluate(t, q);
    if (!status) return status;
    system_.apply_jacobian_transpose(lambda, r);
    f.map() = r.map().cwiseAbs() + system_.Q().map().cwiseAbs();
    take_largest_of_bodies(f);
    r.map() = system_.Q().map() - r.map();
    g.map() = -system_.Phi().map();
    // Nothing but rounding is left. Where nothing holds a body, (2) would make a way of it.
    const double off = m_ > 0 ? g.map().lpNorm<Eigen::Infinity>() : 0;
    if (off <= rounding && (r.map().array().abs() <= balanced * f.map().array()).all()) return Status::success();
    status = linearization_.linearize(view(rest_), lambda);
    if (!status) return status;
    double length = 0;
    for (;;) {
      f.map() = c * r.map();
      status = implicit_.prepare(c, 0);
      if (status) status = implicit_.solve_implicit(f, g, dq, mu);
      length = status ? size(dq) : 2 * longest;
      if (!status) top = 0.25 * c;  // the matrix is too near to a singular one
      if (std::isfinite(length) && length <= longest) break;
      c *= std::clamp(std::isfinite(length) ? 0.5 * longest / length : 0, 1e-3, 0.5);
      if (c < smallest_flow) return Status::failure(StatusCode::not_converged, "search for an equilibrium", -1, length);
    }
    q.map() += dq.map();
    lambda.map() += mu.map() / c;
    // Steps shrink by M / (c K) where that is not small: what is left is their geometric series.
    const double ratio = before > 0 ? length / before : 0;
    if (c == top && (length <= rounding || (before > 0 && ratio < 1 && ratio / (1 - ratio) * length <= settled)))
      return evaluate(t, q);
    before = c == top ? length : 0;
    c = std::min(top, growth * c);
    if (length < 1e-3 * longest) c = std::min(top, 100 * c);
  }
  return Status::failure(StatusCode::not_converged, "search for an equilibrium");
}

// With the matrix of (2) at its largest c.
Status Statics::rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out) {
  const VectorView Q_t = view(residual_), phi_tt = view(g_), mu = view(mu_);
  Status status = evaluate(t, q);
  if (status) status = linearization_.linearize(view(rest_), lambda);
  if (status) status = implicit_.prepare(largest_, 0);
  if (status) status = linearization_.time_gradients(view(rest_), Q_t, phi_tt, mu);
  if (!status) return status;
  Q_t.map() *= largest_;
  return implicit_.solve_implicit(Q_t, system_.nu(), out, mu);
}

void Statics::take_largest_of_bodies(VectorView x) const {
  for (Index b = 0; b < bodies(); ++b) {
    auto of_body = x.map().segment(body(b).first, body(b).count);
    of_body.setConstant(of_body.maxCoeff());
  }
}

bool Statics::departs(const Way& way, double h, double t, ConstVectorView lambda, VectorView scratch) {
  constexpr double always_near = 1e-3;  // of a coordinate's unit; where nothing moves there is no way to compare with
  constexpr double of_rate = 0.5, of_rates = 0.1;
  const VectorView rate = scratch;
  if (!this->rate(t, way.to, lambda, rate)) return true;
  const VectorView part = view(work_);
  for (Index b = 0; b < bodies(); ++b) {
    const auto [first, count] = body(b);
    const auto of_body = [&](const auto& number) {
      part.map().setZero();
      for (Index i = 0; i < count; ++i) part[first + i] = number(first + i);
      return size(part);
    };
    const double length = of_body([&](Index i) { return way.to[i] - way.from[i]; });
    const double missed = of_body([&](Index i) { return way.to[i] - way.foreseen[i]; });
    const double turned = of_body([&](Index i) { return way.to[i] - way.from[i] - 0.5 * h * (way.rate[i] + rate[i]); });
    if (missed > std::max(always_near, of_rate * length) || turned > std::max(always_near, of_rates * length))
      return true;
  }
  return false;
}

Index Statics::unstable_directions(double t, ConstVectorView q, ConstVectorView lambda) {
  if (n_ > most_dense || !evaluate(t, q) || !linearization_.linearize(view(rest_), lambda)) return -1;
  using Matrix = Eigen::MatrixXd;
  Matrix K(n_, n_), rows(m_, n_);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_), across(m_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = 1;
    if (!linearization_.apply_linearization({unit.data(), n_}, view(rest_), {K.col(j).data(), n_}, {across.data(), m_}))
      return -1;
    system_.apply_jacobian({unit.data(), n_}, {rows.col(j).data(), m_});
    unit[j] = 0;
  }
  Matrix Z = Matrix::Identity(n_, n_);
  if (m_ > 0) {
    Eigen::ColPivHouseholderQR<Matrix> qr(rows.transpose());
    qr.setThreshold(1e-9);
    if (qr.rank() == n_) return 0;
    Z = (qr.householderQ() * Matrix::Identity(n_, n_)).rightCols(n_ - qr.rank());
  }
  Matrix M(n_, n_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = 1;
    system_.apply_mass({unit.data(), n_}, {M.col(j).data(), n_});
    unit[j] = 0;
  }
  // With M = L L^T on the tangent space: of s x = L^-1 K L^-T x, s = omega^2, which have all one unit, 1/s^2.
  const Eigen::LLT<Matrix> L(Z.transpose() * M * Z);
  if (L.info() != Eigen::Success) return -1;
  const Matrix half = L.matrixL().solve(Matrix(Z.transpose() * K * Z));
  const Matrix reduced = L.matrixL().solve(Matrix(half.transpose())).transpose();
  const Eigen::VectorXcd s = Eigen::EigenSolver<Matrix>(reduced, false).eigenvalues();
  const double zero = 1e-12 * (s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0) + standing;
  // exp(sqrt(-s) t) grows unless s is real and not negative: negative ones diverge, pairs flutter.
  return static_cast<Index>(std::count_if(s.begin(), s.end(), [&](const std::complex<double>& e) {
    return e.real() < -zero || std::abs(e.imag()) > 1e-6 * std::abs(e) + zero;
  }));
}

}  // namespace trammel
