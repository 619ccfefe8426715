// Geoms of MJCF: mass, tensor and picture of each.
#pragma once

#include <map>
#include <string>

#include "mesh_file.h"
#include "mjcf_document.h"

namespace trammel::robot_xml {

/// What a geom is in its body's frame.
struct GeomParts {
  sdk::MassProperties inertia;
  sdk::LinkShape shape;
  bool drawn = false;
};

class MjcfGeometry {
 public:
  MjcfGeometry(const MjcfDocument& document, sdk::ImportNotes& notes);

  /// `with_mass`: whether its mass counts. `owner`: the body's name, for notes.
  GeomParts geom(const Defaulted& geom, bool with_mass, const std::string& owner);
  /// Whether geoms of this group count for inertia.
  bool in_inertia_groups(const Defaulted& geom) const;
  void unused() const;

 private:
  const Mesh& mesh(const std::string& name, const XmlNode& user);
  bool mesh_shape(const std::string& name, const Defaulted& geom, const std::string& what, sdk::LinkShape& shape) const;
  std::string inertia_mode(const std::string& name) const;
  MeshMass mesh_mass(const std::string& name, const Defaulted& geom) const;
  std::string color(const Defaulted& geom) const;

  const MjcfDocument& document_;
  sdk::ImportNotes& notes_;
  std::map<std::string, const XmlNode*> mesh_nodes_;
  std::map<std::string, Mesh> meshes_;
  std::map<std::string, std::string> colors_;  ///< of materials
};

}  // namespace trammel::robot_xml
