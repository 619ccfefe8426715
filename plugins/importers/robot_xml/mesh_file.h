// Triangles of mesh files, and the mass properties that MuJoCo computes from them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trammel/sdk/import/model.h"

namespace trammel::robot_xml {

struct Mesh {
  std::vector<Eigen::Vector3f> vertices;
  std::vector<std::array<int, 3>> faces;
};

/// STL (binary or text), OBJ and MuJoCo's MSH. Throws Error(input) at `place` where the file cannot be read, is of no
/// format known here, or has no faces.
Mesh read_mesh(const std::string& file, const sdk::ImportPlace& place);

/// Of density 1. `exact`: volumes with their signs, right for every closed surface; otherwise as MuJoCo 2.2 has them, with
/// absolute values, which count hollows of a shape that is not convex, and the volume of the box of equal moments.
/// Refuses at `place` what has no volume.
sdk::MassProperties mesh_properties(const Mesh& mesh, bool exact, const sdk::ImportPlace& place);

}  // namespace trammel::robot_xml
