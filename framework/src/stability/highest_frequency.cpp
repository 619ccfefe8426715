// Arnoldi's method on the stiffness and damping per mass.
//
//   A V_k = V_k H + h v_{k+1} e_k^T,   V_k^T V_k = I                                                               (1)
// The outermost eigenvalues of H approach those of A first (Saad, Numerical Methods for Large Eigenvalue Problems,
// 2011, chapter 6); where h vanishes they are eigenvalues of A.
#include "stability/highest_frequency.h"

#include <algorithm>
#include <cmath>

#include "linalg/dense.h"

namespace trammel {
namespace {

constexpr Eigen::Index most_vectors = 30;

struct Spectrum {
  Eigen::VectorXcd values;  ///< empty: a product failed
  bool complete = false;    ///< of the whole space that `first` reaches
};

/// `apply(x, y)`: y = A x; false: it failed.
template <class Apply>
Spectrum arnoldi(const Eigen::VectorXd& first, const Apply& apply) {
  const Eigen::Index n = first.size(), most = std::min(n, most_vectors);
  constexpr double invariant = 1e-10;
  if (!(first.norm() > 0)) return {};
  std::vector<Eigen::VectorXd> V = {first / first.norm()};  // most models need few of them
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(most + 1, most);
  double scale = 0;
  bool complete = false;
  Eigen::Index k = 0;
  while (k < most && !complete) {
    Eigen::VectorXd y(n);
    if (!apply(V.back(), y) || !y.allFinite()) return {};
    scale = std::max(scale, y.norm());
    for (int twice = 0; twice < 2; ++twice) {  // orthogonal to rounding
      for (Eigen::Index i = 0; i <= k; ++i) {
        const Eigen::VectorXd& v = V[static_cast<std::size_t>(i)];
        const double part = v.dot(y);
        H(i, k) += part;
        y -= part * v;
      }
    }
    H(k + 1, k) = y.norm();
    ++k;
    complete = k == n || H(k, k - 1) <= invariant * scale;
    if (!complete && k < most) V.push_back(y / H(k, k - 1));
  }
  return {dense::eigenvalues(H.topLeftCorner(k, k)), complete};
}

ConstVectorView in(const Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
VectorView out(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

SmallMotions::SmallMotions(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot)
    : view_(&view), n_(view.size()), known_(view.linearize(t, x, x_dot).ok() && view.prepare(0, 0).ok()) {}

SmallMotions::SmallMotions(ConstrainedSystem& model, ConstVectorView a, ConstVectorView lambda)
    : model_(&model),
      n_(model.coordinates()),
      known_(model.linearization() != nullptr && model.linearization()->linearize(a, lambda).ok()) {}

bool SmallMotions::apply(const Eigen::VectorXd& dx, const Eigen::VectorXd& dv, Eigen::VectorXd& da) const {
  Eigen::VectorXd f(n_);
  if (view_ != nullptr) {
    Eigen::VectorXd damping(n_);
    if (!view_->apply_J1(in(dx), out(f)) || !view_->apply_J2(in(dv), out(damping))) return false;
    f += damping;
    return view_->solve(in(f), out(da)).ok();
  }
  Eigen::VectorXd g(model_->constraints());
  if (!model_->linearization()->apply_linearization(in(dx), in(dv), out(f), out(g))) return false;
  f = -f, g = -g;
  return model_->solve(in(f), in(g), out(da), {}).ok() && make_tangent(da);
}

bool SmallMotions::make_tangent(Eigen::VectorXd& dx) const {
  return model_ == nullptr || model_->project_tangent(out(dx)).ok();
}

/// With parts of every mode, the same in every run.
Eigen::VectorXd SmallMotions::any_vector() const {
  Eigen::VectorXd x(n_);
  for (Index i = 0; i < n_; ++i) x[i] = 1 + 0.5 * std::sin(1.7 * i * i + 0.3);
  return x;
}

double SmallMotions::highest_frequency() {
  Eigen::VectorXd first = any_vector();
  if (!known_ || !make_tangent(first)) return 0;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(n_);
  const Spectrum found =
      arnoldi(first, [&](const Eigen::VectorXd& dx, Eigen::VectorXd& da) { return apply(dx, still, da); });
  const Index freedom = n_ - (model_ != nullptr ? model_->constraints() : 0);  // at least
  few_ = found.complete || found.values.size() == 0 || freedom <= most_vectors;
  return found.values.size() == 0 ? 0 : std::sqrt(std::max(0.0, -found.values.real().minCoeff()));
}

std::vector<std::complex<double>> SmallMotions::eigenvalues(double scale) const {
  Eigen::VectorXd tangent = any_vector(), first(2 * n_);
  if (!known_ || !few_ || !make_tangent(tangent)) return {};
  first << tangent, 0.7 * tangent;
  // of (scale dx, dv)
  const Spectrum found = arnoldi(first, [&](const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    Eigen::VectorXd da(n_);
    if (!apply(y.head(n_) / scale, y.tail(n_), da)) return false;
    rate << scale * y.tail(n_), da;
    return true;
  });
  if (!found.complete) return {};
  return {found.values.data(), found.values.data() + found.values.size()};
}

}  // namespace trammel
