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
constexpr double noteworthy = 1e-8;                                       // change of a coordinate that is a jump
constexpr double rounding = 1e-12;                                        // of a step or a row, in the same unit
constexpr Index most_far = 400, most_near = 120;
constexpr int most_looks = 60;
constexpr double resting = 1e-9;  // 1/s^2, largest acceleration at rest
constexpr Index most_dense = 300;
constexpr const char* too_many_coordinates = "the model has more than 300 coordinates";
constexpr double least_mass = 1e-13;  // reciprocal condition of the mass matrix, scaled to a diagonal of ones

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
      mu_(g_),
      guess_(rest_),
      r0_(rest_),
      Phi0_(g_),
      rate_(rest_),
      next_rate_(rest_),
      next_q_(rest_),
      next_lambda_(g_),
      before_q_(rest_),
      before_lambda_(g_) {}

double Statics::size(ConstVectorView dq) const {
  if (sizes_ != nullptr) return sizes_->largest_coordinate(dq);
  return dq.size > 0 ? dq.map().lpNorm<Eigen::Infinity>() : 0;
}

double Statics::violation(ConstVectorView Phi) const {
  if (sizes_ != nullptr) return sizes_->largest_row(Phi);
  return Phi.size > 0 ? Phi.map().lpNorm<Eigen::Infinity>() : 0;
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
  if (far) return solve(t, q, lambda, true, 0, iterations);
  const VectorView guess = view(guess_);
  guess.map() = q.map();
  const Status status = solve(t, q, lambda, false, 0, iterations);
  if (status || status.code == StatusCode::not_finite) return status;
  q.map() = guess.map();
  const Status driven = solve_driven(t, q, lambda);
  return driven || !finds_none(driven) ? driven : status;
}

Status Statics::solve_driven(double t, VectorView q, VectorView lambda) {
  const VectorView a = view(step_), none = view(g_);
  ProjectionReport report;
  Status status = system_.project_positions(t, q, ProjectionWeights::identity, rounding, report);
  if (status) status = evaluate(t, q);
  if (status) status = system_.factorize(ProjectionWeights::mass);
  none.map().setZero();
  if (status) status = system_.solve(system_.Q(), none, a, lambda);
  if (status && !(size(a) <= resting)) status = Status::failure(StatusCode::not_converged, "search for an equilibrium");
  return status;
}

