// Arnoldi's method on the first-order system of small motions.
//
//   A V_k = V_k H + h v_{k+1} e_k^T,   V_k^T V_k = I                                                               (1)
// Begun with y'(0), the part of Ritz pair (theta, V s) in the motion y' = A y + y'(0) is V s c / theta (exp(theta t) - 1)
// with S c = e_1 |y'(0)|: the Krylov space is that in which the motion begins (Saad, SIAM J. Numer. Anal. 29 (1992)
// 209-228).
#include "run/choice/motion_spectrum.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "linalg/dense.h"
#include "stability/highest_frequency.h"

namespace trammel {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index most_vectors = 40;

Index count(const VectorXd& x) { return static_cast<Index>(x.size()); }
ConstVectorView in(const VectorXd& x) { return {x.data(), count(x)}; }
VectorView out(VectorXd& x) { return {x.data(), count(x)}; }

VectorXd any_entries(Index n) {
  VectorXd x(n);
  for (Index i = 0; i < n; ++i) x[i] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(i * i) + 0.3);
  return x;
}

struct Krylov {
  MatrixXd V, H;  ///< of (1)
  bool good = false;
};

Krylov arnoldi_space(const LinearRates& rates, const VectorXd& first) {
  Krylov found;
  const Index n = count(first), most = std::min(n, most_vectors);
  constexpr double invariant = 1e-10;
  if (!rates.known() || !(first.norm() > 0) || !first.allFinite()) return found;
  MatrixXd V(n, most), H = MatrixXd::Zero(most + 1, most);
  V.col(0) = first / first.norm();
  double scale = 0;
  Index k = 0;
  for (bool complete = false; k < most && !complete;) {
    VectorXd y(n);
    if (!rates.apply(V.col(k), y) || !y.allFinite()) return found;
    scale = std::max(scale, y.norm());
    for (int twice = 0; twice < 2; ++twice) {  // orthogonal to rounding
      const VectorXd part = V.leftCols(k + 1).transpose() * y;
      H.col(k).head(k + 1) += part;
      y -= V.leftCols(k + 1) * part;
    }
    H(k + 1, k) = y.norm();
    ++k;
    complete = k == n || H(k, k - 1) <= invariant * scale;
    if (!complete && k < most) V.col(k) = y / H(k, k - 1);
  }
  found.V = V.leftCols(k);
  found.H = H.topLeftCorner(k, k);
  found.good = true;
  return found;
}

/// Largest entry of part of a vector, 0 of none.
double largest(const Eigen::VectorXcd& y, Index first, Index size) {
  return size > 0 ? y.segment(first, size).cwiseAbs().maxCoeff() : 0;
}

}  // namespace

LinearRates linear_rates(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  LinearRates rates;
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  VectorXd a(n), lambda(m);
  Status status = model.evaluate(t, q, v, z, evaluate_dynamics | evaluate_jacobian | evaluate_Phi | evaluate_nu);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status) status = model.solve(model.Q(), model.gamma(), out(a), out(lambda));
  if (!status || !a.allFinite() || !model.linearization()->linearize(in(a), in(lambda)).ok()) return rates;
  rates.positions = rates.velocities = n;
  const VectorXd z_rate = nz > 0 ? VectorXd(model.z_rate().map()) : VectorXd();
  SmallMotions motions(model, in(a), in(lambda));  // linearizes
  const double frequency = motions.highest_frequency();
  rates.scale = frequency > 0 ? frequency : 1;
  VectorXd tangent = any_entries(n);
  if (!model.project_tangent(out(tangent)).ok()) return rates;
  rates.rate.resize(2 * n + nz), rates.any.resize(2 * n + nz);
  rates.rate << rates.scale * VectorXd(v.map()), a, z_rate;
  rates.any << tangent, 0.7 * tangent, 0.3 * any_entries(nz);
  const double s = rates.scale;
  rates.apply = [&model, n, m, nz, s](const VectorXd& y, VectorXd& rate) {
    VectorXd f(n), g(m), da(n), r(nz);
    const VectorXd dx = y.head(n) / s, dv = y.segment(n, n), dz = y.tail(nz);
    if (!model.linearization()->apply_linearization(in(dx), in(dv), out(f), out(g))) return false;
    if (nz > 0) {
      VectorXd of_states(n);
      if (!model.derivatives().apply_internal_linearization(in(dx), in(dv), in(dz), out(of_states), out(r)))
        return false;
      f += of_states;
    }
    f = -f, g = -g;
    if (!model.solve(in(f), in(g), out(da), {}).ok() || !model.project_tangent(out(da)).ok()) return false;
    rate << s * dv, da, r;
    return true;
  };
  return rates;
}

