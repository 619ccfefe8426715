// The numbers of a joint from the places of its two bodies.
#include <cmath>

#include "planar.h"
#include "spatial.h"
#include "trammel/math/two_pi.h"

namespace trammel::recursive {
namespace {

/// `near`: NaN at the start, where angles lie within half a turn of 0.
double near_to(double angle, double near) {
  if (std::isnan(near)) near = 0;
  return near + std::remainder(angle - near, two_pi);
}

/// The two angles of m = m_a(x0) m_b(x1): R e_b = R_a e_b, R^T e_a = R_b^T e_a.
void two_angles(const Joint& j, const Vec4<>& m, const double* near, double* x) {
  const int a = j.first, b = j.second, c = 3 - a - b;
  const double sign = (a + 1) % 3 == b ? 1 : -1;
  Vec3<> rows[3];
  Spatial::rotation(m, rows);
  x[0] = near_to(std::atan2(sign * entry(rows[c], b), entry(rows[b], b)), near[0]);
  x[1] = near_to(std::atan2(sign * entry(rows[a], c), entry(rows[a], a)), near[1]);
}

}  // namespace

double Spatial::measure(const Joint& j, const double* parent, const double* child, const double* near, double* x) {
  const double nowhere[] = {0, 0, 0, 1, 0, 0, 0};
  if (parent == nullptr) parent = nowhere;
  const auto back = [](Vec4<> p) {
    p.e = -p.e;
    return p;
  };
  const Vec4<> p_p = sdk::vec4(parent + 3), p_c = sdk::vec4(child + 3);
  const auto times = [](const Vec4<>& a, const Vec4<>& b) { return quaternion_times(a, b); };
  Vec4<> m = times(times(back(j.frame[0]), back(p_p)), times(p_c, back(j.frame[1])));
  m = (1 / norm(m)) * m;
  Vec3<> of_parent[3], of_child[3], d{0, 0, 0};
  const auto turn = [](const Vec3<>* A, const Vec3<>& v) { return Vec3<>{dot(A[0], v), dot(A[1], v), dot(A[2], v)}; };
  // The child's point moves back along axes of its own.
  const auto along = [&](std::size_t k) {
    return j.slides_on_child ? -dot(turn(of_child, j.axes[1][k]), d) : dot(turn(of_parent, j.axes[0][k]), d);
  };
  if (j.slides != 0 || j.lead != 0) {
    rotation(p_p, of_parent), rotation(p_c, of_child);
    d = sdk::vec3(child) + turn(of_child, j.point[1]) - sdk::vec3(parent) - turn(of_parent, j.point[0]);
  }
  const int s = j.slide_count();
  double sign = 1;
  if (j.turn == Turn::third) {
    // A screw's way tells its turns.
    const double start = std::isnan(near[s]) && j.lead != 0 ? (along(2) - j.offset) / j.lead : near[s];
    x[s] = near_to(2 * std::atan2(m.e.z, m.e0), start);
    sign = m.e0 * std::cos(x[s] / 2) + m.e.z * std::sin(x[s] / 2);
  } else if (j.turn == Turn::two) {
    const double zero[2] = {0, 0};
    two_angles(j, m, near + s, x + s);
    sign = dot(m, two_turns(j.first, j.second, x + s, zero, zero).m);
  } else if (j.turn == Turn::all) {
    store(m, x + s);
  } else {
    sign = m.e0;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (((j.slides >> k) & 1u) != 0) *x++ = along(k);
  }
  return sign < 0 ? -1 : 1;
}

double Planar::measure(const Joint& j, const double* parent, const double* child, const double*, double* x) {
  const double nowhere[] = {0, 0, 0};
  if (parent == nullptr) parent = nowhere;
  const double difference = child[2] - parent[2] - j.angle;
  if (j.slides != 0) {
    const auto turn = [](double phi, const Vec2<>& a) {
      const double c = std::cos(phi), s = std::sin(phi);
      return Vec2<>{c * a.x - s * a.y, s * a.x + c * a.y};
    };
    const Vec2<> d =
        sdk::vec2(child) + turn(child[2], flat(j.point[1])) - sdk::vec2(parent) - turn(parent[2], flat(j.point[0]));
    for (std::size_t k = 0; k < 2; ++k) {
      if (((j.slides >> k) & 1u) == 0) continue;
      *x++ =
          j.slides_on_child ? -dot(turn(child[2], flat(j.axes[1][k])), d) : dot(turn(parent[2], flat(j.axes[0][k])), d);
    }
  }
  if (j.turn == Turn::third) {
    *x = difference;
    return 0;
  }
  return two_pi * std::round(difference / two_pi);
}

}  // namespace trammel::recursive
