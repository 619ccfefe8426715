// Parts and markers: masses, frames, velocities, pictures.
#include <algorithm>
#include <cmath>

#include "reader.h"

namespace trammel::adams_deck {
namespace {

/// Entries that rounding of the angles keeps from 0, 1 and -1.
Eigen::Matrix3d without_rounding(Eigen::Matrix3d R) {
  for (double& entry : R.reshaped()) {
    const double nearest = std::round(entry);
    if (std::abs(entry - nearest) < 4e-16) entry = nearest == 0 ? 0 : nearest;
  }
  return R;
}

/// Turns about z, the new x, the new z.
Eigen::Matrix3d from_euler(const std::vector<double>& angles) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  return without_rounding((AngleAxisd(angles[0], Vector3d::UnitZ()) * AngleAxisd(angles[1], Vector3d::UnitX()) *
                           AngleAxisd(angles[2], Vector3d::UnitZ()))
                              .toRotationMatrix());
}

/// A unit vector along what of `v` is perpendicular to the unit vector `axis`.
Eigen::Vector3d across(const Eigen::Vector3d& v, const Eigen::Vector3d& axis) {
  return (v - v.dot(axis) * axis).normalized();
}

}  // namespace

/// By Euler angles, or by points on the axes.
sdk::Frame AdamsReader::frame_of(const Statement& s, const char* origin, const char* z_point,
                                 const char* x_point) const {
  sdk::Frame frame;
  frame.r = s.vector(origin) * units_.length;
  std::vector<double> angles = s.numbers("REULER", 3, 3);
  if (angles.empty()) angles = s.numbers("EULER", 3, 3);
  if (angles.empty()) angles = s.numbers("EU", 3, 3);
  const bool z_given = s.find(z_point) != nullptr, x_given = s.find(x_point) != nullptr, x_first = s.flag("USEXP");
  if (!angles.empty()) {
    if (z_given || x_given) s.refuse("has Euler angles and points on its axes");
    frame.R = from_euler(angles);
    return frame;
  }
  if (!z_given && !x_given) return frame;
  const Eigen::Vector3d to_z =
      z_given ? Eigen::Vector3d(s.vector(z_point) * units_.length - frame.r) : Eigen::Vector3d(0, 0, 1);
  Eigen::Vector3d to_x =
      x_given ? Eigen::Vector3d(s.vector(x_point) * units_.length - frame.r) : Eigen::Vector3d(1, 0, 0);
  if (!x_given && to_z.normalized().cross(to_x).norm() < 1e-6) to_x = Eigen::Vector3d(0, 1, 0);
  const Eigen::Vector3d &main = x_first ? to_x : to_z, &other = x_first ? to_z : to_x;
  if (!(main.norm() > 0) || !(main.normalized().cross(other).norm() > 1e-12 * other.norm()) || !(other.norm() > 0))
    s.refuse("the points on its axes lie on its origin or on one line with it");
  const Eigen::Vector3d a = main.normalized(), b = across(other, a);
  const Eigen::Vector3d x = x_first ? a : b, z = x_first ? b : a;
  frame.R.col(0) = x, frame.R.col(1) = z.cross(x), frame.R.col(2) = z;
  frame.R = without_rounding(frame.R);
  return frame;
}

void AdamsReader::parts() {
  for (const Statement& s : deck_.statements) {
    if (s.keyword == "PART" || s.keyword == "POINT_MASS") part(s);
  }
  if (parts_.empty()) sdk::refuse_file({deck_.file, 0, ""}, "holds no PART");
  read_markers();
  masses();
}

void AdamsReader::part(const Statement& s) {
  if (!s.has_id) s.refuse("has no number");
  s.ignore({"MATERIAL"});
  if (s.find("EXACT") != nullptr)
    notes_.lost(s.place(), "EXACT of " + s.words() + ": assembly moves all coordinates alike");
  const int key = s.keyword == "PART" ? s.id : -s.id - 2;  // of two sets of numbers
  if (s.flag("GROUND")) {
    for (const auto& [id, link] : parts_) {
      if (link == sdk::ground_link) s.refuse("a second ground; the first is PART/" + std::to_string(id));
    }
    parts_[key] = sdk::ground_link;
    if (!s.vector("QG").isZero(0) || s.find("REULER") != nullptr)
      s.refuse("the ground may not be moved by QG or REULER");
    return;
  }
  const int link = model_.add_link(s.own_name(), s.place());
  parts_[key] = link;
  model_.link(link).start = frame_of(s, "QG", "ZG", "XG");
  model_.link(link).comment = s.id_text();
}

void AdamsReader::read_markers() {
  for (const Statement* s : all("MARKER")) {
    if (!s->has_id) s->refuse("has no number");
    if (s->find("FLEX_BODY") != nullptr || s->find("CURVE") != nullptr || s->find("SURFACE") != nullptr) {
      lose(*s, "it sits on no part");
      continue;
    }
    const int on_part = s->reference("PART"), on_mass = s->reference("POINT_MASS");
    const auto found = parts_.find(on_mass > 0 ? -on_mass - 2 : on_part);
    if (found == parts_.end())
      s->refuse(on_part == 0 && on_mass == 0 ? "has no PART"
                                             : "there is no PART/" + std::to_string(std::max(on_part, on_mass)));
    s->flag("FLOATING");
    markers_[s->id] = {s, {found->second, frame_of(*s, "QP", "ZP", "XP")}};
  }
}

void AdamsReader::masses() {
  for (const Statement& s : deck_.statements) {
    if (s.keyword != "PART" && s.keyword != "POINT_MASS") continue;
    const int link = parts_.at(s.keyword == "PART" ? s.id : -s.id - 2);
    if (link != sdk::ground_link)
      mass(s, link);
    else
      s.ignore({"MASS", "CM", "IM", "IP", "QG"});
  }
}

