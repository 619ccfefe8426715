// Moving and turning places, directions and attitudes.
#include "compose/placement.h"

#include <cmath>
#include <cstddef>

#include "trammel/math/two_pi.h"

namespace trammel {

Placement::Placement(const PlaceVector& d, const std::array<double, 4>& p) : d_(d), p_(p) {
  const double e0 = p[0], x = p[1], y = p[2], z = p[3];
  A_ = {e0 * e0 + x * x - y * y - z * z, 2 * (x * y - e0 * z), 2 * (x * z + e0 * y), 2 * (x * y + e0 * z),
        e0 * e0 - x * x + y * y - z * z, 2 * (y * z - e0 * x), 2 * (x * z - e0 * y), 2 * (y * z + e0 * x),
        e0 * e0 - x * x - y * y + z * z};
  moves_ = d[0] != 0 || d[1] != 0 || d[2] != 0;
  turns_ = x != 0 || y != 0 || z != 0;
}

// Whole turns of the floor are none: an angle from its x axis is the same wherever the sub-model is placed.
Placement::Placement(const PlaceVector& d, double angle) : d_(d), angle_(std::remainder(angle, two_pi)) {
  const double c = std::cos(angle_), s = std::sin(angle_);
  A_ = {c, -s, 0, s, c, 0, 0, 0, 1};
  moves_ = d[0] != 0 || d[1] != 0;
  turns_ = angle_ != 0;
}

PlaceVector Placement::direction(const PlaceVector& x) const {
  if (!turns_) return x;
  PlaceVector y{};
  for (std::size_t r = 0; r < 3; ++r) y[r] = A_[3 * r] * x[0] + A_[3 * r + 1] * x[1] + A_[3 * r + 2] * x[2];
  return y;
}

PlaceVector Placement::place(const PlaceVector& x) const {
  PlaceVector y = direction(x);
  for (std::size_t r = 0; r < 3; ++r) y[r] += d_[r];
  return y;
}

std::array<double, 4> Placement::attitude(const std::array<double, 4>& q) const {
  const std::array<double, 4>& p = p_;
  std::array<double, 4> r = {
      p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
      p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  const double scale = (r[0] < 0 ? -1 : 1) / length;  // p and -p are the same turn
  for (double& e : r) e *= scale;
  return r;
}

Placement Placement::inside(const Placement& outer) const {
  if (outer.is_identity()) return *this;
  Placement both(outer.place(d_), outer.attitude(p_));
  if (angle_ == 0 && outer.angle_ == 0) return both;
  return {outer.place(d_), angle_ + outer.angle_};
}

}  // namespace trammel
