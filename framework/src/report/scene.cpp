// From run file to scene, and from scene to JSON.
#include "report/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "report/body_shapes.h"
#include "report/scene_elements.h"
#include "report/scene_reader.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

/// Paul Tol's bright scheme: told apart also by the colour-blind.
constexpr const char* palette[] = {"#4477aa", "#cc6677", "#228833", "#c9a227", "#55a9c8", "#aa3377", "#6b7785"};

void read_model(const ReportJson& model, Scene& scene) {
  scene.planar = text_of(model, "host") == "planar";
  const ReportJson* coordinates = member(model, "coordinates");
  if (coordinates == nullptr || !coordinates->is_object()) return;
  for (const auto& [name, unit] : coordinates->items()) {
    scene.coordinates.emplace_back(name, unit.is_string() ? unit.get<std::string>() : std::string());
  }
}

void read_bodies(const ReportJson& system, Scene& scene) {
  const ReportJson* bodies = member(system, "bodies");
  if (bodies == nullptr || !bodies->is_object()) return;
  for (const auto& [name, body] : bodies->items()) {
    SceneBody read;
    read.name = name;
    read.mass = number_of(body, "mass").value_or(0);
    read.color = palette[scene.bodies.size() % std::size(palette)];
    read.start = start_of(body);
    read.default_shape = member(body, "shape") == nullptr;
    read.turns = text_of(body, "type") != "point_mass";
    scene.bodies.push_back(std::move(read));
  }
  scene.has_bodies = !scene.bodies.empty();
}

void read_points(const ReportJson& system, Scene& scene) {
  const ReportJson* points = member(system, "points");
  if (points == nullptr || !points->is_object()) return;
  for (const auto& [name, point] : points->items()) {
    const std::string body = text_of(point, "body");
    const auto found =
        std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const SceneBody& b) { return b.name == body; });
    const auto local = vector_of(point, "point");
    if (!local || (found == scene.bodies.end() && body != "ground")) continue;
    scene.points.push_back(
        {name, found == scene.bodies.end() ? ground : static_cast<int>(found - scene.bodies.begin()), *local});
  }
}

/// Against gravity, along the nearest axis; y in planar models, z without gravity.
Vector3d up_of(const ReportJson& system, bool planar) {
  const Vector3d gravity = vector_of(system, "gravity").value_or(Vector3d::Zero());
  Eigen::Index axis = planar ? 1 : 2;
  if (gravity.norm() == 0) return Vector3d::Unit(axis);
  gravity.cwiseAbs().maxCoeff(&axis);
  return gravity[axis] > 0 ? Vector3d(-Vector3d::Unit(axis)) : Vector3d(Vector3d::Unit(axis));
}

/// Sizes of the whole and of a typical body, from where joints and shapes are at the start.
void measure(const ReportJson& system, const std::vector<std::vector<Vector3d>>& attached, Scene& scene) {
  Eigen::AlignedBox3d box;
  std::vector<double> reaches;
  const ReportJson& bodies = system["bodies"];
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const ReportJson& json = bodies[scene.bodies[i].name];
    const ReportJson* shape = member(json, "shape");
    double reach = shape != nullptr ? reach_of(*shape) : 0;
    for (const Vector3d& point : attached[i]) {
      reach = std::max(reach, point.norm());
      box.extend(scene.bodies[i].start * point);
    }
    // Held at its mass centre only, a body is as large as if it were free.
    const double own = shape != nullptr ? 0 : reach_of_inertia(json);
    if (reach < 1e-6 * own) reach = own;
    box.extend(Vector3d(scene.bodies[i].start.translation() - Vector3d::Constant(reach)));
    box.extend(Vector3d(scene.bodies[i].start.translation() + Vector3d::Constant(reach)));
    if (reach > 0) reaches.push_back(2 * reach);
  }
  scene.size = box.isEmpty() || box.diagonal().norm() == 0 ? 1 : box.diagonal().norm();
  scene.unit = scene.size;
  if (reaches.empty()) return;
  const auto middle = reaches.begin() + static_cast<std::ptrdiff_t>(reaches.size() / 2);
  std::nth_element(reaches.begin(), middle, reaches.end());
  scene.unit = *middle;
}

/// Six digits are more than a picture shows.
double rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

ReportJson numbers(const Vector3d& v) { return {rounded(v.x()), rounded(v.y()), rounded(v.z())}; }

ReportJson matrix(const Eigen::Affine3d& place) {
  ReportJson m = ReportJson::array();  // three rows of four
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 4; ++j) m.push_back(rounded(place(i, j)));
  }
  return m;
}

/// The start in the order of Scene::coordinates, of a point mass the first ones.
ReportJson coordinates(const Eigen::Affine3d& start, bool planar, bool turns) {
  const Vector3d r = start.translation();
  if (!turns) return planar ? ReportJson{r.x(), r.y()} : ReportJson{r.x(), r.y(), r.z()};
  if (planar) return {r.x(), r.y(), std::atan2(start(1, 0), start(0, 0))};
  const Eigen::Quaterniond p(start.rotation());
  return {r.x(), r.y(), r.z(), p.w(), p.x(), p.y(), p.z()};
}

