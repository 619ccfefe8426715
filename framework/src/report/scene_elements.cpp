// Joints, springs, dampers and guides of a scene.
#include "report/scene_elements.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "report/body_shapes.h"
#include "report/scene_reader.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

constexpr const char* joint_color = "#3d4752";
constexpr const char* ground_color = "#98a2ad";
constexpr const char* guide_color = "#98a2ad";
constexpr const char* link_color = "#5d6875";
constexpr const char* spring_color = "#b8652a";

bool any_of(std::string_view type, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), type) != list.end();
}

Eigen::Matrix3d start_rotation(const Scene& scene, int body) {
  if (body == ground) return Eigen::Matrix3d::Identity();
  return scene.bodies[static_cast<std::size_t>(body)].start.linear();
}

class Reader {
 public:
  explicit Reader(const Scene& scene) : scene_(scene) {}

  Attachment read(const std::string& name, const ReportJson& element, bool force) const {
    Attachment found;
    found.name = name;
    found.type = text_of(element, "type");
    found.force = force;
    found.json = &element;
    if (!read_bodies(element, found.bodies)) return found;
    read_end(element, "point_i", 0, found);
    read_end(element, "point_j", 1, found);
    read_end(element, "point", 1, found);
    if (const auto at = vector_of(element, "at")) {
      for (std::size_t k = 0; k < 2; ++k) set(found, k, to_body(found.bodies[k], *at));
    }
    // An element given by one end's point holds the other body's origin: the default of point_i and point_j is 0.
    const bool ends =
        any_of(found.type, {"tsda", "distance", "distance_driver", "actuator", "spherical_spherical", "bushing"});
    if (ends && (found.has[0] || found.has[1])) found.has[0] = found.has[1] = true;
    read_axis(element, found);
    return found;
  }

 private:
  int index_of(const std::string& body) const {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].name == body) return static_cast<int>(i);
    }
    return ground;
  }

  /// `bodies` of two, or `body` (then the first one is ground).
  bool read_bodies(const ReportJson& element, int* bodies) const {
    const ReportJson* both = member(element, "bodies");
    if (both != nullptr && both->is_array() && both->size() == 2 && (*both)[0].is_string() && (*both)[1].is_string()) {
      for (std::size_t k = 0; k < 2; ++k) bodies[k] = index_of((*both)[k].get<std::string>());
      return true;
    }
    bodies[1] = index_of(text_of(element, "body"));
    return bodies[1] != ground;
  }

  void read_end(const ReportJson& element, const char* key, std::size_t end, Attachment& found) const {
    if (const auto local = vector_of(element, key)) return set(found, end, *local);
    const std::string name = text_of(element, key);
    for (const ScenePoint& point : scene_.points) {
      if (point.name == name && point.body == found.bodies[end]) set(found, end, point.local);
    }
  }

  static void set(Attachment& found, std::size_t end, const Vector3d& local) {
    found.has[end] = true;
    found.points[end] = local;
  }

  Vector3d to_body(int body, const Vector3d& global) const {
    if (body == ground) return global;
    return scene_.bodies[static_cast<std::size_t>(body)].start.inverse() * global;
  }

  void read_axis(const ReportJson& element, Attachment& found) const {
    const Eigen::Matrix3d to_second = start_rotation(scene_, found.bodies[1]).transpose();
    if (const auto axis = vector_of(element, "axis")) {
      found.axis = to_second * *axis;
    } else if (const auto own = vector_of(element, "axis_j")) {
      found.axis = *own;
    } else if (const auto first = vector_of(element, "axis_i")) {
      found.axis = to_second * (start_rotation(scene_, found.bodies[0]) * *first);
    } else if (scene_.planar && any_of(found.type, {"revolute", "rsda"})) {
      found.axis = Vector3d::UnitZ();
    }
    if (found.axis.norm() > 0) found.axis.normalize();
  }

  const Scene& scene_;
};