void AdamsReader::mass(const Statement& s, int index) {
  sdk::Link& link = model_.link(index);
  sdk::MassProperties& m = link.inertia;
  m.mass = s.number("MASS", 0) * units_.mass;
  if (m.mass < 0) s.refuse("its mass is negative");
  const int cm = s.reference("CM"), im = s.reference("IM");
  const auto own = [&](int id, const char* key) {
    const Marker& found = marker(id, s);
    if (found.place.part != index)
      s.refuse(std::string(key) + " is MARKER/" + std::to_string(id) + ", which sits on another part");
    return found.place.frame;
  };
  std::vector<double> ip = s.numbers("IP", 3, 6);
  if (!ip.empty() && ip.size() != 3 && ip.size() != 6)
    s.refuse("IP must have 3 or 6 numbers, has " + std::to_string(ip.size()));
  if (m.mass > 0 && cm == 0) s.refuse("has a mass and no marker CM for its centre");
  const sdk::Frame centre = cm > 0 ? own(cm, "CM") : sdk::Frame{};
  const sdk::Frame of_inertia = im > 0 ? own(im, "IM") : centre;
  m.centre = centre.r;
  if (!ip.empty()) {
    ip.resize(6, 0);
    // The deck's products are positive integrals; entries of a tensor have the other sign.
    Eigen::Matrix3d J;
    J << ip[0], -ip[3], -ip[4], -ip[3], ip[1], -ip[5], -ip[4], -ip[5], ip[2];
    const Eigen::Vector3d d = of_inertia.r - centre.r;
    m.tensor = units_.inertia() * (of_inertia.R * J * of_inertia.R.transpose());
    m.tensor -= m.mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
    m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
    for (double& entry : m.tensor.reshaped()) {
      if (std::abs(entry) < 1e-15 * m.tensor.cwiseAbs().maxCoeff()) entry = 0;
    }
  }
  link.point_mass = s.keyword == "POINT_MASS";
  if (m.mass == 0 && !m.tensor.isZero(0)) s.refuse("has moments of inertia and no mass");
  velocities(s, index, centre);
}

void AdamsReader::velocities(const Statement& s, int index, const sdk::Frame& centre) {
  sdk::Link& link = model_.link(index);
  const int vm = s.reference("VM"), wm = s.reference("WM");
  const auto axes = [&](int id) {
    const MarkerPlace m = marker(id, s).place;
    return m.part == sdk::ground_link ? m.frame.R : Eigen::Matrix3d(model_.link(m.part).start.R * m.frame.R);
  };
  Eigen::Vector3d v(s.number("VX", 0), s.number("VY", 0), s.number("VZ", 0));
  Eigen::Vector3d w(s.number("WX", 0), s.number("WY", 0), s.number("WZ", 0));
  v *= units_.length / units_.time, w /= units_.time;
  if (vm > 0) v = axes(vm) * v;
  if (!w.isZero(0) || wm > 0) w = (wm > 0 ? axes(wm) : Eigen::Matrix3d(link.start.R * centre.R)) * w;
  link.omega = w;
  link.velocity = v - w.cross(link.start.R * centre.r);  // of the frame's origin
}

/// Names of their own for all markers.
void AdamsReader::marker_points() {
  for (const auto& [id, m] : markers_) {
    const int index = model_.add_link(m.statement->own_name(), m.statement->place());
    sdk::Link& point = model_.link(index);
    point.carried = true, point.carrier = m.place.part, point.on_carrier = m.place.frame;
    point.comment = m.statement->id_text();
  }
}

void AdamsReader::graphics(const Statement& s) {
  sdk::LinkShape shape;
  const char* at = "CM";
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
  if (s.flag("CYLINDER")) {
    shape.kind = sdk::LinkShape::Kind::cylinder;
    shape.size = Eigen::Vector3d(s.number("RADIUS", 0), s.number("LENGTH", 0), 0) * units_.length;
    if (shape.size[1] < 0) shift[2] = shape.size[1], shape.size[1] *= -1;
    shift[2] += shape.size[1] / 2;
    s.ignore({"SIDES"});
  } else if (s.flag("BOX")) {
    at = "CORNER";
    shape.size = Eigen::Vector3d(s.number("X", 0), s.number("Y", 0), s.number("Z", 0)) * units_.length;
    shift = shape.size / 2;
    shape.size = shape.size.cwiseAbs();
  } else if (s.flag("ELLIPSOID")) {
    shape.kind = sdk::LinkShape::Kind::ellipsoid;
    shape.size =
        Eigen::Vector3d(s.number("XSCALE", 0), s.number("YSCALE", 0), s.number("ZSCALE", 0)) * (units_.length / 2);
    if (shape.size[0] == shape.size[1] && shape.size[1] == shape.size[2]) shape.kind = sdk::LinkShape::Kind::sphere;
  } else {
    return lose(s, "a picture that is not carried over");
  }
  const bool whole =
      shape.kind == sdk::LinkShape::Kind::cylinder ? shape.size[0] > 0 && shape.size[1] > 0 : shape.size.minCoeff() > 0;
  const int id = s.reference(at);
  if (!whole || id == 0) return lose(s, "a picture without a place or a size");
  const MarkerPlace& m = marker(id, s).place;
  shape.place = m.frame * sdk::Frame{Eigen::Matrix3d::Identity(), shift};
  (m.part == sdk::ground_link ? model_.ground_shapes : model_.link(m.part).shapes).push_back(shape);
}

}  // namespace trammel::adams_deck
