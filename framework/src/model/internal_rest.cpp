// The step of Newton's method on the internal states alone.
#include "model/internal_rest.h"

#include "linalg/dense.h"
#include "linalg/sizes.h"

namespace trammel {
namespace {

constexpr double settled = 1e-6;  // of the largest value of a state

}  // namespace

void InternalRest::see(ConstVectorView z) {
  if (seen_.size() != z.size) seen_ = Eigen::VectorXd::Zero(z.size);
  seen_ = seen_.cwiseMax(z.map().cwiseAbs());
}

bool InternalRest::reached(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z, double rtol,
                           double slowest) {
  const Index n = model.coordinates(), nz = z.size;
  if (nz == 0) return true;
  see(z);
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(n), none = Eigen::VectorXd::Zero(model.constraints()), f(n);
  const Eigen::VectorXd at = z.map();
  Status status = model.evaluate(t, q, view(rest), {at.data(), nz}, evaluate_dynamics | evaluate_Phi);
  if (!status) return false;
  const Eigen::VectorXd g = model.z_rate().map();
  status = model.linearize(view(rest), view(none));
  Eigen::MatrixXd g_z(nz, nz);
  Eigen::VectorXd dz = Eigen::VectorXd::Zero(nz);
  for (Index k = 0; status && k < nz; ++k) {
    dz[k] = 1;
    status = model.apply_internal_linearization(view(rest), view(rest), view(dz), view(f), {g_z.col(k).data(), nz});
    dz[k] = 0;
  }
  if (!status || !g_z.allFinite() || !g.allFinite()) return false;
  const Eigen::VectorXd step = dense::least_squares(g_z, -g), left = g + g_z * step;
  for (Index i = 0; i < nz; ++i) {
    const double size = std::max(seen_[i], std::abs(at[i] + step[i]));
    if (!(std::abs(step[i]) <= std::max(settled, rtol) * size)) return false;
    if (!(std::abs(left[i]) <= slowest * std::max(1.0, size))) return false;
  }
  return true;
}

}  // namespace trammel
