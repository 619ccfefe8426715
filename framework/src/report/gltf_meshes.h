// The unit solids of a scene as triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/scene.h"

namespace trammel {

struct TriangleMesh {
  std::vector<std::array<float, 3>> points, normals;
  std::vector<std::uint16_t> corners;  ///< three per triangle, counter-clockwise from outside
};

TriangleMesh unit_mesh(Solid solid);

/// A coil about z from 0 to 1 of radius 1, as a line.
std::vector<std::array<float, 3>> unit_coil();

}  // namespace trammel
