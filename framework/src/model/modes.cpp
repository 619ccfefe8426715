// Eigenvalues of a linearized motion, and of a model linearized in independent coordinates.
#include "model/modes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "model/constrained_model.h"

namespace trammel {
namespace {

// Stiffness and damping below these shares of the largest are rounding of what cancels.
constexpr double unsymmetric = 1e-10, no_damping = 1e-13, no_stiffness = 1e-11;
constexpr double pi = 3.14159265358979323846;

std::size_t count(Index n) { return static_cast<std::size_t>(n); }
VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

double largest(const Eigen::MatrixXd& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0; }

/// The largest entry becomes 1, the first of those that are nearly as large.
void normalise(Eigen::VectorXcd& shape) {
  const double size = shape.cwiseAbs().maxCoeff();
  for (const std::complex<double>& x : shape) {
    if (!(std::abs(x) >= size * (1 - 1e-9)) || size == 0) continue;
    shape /= x;
    return;
  }
}

Mode make_mode(const LinearModel& linear, std::complex<double> lambda, const Eigen::VectorXcd& x) {
  Mode mode{lambda, linear.T.cast<std::complex<double>>() * x};
  normalise(mode.shape);
  return mode;
}

/// K x = s M x with symmetric matrices: lambda = +- sqrt(-s).
std::vector<Mode> conservative_modes(const LinearModel& linear) {
  std::vector<Mode> modes;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (linear.K + linear.K.transpose()),
                                                                         linear.M);
  const double small = no_stiffness * std::max(solver.eigenvalues().cwiseAbs().maxCoeff(), 1e-3);
  for (Eigen::Index k = 0; k < linear.M.rows(); ++k) {
    const double s = solver.eigenvalues()[k];
    const Eigen::VectorXcd x = solver.eigenvectors().col(k).cast<std::complex<double>>();
    if (std::abs(s) <= small) {
      modes.push_back(make_mode(linear, 0, x));
    } else if (s > 0) {
      modes.push_back(make_mode(linear, {0, std::sqrt(s)}, x));
    } else {
      for (const double sign : {1.0, -1.0}) modes.push_back(make_mode(linear, sign * std::sqrt(-s), x));
    }
  }
  return modes;
}

std::vector<Mode> general_modes(const LinearModel& linear) {
  std::vector<Mode> modes;
  const LinearMotion& motion = linear.motion;
  const Eigen::Index d = linear.M.rows(), nz = motion.internal();
  // lambda = 0: x with K x = 0, internal states keeping up. Eigenvalues of a pair at 0 come out as anything of the size of
  // the root of the rounding.
  Eigen::MatrixXd still(d + nz, d + nz);
  still.topLeftCorner(d, d) = motion.J1;
  if (nz > 0) still.topRightCorner(d, nz) = motion.J3, still.bottomLeftCorner(nz, d) = motion.R1;
  if (nz > 0) still.bottomRightCorner(nz, nz) = motion.R3;
  Eigen::FullPivLU<Eigen::MatrixXd> stiffness(still);
  stiffness.setThreshold(no_stiffness);
  const double scale = std::sqrt(std::max(largest(linear.motion.J1), 1e-3)) + largest(linear.motion.J2);
  const Eigen::Index neutral = d + nz - stiffness.rank();
  if (neutral > 0) {
    const Eigen::MatrixXd kernel = stiffness.kernel();
    for (Eigen::Index k = 0; k < neutral; ++k)
      modes.push_back(make_mode(linear, 0, kernel.col(k).head(d).cast<std::complex<double>>()));
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(motion.state_matrix());
  for (Eigen::Index k = 0; k < 2 * d + nz; ++k) {
    const std::complex<double> lambda = solver.eigenvalues()[k];
    if (lambda.imag() < 0 || (neutral > 0 && std::abs(lambda) <= 1e-6 * scale)) continue;
    modes.push_back(make_mode(linear, lambda, solver.eigenvectors().col(k).head(d)));
  }
  return modes;
}

}  // namespace

Status linearize_motion(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot,
                        LinearMotion& motion) {
  Status status = view.linearize(t, x, x_dot);
  const Index n = view.size();
  Eigen::MatrixXd M(n, n);
  motion.J1.resize(n, n), motion.J2.resize(n, n);
  for (Index k = 0; status && k < n; ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    const ConstVectorView y{unit.data(), n};
    status = view.apply_mass(y, {M.data() + k * n, n});
    if (status) status = view.apply_J1(y, {motion.J1.data() + k * n, n});
    if (status) status = view.apply_J2(y, {motion.J2.data() + k * n, n});
  }
  if (!status) return status;
  const Eigen::PartialPivLU<Eigen::MatrixXd> mass(M);
  motion.J1 = mass.solve(motion.J1).eval();
  motion.J2 = mass.solve(motion.J2).eval();
  return motion.J1.allFinite() && motion.J2.allFinite() ? status : Status::failure(StatusCode::singular, "mass matrix");
}

Eigen::MatrixXd LinearMotion::state_matrix() const {
  const Eigen::Index n = J1.rows(), nz = internal();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + nz, 2 * n + nz);
  A.block(0, n, n, n).setIdentity();
  A.block(n, 0, n, n) = J1;
  A.block(n, n, n, n) = J2;
  if (nz == 0) return A;
  A.block(n, 2 * n, n, nz) = J3;
  A.bottomRows(nz) << R1, R2, R3;
  return A;
}

