// Arnoldi's method on the stiffness per mass.
//
//   A V_k = V_k H + h v_{k+1} e_k^T,   V_k^T V_k = I                                                               (1)
// The outermost eigenvalues of H approach those of A first (Saad, Numerical Methods for Large Eigenvalue Problems,
// 2011, chapter 6).
#include "analysis/highest_frequency.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr Eigen::Index most_vectors = 30;

/// `apply(x, y)`: y = A x; false: it failed. `first` is not zero.
template <class Apply>
double fastest(Eigen::VectorXd first, const Apply& apply) {
  const Eigen::Index n = first.size(), most = std::min(n, most_vectors);
  constexpr double invariant = 1e-10;
  if (!(first.norm() > 0)) return 0;
  Eigen::MatrixXd V(n, most + 1), H = Eigen::MatrixXd::Zero(most + 1, most);
  V.col(0) = first / first.norm();
  Eigen::Index k = 0;
  for (double scale = 0; k < most;) {
    Eigen::VectorXd y(n);
    if (!apply(Eigen::VectorXd(V.col(k)), y) || !y.allFinite()) return 0;
    scale = std::max(scale, y.norm());
    for (int twice = 0; twice < 2; ++twice) {  // orthogonal to rounding
      for (Eigen::Index i = 0; i <= k; ++i) {
        const double part = V.col(i).dot(y);
        H(i, k) += part;
        y -= part * V.col(i);
      }
    }
    H(k + 1, k) = y.norm();
    ++k;
    if (H(k, k - 1) <= invariant * scale) break;
    V.col(k) = y / H(k, k - 1);
  }
  const Eigen::VectorXcd values = H.topLeftCorner(k, k).eigenvalues();
  return std::sqrt(std::max(0.0, -values.real().minCoeff()));
}

/// A vector with parts of every mode, the same in every run.
Eigen::VectorXd any_vector(Index n) {
  Eigen::VectorXd x(n);
  for (Index i = 0; i < n; ++i) x[i] = 1 + 0.5 * std::sin(1.7 * i * i + 0.3);
  return x;
}

ConstVectorView in(const Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
VectorView out(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

double highest_frequency(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot) {
  if (!view.linearize(t, x, x_dot) || !view.prepare(0, 0)) return 0;
  Eigen::VectorXd force(view.size());
  return fastest(any_vector(view.size()), [&](const Eigen::VectorXd& dx, Eigen::VectorXd& da) {
    return view.apply_J1(in(dx), out(force)).ok() && view.solve(in(force), out(da)).ok();
  });
}

double highest_frequency(ConstrainedSystem& model, ConstVectorView a, ConstVectorView lambda) {
  const Index n = model.coordinates(), m = model.constraints();
  if (!model.linearize(a, lambda)) return 0;
  Eigen::VectorXd first = any_vector(n), f(n), g(m);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(n);
  if (!model.project_tangent(out(first))) return 0;
  return fastest(first, [&](const Eigen::VectorXd& dq, Eigen::VectorXd& da) {
    if (!model.apply_linearization(in(dq), in(at_rest), out(f), out(g))) return false;
    f = -f, g = -g;
    return model.solve(in(f), in(g), out(da), {}).ok() && model.project_tangent(out(da)).ok();
  });
}

}  // namespace trammel
