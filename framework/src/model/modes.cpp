// Eigenvalues of a linearized motion, and of a model linearized in independent coordinates.
#include "model/modes.h"

#include <algorithm>
#include <cmath>

#include "linalg/dense.h"
#include "linalg/sizes.h"
#include "model/constrained_model.h"
#include "model/spectrum.h"
#include "trammel/math/two_pi.h"

namespace trammel {
namespace {

// Of the size of an entry's terms: what rounding leaves of stiffness that cancels, of symmetry, and of damping at rest.
constexpr double rounding_share = 1e-13, unsymmetric = 1e-10, no_damping = 1e-13;
constexpr double slowest = 1e-3;  // 1/s^2, in place of the square of a rate where nothing is stiff

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

SymmetricSpectrum symmetric_spectrum(const LinearModel& linear) {
  return graded_spectrum(0.5 * (linear.K + linear.K.transpose()), linear.M);
}

/// What rounding of K^ leaves of s = x^T K^ x, x^T M^ x = 1, 1/s^2: of its own terms, whatever is stiff elsewhere.
double rounding_of(const LinearModel& linear, const Eigen::VectorXd& x) {
  return rounding_share * x.cwiseAbs().dot(linear.terms * x.cwiseAbs());
}

/// K x = s M x with symmetric matrices: lambda = +- sqrt(-s).
std::vector<Mode> conservative_modes(const LinearModel& linear) {
  std::vector<Mode> modes;
  const SymmetricSpectrum spectrum = symmetric_spectrum(linear);
  for (Eigen::Index k = 0; k < linear.M.rows(); ++k) {
    const double s = spectrum.s[k];
    const Eigen::VectorXcd x = spectrum.x.col(k).cast<std::complex<double>>();
    if (std::abs(s) <= rounding_of(linear, spectrum.x.col(k))) {
      modes.push_back(make_mode(linear, 0, x));
    } else if (s > 0) {
      modes.push_back(make_mode(linear, {0, std::sqrt(s)}, x));
    } else {
      for (const double sign : {1.0, -1.0}) modes.push_back(make_mode(linear, sign * std::sqrt(-s), x));
    }
  }
  return modes;
}

/// The spectrum of y' = A y in its invariant subspace without the eigenvalue 0, and the vectors with A (x, 0, z) = 0.
struct DynamicSpectrum {
  GeneralSpectrum moving;
  Eigen::MatrixXd still;  ///< x, one column per direction
  Eigen::Index zeros;     ///< eigenvalues 0: one or two per direction
};

/// With S = [J1, J3; R1, R3] and l^T S = 0, l = (l2, l3), the left null vectors of A are (-J2^T l2 - R2^T l3, l2, l3),
/// and where a combination of them is orthogonal to all right null vectors there is one more of second rank, A^T l' =
/// l:
///   S^T (l2', l3') = (l1, l3),  l1' = l2 - J2^T l2' - R2^T l3'
/// (a motion without stiffness nor damping: x = x_0 + v_0 t). The other eigenvectors are orthogonal to all these.
DynamicSpectrum dynamic_spectrum(const LinearModel& linear) {
  const LinearMotion& motion = linear.motion;
  const Eigen::Index d = linear.M.rows(), nz = motion.internal(), size = d + nz;
  Eigen::MatrixXd S(size, size), magnitude = Eigen::MatrixXd::Zero(size, size);  // J1 and J3 times -M: K^ and its terms
  S.topLeftCorner(d, d) = linear.K;
  if (nz > 0) {
    S.topRightCorner(d, nz) = -linear.M * motion.J3;
    S.bottomRows(nz) << motion.R1, motion.R3;
    magnitude = S.cwiseAbs();
  }
  magnitude.topLeftCorner(d, d) = linear.terms;
  const Kernels null = kernels(S, magnitude, rounding_share * static_cast<double>(size));
  const Eigen::Index k = null.right.cols();
  DynamicSpectrum result{{}, null.right.topRows(d), k};
  const Eigen::MatrixXd A = motion.state_matrix();
  if (k == 0) {
    result.moving = graded_spectrum(A);
    return result;
  }
  Eigen::MatrixXd l = null.left, first(d, k);  // l of J: -M^T l of K^
  l.topRows(d) = (-linear.M.transpose() * null.left.topRows(d)).eval();
  first = -motion.J2.transpose() * l.topRows(d);
  if (nz > 0) first -= motion.R2.transpose() * l.bottomRows(nz);
  Eigen::MatrixXd left(2 * d + nz, k), right_side(size, k), terms = std::sqrt(slowest) * l.cwiseAbs();
  left << first, l;
  right_side.topRows(d) = first;
  terms.topRows(d) += motion.J2.cwiseAbs().transpose() * l.topRows(d).cwiseAbs();
  if (nz > 0) {
    right_side.bottomRows(nz) = l.bottomRows(nz);
    terms.topRows(d) += motion.R2.cwiseAbs().transpose() * l.bottomRows(nz).cwiseAbs();
    terms.bottomRows(nz) += l.bottomRows(nz).cwiseAbs();
  }
  const Kernels chained = kernels(null.right.transpose() * right_side, null.right.cwiseAbs().transpose() * terms,
                                  rounding_share * static_cast<double>(size));
  if (const Eigen::Index more = chained.right.cols(); more > 0) {
    Eigen::MatrixXd transposed = S.transpose();
    if (d > 0) transposed.leftCols(d) = -transposed.leftCols(d) * dense::inverse(linear.M).transpose();
    const Eigen::MatrixXd next = dense::least_squares(transposed, right_side * chained.right);
    Eigen::MatrixXd second = l.topRows(d) * chained.right - motion.J2.transpose() * next.topRows(d);
    if (nz > 0) second -= motion.R2.transpose() * next.bottomRows(nz);
    left.conservativeResize(Eigen::NoChange, k + more);
    left.rightCols(more) << second, next;
    result.zeros += more;
  }
  for (Eigen::Index i = 0; i < left.cols(); ++i) left.col(i).normalize();
  const Eigen::Index rest = A.rows() - result.zeros;
  const Eigen::MatrixXd Q = dense::completed_basis(left);
  const Eigen::MatrixXd Y = Q.rightCols(rest);
  result.moving = graded_spectrum(Y.transpose() * A * Y);
  result.moving.y = (Y.cast<std::complex<double>>() * result.moving.y).eval();
  return result;
}

std::vector<Mode> general_modes(const LinearModel& linear) {
  std::vector<Mode> modes;
  const DynamicSpectrum spectrum = dynamic_spectrum(linear);
  const Eigen::Index d = linear.M.rows();
  for (Eigen::Index k = 0; k < spectrum.still.cols(); ++k) {
    modes.push_back(make_mode(linear, 0, spectrum.still.col(k).cast<std::complex<double>>()));
  }
  for (Eigen::Index k = 0; k < spectrum.moving.lambda.size(); ++k) {
    const std::complex<double> lambda = spectrum.moving.lambda[k];
    if (lambda.imag() >= 0) modes.push_back(make_mode(linear, lambda, spectrum.moving.y.col(k).head(d)));
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
  motion.J1 = dense::solve(M, motion.J1);
  motion.J2 = dense::solve(M, motion.J2);
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
  const Eigen::VectorXcd values = dense::eigenvalues(state_matrix());
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  return sorted;
}

// Coordinates change with w at rates of 1/m or 1/rad, times what makes lengths of tenths of a metre: the acceleration
// that an equilibrium leaves stands in K^ with that factor.
bool LinearModel::symmetric() const {
  constexpr double curvature = 100, rest = 2e-6;
  const double left = acceleration <= rest ? curvature * acceleration * largest(M) : 0;
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const double size = std::max({terms(i, j), terms(j, i), std::sqrt(terms(i, i) * terms(j, j))});
      if (std::abs(K(i, j) - K(j, i)) > unsymmetric * size + left) return false;
    }
  }
  return true;
}

// Entries of C^ count against the rates at which the two coordinates would swing by themselves.
bool LinearModel::conservative() const {
  if (motion.internal() > 0 || !symmetric()) return false;
  const auto impedance = [&](Eigen::Index i) { return M(i, i) * std::sqrt(std::max(terms(i, i) / M(i, i), slowest)); };
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    for (Eigen::Index j = 0; j < C.cols(); ++j) {
      if (std::abs(C(i, j)) > no_damping * std::sqrt(impedance(i) * impedance(j))) return false;
    }
  }
  return true;
}