class Drawer {
 public:
  explicit Drawer(Scene& scene) : scene_(scene), radius_(std::min(0.05 * scene.unit, 0.02 * scene.size)) {}

  void draw(const Attachment& e) {
    if (any_of(e.type, {"tsda", "actuator", "point_gravity"}) && e.has[0] && e.has[1]) return spring(e);
    if (any_of(e.type, {"distance", "spherical_spherical", "distance_driver"}) && e.has[0] && e.has[1]) return strut(e);
    if (e.type == "point_on_spline") return spline(e);
    if (e.force && !any_of(e.type, {"bushing"})) return;
    if (e.has[0] && e.bodies[0] == ground) support(e.points[0]);
    if (e.has[1] && e.bodies[1] == ground) support(e.points[1]);
    if (e.has[1] && e.bodies[1] != ground)
      joint(e, e.bodies[1], e.points[1]);
    else if (e.has[0] && e.bodies[0] != ground)
      joint(e, e.bodies[0], e.points[0]);
    if (any_of(e.type, {"translational", "cylindrical", "point_on_line", "in_line", "screw"})) guide(e);
  }

  void point(const ScenePoint& p) { sphere(p.body, p.local, 0.6 * radius_, joint_color); }

 private:
  void sphere(int body, const Vector3d& center, double radius, const char* color) {
    const Eigen::Affine3d place(Eigen::Translation3d(center) * Eigen::Scaling(radius));
    scene_.pieces.push_back({.solid = Solid::sphere, .body = body, .place = place, .color = color, .marker = true});
  }

  void joint(const Attachment& e, int body, const Vector3d& at) {
    const bool turns = any_of(e.type, {"revolute", "universal", "rsda", "screw", "cylindrical", "angle_driver"});
    if (!turns || e.axis.norm() == 0 || body != e.bodies[1]) return sphere(body, at, radius_, joint_color);
    const Vector3d half = 1.2 * radius_ * e.axis;
    scene_.pieces.push_back(
        {Solid::cylinder, body, cylinder_between(at - half, at + half, radius_), joint_color, true});
  }

  /// A small pedestal under a joint with ground.
  void support(const Vector3d& at) {
    const Vector3d foot = at - 2.6 * radius_ * scene_.up;
    scene_.pieces.push_back({Solid::cylinder, ground, cylinder_between(foot, at, 0.55 * radius_), ground_color, true});
    const Vector3d plate = foot - 0.35 * radius_ * scene_.up;
    scene_.pieces.push_back(
        {Solid::cylinder, ground, cylinder_between(plate, foot, 2.2 * radius_), ground_color, true});
  }

  void link(const Attachment& e, Link::Kind kind, double radius, const char* color) {
    Link link{kind, e.name, {e.bodies[0], e.bodies[1]}, {e.points[0], e.points[1]}, radius, color};
    scene_.links.push_back(std::move(link));
    for (std::size_t k = 0; k < 2; ++k) {
      if (e.bodies[k] == ground) sphere(ground, e.points[k], 0.8 * radius_, ground_color);
    }
  }

  void spring(const Attachment& e) {
    if (e.type == "point_gravity") return;
    const auto given = [&](const char* key) {
      const ReportJson* value = member(*e.json, key);
      return value != nullptr && !(value->is_number() && value->get<double>() == 0);
    };
    const bool stiff = given("stiffness") || given("spring"), damped = given("damping") || given("damper");
    const Link::Kind kind = e.type == "actuator" ? Link::Kind::actuator
                            : !damped            ? Link::Kind::spring
                            : stiff              ? Link::Kind::spring_damper
                                                 : Link::Kind::damper;
    link(e, kind, std::clamp(0.045 * start_distance(e), 1.5 * radius_, 4 * radius_), spring_color);
  }

  double start_distance(const Attachment& e) const {
    const auto place = [&](std::size_t k) -> Vector3d {
      if (e.bodies[k] == ground) return e.points[k];
      return scene_.bodies[static_cast<std::size_t>(e.bodies[k])].start * e.points[k];
    };
    return (place(1) - place(0)).norm();
  }

