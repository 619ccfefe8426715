// Kinematics of markers in formulas.
#include "marker_measures.h"

namespace trammel::adams_deck {
namespace {

Formula3 constant(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
Formula33 constant(const Eigen::Matrix3d& M) {
  return {Formula3{M(0, 0), M(0, 1), M(0, 2)}, Formula3{M(1, 0), M(1, 1), M(1, 2)},
          Formula3{M(2, 0), M(2, 1), M(2, 2)}};
}
Formula3 variables(const char* x, const char* y, const char* z) {
  return {Formula::name(x), Formula::name(y), Formula::name(z)};
}

/// Rx(rx) Ry(ry) Rz(rz), as the element defines its angles.
Formula33 turned() {
  const auto c = [](const char* angle) { return call("cos", {Formula::name(angle)}); };
  const auto s = [](const char* angle) { return call("sin", {Formula::name(angle)}); };
  const Formula cx = c("rx"), sx = s("rx"), cy = c("ry"), sy = s("ry"), cz = c("rz"), sz = s("rz");
  return {Formula3{cy * cz, -(cy * sz), sy}, Formula3{cx * sz + sx * sy * cz, cx * cz - sx * sy * sz, -(sx * cy)},
          Formula3{sx * sz - cx * sy * cz, sx * cz + cx * sy * sz, cx * cy}};
}

}  // namespace

PairMeasures::PairMeasures(MarkerPlace first, MarkerPlace second, FindMarker find)
    : first_(std::move(first)), second_(std::move(second)), find_(std::move(find)), R_(turned()) {}

void PairMeasures::require(const MarkerPlace& m) const {
  if (m.part != first_.part && m.part != second_.part)
    throw NotCarried{"it measures a marker of a part that the force does not act on"};
}

Formula3 PairMeasures::position(const MarkerPlace& m) const {
  if (on_first(m)) return constant(Eigen::Vector3d(first_.frame.R.transpose() * (m.frame.r - first_.frame.r)));
  const Eigen::Vector3d offset = second_.frame.R.transpose() * (m.frame.r - second_.frame.r);
  return variables("x", "y", "z") + R_ * constant(offset);
}

Formula33 PairMeasures::axes(const MarkerPlace& m) const {
  if (on_first(m)) return constant(Eigen::Matrix3d(first_.frame.R.transpose() * m.frame.R));
  const Eigen::Matrix3d own = second_.frame.R.transpose() * m.frame.R;
  return own.isApprox(Eigen::Matrix3d::Identity(), 1e-15) ? R_ : R_ * constant(own);
}

Formula3 PairMeasures::velocity(const MarkerPlace& m) const {
  if (on_first(m)) return {0.0, 0.0, 0.0};
  const Eigen::Vector3d offset = second_.frame.R.transpose() * (m.frame.r - second_.frame.r);
  return variables("vx", "vy", "vz") + cross(variables("wx", "wy", "wz"), R_ * constant(offset));
}

Formula3 PairMeasures::turning(const MarkerPlace& m) const {
  if (on_first(m)) return {0.0, 0.0, 0.0};
  return variables("wx", "wy", "wz");
}

Formula3 PairMeasures::turning_of_first() const {
  if (first_.part == sdk::ground_link) return {0.0, 0.0, 0.0};
  return variables("ox", "oy", "oz");
}

Formula PairMeasures::along(const Formula3& v, const MarkerPlace& k, char axis) const {
  require(k);
  return dot(column(axes(k), axis - 'X'), v);
}

Formula PairMeasures::measure(const std::string& function, const std::vector<int>& markers) {
  const auto marker = [&](std::size_t k) { return find_(k < markers.size() ? markers[k] : 0); };
  const MarkerPlace i = marker(0), j = marker(1);
  require(i), require(j);
  const char what = function[0], axis = function[1];
  if (what == 'A') {  // as if the turn were about this axis alone
    const Formula33 from = axes(j), of = axes(i);
    const auto cosine = [&](int a, int b) { return dot(column(from, a), column(of, b)); };
    wraps_ = true;
    if (axis == 'X') return call("atan2", {-cosine(1, 2), cosine(2, 2)});
    if (axis == 'Y') return call("atan2", {cosine(0, 2), cosine(2, 2)});
    return call("atan2", {cosine(1, 0), cosine(0, 0)});
  }
  const Formula3 d = position(i) - position(j);
  if (what == 'D') return axis == 'M' ? norm(d) : along(d, marker(2), axis);
  if (what == 'W') {
    const Formula3 w = turning(i) - turning(j);
    return axis == 'M' ? norm(w) : along(w, marker(2), axis);
  }
  const Formula3 seen = velocity(i) - velocity(j);
  if (axis == 'R') return dot(d, seen) / norm(d);  // the same in every frame
  // Seen from the frame of marker l, which turns with `turn` as the first marker sees it.
  const MarkerPlace l = marker(axis == 'M' ? 2 : 3);
  Formula3 turn{0.0, 0.0, 0.0};
  if (l.part == first_.part || l.part == second_.part)
    turn = turning(l);
  else if (l.part == sdk::ground_link)
    turn = Formula3{0.0, 0.0, 0.0} - turning_of_first();
  else
    require(l);
  const Formula3 v = seen - cross(turn, d);
  return axis == 'M' ? norm(v) : along(v, marker(2), axis);
}

Formula LineMeasures::measure(const std::string& function, const std::vector<int>& markers) {
  const int i = markers[0], j = markers.size() > 1 ? markers[1] : 0;
  const bool same = i == i_ && j == j_, opposite = i == j_ && j == i_;
  if (!same && !opposite) throw NotCarried{"it measures other markers than its own"};
  if (!turns_) {
    if (function == "DM") return Formula::name("l");
    if (function == "VR") return Formula::name("rate");
    throw NotCarried{function + " is no measure along its line"};
  }
  // The axes of i and j are parallel, or the statement is none: along which of them does not matter.
  const bool own_axis = markers.size() < 3 || markers[2] == i_ || markers[2] == j_;
  if (function == "AZ" && same) return Formula::name("theta");
  if (function == "AZ") return -Formula::name("theta");
  if (function == "WZ" && markers.size() == 3 && own_axis) return same ? Formula::name("rate") : -Formula::name("rate");
  throw NotCarried{function + " is no measure about its axis"};
}

}  // namespace trammel::adams_deck
