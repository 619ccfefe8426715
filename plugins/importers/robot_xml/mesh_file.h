// Triangles of mesh files, and the mass properties that MuJoCo computes from them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trammel/importer.h"
#include "trammel/sdk/import/model.h"

namespace trammel::robot_xml {

struct Mesh {
  std::vector<Eigen::Vector3f> vertices;
  std::vector<std::array<int, 3>> faces;
};

/// STL (binary or text), OBJ and MuJoCo's MSH. Throws Error(input) at `place` where the file cannot be read, is of no
/// format known here, or has no faces.
Mesh read_mesh(const std::string& file, const sdk::ImportPlace& place);

/// Where a mesh of URDF or SDF lies: beside `from`, or in a folder of packages; "" if there is none.
std::string find_mesh(const std::string& uri, const std::string& from, const ImportRequest& request);

/// The file of a model that an <include> of SDF names: model.sdf in its folder, or the file itself; "" if there is none.
std::string find_model(const std::string& uri, const std::string& from, const ImportRequest& request);

/// A picture of a mesh file. Why it cannot be drawn, or "".
std::string mesh_picture(const std::string& file, const Eigen::Vector3d& scale, sdk::LinkShape& shape);

enum class MeshMass {
  legacy,  ///< as MuJoCo 2.2 has it: absolute volumes, which count hollows, and the volume of the box of equal moments
  exact,   ///< volumes with their signs, right for every closed surface
  shell    ///< on the surface; density is by area
};

/// Of density 1. Refuses at `place` what has no volume, or no surface.
sdk::MassProperties mesh_properties(const Mesh& mesh, MeshMass how, const sdk::ImportPlace& place);

}  // namespace trammel::robot_xml
