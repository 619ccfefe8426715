// GMRES: the basis by modified Gram-Schmidt, the least-squares problem by Givens rotations.
#include "linalg/gmres.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"

namespace trammel {

void Gmres::make_room(Index size, const GmresLimits& limits) {
  size_ = size, limits_ = limits;
  directions_.assign(count((limits.iterations + 1) * size), 0.0);
  hessenberg_.assign(count((limits.iterations + 1) * limits.iterations), 0.0);
  rotations_.assign(count(2 * limits.iterations), 0.0);
  residual_.assign(count(limits.iterations + 1), 0.0);
  scratch_.assign(count(size), 0.0);
}

Status Gmres::begin(ConstVectorView b) {
  iterations_ = 0;
  right_side_ = left_ = b.map().norm();
  if (!std::isfinite(right_side_)) return Status::failure(StatusCode::not_finite, "right-hand side", -1, right_side_);
  if (right_side_ == 0) return Status::success();
  direction(0).map() = b.map() / right_side_;
  std::fill(residual_.begin(), residual_.end(), 0.0);
  residual_[0] = right_side_;
  return Status::success();
}

Status Gmres::extend() {
  const Index k = iterations_;
  Eigen::Map<Eigen::VectorXd> next = direction(k + 1).map();
  for (Index i = 0; i <= k; ++i) {
    hessenberg(i, k) = next.dot(direction(i).map());
    next -= hessenberg(i, k) * direction(i).map();
  }
  const double length = next.norm();
  if (length > 0) next /= length;
  for (Index i = 0; i < k; ++i) {
    const double c = rotations_[count(2 * i)], s = rotations_[count(2 * i + 1)];
    const double above = hessenberg(i, k), below = hessenberg(i + 1, k);
    hessenberg(i, k) = c * above + s * below;
    hessenberg(i + 1, k) = c * below - s * above;
  }
  const double diagonal = std::hypot(hessenberg(k, k), length);
  if (!(diagonal > 0)) return Status::failure(StatusCode::singular, "matrix");
  const double c = hessenberg(k, k) / diagonal, s = length / diagonal;
  rotations_[count(2 * k)] = c, rotations_[count(2 * k + 1)] = s;
  hessenberg(k, k) = diagonal;
  residual_[count(k + 1)] = -s * residual_[count(k)];
  residual_[count(k)] *= c;
  left_ = std::abs(residual_[count(++iterations_)]);
  return std::isfinite(left_) ? Status::success() : Status::failure(StatusCode::not_finite, "solution", -1, left_);
}

Status Gmres::combine() {
  if (left_ > limits_.tolerated * right_side_)
    return Status::failure(StatusCode::not_converged, "GMRES", -1, left_ / right_side_);
  const Index k = iterations_;
  for (Index i = k - 1; i >= 0; --i) {
    double y = residual_[count(i)];
    for (Index j = i + 1; j < k; ++j) y -= hessenberg(i, j) * residual_[count(j)];
    residual_[count(i)] = y / hessenberg(i, i);
  }
  std::fill(scratch_.begin(), scratch_.end(), 0.0);
  for (Index i = 0; i < k; ++i) scratch().map() += residual_[count(i)] * direction(i).map();
  return Status::success();
}

}  // namespace trammel
