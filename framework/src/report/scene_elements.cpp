// Joints, springs, dampers and guides of a scene.
#include "report/scene_elements.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "record/model_drawing.h"
#include "report/body_shapes.h"
#include "report/scene_reader.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

constexpr const char* joint_color = "#3d4752";
constexpr const char* ground_color = "#98a2ad";
constexpr const char* guide_color = "#98a2ad";
constexpr const char* road_color = "#4a525c";
constexpr const char* link_color = "#5d6875";
constexpr const char* spring_color = "#b8652a";

Eigen::Matrix3d start_rotation(const Scene& scene, int body) {
  if (body == ground) return Eigen::Matrix3d::Identity();
  return scene.bodies[static_cast<std::size_t>(body)].start.linear();
}

Symbol symbol_of(const std::string& word) {
  const auto found = std::find(std::begin(symbol_names), std::end(symbol_names), std::string_view(word));
  return found == std::end(symbol_names) ? Symbol::nothing : static_cast<Symbol>(found - std::begin(symbol_names));
}

/// Whether the bodies are those of the scene.
bool read_names(const ReportJson& element, const Scene& scene, int* bodies) {
  const ReportJson* names = member(element, "bodies");
  if (names == nullptr || !names->is_array() || names->empty() || names->size() > 2) return false;
  for (std::size_t k = 0; k < names->size(); ++k) {
    if ((*names)[k] == "ground") continue;
    const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                    [&](const SceneBody& body) { return (*names)[k] == body.name; });
    if (found == scene.bodies.end()) return false;
    bodies[k] = static_cast<int>(found - scene.bodies.begin());
  }
  return true;
}

/// Entry k of a list of points or axes.
std::optional<Vector3d> entry(const ReportJson& element, const char* key, std::size_t k) {
  const ReportJson* list = member(element, key);
  if (list == nullptr || !list->is_array() || k >= list->size()) return std::nullopt;
  return vector_in(&(*list)[k]);
}

std::vector<Vector3d> points_of(const ReportJson& element, const char* key) {
  std::vector<Vector3d> points;
  const ReportJson* list = member(element, key);
  for (std::size_t k = 0; list != nullptr && list->is_array() && k < list->size(); ++k) {
    if (const auto point = vector_in(&(*list)[k])) points.push_back(*point);
  }
  return points;
}

Attachment read_attachment(const std::string& name, const ReportJson& element, bool force, const Scene& scene) {
  Attachment found;
  found.name = name;
  found.force = force;
  if (!read_names(element, scene, found.bodies)) return found;
  found.word = text_of(element, "symbol");
  found.symbol = symbol_of(found.word);
  found.count = static_cast<int>(element["bodies"].size());
  for (std::size_t k = 0; k < 2; ++k) {
    if (const auto point = entry(element, "points", k)) found.points[k] = *point, found.has[k] = true;
    found.axes[k] = entry(element, "axes", k).value_or(Vector3d::Zero());
    if (found.axes[k].norm() > 0) found.axes[k].normalize();
  }
  found.curve = points_of(element, "curve");
  found.still = points_of(element, "still");
  if (const ReportJson* push = member(element, "push")) {
    found.frame = text_of(*push, "frame");
    found.direction = vector_of(*push, "direction").value_or(Vector3d::Zero());
    found.reach = number_of(*push, "reach").value_or(0);
  }
  return found;
}

class Drawer {
 public:
  explicit Drawer(Scene& scene) : scene_(scene), radius_(std::min(0.05 * scene.unit, 0.02 * scene.size)) {}

  void draw(const Attachment& e) {
    if (e.still.size() > 1) scene_.curves.push_back({ground, e.still, road_color, true, e.name});
    switch (e.symbol) {
      case Symbol::nothing: return;
      case Symbol::point: return ball_joint(e);
      case Symbol::hinge: return pin_joint(e);
      case Symbol::slider: ball_joint(e); return guide(e);
      case Symbol::hinge_slider: pin_joint(e); return guide(e);
      case Symbol::rod: return strut(e, Link::Kind::rod);
      case Symbol::spring: return spring(e, Link::Kind::spring);
      case Symbol::damper: return spring(e, Link::Kind::damper);
      case Symbol::spring_damper: return spring(e, Link::Kind::spring_damper);
      case Symbol::actuator:
        return e.force ? spring(e, Link::Kind::actuator) : strut(e, Link::Kind::actuator);  // a driver holds its ends
      case Symbol::curve: return curve(e);
    }
  }

  void point(const ScenePoint& p) { sphere(p.body, p.local, 0.6 * radius_, joint_color); }

 private:
  void sphere(int body, const Vector3d& center, double radius, const char* color) {
    const Eigen::Affine3d place(Eigen::Translation3d(center) * Eigen::Scaling(radius));
    scene_.pieces.push_back({.solid = Solid::sphere, .body = body, .place = place, .color = color, .marker = true});
  }

  /// The axis in the second or first body (1 or 0), turned into it at the start if it is known in the other.
  Vector3d axis_in(const Attachment& e, std::size_t k) const {
    if (e.axes[k].norm() > 0) return e.axes[k];
    return start_rotation(scene_, e.bodies[k]).transpose() * (start_rotation(scene_, e.bodies[1 - k]) * e.axes[1 - k]);
  }

