// Equations of statics.
#include "statics.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>

namespace trammel {
namespace {

// c, s^2. The largest makes c K in (2) as much larger than M, and than Phi_q, as elimination bears; motions ten thousand times
// slower than the fastest then still count as stiff.
constexpr double first_flow = 1e-4, largest_share = 1e11, most_flow = 1e8, smallest_flow = 1e-14, growth = 4;
constexpr double longest = 0.1;   // of a coordinate, in its unit; linear equations mean nothing beyond
constexpr double settled = 1e-9;  // last change of a coordinate; with Newton's method the next one is its square
constexpr Index most_far = 400, most_near = 40;

}  // namespace

Statics::Statics(ConstrainedSystem& system)
    : system_(system),
      sizes_(find_extension<CoordinateSizes>(system)),
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
  if (status) status = system_.linearize(view(rest_), lambda);
  double fastest = 0;
  for (int trial = 1; status && trial <= 3; ++trial) {
    for (Index i = 0; i < n_; ++i) x[i] = std::sin(1.7 * trial * (i + 1) + 0.3);
    status = system_.apply_linearization(x, view(rest_), Kx, none);
    system_.apply_mass(x, Mx);
    if (Mx.map().norm() > 0) fastest = std::max(fastest, Kx.map().norm() / Mx.map().norm());
  }
  largest_ = fastest > 0 ? std::clamp(largest_share / fastest, 1.0, most_flow) : most_flow;
  return status;
}

Status Statics::solve(double t, VectorView q, VectorView lambda, bool far, Index& iterations) {
  double c = far ? first_flow : largest_;
  const VectorView r = view(residual_), dq = view(step_), f = view(work_), g = view(g_), mu = view(mu_);
  const Index most = far ? most_far : most_near;
  Status status = far ? choose_largest_flow(t, q, lambda) : Status::success();
  if (!status) return status;
  for (iterations = 0; iterations < most; ++iterations) {
    status = evaluate(t, q);
    if (!status) return status;
    system_.apply_jacobian_transpose(lambda, r);
    r.map() = system_.Q().map() - r.map();
    g.map() = -system_.Phi().map();
    status = system_.linearize(view(rest_), lambda);
    if (!status) return status;
    double length = 0;
    for (;;) {
      f.map() = c * r.map();
      status = system_.prepare(c, 0);
      if (status) status = system_.solve_implicit(f, g, dq, mu);
      length = status ? size(dq) : 2 * longest;
      if (std::isfinite(length) && length <= longest) break;
      c *= std::clamp(std::isfinite(length) ? 0.5 * longest / length : 0, 1e-3, 0.5);
      if (c < smallest_flow) return Status::failure(StatusCode::not_converged, "search for an equilibrium", -1, length);
    }
    q.map() += dq.map();
    lambda.map() += mu.map() / c;
    if (c == largest_ && length <= settled) return evaluate(t, q);
    c = std::min(largest_, growth * c);
    if (length < 1e-3 * longest) c = std::min(largest_, 100 * c);
  }
  return Status::failure(StatusCode::not_converged, "search for an equilibrium");
}

// With the matrix of (2) at its largest c.
Status Statics::rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out) {
  const VectorView Q_t = view(residual_), phi_tt = view(g_), mu = view(mu_);
  Status status = evaluate(t, q);
  if (status) status = system_.linearize(view(rest_), lambda);
  if (status) status = system_.prepare(largest_, 0);
  if (status) status = system_.time_gradients(view(rest_), Q_t, phi_tt, mu);
  if (!status) return status;
  Q_t.map() *= largest_;
  return system_.solve_implicit(Q_t, system_.nu(), out, mu);
}

Index Statics::unstable_directions(double t, ConstVectorView q, ConstVectorView lambda) {
  if (n_ > most_dense || !evaluate(t, q) || !system_.linearize(view(rest_), lambda)) return -1;
  using Matrix = Eigen::MatrixXd;
  Matrix K(n_, n_), rows(m_, n_);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_), across(m_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = 1;
    if (!system_.apply_linearization({unit.data(), n_}, view(rest_), {K.col(j).data(), n_}, {across.data(), m_}))
      return -1;
    system_.apply_jacobian({unit.data(), n_}, {rows.col(j).data(), m_});
    unit[j] = 0;
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(rows.transpose());
  qr.setThreshold(1e-9);
  const Index rank = qr.rank();
  if (rank == n_) return 0;
  const Matrix Z = (qr.householderQ() * Matrix::Identity(n_, n_)).rightCols(n_ - rank);
  const Eigen::VectorXcd s = Eigen::EigenSolver<Matrix>(Z.transpose() * K * Z, false).eigenvalues();
  const double largest = s.cwiseAbs().maxCoeff();
  return static_cast<Index>(std::count_if(s.begin(), s.end(), [&](const std::complex<double>& e) {
    return e.real() < -1e-9 * largest && std::abs(e.imag()) <= 1e-9 * largest;
  }));
}

}  // namespace trammel
