// Box, cylinder, sphere, coil.
#include "report/gltf_meshes.h"

#include <cmath>
#include <numbers>

#include "trammel/math/two_pi.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

std::array<float, 3> floats(const Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

std::uint16_t add(TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal) {
  mesh.points.push_back(floats(point));
  mesh.normals.push_back(floats(normal));
  return static_cast<std::uint16_t>(mesh.points.size() - 1);
}

void add_triangle(TriangleMesh& mesh, int a, int b, int c) {
  for (const int corner : {a, b, c}) mesh.corners.push_back(static_cast<std::uint16_t>(corner));
}

TriangleMesh box() {
  TriangleMesh mesh;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Vector3d n = side * Vector3d::Unit(axis), u = Vector3d::Unit((axis + 1) % 3), w = n.cross(u);
      const int first = add(mesh, 0.5 * (n - u - w), n);
      add(mesh, 0.5 * (n + u - w), n);
      add(mesh, 0.5 * (n + u + w), n);
      add(mesh, 0.5 * (n - u + w), n);
      add_triangle(mesh, first, first + 1, first + 2);
      add_triangle(mesh, first, first + 2, first + 3);
    }
  }
  return mesh;
}

TriangleMesh cylinder() {
  constexpr int segments = 32;
  TriangleMesh mesh;
  for (int k = 0; k <= segments; ++k) {
    const Vector3d n(std::cos(two_pi * k / segments), std::sin(two_pi * k / segments), 0);
    const int first = add(mesh, n - 0.5 * Vector3d::UnitZ(), n);
    add(mesh, n + 0.5 * Vector3d::UnitZ(), n);
    if (k == segments) break;
    add_triangle(mesh, first, first + 2, first + 3);
    add_triangle(mesh, first, first + 3, first + 1);
  }
  for (const double side : {-0.5, 0.5}) {
    const Vector3d n(0, 0, 2 * side);
    const int center = add(mesh, {0, 0, side}, n);
    for (int k = 0; k < segments; ++k) {
      const int corner = add(mesh, {std::cos(two_pi * k / segments), std::sin(two_pi * k / segments), side}, n);
      const int next = center + 1 + (k + 1) % segments;
      add_triangle(mesh, center, side > 0 ? corner : next, side > 0 ? next : corner);
    }
  }
  return mesh;
}

TriangleMesh sphere() {
  constexpr int segments = 24, rings = 16;
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k <= segments; ++k) {
      const double over = std::numbers::pi * i / rings, around = two_pi * k / segments;
      const Vector3d n(std::sin(over) * std::cos(around), std::sin(over) * std::sin(around), std::cos(over));
      const int corner = add(mesh, n, n);
      if (i == rings || k == segments) continue;
      const int below = corner + segments + 1;
      if (i > 0) add_triangle(mesh, corner, below, corner + 1);
      if (i < rings - 1) add_triangle(mesh, corner + 1, below, below + 1);
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh unit_mesh(Solid solid) {
  return solid == Solid::box ? box() : solid == Solid::cylinder ? cylinder() : sphere();
}

std::vector<std::array<float, 3>> unit_coil() {
  constexpr int turns = 8, per_turn = 16, count = turns * per_turn;
  std::vector<std::array<float, 3>> points = {{0, 0, 0}};
  for (int k = 0; k <= count; ++k) {
    const double angle = two_pi * k / per_turn, z = 0.1 + 0.8 * k / count;
    points.push_back(floats({std::cos(angle), std::sin(angle), z}));
  }
  points.push_back({0, 0, 1});
  return points;
}

}  // namespace trammel