Eigen::VectorXd softest_shape(const LinearModel& linear) { return linear.T * symmetric_spectrum(linear).x.col(0); }

double Mode::frequency() const { return omega() / two_pi; }

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
    status = model.derivatives().apply_jacobian_gradient(v, along, view(rows));
    if (status) status = model.derivatives().apply_time_jacobian(along, view(more));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += more[i];
    model.parts().partition.solve_dependent(view(rows), view(V));
    for (double& x : V) x = -x;
    if (status) {
      status = model.derivatives().apply_internal_linearization(along, view(V), view(still), view(f),
                                                                {motion.R1.data() + k * nz, nz});
    }
    if (status) {
      status = model.derivatives().apply_internal_linearization(view(none), along, view(still), view(f),
                                                                {motion.R2.data() + k * nz, nz});
    }
  }
  for (Index k = 0; status && k < nz; ++k) {
    still[count(k)] = 1;
    status = model.derivatives().apply_internal_linearization(view(none), view(none), view(still), view(f),
                                                              {motion.R3.data() + k * nz, nz});
    if (d > 0) motion.J3.col(k) = -linear.T.transpose() * Eigen::Map<const Eigen::VectorXd>(f.data(), n);
    still[count(k)] = 0;
  }
  if (d > 0 && nz > 0) motion.J3 = dense::solve(linear.M, motion.J3);
  return status;
}

}  // namespace

