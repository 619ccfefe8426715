// Mesh files and their mass properties.
#include "mesh_file.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "trammel/text/triangle_file.h"

namespace trammel::robot_xml {
namespace {

constexpr std::size_t most_faces = triangle_file::most_triangles;

std::string bytes_of(const std::string& file, const sdk::ImportPlace& place) {
  std::error_code ignored;
  const bool regular = std::filesystem::is_regular_file(file, ignored);
  std::ifstream stream;
  if (regular) stream.open(file, std::ios::binary);
  if (!regular || !stream) sdk::refuse_file(place, "there is no file '" + file + "', or it cannot be read");
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

bool read_msh(const std::string& bytes, Mesh& mesh) {
  std::int32_t head[4];
  if (bytes.size() < sizeof head) return false;
  std::memcpy(head, bytes.data(), sizeof head);
  for (const std::int32_t n : head) {
    if (n < 0 || n > static_cast<std::int32_t>(most_faces)) return false;
  }
  const std::size_t vertices = 3 * static_cast<std::size_t>(head[0]), normals = 3 * static_cast<std::size_t>(head[1]),
                    texture = 2 * static_cast<std::size_t>(head[2]), faces = static_cast<std::size_t>(head[3]);
  if (bytes.size() != sizeof head + 4 * (vertices + normals + texture + 3 * faces)) return false;
  const char* at = bytes.data() + sizeof head;
  for (std::size_t k = 0; k < vertices; k += 3, at += 12) {
    float v[3];
    std::memcpy(v, at, sizeof v);
    mesh.vertices.emplace_back(v[0], v[1], v[2]);
  }
  at += 4 * (normals + texture);
  for (std::size_t k = 0; k < faces; ++k, at += 12) {
    std::int32_t f[3];
    std::memcpy(f, at, sizeof f);
    mesh.faces.push_back({f[0], f[1], f[2]});
  }
  return true;
}

/// Area, unit normal and centre of a triangle; sums and differences of corners are float, as MuJoCo has them.
double triangle(const Eigen::Vector3f* corner, Eigen::Vector3d& normal, Eigen::Vector3d& centre) {
  const Eigen::Vector3f middle = (corner[0] + corner[1] + corner[2]) / 3, b = corner[1] - corner[0],
                        c = corner[2] - corner[0];
  centre = middle.cast<double>();
  normal = b.cast<double>().cross(c.cast<double>());
  const double length = normal.norm();
  if (length < 1e-15) return 0;
  normal /= length;
  return 0.5 * length;
}

/// 20 times the product of inertia of a pyramid by its volume, from the corners of its base; float, as MuJoCo has it.
float product(const Eigen::Vector3f* corner, int j, int k) {
  const Eigen::Vector3f &D = corner[0], &E = corner[1], &F = corner[2];
  return 2 * (D[j] * D[k] + E[j] * E[k] + F[j] * F[k]) + D[j] * E[k] + D[k] * E[j] + D[j] * F[k] + D[k] * F[j] +
         E[j] * F[k] + E[k] * F[j];
}

}  // namespace

Mesh read_mesh(const std::string& file, const sdk::ImportPlace& place) {
  std::string ending = file.substr(std::min(file.rfind('.'), file.size() - 1));
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  Mesh mesh;
  if (ending == ".msh") {
    if (!read_msh(bytes_of(file, place), mesh))
      sdk::refuse_file(place, "'" + file + "' is no MSH file, or is broken off");
  } else {
    try {
      const Triangles triangles = read_triangles(file);
      for (const auto& p : triangles.points) mesh.vertices.emplace_back(p[0], p[1], p[2]);
      mesh.faces = triangles.corners;
    } catch (const Error& error) {
      sdk::refuse_file(place, "'" + file + "': " + error.what());
    }
  }
  if (mesh.faces.empty()) sdk::refuse_file(place, "'" + file + "' has no faces, or is broken off");
  for (const auto& face : mesh.faces) {
    for (const int corner : face) {
      if (corner < 0 || corner >= static_cast<int>(mesh.vertices.size()))
        sdk::refuse_file(place, "'" + file + "': a face with a corner that does not exist");
    }
  }
  for (const Eigen::Vector3f& v : mesh.vertices) {
    if (!v.allFinite()) sdk::refuse_file(place, "'" + file + "': a vertex that is no number");
  }
  return mesh;
}

namespace {

/// Where a URI may lead: beside `from`, or in folders of packages, which hold all packages or are the package itself.
std::vector<std::filesystem::path> places_of(const std::string& uri, const std::string& from,
                                             const ImportRequest& request) {
  namespace fs = std::filesystem;
  if (uri.rfind("package://", 0) != 0 && uri.rfind("model://", 0) != 0)
    return {uri.rfind("file://", 0) == 0 ? fs::path(uri.substr(7)) : fs::path(from).parent_path() / uri};
  const std::string rest = uri.substr(uri.find("://") + 3);
  const std::size_t slash = rest.find('/');
  std::vector<fs::path> out;
  for (Index k = 0; k < request.package_path_count; ++k) {
    const fs::path base = request.package_paths[k];
    out.push_back(base / rest);
    out.push_back(base / (slash == std::string::npos ? rest : rest.substr(slash + 1)));
  }
  return out;
}

}  // namespace

std::string find_mesh(const std::string& uri, const std::string& from, const ImportRequest& request) {
  std::error_code ignored;
  for (const std::filesystem::path& path : places_of(uri, from, request)) {
    if (std::filesystem::is_regular_file(path, ignored)) return path.string();
  }
  return "";
}

std::string find_model(const std::string& uri, const std::string& from, const ImportRequest& request) {
  std::error_code ignored;
  for (const std::filesystem::path& path : places_of(uri, from, request)) {
    for (const std::filesystem::path& file : {path, path / "model.sdf"}) {
      if (std::filesystem::is_regular_file(file, ignored)) return file.string();
    }
  }
  return "";
}

std::string mesh_picture(const std::string& file, const Eigen::Vector3d& scale, sdk::LinkShape& shape) {
  try {
    read_triangles(file);
  } catch (const Error& error) {
    return error.what();
  }
  if (scale.minCoeff() == 0 && scale.maxCoeff() == 0) return "its scale is zero";
  shape.kind = sdk::LinkShape::Kind::mesh, shape.size = scale;
  shape.file = std::filesystem::absolute(file).lexically_normal().string();
  return "";
}

namespace {

/// Of a uniform surface: of each triangle with corners a, b, c and s = a + b + c, the integral of x x^T is
/// area/12 (a a^T + b b^T + c c^T + s s^T).
sdk::MassProperties shell_properties(const Mesh& mesh, const sdk::ImportPlace& place) {
  double area = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  const Eigen::Vector3d origin = mesh.vertices[0].cast<double>();  // near the mesh, so that differences are small
  for (const auto& face : mesh.faces) {
    Eigen::Vector3d corner[3];
    for (std::size_t k = 0; k < 3; ++k)
      corner[k] = mesh.vertices[static_cast<std::size_t>(face[k])].cast<double>() - origin;
    const double a = 0.5 * (corner[1] - corner[0]).cross(corner[2] - corner[0]).norm();
    const Eigen::Vector3d sum = corner[0] + corner[1] + corner[2];
    area += a, first += a / 3 * sum, second += a / 12 * sum * sum.transpose();
    for (const Eigen::Vector3d& c : corner) second += a / 12 * c * c.transpose();
  }
  if (!(area > 0)) sdk::refuse_file(place, "the mesh has no surface");
  const Eigen::Vector3d centre = first / area;
  const Eigen::Matrix3d about = second - area * centre * centre.transpose();
  return {area, origin + centre, about.trace() * Eigen::Matrix3d::Identity() - about};
}

}  // namespace

// As mjCMesh::Process of MuJoCo sums it: pyramids over the faces, first from the centre of the surface for the centre of
// mass, then from there for the products of inertia; what it sums over a face is float where it has floats, as the last
// digits of its masses depend on that, and sums over faces are double.
sdk::MassProperties mesh_properties(const Mesh& mesh, MeshMass how, const sdk::ImportPlace& place) {
  if (how == MeshMass::shell) return shell_properties(mesh, place);
  const bool exact = how == MeshMass::exact;
  std::vector<Eigen::Vector3f> vertices = mesh.vertices;
  const auto corners = [&](const std::array<int, 3>& face, Eigen::Vector3f* out) {
    for (std::size_t k = 0; k < 3; ++k) out[k] = vertices[static_cast<std::size_t>(face[k])];
  };
  Eigen::Vector3f corner[3];
  Eigen::Vector3d normal = Eigen::Vector3d::Zero(), centre, surface = Eigen::Vector3d::Zero(),
                  com = Eigen::Vector3d::Zero();
  double area = 0, volume = 0;
  for (const auto& face : mesh.faces) {
    corners(face, corner);
    const double a = triangle(corner, normal, centre);
    surface += a * centre, area += a;
  }
  if (!(area > 0)) sdk::refuse_file(place, "the mesh has no surface");
  surface /= area;
  const auto pyramid = [&](const Eigen::Vector3d& from) {
    const double a = triangle(corner, normal, centre);
    const double v = (centre - from).dot(normal) * a / 3;
    return exact ? v : std::abs(v);
  };
  for (const auto& face : mesh.faces) {
    corners(face, corner);
    const double v = pyramid(surface);
    volume += v;
    com += v * (0.75 * centre + 0.25 * surface);
  }
  if (!(volume > 0)) sdk::refuse_file(place, "the mesh encloses no volume (are its faces turned inside out?)");
  com /= volume;
  for (Eigen::Vector3f& v : vertices) v = (v.cast<double>() - com).cast<float>();
  Eigen::Matrix3d P = Eigen::Matrix3d::Zero();
  volume = 0;
  for (const auto& face : mesh.faces) {
    corners(face, corner);
    const double v = pyramid(Eigen::Vector3d::Zero());
    volume += v;
    for (int j = 0; j < 3; ++j) {
      for (int k = j; k < 3; ++k) P(j, k) += v / 20 * static_cast<double>(product(corner, j, k));
    }
  }
  P.triangularView<Eigen::StrictlyLower>() = P.transpose();
  const Eigen::Matrix3d tensor = P.trace() * Eigen::Matrix3d::Identity() - P;
  if (exact) return {volume, com, tensor};
  // MuJoCo's volume of a mesh is that of the box with the same moments per volume.
  const Eigen::Vector3d w =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  double box = 8;
  for (int k = 0; k < 3; ++k) box *= 0.5 * std::sqrt(std::max(0.0, 6 * (w.sum() - 2 * w[k]) / volume));
  if (!(box > 0)) sdk::refuse_file(place, "the mesh encloses no volume");
  return {box, com, box / volume * tensor};
}

}  // namespace trammel::robot_xml