std::vector<std::complex<double>> LinearMotion::eigenvalues() const {
  const Eigen::VectorXcd values = state_matrix().eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  return sorted;
}

// Coordinates change with w at rates of 1/m or 1/rad, times what makes lengths of tenths of a metre: the acceleration that
// an equilibrium leaves stands in K^ with that factor.
bool LinearModel::symmetric() const {
  constexpr double curvature = 100, rest = 2e-6;
  const double left = acceleration <= rest ? curvature * acceleration * largest(M) : 0;
  return largest(K - K.transpose()) <= unsymmetric * std::max(largest(K), 1e-300) + left;
}

bool LinearModel::conservative() const {
  const double rate = std::sqrt(std::max(largest(motion.J1), 1e-3));
  if (motion.internal() > 0) return false;
  return largest(motion.J2) <= no_damping * rate && symmetric();
}

double Mode::frequency() const { return omega() / (2 * pi); }

namespace {

/// With dq = T dw, dv = T dw' + V dw, where Phi_u V_u = -((Phi_q v)_q + Phi_tq) T, the forces' own
///   f = -Q_z dz,  r = (z')_q dq + (z')_v dv + (z')_z dz  give  J3 = -M^^-1 T^T f,  R1, R2, R3 = r                     (1)
Status linearize_internal(ConstrainedModel& model, ConstVectorView v, LinearModel& linear) {
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  const Eigen::Index d = linear.T.cols();
  LinearMotion& motion = linear.motion;
  motion.J3.resize(d, nz), motion.R1.resize(nz, d), motion.R2.resize(nz, d), motion.R3.resize(nz, nz);
  std::vector<double> none(count(n), 0.0), still(count(nz), 0.0), f(count(n)), rows(count(m)), more(rows), V(count(n));
  Status status;
  for (Eigen::Index k = 0; status && k < d; ++k) {
    const ConstVectorView along{linear.T.data() + k * n, n};
    status = model.apply_jacobian_gradient(v, along, view(rows));
    if (status) status = model.apply_time_jacobian(along, view(more));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += more[i];
    model.partition().solve_dependent(view(rows), view(V));
    for (double& x : V) x = -x;
    if (status) {
      status = model.apply_internal_linearization(along, view(V), view(still), view(f), {motion.R1.data() + k * nz, nz});
    }
    if (status) {
      status = model.apply_internal_linearization(view(none), along, view(still), view(f), {motion.R2.data() + k * nz, nz});
    }
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> mass(linear.M);
  for (Index k = 0; status && k < nz; ++k) {
    still[count(k)] = 1;
    status = model.apply_internal_linearization(view(none), view(none), view(still), view(f),
                                                {motion.R3.data() + k * nz, nz});
    if (d > 0) motion.J3.col(k) = -mass.solve(linear.T.transpose() * Eigen::Map<const Eigen::VectorXd>(f.data(), n));
    still[count(k)] = 0;
  }
  return status;
}

}  // namespace

Status linearize_model(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, LinearModel& linear) {
  const Index n = model.coordinates(), m = model.constraints();
  const std::vector<double> z = model.point_z();
  std::vector<double> a(count(n)), lambda(count(m)), mask(count(n)), rows(count(m)), unit(count(n), 0.0),
      dependent(count(n));
  Status status =
      model.evaluate(t, q, v, {z.data(), static_cast<Index>(z.size())}, evaluate_dynamics | evaluate_nu | evaluate_Phi);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status) status = model.solve(model.Q(), model.gamma(), view(a), view(lambda));
  linear.acceleration = 0;
  for (const double x : a) linear.acceleration = std::max(linear.acceleration, std::abs(x));
  ModelPartition& partition = model.partition();
  if (status) status = partition.choose_partition({}, view(mask));
  if (!status) return status;
  linear.independent.clear();
  for (Index i = 0; i < n; ++i) {
    if (mask[count(i)] != 0) linear.independent.push_back(i);
  }
  const auto d = static_cast<Index>(linear.independent.size());
  const Eigen::Index size = d;
  linear.M.resize(size, size), linear.T = Eigen::MatrixXd::Zero(n, size);
  Eigen::MatrixXd MJ1(size, size), MJ2(size, size);
  Eigen::VectorXd MJt(size);
  auto* derivatives = find_extension<StateSpaceDerivatives>(static_cast<ConstrainedSystem&>(model));
  derivatives->make_room(d);
  status = partition.factorize_dependent(view(mask));
  if (status) status = model.linearize(view(a), view(lambda));
  const auto matrix = [&](Eigen::MatrixXd& X) { return MatrixView{X.data(), d, d, d}; };
  if (status && d > 0)
    status = derivatives->reduce(view(mask), view(a), view(lambda), matrix(linear.M), matrix(MJ1), matrix(MJ2),
                                 {MJt.data(), d});
  if (!status) return status;
  for (Index k = 0; k < d; ++k) {
    unit[count(linear.independent[count(k)])] = 1;
    model.apply_jacobian(view(unit), view(rows));
    partition.solve_dependent(view(rows), view(dependent));
    linear.T.col(k) =
        Eigen::Map<const Eigen::VectorXd>(unit.data(), n) - Eigen::Map<const Eigen::VectorXd>(dependent.data(), n);
    unit[count(linear.independent[count(k)])] = 0;
  }
  linear.K = -MJ1, linear.C = -MJ2;
  const Eigen::PartialPivLU<Eigen::MatrixXd> mass(linear.M);
  if (d > 0) linear.motion.J1 = mass.solve(MJ1), linear.motion.J2 = mass.solve(MJ2);
  if (model.internal_states() > 0) status = linearize_internal(model, v, linear);
  if (!status) return status;
  const bool finite = linear.motion.J1.allFinite() && linear.motion.J2.allFinite();
  return finite ? status : Status::failure(StatusCode::singular, "mass matrix");
}