LinearRates linear_rates(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot) {
  LinearRates rates;
  const Index n = view.size();
  VectorXd a(n);
  if (!view.acceleration(t, x, x_dot, out(a)) || !a.allFinite() || !view.linearize(t, x, x_dot)) return rates;
  SmallMotions motions(view, t, x, x_dot);
  const double frequency = motions.highest_frequency();
  rates.positions = rates.velocities = n;
  rates.scale = frequency > 0 ? frequency : 1;
  rates.rate.resize(2 * n), rates.any.resize(2 * n);
  rates.rate << rates.scale * VectorXd(x_dot.map()), a;
  rates.any << any_entries(n), 0.7 * any_entries(n);
  const double s = rates.scale;
  rates.apply = [&view, n, s](const VectorXd& y, VectorXd& rate) {
    VectorXd f(n), damping(n), da(n);
    const VectorXd dx = y.head(n) / s, dv = y.tail(n);
    if (!view.apply_J1(in(dx), out(f)) || !view.apply_J2(in(dv), out(damping))) return false;
    f += damping;
    if (!view.solve(in(f), out(da))) return false;
    rate << s * dv, da;
    return true;
  };
  return rates;
}

LinearRates linear_rates(OdeSystem& view, double t, ConstVectorView y) {
  LinearRates rates;
  const Index n = view.size();
  constexpr Index most = 500;  // the matrix is dense
  if (n > most) return rates;
  const auto A = std::make_shared<MatrixXd>(n, n);
  VectorXd rate(n);
  if (!view.jacobian(t, y, {A->data(), n, n, n}) || !view.rhs(t, y, out(rate)) || !A->allFinite()) return rates;
  rates.rate = rate;
  rates.any = any_entries(n);
  rates.apply = [A](const VectorXd& of, VectorXd& result) {
    result = *A * of;
    return true;
  };
  return rates;
}

std::vector<MotionPart> motion_parts(const LinearRates& rates) {
  std::vector<MotionPart> parts;
  const Krylov space = arnoldi_space(rates, rates.rate);
  if (!space.good) return parts;
  const dense::Eigenpairs pairs = dense::eigenpairs(space.H);
  const Eigen::MatrixXcd& S = pairs.y;
  const Eigen::VectorXcd c = rates.rate.norm() * dense::inverse(S).col(0);
  const Index p = rates.positions, v = rates.velocities, n = count(rates.rate);
  for (Index k = 0; k < static_cast<Index>(S.cols()); ++k) {
    const std::complex<double> lambda = pairs.lambda[k];
    const double modulus = std::abs(lambda);
    const Eigen::VectorXcd y = space.V * (S.col(k) * c[k]);
    if (!(modulus > 0) || !y.allFinite()) continue;
    const bool first_order = v == 0;
    MotionPart part{lambda, 0, 0};
    part.position = (first_order ? largest(y, 0, n) : largest(y, 0, p) / rates.scale) / modulus;
    part.velocity = first_order ? part.position * modulus : largest(y, p, v) / modulus;
    parts.push_back(part);
  }
  return parts;
}

std::complex<double> fastest_rate(const LinearRates& rates) {
  const Krylov space = arnoldi_space(rates, rates.any);
  if (!space.good) return 0;
  std::complex<double> fastest = 0;
  for (const std::complex<double>& lambda : dense::eigenvalues(space.H)) {
    if (std::abs(lambda) > std::abs(fastest)) fastest = lambda;
  }
  return fastest;
}

}  // namespace trammel
