// Changes of coordinates of linearized motions.
#include "linear/linear_axes.h"

#include <algorithm>
#include <cmath>

#include "linalg/dense.h"
#include "model/constrained_model.h"

namespace trammel {
namespace {

using Matrix = Eigen::MatrixXd;

/// As many rows of X as it has columns, the longest left by those before first (modified Gram and Schmidt).
std::vector<Index> independent_rows(Matrix X) {
  constexpr double as_long = 0.99;  // rows that come first are taken where others are hardly longer
  std::vector<Index> rows;
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    const Eigen::VectorXd length = X.rowwise().norm();
    Eigen::Index best = 0;
    for (Eigen::Index i = 1; i < X.rows(); ++i) {
      if (as_long * length[i] > length[best]) best = i;
    }
    if (!(length[best] > 0)) break;
    rows.push_back(static_cast<Index>(best));
    const Eigen::RowVectorXd direction = X.row(best) / length[best];
    X -= (X * direction.transpose()).eval() * direction;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

ConstVectorView part_of(const Eigen::VectorXd& x, Index first, Index count) { return {x.data() + first, count}; }

}  // namespace

SteadyMotion steady_motion(const BodyTwists& twists, const LinearPlace& place, const TangentMotion& tangent,
                           const std::vector<Index>& chosen) {
  const Index n = place.q.size, nz = place.z.size;
  const Eigen::Index columns = tangent.dy.cols(), d = (columns - nz) / 2;
  const BodyTwists::State at{place.q, place.v, part_of(tangent.a, 0, n)};
  Matrix xi(twists.size(), columns), eta(xi), xi_rate(xi), eta_rate(xi);
  BodyTwists::Twist twist;
  for (Eigen::Index k = 0; k < columns; ++k) {
    const Eigen::VectorXd dy = tangent.dy.col(k), rate = tangent.rate.col(k);
    twists.change(at, part_of(dy, 0, n), part_of(dy, n, n), part_of(rate, n, n), twist);
    xi.col(k) = twist.xi, eta.col(k) = twist.eta, xi_rate.col(k) = twist.xi_rate, eta_rate.col(k) = twist.eta_rate;
  }
  SteadyMotion motion{chosen.empty() ? independent_rows(xi.leftCols(d)) : chosen, {}, {}, {}, {}};
  Matrix x = Matrix::Zero(columns, columns), rate(columns, columns);
  for (std::size_t i = 0; i < motion.chosen.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    x.row(row) = xi.row(motion.chosen[i]), x.row(d + row) = eta.row(motion.chosen[i]);
    rate.row(row) = xi_rate.row(motion.chosen[i]), rate.row(d + row) = eta_rate.row(motion.chosen[i]);
  }
  x.bottomRightCorner(nz, nz).setIdentity();
  rate.bottomRows(nz) = tangent.rate.bottomRows(nz);
  motion.X = x;
  const Matrix from = x.transpose();
  motion.A = dense::solve(from, rate.transpose()).transpose();
  motion.S = dense::solve(from, tangent.dy.transpose()).transpose();
  motion.rate = dense::solve(from, tangent.rate.transpose()).transpose();
  return motion;
}

Status take_axes(ConstrainedModel& model, const LinearPlace& place, const BodyTwists& twists, LinearModel& linear) {
  TangentMotion tangent;
  const Status status = find_tangent_motion(model, place.t, place.q, place.v, place.z, tangent);
  if (!status) return status;
  const SteadyMotion steady = steady_motion(twists, place, tangent);
  const Index n = place.q.size, nz = place.z.size;
  const auto d = static_cast<Eigen::Index>(steady.chosen.size());
  const Matrix a11 = steady.A.topLeftCorner(d, d), a21 = steady.A.block(d, 0, d, d), a22 = steady.A.block(d, d, d, d);
  LinearMotion& motion = linear.motion;
  motion.J1 = a21 - a22 * a11, motion.J2 = a11 + a22;
  if (nz > 0) {
    motion.J3 = steady.A.block(d, 2 * d, d, nz);
    motion.R2 = steady.A.block(2 * d, d, nz, d);
    motion.R1 = steady.A.block(2 * d, 0, nz, d) - motion.R2 * a11;
    motion.R3 = steady.A.bottomRightCorner(nz, nz);
  }
  linear.T = steady.S.topLeftCorner(n, d);
  Matrix MT(n, d);
  for (Eigen::Index k = 0; k < d; ++k) {
    const Eigen::VectorXd along = linear.T.col(k);
    model.apply_mass({along.data(), n}, {MT.data() + k * n, n});
  }
  linear.M = linear.T.transpose() * MT;
  linear.K = -linear.M * motion.J1, linear.C = -linear.M * motion.J2;
  const Matrix sums = linear.M.cwiseAbs() * (a21.cwiseAbs() + a22.cwiseAbs() * a11.cwiseAbs());
  linear.terms = stiffness_terms(model, linear.T).cwiseMax(sums);
  linear.names.clear();
  for (const Index i : steady.chosen) linear.names.push_back(twists.name(i));
  return motion.J1.allFinite() && motion.J2.allFinite() ? status : Status::failure(StatusCode::singular, "mass matrix");
}

Status change_along_motion(ConstrainedModel& model, const LinearPlace& place, const Eigen::Vector3d& turning,
                           double rate, double& change) {
  constexpr double small = 1e-3, spins = 0.2;  // rad that the fastest motion goes on; five times as far a body may turn
  change = 0;
  if (!(rate > 0)) return Status::success();
  BodyTwists twists(model.assembly(), turning);
  TangentMotion tangent;
  Status status = find_tangent_motion(model, place.t, place.q, place.v, place.z, tangent);
  if (!status) return status;
  const Index n = place.q.size, nz = place.z.size;
  Eigen::VectorXd z_rate = Eigen::VectorXd::Zero(nz);
  if (nz > 0) z_rate = model.z_rate().map();
  const SteadyMotion here = steady_motion(twists, place, tangent);
  const auto d = static_cast<Eigen::Index>(here.chosen.size());
  // Bodies may spin much faster than the motions about that are.
  double fastest = rate;
  BodyTwists::Twist spin;
  twists.change({place.q, place.v, part_of(tangent.a, 0, n)}, place.v, part_of(tangent.a, 0, n),
                part_of(tangent.a, 0, n), spin);
  for (Index i = 0; i < twists.size(); ++i)
    if (twists.turns(i)) fastest = std::max(fastest, spins * std::abs(spin.xi[i]));
  const double dt = small / fastest;
  Matrix rates = Matrix::Zero(here.A.rows(), here.A.cols());
  for (const double at : {-2., -1., 1., 2.}) {
    // Off the motion by powers of dt that differences of fourth order do not see.
    const double by = at * dt;
    const Eigen::VectorXd q = place.q.map() + by * place.v.map(), v = place.v.map() + by * tangent.a,
                          z = place.z.map() + by * z_rate;
    twists.turn_axes(by);
    const LinearPlace beside{place.t + by, {q.data(), n}, {v.data(), n}, {z.data(), nz}};
    TangentMotion there;
    status = find_tangent_motion(model, beside.t, beside.q, beside.v, beside.z, there);
    if (!status) return status;
    rates += (std::abs(at) == 1 ? 8 * at : -at / 2) / (12 * dt) * steady_motion(twists, beside, there, here.chosen).A;
  }
  // xi, eta / rate and z, with displacements in the model's unit of length.
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(rates.rows());
  for (Eigen::Index i = 0; i < d; ++i) {
    scale[i] = twists.turns(here.chosen[static_cast<std::size_t>(i)]) ? 1 : model.unit().length();
    scale[d + i] = scale[i] * rate;
  }
  rates = scale.cwiseInverse().asDiagonal() * rates * scale.asDiagonal();
  const Eigen::Index moving = 2 * d;  // states of forces have scales of their own
  change = moving > 0 ? rates.topLeftCorner(moving, moving).cwiseAbs().maxCoeff() / (rate * rate) : 0;
  return status;
}

bool spatial_bodies_turn(const Assembly& assembly, ConstVectorView v) {
  constexpr double noteworthy = 1e-6;
  bool turn = false;
  for (Index i = 0; assembly.intrinsic_rows() > 0 && i < v.size; ++i)
    turn = turn || (!assembly.table.displaces(i) && std::abs(v[i]) > noteworthy);
  return turn;
}

}  // namespace trammel