std::vector<Mode> find_modes(const LinearModel& linear) {
  if (linear.M.rows() == 0) return {};
  std::vector<Mode> modes = linear.conservative() ? conservative_modes(linear) : general_modes(linear);
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.omega() < b.omega(); });
  return modes;
}

Stability judge_stability(const LinearModel& linear) {
  // Away from rest K^ contains what that acceleration leaves of a stiffness that would be zero there, 1/s^2.
  constexpr double of_acceleration = 10;  // 1/m or 1
  const double left = of_acceleration * linear.acceleration;
  Stability result;
  result.from_stiffness = linear.motion.internal() == 0 && linear.symmetric();
  if (linear.M.rows() == 0 && result.from_stiffness) return result.stable = true, result;  // nothing can move
  if (result.from_stiffness) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (linear.K + linear.K.transpose()),
                                                                           linear.M, Eigen::EigenvaluesOnly);
    const double small = no_stiffness * std::max(solver.eigenvalues().cwiseAbs().maxCoeff(), 1e-3) + left;
    for (const double s : solver.eigenvalues()) {
      if (s < -small) ++result.unstable;
      if (std::abs(s) <= small) ++result.neutral;
    }
    result.lowest = solver.eigenvalues()[0];
  } else {
    double growth = -1e300;
    const double scale = std::sqrt(std::max(largest(linear.motion.J1), 1e-3));
    for (const std::complex<double>& lambda : linear.motion.eigenvalues()) {
      growth = std::max(growth, lambda.real());
      if (lambda.real() > 1e-7 * scale + std::sqrt(left))
        ++result.unstable;
      else if (lambda.real() > -1e-12 * scale)
        ++result.neutral;
    }
    result.lowest = -growth;
  }
  result.stable = result.unstable == 0 && result.neutral == 0;
  return result;
}

}  // namespace trammel
