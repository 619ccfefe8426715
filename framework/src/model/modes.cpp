// Eigenvalues of a linearized motion.
#include "model/modes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>

namespace trammel {

Status linearize_motion(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot, LinearMotion& motion) {
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

std::vector<std::complex<double>> LinearMotion::eigenvalues() const {
  const Eigen::Index n = J1.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = J1;
  A.bottomRightCorner(n, n) = J2;
  const Eigen::VectorXcd values = A.eigenvalues();
  std::vector<std::complex<double>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  return sorted;
}

}  // namespace trammel