  void cylinder(int body, const Vector3d& from, const Vector3d& to, double radius, const char* color) {
    const Eigen::Affine3d place = cylinder_between(from, to, radius);
    scene_.pieces.push_back({.solid = Solid::cylinder, .body = body, .place = place, .color = color, .marker = true});
  }

  /// The second body, or the first if there is no other: it carries the joint. None if both are ground.
  static std::optional<std::size_t> carrier(const Attachment& e) {
    for (const std::size_t k : {1u, 0u}) {
      if (e.has[k] && e.bodies[k] != ground) return k;
    }
    return std::nullopt;
  }

  void ball_joint(const Attachment& e) {
    supports(e);
    if (const auto k = carrier(e)) sphere(e.bodies[*k], e.points[*k], radius_, joint_color);
  }

  void pin_joint(const Attachment& e) {
    const auto k = carrier(e);
    const Vector3d half = k ? Vector3d(1.2 * radius_ * axis_in(e, *k)) : Vector3d::Zero();
    if (half.norm() == 0) return ball_joint(e);
    supports(e);
    cylinder(e.bodies[*k], e.points[*k] - half, e.points[*k] + half, radius_, joint_color);
  }

  void supports(const Attachment& e) {
    if (!e.frame.empty()) return;  // a plane that is touched stands on nothing
    for (std::size_t k = 0; k < 2; ++k) {
      if (e.has[k] && e.bodies[k] == ground) support(e.points[k]);
    }
  }

  /// A small pedestal under a joint with ground.
  void support(const Vector3d& at) {
    const Vector3d foot = at - 2.6 * radius_ * scene_.up;
    cylinder(ground, foot, at, 0.55 * radius_, ground_color);
    const Vector3d plate = foot - 0.35 * radius_ * scene_.up;
    cylinder(ground, plate, foot, 2.2 * radius_, ground_color);
  }

  void link(const Attachment& e, Link::Kind kind, double radius, const char* color) {
    Link link{kind, e.name, {e.bodies[0], e.bodies[1]}, {e.points[0], e.points[1]}, radius, color};
    scene_.links.push_back(std::move(link));
    for (std::size_t k = 0; k < 2; ++k) {
      if (e.bodies[k] == ground) sphere(ground, e.points[k], 0.8 * radius_, ground_color);
    }
  }

  void spring(const Attachment& e, Link::Kind kind) {
    if (!e.has[0] || !e.has[1]) return;
    link(e, kind, std::clamp(0.045 * start_distance(e), 1.5 * radius_, 4 * radius_), spring_color);
  }

  double start_distance(const Attachment& e) const {
    const auto place = [&](std::size_t k) -> Vector3d {
      if (e.bodies[k] == ground) return e.points[k];
      return scene_.bodies[static_cast<std::size_t>(e.bodies[k])].start * e.points[k];
    };
    return (place(1) - place(0)).norm();
  }

  void strut(const Attachment& e, Link::Kind kind) {
    if (!e.has[0] || !e.has[1]) return;
    for (std::size_t k = 0; k < 2; ++k) sphere(e.bodies[k], e.points[k], 0.7 * radius_, joint_color);
    link(e, kind, 0.35 * radius_, link_color);
  }

  /// The line along which a joint slides, through its point in the first body.
  void guide(const Attachment& e) {
    const Vector3d along = scene_.unit * axis_in(e, 0);
    if (!e.has[0] || along.norm() == 0) return;
    scene_.curves.push_back({e.bodies[0], {e.points[0] - along, e.points[0] + along}, guide_color});
  }

  void curve(const Attachment& e) {
    if (e.curve.size() > 1) scene_.curves.push_back({e.bodies[0], e.curve, guide_color});
    if (e.has[1]) sphere(e.bodies[1], e.points[1], radius_, joint_color);
  }

  Scene& scene_;
  const double radius_;
};

}  // namespace

std::vector<Attachment> attachments_of(const ReportJson& drawing, const Scene& scene) {
  std::vector<Attachment> found;
  for (const char* key : {"constraints", "forces"}) {
    const ReportJson* elements = member(drawing, key);
    if (elements == nullptr || !elements->is_object()) continue;
    for (const auto& [name, element] : elements->items()) {
      found.push_back(read_attachment(name, element, std::string_view(key) == "forces", scene));
    }
  }
  return found;
}

namespace {

/// For arrows.
SceneElement element_of(const Attachment& e, const Scene& scene) {
  SceneElement element;
  element.name = e.name;
  element.force = e.force;
  element.symbol = e.word;
  element.bodies.assign(e.bodies, e.bodies + std::min(e.count, 2));
  for (std::size_t k = 0; k < 2; ++k) element.has[k] = e.has[k], element.points[k] = e.points[k];
  element.pushes = !e.frame.empty() && e.direction.norm() > 0;
  element.direction = e.direction;
  element.reach = e.reach;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].name == e.frame) element.frame = static_cast<int>(i);
  }
  return element;
}

}  // namespace

void add_elements(const std::vector<Attachment>& attachments, Scene& scene) {
  Drawer drawer(scene);
  for (const Attachment& attachment : attachments) {
    drawer.draw(attachment);
    if (attachment.has[0] || attachment.has[1]) scene.elements.push_back(element_of(attachment, scene));
  }
  for (const ScenePoint& point : scene.points) drawer.point(point);
}

}  // namespace trammel
