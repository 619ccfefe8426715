// Rotations: axis and angle, Euler parameters, matrix, ZXZ angles, roll, pitch and yaw.
#include "config/rotation.h"

#include <cmath>

#include "trammel/text/suggest.h"

namespace trammel {
// The largest of e0^2 ... e3^2 is found from the trace and the diagonal, the others by division through it (Shepperd, J.
// Guidance and Control 1, 1978, 223-224).
void euler_parameters(const double* A, double* p) {
  const double trace = A[0] + A[4] + A[8];
  const double square[4] = {1 + trace, 1 + 2 * A[0] - trace, 1 + 2 * A[4] - trace, 1 + 2 * A[8] - trace};  // 4 e_k^2
  int k = 0;
  for (int i = 1; i < 4; ++i) {
    if (square[i] > square[k]) k = i;
  }
  const double largest = std::sqrt(square[k]) / 2;
  const double d = 1 / (4 * largest);
  const double difference[3] = {A[7] - A[5], A[2] - A[6], A[3] - A[1]};           // 4 e0 e1, 4 e0 e2, 4 e0 e3
  const double sum_xy = A[1] + A[3], sum_xz = A[2] + A[6], sum_yz = A[5] + A[7];  // 4 e1 e2, 4 e1 e3, 4 e2 e3
  const double rows[4][4] = {{0, difference[0], difference[1], difference[2]},
                             {difference[0], 0, sum_xy, sum_xz},
                             {difference[1], sum_xy, 0, sum_yz},
                             {difference[2], sum_xz, sum_yz, 0}};
  for (int i = 0; i < 4; ++i) p[i] = rows[k][i] * d;
  p[k] = largest;
  const double sign = p[0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; ++i) p[i] *= sign;
}

namespace {

bool unit_length(const Node& node, const std::string& path, double* p, int n, Problems& problems) {
  double square = 0;
  for (int i = 0; i < n; ++i) square += p[i] * p[i];
  const double length = std::sqrt(square);
  if (!(std::abs(length - 1) <= rotation_tolerance)) {
    problems.add(node.place, path,
                 "must have length 1 to 1e-6, not " + number_text(length) +
                     "; give more digits, an \"=expression\", or axis and angle");
    return false;
  }
  for (int i = 0; i < n; ++i) p[i] /= length;
  return true;
}

bool read_matrix(const Node& node, const std::string& path, double* p, Problems& problems) {
  double A[9];
  if (!node.is_array() || node.items.size() != 3) {
    problems.add(node.place, path, "must be three rows of three numbers, not " + describe(node));
    return false;
  }
  for (int i = 0; i < 3; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    if (!read_numbers(node.items[row], path + "/" + std::to_string(i), 3, A + 3 * i, problems)) return false;
  }
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double product = 0;
      for (int k = 0; k < 3; ++k) product += A[3 * i + k] * A[3 * j + k];
      worst = std::max(worst, std::abs(product - (i == j ? 1 : 0)));
    }
  }
  if (!(worst <= 2 * rotation_tolerance)) {
    problems.add(node.place, path,
                 "must be orthonormal to 1e-6; the worst product of two rows is off by " + number_text(worst));
    return false;
  }
  const double determinant =
      A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
  if (determinant < 0) {
    problems.add(node.place, path, "must be a rotation; this matrix is a reflection (its determinant is -1)");
    return false;
  }
  euler_parameters(A, p);
  double square = 0;
  for (int i = 0; i < 4; ++i) square += p[i] * p[i];
  for (int i = 0; i < 4; ++i) p[i] /= std::sqrt(square);
  return true;
}

bool read_axis_angle(const Node& node, const std::string& path, double* p, Problems& problems) {
  const Node* axis = node.find("axis");
  const Node* angle = node.find("angle");
  if (axis == nullptr || angle == nullptr) {
    problems.add(node.place, path,
                 std::string("missing key '") + (axis == nullptr ? "axis" : "angle") +
                     "'; a rotation by axis and angle needs both");
    return false;
  }
  double n[3];
  if (!read_numbers(*axis, path + "/axis", 3, n, problems)) return false;
  if (!angle->is_number()) {
    problems.add(angle->place, path + "/angle", "must be a number, not " + describe(*angle));
    return false;
  }
  const double length = std::hypot(n[0], n[1], n[2]);
  if (length == 0) {
    problems.add(axis->place, path + "/axis", "the axis has length zero");
    return false;
  }
  p[0] = std::cos(angle->number / 2);
  for (int i = 0; i < 3; ++i) p[i + 1] = std::sin(angle->number / 2) * n[i] / length;
  return true;
}

}  // namespace