  void strut(const Attachment& e) {
    for (std::size_t k = 0; k < 2; ++k) sphere(e.bodies[k], e.points[k], 0.7 * radius_, joint_color);
    link(e, e.type == "distance_driver" ? Link::Kind::actuator : Link::Kind::rod, 0.35 * radius_, link_color);
  }

  /// The line along which a joint slides, through its point in the first body.
  void guide(const Attachment& e) {
    if (!e.has[0] || e.axis.norm() == 0) return;
    const Vector3d axis =
        start_rotation(scene_, e.bodies[0]).transpose() * (start_rotation(scene_, e.bodies[1]) * e.axis);
    scene_.curves.push_back(
        {e.bodies[0], {e.points[0] - scene_.unit * axis, e.points[0] + scene_.unit * axis}, guide_color});
  }

  /// The spline's points joined by a centripetal curve close to it.
  void spline(const Attachment& e) {
    const ReportJson* numbers = member(*e.json, "points");
    const std::size_t stride = scene_.planar ? 2 : 3;
    if (numbers == nullptr || !numbers->is_array() || numbers->size() < 3 * stride) return;
    std::vector<Vector3d> knots;
    for (std::size_t i = 0; i + stride <= numbers->size(); i += stride) {
      Vector3d knot = Vector3d::Zero();
      for (std::size_t k = 0; k < stride; ++k) {
        if (!(*numbers)[i + k].is_number()) return;
        knot[static_cast<Eigen::Index>(k)] = (*numbers)[i + k].get<double>();
      }
      knots.push_back(knot);
    }
    const ReportJson* closed = member(*e.json, "closed");
    const bool ring = closed != nullptr && closed->is_boolean() && closed->get<bool>();
    scene_.curves.push_back({e.bodies[0], smooth(knots, ring), guide_color});
  }

  /// Cubic Hermite pieces with Catmull-Rom slopes, eight points each.
  static std::vector<Vector3d> smooth(const std::vector<Vector3d>& knots, bool ring) {
    const auto n = static_cast<std::ptrdiff_t>(knots.size());
    const auto knot = [&](std::ptrdiff_t i) {
      return knots[static_cast<std::size_t>(ring ? (i + n) % n : std::clamp<std::ptrdiff_t>(i, 0, n - 1))];
    };
    constexpr int pieces = 8;
    std::vector<Vector3d> points;
    for (std::ptrdiff_t i = 0; i < (ring ? n : n - 1); ++i) {
      const Vector3d m0 = 0.5 * (knot(i + 1) - knot(i - 1)), m1 = 0.5 * (knot(i + 2) - knot(i));
      for (int k = 0; k < pieces; ++k) {
        const double s = static_cast<double>(k) / pieces, s2 = s * s, s3 = s2 * s;
        points.push_back((2 * s3 - 3 * s2 + 1) * knot(i) + (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * knot(i + 1) +
                         (s3 - s2) * m1);
      }
    }
    points.push_back(ring ? knots.front() : knots.back());
    return points;
  }

  Scene& scene_;
  const double radius_;
};

}  // namespace

std::vector<Attachment> attachments_of(const ReportJson& system, const Scene& scene) {
  const Reader reader(scene);
  std::vector<Attachment> found;
  for (const char* key : {"constraints", "forces"}) {
    const ReportJson* elements = member(system, key);
    if (elements == nullptr || !elements->is_object()) continue;
    for (const auto& [name, element] : elements->items()) {
      found.push_back(reader.read(name, element, std::string_view(key) == "forces"));
    }
  }
  return found;
}

void add_elements(const std::vector<Attachment>& attachments, Scene& scene) {
  Drawer drawer(scene);
  for (const Attachment& attachment : attachments) drawer.draw(attachment);
  for (const ScenePoint& point : scene.points) drawer.point(point);
}

}  // namespace trammel
