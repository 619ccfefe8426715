// Mass properties of primitives and meshes as MuJoCo computes them, and their pictures.
#include "mjcf_geometry.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "picture.h"

namespace trammel::robot_xml {
namespace {

constexpr double pi = 3.14159265358979323846;
using ShapeKind = sdk::LinkShape::Kind;

/// Volume and moments per mass about the centre, along the shape's axes.
struct Solid {
  double volume;
  Eigen::Vector3d moments;
};

Solid sphere(double r) { return {4.0 / 3 * pi * r * r * r, Eigen::Vector3d::Constant(0.4 * r * r)}; }
Solid box(const Eigen::Vector3d& h) {  // half edges
  const Eigen::Vector3d s = h.cwiseAbs2();
  return {8 * h.prod(), Eigen::Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / 3};
}
Solid ellipsoid(const Eigen::Vector3d& a) {
  const Eigen::Vector3d s = a.cwiseAbs2();
  return {4.0 / 3 * pi * a.prod(), Eigen::Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / 5};
}
Solid cylinder(double r, double h) {  // half length
  const double side = (3 * r * r + 4 * h * h) / 12;
  return {2 * pi * r * r * h, Eigen::Vector3d(side, side, r * r / 2)};
}
/// A cylinder between two half spheres.
Solid capsule(double r, double h) {
  const double length = 2 * h, volume = pi * r * r * length + 4.0 / 3 * pi * r * r * r;
  const double of_spheres = 4 * r / (4 * r + 3 * length), of_cylinder = 1 - of_spheres, ball = 0.4 * r * r;
  const double side =
      of_cylinder * (3 * r * r + length * length) / 12 + of_spheres * (ball + length * (3 * r + 2 * length) / 8);
  return {volume, Eigen::Vector3d(side, side, of_cylinder * r * r / 2 + of_spheres * ball)};
}

}  // namespace

MjcfGeometry::MjcfGeometry(const MjcfDocument& document, sdk::ImportNotes& notes) : document_(document), notes_(notes) {
  for (const XmlNode* asset : document.sections("asset")) {
    for (const XmlNode* node : asset->all("mesh")) {
      const std::string file = node->get("file", "");
      const std::string name = node->get("name", std::filesystem::path(file).stem().string());
      if (name.empty()) node->refuse("a mesh without name and file");
      if (!mesh_nodes_.emplace(name, node).second) node->refuse("a second mesh '" + name + "'");
    }
    for (const XmlNode* node : asset->all("material")) {
      const Defaulted material = document.defaulted(*node, "");
      colors_[node->get("name", "")] = html_color(material.numbers("rgba", 3, 4));
    }
    for (const char* tag : {"texture", "skin", "hfield", "model"}) {
      for (const XmlNode* node : asset->all(tag))
        node->lose(notes, std::string(tag) == "texture" ? "textures are not drawn"
                                                        : std::string("assets of this kind are not carried over"));
    }
  }
}

const Mesh& MjcfGeometry::mesh(const std::string& name, const XmlNode& user) {
  const auto known = meshes_.find(name);
  if (known != meshes_.end()) return known->second;
  const auto found = mesh_nodes_.find(name);
  if (found == mesh_nodes_.end()) user.refuse("there is no mesh '" + name + "'");
  const Defaulted asset = document_.defaulted(*found->second, "");
  const XmlNode& node = *found->second;
  Mesh mesh;
  if (node.has("vertex")) {
    const std::vector<double> v = node.numbers("vertex", 9, 100'000'000), f = node.numbers("face", 3, 100'000'000);
    if (f.empty()) node.refuse("mesh '" + name + "' has vertices and no faces: its convex hull is not computed here");
    if (v.size() % 3 != 0 || f.size() % 3 != 0)
      node.refuse("mesh '" + name + "' has " + std::to_string(v.size()) + " numbers of vertices and " +
                  std::to_string(f.size()) + " of faces; both come in threes");
    for (const double corner : f) {
      if (corner != std::floor(corner) || corner < 0 || corner >= static_cast<double>(v.size()))
        node.refuse("mesh '" + name + "' has a face with a corner that does not exist: " + sdk::json_number(corner));
    }
    for (std::size_t k = 0; k + 2 < v.size(); k += 3)
      mesh.vertices.emplace_back(static_cast<float>(v[k]), static_cast<float>(v[k + 1]), static_cast<float>(v[k + 2]));
    for (std::size_t k = 0; k + 2 < f.size(); k += 3)
      mesh.faces.push_back({static_cast<int>(f[k]), static_cast<int>(f[k + 1]), static_cast<int>(f[k + 2])});
    for (const auto& face : mesh.faces) {
      for (const int c : face) {
        if (c < 0 || c >= static_cast<int>(mesh.vertices.size()))
          node.refuse("mesh '" + name + "' has a face with a corner that does not exist");
      }
    }
  } else {
    const std::string file = document_.asset_file(node.need_text("file"), "meshdir");
    mesh = read_mesh(file, node.place());
    notes_.reads(file);
  }
  // In the order and the precision of MuJoCo: moved, turned, scaled, as float.
  const Eigen::Vector3d move = asset.vector("refpos", Eigen::Vector3d::Zero()),
                        scale = asset.vector("scale", Eigen::Vector3d::Ones());
  if (!move.isZero(0)) {
    for (Eigen::Vector3f& v : mesh.vertices) v -= move.cast<float>();
  }
  if (const XmlNode* turned = asset.with("refquat"); turned != nullptr) {
    const Eigen::Matrix3d R = rotation_of_quaternion(turned->numbers("refquat", 4, 4), *turned);
    for (Eigen::Vector3f& v : mesh.vertices) v = (R.transpose() * v.cast<double>()).cast<float>();
  }
  if (scale != Eigen::Vector3d::Ones()) {
    for (Eigen::Vector3f& v : mesh.vertices) v = v.cast<double>().cwiseProduct(scale).cast<float>();
    // Mirrored faces look inward. Volumes without signs do not mind, and their sums over corners in single precision are
    // MuJoCo's in the file's order only.
    if (scale.prod() < 0 && inertia_mode(name) == "exact") {
      for (auto& face : mesh.faces) std::swap(face[0], face[1]);
    }
  }
  return meshes_.emplace(name, std::move(mesh)).first->second;
}

/// A picture of the mesh's file; false, and named, where the mesh has none that run files can read.
bool MjcfGeometry::mesh_shape(const std::string& name, const Defaulted& geom, const std::string& what,
                              sdk::LinkShape& shape) const {
  const auto found = mesh_nodes_.find(name);
  if (found == mesh_nodes_.end()) geom.node().refuse("there is no mesh '" + name + "'");
  const Defaulted asset = document_.defaulted(*found->second, "");
  std::string why = "its mesh has no file";
  if (found->second->has("file")) {
    why = "meshes with refpos or refquat are not drawn";
    if (asset.with("refquat") == nullptr && asset.vector("refpos", Eigen::Vector3d::Zero()).isZero(0)) {
      why = mesh_picture(document_.asset_file(found->second->need_text("file"), "meshdir"),
                         asset.vector("scale", Eigen::Vector3d::Ones()), shape);
    }
  }
  if (!why.empty()) notes_.lost(geom.place(), "picture of " + what + ": " + why);
  return why.empty();
}

std::string MjcfGeometry::inertia_mode(const std::string& name) const {
  const bool exact = document_.compiler_flag("exactmeshinertia", false);
  return document_.defaulted(*mesh_nodes_.at(name), "")
      .choice("inertia", "legacy exact convex shell", exact ? "exact" : "legacy");
}

/// How the mass of a mesh lies: filled, in MuJoCo's older way or exactly, or on its surface.
MeshMass MjcfGeometry::mesh_mass(const std::string& name, const Defaulted& geom) const {
  const std::string mode = inertia_mode(name);
  if (mode == "convex")
    geom.node().refuse("the mass of mesh '" + name + "' is that of its convex hull, which is not computed here");
  return mode == "shell" ? MeshMass::shell : mode == "exact" ? MeshMass::exact : MeshMass::legacy;
}

/// Meshes that no geom has.
void MjcfGeometry::unused() const {
  for (const auto& [name, node] : mesh_nodes_) {
    if (meshes_.count(name) == 0) node->lose_nothing(notes_, "mesh '" + name + "' is used by no geom");
  }
}

std::string MjcfGeometry::color(const Defaulted& geom) const {
  const std::string material = geom.get("material", "");
  if (geom.has("rgba")) return html_color(geom.numbers("rgba", 3, 4));
  const auto found = colors_.find(material);
  return found == colors_.end() ? "" : found->second;
}

bool MjcfGeometry::in_inertia_groups(const Defaulted& geom) const {
  double low = 0, high = 5;
  for (const XmlNode* node : document_.sections("compiler")) {
    const std::vector<double> range = node->numbers("inertiagrouprange", 2, 2);
    if (!range.empty()) low = range[0], high = range[1];
  }
  const double group = geom.number("group", 0);
  return group >= low && group <= high;
}

GeomParts MjcfGeometry::geom(const Defaulted& geom, bool with_mass, const std::string& owner) {
  GeomParts parts;
  const std::string name = geom.node().get("name", ""),
                    what = "geom" + (name.empty() ? "" : " '" + name + "'") + " of '" + owner + "'";
  std::string type = geom.get("type", "sphere");
  const std::string mesh_name = geom.get("mesh", "");
  const std::vector<double> given = geom.numbers("size", 1, 3);
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < given.size(); ++k) size[static_cast<Eigen::Index>(k)] = given[k];
  sdk::Frame at;
  if (const XmlNode* node = geom.with("fromto"); node == nullptr) {
    at = document_.frame(geom);
  } else {
    if (type != "capsule" && type != "cylinder" && type != "box" && type != "ellipsoid")
      node->refuse("fromto of " + what + ": a " + type + " has no ends; a capsule, cylinder, box or ellipsoid has");
    if (geom.nearest({"pos"}) != nullptr)
      node->refuse(what + " has a fromto and a pos: which of them counts is not said");
    const std::vector<double> ends = node->numbers("fromto", 6, 6);
    const Eigen::Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]), along = from - to;
    if (!(along.norm() > 1e-14)) node->refuse("the ends of " + what + " coincide");
    const int last = type == "capsule" || type == "cylinder" ? 1 : 2;
    if (last == 2) size[1] = size[0];
    size[last] = along.norm() / 2;
    at = {rotation_of_z(along), 0.5 * (from + to)};
  }
  if (type != "mesh" && !mesh_name.empty())
    geom.node().refuse(what + ": a " + type + " that is fitted to a mesh, which is not computed here; give its size");

  const bool shell = geom.boolean("shellinertia", false);
  geom.given({"mass", "density"});
  if (!with_mass && (geom.node().has("mass") || geom.node().has("density") || shell))
    notes_.remark(geom.place(), "the mass of " + what +
                                    " does not count: its body has one, does not move, or the geom's "
                                    "group is left out");
  Solid solid{0, Eigen::Vector3d::Zero()};
  sdk::MassProperties of_mesh;
  bool massless = false;
  const auto positive = [&](int count) {
    for (int k = 0; k < count; ++k) {
      if (!(size[k] > 0)) geom.node().refuse("the size of " + what + " must be above zero");
    }
  };
  parts.shape.place = at, parts.shape.color = color(geom), parts.drawn = true;
  if (type == "sphere") {
    positive(1), solid = sphere(size[0]);
    parts.shape.kind = ShapeKind::sphere, parts.shape.size = size;
  } else if (type == "capsule") {
    positive(2), solid = capsule(size[0], size[1]);
    parts.shape.kind = ShapeKind::capsule, parts.shape.size = {size[0], 2 * size[1], 0};
  } else if (type == "cylinder") {
    positive(2), solid = cylinder(size[0], size[1]);
    parts.shape.kind = ShapeKind::cylinder, parts.shape.size = {size[0], 2 * size[1], 0};
  } else if (type == "ellipsoid") {
    positive(3), solid = ellipsoid(size);
    parts.shape.kind = ShapeKind::ellipsoid, parts.shape.size = size;
  } else if (type == "box") {
    positive(3), solid = box(size);
    parts.shape.kind = ShapeKind::box, parts.shape.size = 2 * size;
  } else if (type == "mesh") {
    parts.drawn = mesh_shape(mesh_name, geom, what, parts.shape);
    if (with_mass) {
      const MeshMass how = mesh_mass(mesh_name, geom);
      of_mesh = mesh_properties(mesh(mesh_name, geom.node()), how, geom.place());
      notes_.remark(
          geom.place(),
          "mass and inertia of " + what +
              (how == MeshMass::legacy ? " as MuJoCo 2.2 has them, which counts hollows of its mesh (exactmeshinertia)"
                                       : " from corners in single precision, as MuJoCo has them: to about 1e-7"));
      solid.volume = of_mesh.mass;
    } else {
      mesh(mesh_name, geom.node());
    }
  } else if (type == "plane") {
    massless = true;
    if (size[0] > 0 && size[1] > 0) {
      parts.shape.kind = ShapeKind::lines;
      parts.shape.points = {{-size[0], -size[1], 0},
                            {size[0], -size[1], 0},
                            {size[0], size[1], 0},
                            {-size[0], size[1], 0},
                            {-size[0], -size[1], 0}};
    } else {
      parts.drawn = false;
      notes_.lost(geom.place(), "picture of " + what + ": a plane without bounds is not drawn");
    }
  } else {
    massless = true, parts.drawn = false;
    notes_.lost(geom.place(), what + " of type '" + type + "', which is not known here");
  }
  if (with_mass && !massless) {
    const double mass = geom.has("mass") ? geom.number("mass", 0) : geom.number("density", 1000) * solid.volume;
    if (!(mass >= 0)) geom.node().refuse("the mass of " + what + " is negative");
    if (shell) geom.node().refuse(what + " has the inertia of a shell, which is not computed here");
    if (type == "mesh") {
      const double density = mass / of_mesh.mass;
      parts.inertia = sdk::MassProperties{mass, of_mesh.centre, density * of_mesh.tensor}.in(at);
    } else {
      parts.inertia =
          sdk::MassProperties{mass, Eigen::Vector3d::Zero(), Eigen::Matrix3d((mass * solid.moments).asDiagonal())}.in(
              at);
    }
    parts.inertia.tensor = (0.5 * (parts.inertia.tensor + parts.inertia.tensor.transpose())).eval();
  }
  const double type_bits = geom.number("contype", 1), affinity = geom.number("conaffinity", 1);
  const std::string how = geom.given({"condim", "priority", "friction", "solmix", "solref", "solimp", "margin", "gap"});
  if ((type_bits != 0 || affinity != 0) && !document_.disabled("contact") && !document_.disabled("constraint"))
    notes_.lost(geom.place(), "contact of " + what + (how.empty() ? "" : ", with its " + how));
  else if (!how.empty())
    notes_.remark(geom.place(), how + " of " + what + " have no effect: it touches nothing");
  return parts;
}

}  // namespace trammel::robot_xml