// |T|^T |K| |T|, column by column of K: those of bodies that nothing stiff meets are empty.
Eigen::MatrixXd stiffness_terms(ConstrainedModel& model, const Eigen::MatrixXd& T) {
  const Index n = model.coordinates(), m = model.constraints();
  const Eigen::MatrixXd size = T.cwiseAbs();
  Eigen::MatrixXd terms = Eigen::MatrixXd::Zero(T.cols(), T.cols());
  std::vector<double> unit(count(n), 0.0), rest(unit), f(unit), g(count(m));
  Eigen::VectorXd image(T.cols());
  for (Index j = 0; j < n && T.cols() > 0; ++j) {
    unit[count(j)] = 1;
    if (!model.derivatives().apply_linearization(view(unit), view(rest), view(f), view(g))) return terms;
    unit[count(j)] = 0;
    image.setZero();
    for (Index i = 0; i < n; ++i) {
      if (f[count(i)] != 0) image += std::abs(f[count(i)]) * size.row(i).transpose();
    }
    terms += image * size.row(j);
  }
  return terms;
}

Status linearize_model(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, LinearModel& linear) {
  const Index n = model.coordinates(), m = model.constraints();
  if (model.assembly().velocity_rows() > 0)
    return Status::failure(StatusCode::unsupported, "small motions with rows that hold for velocities only are");
  const std::vector<double> z = model.point().z();
  std::vector<double> a(count(n)), lambda(count(m)), mask(count(n)), rows(count(m)), unit(count(n), 0.0),
      dependent(count(n));
  Status status =
      model.evaluate(t, q, v, {z.data(), static_cast<Index>(z.size())}, evaluate_dynamics | evaluate_nu | evaluate_Phi);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status) status = model.solve(model.Q(), model.gamma(), view(a), view(lambda));
  linear.acceleration = 0;
  if (status) linear.acceleration = model.unit().largest_coordinate(view(a));
  ModelPartition& partition = model.parts().partition;
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
  if (status) status = model.derivatives().linearize(view(a), view(lambda));
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
  if (d > 0 && !dense::is_positive_definite(linear.M))
    return Status::failure(
        StatusCode::singular,
        "bodies have next to no mass or inertia in a direction in which they can move: the mass matrix is");
  linear.K = -MJ1, linear.C = -MJ2;
  linear.terms = stiffness_terms(model, linear.T).cwiseMax(linear.K.cwiseAbs());
  if (d > 0) {
    linear.motion.J1 = dense::solve(linear.M, MJ1);
    linear.motion.J2 = dense::solve(linear.M, MJ2);
  }
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
  constexpr double of_acceleration = 10;  // per unit of length of the model, or 1
  const double left = of_acceleration * linear.acceleration;
  Stability result;
  result.from_stiffness = linear.motion.internal() == 0 && linear.symmetric();
  if (linear.M.rows() == 0 && result.from_stiffness) {  // nothing can move
    result.stable = true;
    return result;
  }
  if (result.from_stiffness) {
    const SymmetricSpectrum spectrum = symmetric_spectrum(linear);
    for (Eigen::Index k = 0; k < spectrum.s.size(); ++k) {
      const double small = rounding_of(linear, spectrum.x.col(k)) + left;
      if (spectrum.s[k] < -small) ++result.unstable;
      if (std::abs(spectrum.s[k]) <= small) ++result.neutral;
    }
    result.lowest = spectrum.s[0];
  } else {
    // Of their own size: rounding of pairs that nearly coincide, and of others.
    constexpr double coinciding = 1e-7, undamped = 1e-12;
    const DynamicSpectrum spectrum = dynamic_spectrum(linear);
    double growth = spectrum.zeros > 0 ? 0 : -1e300;
    result.neutral = spectrum.zeros;
    for (Eigen::Index k = 0; k < spectrum.moving.lambda.size(); ++k) {
      const std::complex<double> lambda = spectrum.moving.lambda[k];
      const double size = std::abs(lambda), rounding = spectrum.moving.rounding[k];
      growth = std::max(growth, lambda.real());
      if (lambda.real() > coinciding * size + rounding + std::sqrt(left)) {
        ++result.unstable;
      } else if (lambda.real() > -(undamped * size + rounding)) {
        ++result.neutral;
      }
    }
    result.lowest = -growth;
  }
  result.stable = result.unstable == 0 && result.neutral == 0;
  return result;
}

}  // namespace trammel