bool read_numbers(const Node& node, const std::string& path, int count, double* out, Problems& problems) {
  if (!node.is_array() || node.items.size() != static_cast<std::size_t>(count)) {
    const std::string got = node.is_array() ? "of " + std::to_string(node.items.size()) : describe(node);
    problems.add(node.place, path, "must be an array of " + std::to_string(count) + " numbers, not " + got);
    return false;
  }
  bool good = true;
  for (int i = 0; i < count; ++i) {
    const Node& item = node.items[static_cast<std::size_t>(i)];
    out[i] = item.number;
    if (item.is_number()) continue;
    good = false;
    if (!item.is_wrong_expression()) {
      problems.add(item.place, path + "/" + std::to_string(i), "must be a number, not " + describe(item));
    }
  }
  return good;
}

bool read_rotation(const Node& node, const std::string& path, double* p, Problems& problems) {
  if (!node.is_object()) {
    problems.add(node.place, path,
                 "must be {\"axis\", \"angle\"}, {\"euler_parameters\"}, {\"matrix\"}, {\"zxz\"} or {\"rpy\"}, not " +
                     describe(node));
    return false;
  }
  static const std::vector<std::string> keys = {"axis", "angle", "euler_parameters", "matrix", "zxz", "rpy"};
  for (const Member& member : node.members) {
    bool known = false;
    for (const std::string& key : keys) known = known || member.key == key;
    if (known) continue;
    problems.add(member.place, path + "/" + member.key, "unknown key for a rotation" + did_you_mean(member.key, keys));
    return false;
  }
  const bool by_axis = node.find("axis") != nullptr || node.find("angle") != nullptr;
  const Node* euler = node.find("euler_parameters");
  const Node* matrix = node.find("matrix");
  const Node* zxz = node.find("zxz");
  const Node* rpy = node.find("rpy");
  if (int(by_axis) + int(euler != nullptr) + int(matrix != nullptr) + int(zxz != nullptr) + int(rpy != nullptr) != 1) {
    problems.add(
        node.place, path,
        "needs exactly one of {\"axis\", \"angle\"}, {\"euler_parameters\"}, {\"matrix\"}, {\"zxz\"}, {\"rpy\"}");
    return false;
  }
  if (by_axis) return read_axis_angle(node, path, p, problems);
  if (matrix != nullptr) return read_matrix(*matrix, path + "/matrix", p, problems);
  if (euler != nullptr) {
    return read_numbers(*euler, path + "/euler_parameters", 4, p, problems) &&
           unit_length(*euler, path + "/euler_parameters", p, 4, problems);
  }
  double angles[3];
  if (rpy != nullptr) {
    if (!read_numbers(*rpy, path + "/rpy", 3, angles, problems)) return false;
    // p = p_z(yaw) p_y(pitch) p_x(roll)
    double c[3], s[3];
    for (int i = 0; i < 3; ++i) c[i] = std::cos(angles[i] / 2), s[i] = std::sin(angles[i] / 2);
    p[0] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
    p[1] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    p[2] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    p[3] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    return true;
  }
  if (!read_numbers(*zxz, path + "/zxz", 3, angles, problems)) return false;
  // p = p_z(psi) p_x(theta) p_z(phi), the quaternion product of the three turns written out.
  const double c = std::cos(angles[1] / 2), s = std::sin(angles[1] / 2);
  const double sum = (angles[0] + angles[2]) / 2, difference = (angles[0] - angles[2]) / 2;
  p[0] = c * std::cos(sum);
  p[1] = s * std::cos(difference);
  p[2] = s * std::sin(difference);
  p[3] = c * std::sin(sum);
  return true;
}

}  // namespace trammel