ReportJson elements_json(const Scene& scene) {
  ReportJson json = ReportJson::array();
  for (const SceneElement& e : scene.elements) {
    ReportJson points = ReportJson::array();
    for (std::size_t k = 0; k < 2; ++k) points.push_back(e.has[k] ? numbers(e.points[k]) : ReportJson(nullptr));
    json.push_back({{"name", e.name}, {"kind", e.force ? "force" : "constraint"}, {"symbol", e.symbol}});
    json.back()["bodies"] = e.bodies;
    json.back()["points"] = points;
    if (e.pushes) json.back()["push"] = {{"body", e.frame}, {"direction", numbers(e.direction)}, {"reach", e.reach}};
  }
  return json;
}

}  // namespace

Scene make_scene(const ReportJson& run, const ReportJson& model, const ReportJson& drawing) {
  Scene scene;
  const ReportJson* system = member(run, "system");
  if (system == nullptr) return scene;
  read_model(model, scene);
  scene.up = up_of(*system, scene.planar);
  read_bodies(*system, scene);
  if (!scene.has_bodies) return scene;
  read_points(*system, scene);

  const std::vector<Attachment> attachments = attachments_of(drawing, scene);
  std::vector<std::vector<Vector3d>> attached(scene.bodies.size());
  const auto attach = [&](int body, const Vector3d& local) {
    if (body != ground) attached[static_cast<std::size_t>(body)].push_back(local);
  };
  for (const Attachment& attachment : attachments) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (attachment.has[k]) attach(attachment.bodies[k], attachment.points[k]);
    }
  }
  for (const ScenePoint& point : scene.points) attach(point.body, point.local);
  measure(*system, attached, scene);

  const ReportJson& bodies = (*system)["bodies"];
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const ReportJson& body = bodies[scene.bodies[i].name];
    const ReportJson* shape = member(body, "shape");
    if (shape != nullptr)
      add_shapes(*shape, static_cast<int>(i), scene.bodies[i].color, scene);
    else
      add_default_shape(body, static_cast<int>(i), attached[i], scene);
  }
  const ReportJson* own_ground = member(*system, "ground");
  const ReportJson* ground_shape = own_ground == nullptr ? nullptr : member(*own_ground, "shape");
  if (ground_shape != nullptr) add_shapes(*ground_shape, ground, "#b4bcc5", scene);
  add_elements(attachments, scene);
  return scene;
}

ReportJson scene_json(const Scene& scene) {
  ReportJson json = {{"planar", scene.planar}, {"up", numbers(scene.up)}, {"size", scene.size}, {"unit", scene.unit}};
  json["coordinates"] = ReportJson::array();
  for (const auto& [name, unit] : scene.coordinates) json["coordinates"].push_back({name, unit});
  json["bodies"] = ReportJson::array();
  for (const SceneBody& body : scene.bodies) {
    json["bodies"].push_back({{"name", body.name},
                              {"mass", body.mass},
                              {"color", body.color},
                              {"start", matrix(body.start)},
                              {"q", coordinates(body.start, scene.planar, body.turns)}});
  }
  json["points"] = ReportJson::array();
  for (const ScenePoint& p : scene.points) {
    json["points"].push_back({{"name", p.name}, {"body", p.body}, {"at", numbers(p.local)}});
  }
  json["pieces"] = ReportJson::array();
  for (const Piece& p : scene.pieces) {
    json["pieces"].push_back({{"solid", solid_name(p.solid)},
                              {"body", p.body},
                              {"place", matrix(p.place)},
                              {"color", p.color},
                              {"marker", p.marker}});
    if (p.mesh >= 0) json["pieces"].back()["mesh"] = p.mesh;
  }
  for (const Triangles& mesh : scene.meshes) {
    ReportJson points = ReportJson::array(), corners = ReportJson::array();
    for (const auto& point : mesh.points) {
      for (const float x : point) points.push_back(std::round(1e5 * static_cast<double>(x)) / 1e5);
    }
    for (const auto& triangle : mesh.corners) {
      for (const int corner : triangle) corners.push_back(corner);
    }
    json["meshes"].push_back({{"points", std::move(points)}, {"corners", std::move(corners)}});
  }
  json["curves"] = ReportJson::array();
  for (const Curve& c : scene.curves) {
    ReportJson points = ReportJson::array();
    for (const Vector3d& point : c.points) points.push_back(numbers(point));
    json["curves"].push_back({{"body", c.body}, {"points", points}, {"color", c.color}});
    if (c.still) json["curves"].back().update({{"still", true}, {"element", c.element}});
  }
  json["links"] = ReportJson::array();
  constexpr const char* kinds[] = {"spring", "damper", "spring_damper", "actuator", "rod"};
  for (const Link& l : scene.links) {
    json["links"].push_back({{"kind", kinds[static_cast<int>(l.kind)]},
                             {"name", l.name},
                             {"bodies", {l.bodies[0], l.bodies[1]}},
                             {"points", {numbers(l.points[0]), numbers(l.points[1])}},
                             {"radius", rounded(l.radius)},
                             {"color", l.color}});
  }
  json["elements"] = elements_json(scene);
  return json;
}

const char* solid_name(Solid solid) {
  constexpr const char* names[] = {"box", "cylinder", "sphere", "mesh"};
  return names[static_cast<int>(solid)];
}

}  // namespace trammel