Status Statics::solve(double t, VectorView q, VectorView lambda, bool far, double held, Index& iterations) {
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
    if (held > 0) r.map() -= held * view(r0_).map(), g.map() += held * view(Phi0_).map();
    if (!r.map().allFinite() || !g.map().allFinite())
      return Status::failure(StatusCode::not_finite, "search for an equilibrium");
    // Nothing but rounding is left. Where nothing holds a body, (2) would make a way of it.
    const double off = violation(g);
    if (off <= rounding && (r.map().array().abs() <= balanced * f.map().array()).all()) return Status::success();
    status = linearization_.linearize(view(rest_), lambda);
    if (!status) return status;
    double length = 0;
    for (;;) {
      f.map() = c * r.map();
      status = implicit_.prepare(c, 0);
      if (status) status = implicit_.solve_implicit(f, g, dq, mu);
      if (!status && !finds_none(status)) return status;  // no c makes a matrix finite
      length = status ? size(dq) : 2 * longest;
      if (!status) top = 0.25 * c;  // the matrix is too near to a singular one
      // The flow goes where forces lead. Against them, (2) is Newton's method on the way to an unstable equilibrium.
      const bool climbs = far && status && off <= settled && length > settled && r.map().dot(dq.map()) < 0;
      if (!climbs && std::isfinite(length) && length <= longest) break;
      c *= climbs ? 0.25 : std::clamp(std::isfinite(length) ? 0.5 * longest / length : 0, 1e-3, 0.5);
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

// With the matrix of (2) at its largest c. In motions that are soft beside the stiffest, M is not small beside c K there, and is
// taken off again: (M + c K) x = c Q_t + M x, until x stays.
Status Statics::rate(const Path& path, double s, ConstVectorView q, ConstVectorView lambda, VectorView out) {
  const VectorView f = view(residual_), g = view(g_), mu = view(mu_);
  const double length = path.t1 - path.t0;
  Status status = evaluate(path.time(s), q);
  if (status) status = linearization_.linearize(view(rest_), lambda);
  if (status) status = implicit_.prepare(largest_, 0);
  if (status && !path.lets_go) status = linearization_.time_gradients(view(rest_), f, {}, {});
  if (!status) return status;
  if (path.lets_go) {
    f.map() = largest_ * view(r0_).map(), g.map() = -view(Phi0_).map();
  } else {
    f.map() *= length * largest_, g.map() = length * system_.nu().map();
  }
  if (!f.map().allFinite() || !g.map().allFinite())
    return Status::failure(StatusCode::not_finite, "rate of an equilibrium");
  status = implicit_.solve_implicit(f, g, out, mu);
  const VectorView right = view(step_), next = view(work_);
  double before = std::numeric_limits<double>::infinity();
  for (int look = 0; status && look < most_looks; ++look) {
    system_.apply_mass(out, right);
    right.map() += f.map();
    status = implicit_.solve_implicit(right, g, next, mu);
    if (!status) break;
    right.map() = next.map() - out.map();
    const double change = size(right);
    if (!(change < before)) break;  // nothing balances there, or rounding is left
    before = change;
    out.map() = next.map();
    if (change <= rounding * size(out)) break;
  }
  if (status && !out.map().allFinite()) status = Status::failure(StatusCode::singular, "rate of an equilibrium");
  return status;
}

Status Statics::rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out) {
  return rate({t, t + 1, false}, 0, q, lambda, out);
}

Status Statics::solve(const Path& path, double s, VectorView q, VectorView lambda) {
  Index iterations = 0;
  return solve(path.time(s), q, lambda, false, path.lets_go ? 1 - s : 0, iterations);
}

Status Statics::follow(const Path& path, VectorView q, VectorView lambda, double& reached) {
  constexpr double shortest = 1e-6;
  const VectorView rate = view(rate_), rate_to = view(next_rate_), to = view(next_q_), forces = view(next_lambda_);
  double h = 1;
  for (reached = 0; reached < 1;) {
    h = std::min(h, 1 - reached);
    const double s = h == 1 - reached ? 1 : reached + h;
    to.map() = q.map() + h * rate.map();
    forces.map() = lambda.map();
    Status status = solve(path, s, to, forces);
    if (status) status = this->rate(path, s, to, forces, rate_to);
    if (!status || departs({q, rate, to, rate_to}, h)) {
      h *= 0.5;
      if (h < shortest)
        return status ? Status::failure(StatusCode::not_converged, "continuation of an equilibrium") : status;
      continue;
    }
    q.map() = to.map(), lambda.map() = forces.map(), rate.map() = rate_to.map();
    reached = s, h *= 2;
  }
  return Status::success();
}

Status Statics::follow(double t0, double t1, VectorView q, VectorView lambda, ConstVectorView rate) {
  view(rate_).map() = (t1 - t0) * rate.map();
  double reached = 0;
  return follow({t0, t1, false}, q, lambda, reached);
}

Statics::Jump Statics::jump(double t, VectorView q, VectorView lambda) {
  const VectorView before = view(before_q_), forces = view(before_lambda_), r0 = view(r0_), way = view(work_);
  Jump jump;
  before.map() = q.map(), forces.map() = lambda.map();
  const auto restore = [&] { q.map() = before.map(), lambda.map() = forces.map(); };
  Index iterations = 0;
  const Status at_once = solve(t, q, lambda, false, iterations);
  way.map() = q.map() - before.map();
  if (at_once && size(way) <= noteworthy) return jump;
  restore();
  jump.status = evaluate(t, q);
  if (!jump.status || n_ == 0) return jump;
  system_.apply_jacobian_transpose(lambda, r0);
  r0.map() = system_.Q().map() - r0.map();
  view(Phi0_).map() = system_.Phi().map();
  const Path path{t, t, true};
  double reached = 0;
  jump.status = rate(path, 0, q, lambda, view(rate_));
  if (jump.status) jump.status = follow(path, q, lambda, reached);
  jump.snaps = finds_none(jump.status);
  jump.flows = jump.status && stability(t, q, lambda).unstable > 0;
  if (jump.flows) restore();
  if (jump.snaps || jump.flows) jump.status = solve(t, q, lambda, true, iterations);
  if (!jump.status) {
    if (finds_none(jump.status) && !at_once && !finds_none(at_once)) jump.status = at_once;
    restore();
    r0.map().cwiseAbs().maxCoeff(&jump.most);
    return jump;
  }
  way.map() = q.map() - before.map();
  jump.moved = true;
  jump.by = way.map().cwiseAbs().maxCoeff(&jump.most);
  return jump;
}

void Statics::take_largest_of_bodies(VectorView x) const {
  for (Index b = 0; b < bodies(); ++b) {
    auto of_body = x.map().segment(body(b).first, body(b).count);
    of_body.setConstant(of_body.maxCoeff());
  }
}

bool Statics::departs(const Way& way, double h) {
  constexpr double always_near = 1e-3;  // of a coordinate's unit; where nothing moves there is no way to compare with
  constexpr double of_rate = 0.5, of_rates = 0.1;
  const VectorView part = view(work_);
  for (Index b = 0; b < bodies(); ++b) {
    const auto [first, count] = body(b);
    const auto of_body = [&](const auto& number) {
      part.map().setZero();
      for (Index i = 0; i < count; ++i) part[first + i] = number(first + i);
      return size(part);
    };
    const double length = of_body([&](Index i) { return way.to[i] - way.from[i]; });
    const double missed = of_body([&](Index i) { return way.to[i] - way.from[i] - h * way.rate[i]; });
    const double turned =
        of_body([&](Index i) { return way.to[i] - way.from[i] - 0.5 * h * (way.rate[i] + way.rate_to[i]); });
    if (missed > std::max(always_near, of_rate * length) || turned > std::max(always_near, of_rates * length))
      return true;
  }
  return false;
}

Statics::Stability Statics::stability(double t, ConstVectorView q, ConstVectorView lambda) {
  if (n_ > most_dense) return {0, too_many_coordinates};
  constexpr Stability not_linear{0, "the equations of statics cannot be linearized"};
  if (!evaluate(t, q) || !linearization_.linearize(view(rest_), lambda)) return not_linear;
  using Matrix = Eigen::MatrixXd;
  Matrix K(n_, n_), rows(m_, n_);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_), across(m_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = 1;
    if (!linearization_.apply_linearization({unit.data(), n_}, view(rest_), {K.col(j).data(), n_}, {across.data(), m_}))
      return not_linear;
    system_.apply_jacobian({unit.data(), n_}, {rows.col(j).data(), m_});
    unit[j] = 0;
  }
  Matrix Z = Matrix::Identity(n_, n_);
  if (m_ > 0) {
    Eigen::ColPivHouseholderQR<Matrix> qr(rows.transpose());
    qr.setThreshold(1e-9);
    if (qr.rank() == n_) return {};
    Z = (qr.householderQ() * Matrix::Identity(n_, n_)).rightCols(n_ - qr.rank());
  }
  Matrix M(n_, n_);
  for (Index j = 0; j < n_; ++j) {
    unit[j] = 1;
    system_.apply_mass({unit.data(), n_}, {M.col(j).data(), n_});
    unit[j] = 0;
  }
  // With M = L L^T on the tangent space: of s x = L^-1 K L^-T x, s = omega^2, which have all one unit, 1/s^2. Scaled to
  // a diagonal of ones, so that the condition tells of masses and not of units.
  constexpr Stability without_mass{0, "some direction along the constraints has no mass"};
  Matrix along = Z.transpose() * M * Z;
  if (!(along.diagonal().array() > 0).all()) return without_mass;
  const Eigen::VectorXd scale = along.diagonal().cwiseSqrt().cwiseInverse();
  along = scale.asDiagonal() * along * scale.asDiagonal();
  const Eigen::LLT<Matrix> L(along);
  if (L.info() != Eigen::Success || !(L.rcond() > least_mass)) return without_mass;
  const Matrix stiffness = scale.asDiagonal() * Matrix(Z.transpose() * K * Z) * scale.asDiagonal();
  if (!stiffness.allFinite()) return not_linear;
  const Matrix half = L.matrixL().solve(stiffness);
  const Matrix reduced = L.matrixL().solve(Matrix(half.transpose())).transpose();
  const Eigen::VectorXcd s = Eigen::EigenSolver<Matrix>(reduced, false).eigenvalues();
  const double zero = 1e-12 * (s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0) + standing;
  // exp(sqrt(-s) t) grows unless s is real and not negative: negative ones diverge, pairs flutter.
  const auto unstable = std::count_if(s.begin(), s.end(), [&](const std::complex<double>& e) {
    return e.real() < -zero || std::abs(e.imag()) > 1e-6 * std::abs(e) + zero;
  });
  return {static_cast<Index>(unstable), nullptr};
}

}  // namespace trammel
