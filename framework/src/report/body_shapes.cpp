// Solids of bodies.
#include "report/body_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/scene_reader.h"
#include "trammel/error.h"
#include "trammel/text/triangle_file.h"

namespace trammel {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

/// Calls `add` with every object of a shape that may be one or an array of them.
template <class F>
void each_shape(const ReportJson& shape, const F& add) {
  if (!shape.is_array()) return add(shape);
  for (const ReportJson& one : shape) add(one);
}

double rod_radius(double length, const Scene& scene) { return std::min(0.03 * length, 0.012 * scene.size); }

Affine3d scaled(const Vector3d& center, const Vector3d& scale) {
  return Eigen::Translation3d(center) * Eigen::Scaling(scale);
}

/// Metres per unit of a mesh's file along its axes.
Vector3d scale_of(const ReportJson& shape) {
  const ReportJson* given = member(shape, "scale");
  if (const auto three = vector_in(given)) return *three;
  if (given != nullptr && given->is_array() && given->size() == 1) given = &(*given)[0];
  return Vector3d::Constant(given != nullptr && given->is_number() ? given->get<double>() : 1);
}

/// Triangles of a mesh between -1/2 and 1/2 along each of its axes, and where that box lies in the body; none if the file
/// cannot be read: a picture is no place to refuse a model.
Triangles triangles_of(const ReportJson& shape, Affine3d& place) {
  Triangles out;
  try {
    out = read_triangles(text_of(shape, "file"));
  } catch (const Error&) {
    return {};
  }
  const Vector3d scale = scale_of(shape);
  Eigen::AlignedBox3d box;
  for (const auto& p : out.points) box.extend(scale.cwiseProduct(Eigen::Vector3f(p[0], p[1], p[2]).cast<double>()));
  const double least = 1e-6 * box.sizes().maxCoeff();
  if (!(least > 0)) return {};
  const Vector3d size = box.sizes().cwiseMax(least), middle = box.center();
  for (auto& p : out.points) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      p[k] = static_cast<float>((scale[axis] * static_cast<double>(p[k]) - middle[axis]) / size[axis]);
    }
  }
  if (scale.prod() < 0) {  // mirrored: outsides stay outside
    for (auto& corners : out.corners) std::swap(corners[1], corners[2]);
  }
  place = Eigen::Translation3d(vector_of(shape, "center").value_or(Vector3d::Zero())) * turn_of(shape) *
          Eigen::Translation3d(middle) * Eigen::Scaling(size);
  return out;
}

class Builder {
 public:
  Builder(int body, std::string color, Scene& scene) : body_(body), color_(std::move(color)), scene_(scene) {}

  void cylinder(const Vector3d& from, const Vector3d& to, double radius) {
    add(Solid::cylinder, cylinder_between(from, to, radius));
  }
  void sphere(const Vector3d& center, double radius) { add(Solid::sphere, scaled(center, Vector3d::Constant(radius))); }
  void box(const Vector3d& center, const Vector3d& size) { add(Solid::box, scaled(center, size)); }
  /// A cylinder with round ends.
  void rod(const Vector3d& from, const Vector3d& to, double radius) {
    cylinder(from, to, radius);
    sphere(from, radius);
    sphere(to, radius);
  }
  void curve(std::vector<Vector3d> points) { scene_.curves.push_back({body_, std::move(points), color_}); }

  void shape(const ReportJson& shape) {
    const std::string type = text_of(shape, "type");
    const std::string own_color = canonical_color(text_of(shape, "color"));
    Builder builder(body_, own_color.empty() ? color_ : own_color, scene_);
    if (type == "rod" || type == "cylinder") return builder.between(shape, type == "rod");
    if (type == "line") return builder.line(shape);
    if (type == "mesh") return builder.mesh(shape);
    const Vector3d center = vector_of(shape, "center").value_or(Vector3d::Zero());
    const double radius = number_of(shape, "radius").value_or(0);
    if (type == "sphere") return builder.sphere(center, radius);
    if (type == "disc") {
      const Vector3d axis = vector_of(shape, "axis").value_or(Vector3d::UnitZ()).normalized();
      const Vector3d half = 0.5 * number_of(shape, "thickness").value_or(0.1 * radius) * axis;
      return builder.cylinder(center - half, center + half, radius);
    }
    if (type != "box") return;
    Vector3d size = vector_of(shape, "size").value_or(Vector3d::Zero());
    if (size.z() == 0) size.z() = 0.5 * std::min(size.x(), size.y());  // planar: as deep as half its shorter side
    builder.box(center, size);
  }

 private:
  void add(Solid solid, const Affine3d& place) {
    scene_.pieces.push_back({.solid = solid, .body = body_, .place = place, .color = color_});
  }

  void between(const ReportJson& shape, bool round) {
    const auto from = vector_of(shape, "from"), to = vector_of(shape, "to");
    if (!from || !to) return;
    const double radius = number_of(shape, "radius").value_or(rod_radius((*to - *from).norm(), scene_));
    if (round) return rod(*from, *to, radius);
    cylinder(*from, *to, radius);
  }

  void mesh(const ReportJson& shape) {
    Affine3d place;
    Triangles triangles = triangles_of(shape, place);
    if (triangles.corners.empty()) return;
    scene_.meshes.push_back(std::move(triangles));
    scene_.pieces.push_back({.solid = Solid::mesh, .body = body_, .place = place, .color = color_});
    scene_.pieces.back().mesh = static_cast<int>(scene_.meshes.size()) - 1;
  }

  void line(const ReportJson& shape) {
    const ReportJson* numbers = member(shape, "points");
    const std::size_t stride = scene_.planar ? 2 : 3;
    if (numbers == nullptr || !numbers->is_array() || numbers->size() < 2 * stride) return;
    std::vector<Vector3d> points;
    for (std::size_t i = 0; i + stride <= numbers->size(); i += stride) {
      Vector3d point = Vector3d::Zero();
      for (std::size_t k = 0; k < stride; ++k) {
        if (!(*numbers)[i + k].is_number()) return;
        point[static_cast<Eigen::Index>(k)] = (*numbers)[i + k].get<double>();
      }
      points.push_back(point);
    }
    const ReportJson* closed = member(shape, "closed");
    if (closed != nullptr && closed->is_boolean() && closed->get<bool>()) points.push_back(points.front());
    curve(std::move(points));
  }

  const int body_;
  const std::string color_;
  Scene& scene_;
};

/// Principal moments of the inertia of a body: one number, three, or six tensor entries.
Vector3d principal_inertia(const ReportJson& body) {
  const ReportJson* given = member(body, "inertia");
  if (given == nullptr) return Vector3d::Zero();
  if (given->is_number()) return Vector3d::Constant(given->get<double>());
  if (const auto three = vector_in(given)) return *three;
  if (!given->is_array() || given->size() != 6) return Vector3d::Zero();
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  constexpr Eigen::Index at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t k = 0; k < 6; ++k) {
    if (!(*given)[k].is_number()) return Vector3d::Zero();
    J(at[k][0], at[k][1]) = J(at[k][1], at[k][0]) = (*given)[k].get<double>();
  }
  return J.diagonal();  // the picture's box stays along the body's axes
}

/// The box of equal density whose inertia and mass the body has: I_xx = m (b^2 + c^2) / 12, and so on.
Vector3d equivalent_box(const Vector3d& J, double mass) {
  const double sum = J.sum();
  Vector3d edges;
  for (Eigen::Index k = 0; k < 3; ++k) edges[k] = std::sqrt(std::max(0.0, 6 * (sum - 2 * J[k]) / mass));
  return edges;
}

std::vector<Vector3d> distinct_points(const std::vector<Vector3d>& points, double tolerance) {
  std::vector<Vector3d> distinct;
  for (const Vector3d& point : points) {
    const auto near = [&](const Vector3d& other) { return (other - point).norm() < tolerance; };
    if (point.norm() > tolerance && std::none_of(distinct.begin(), distinct.end(), near)) distinct.push_back(point);
  }
  return distinct;
}

void add_massive(Builder& build, const ReportJson& body, double mass, const Scene& scene) {
  const double smallest = 0.01 * scene.size;
  const Vector3d J = principal_inertia(body);
  if (scene.planar) {
    const double radius = std::clamp(std::sqrt(2 * J.x() / mass), smallest, 0.25 * scene.size);
    return build.cylinder({0, 0, -0.1 * radius}, {0, 0, 0.1 * radius}, radius);
  }
  const Vector3d edges = equivalent_box(J, mass);
  if (edges.maxCoeff() < smallest) return build.sphere(Vector3d::Zero(), smallest);
  build.box(Vector3d::Zero(), edges.cwiseMax(smallest));
}

void add_hub(Builder& build, double rod, const Scene& scene) {
  build.sphere(Vector3d::Zero(), std::min(2.2 * rod, 0.03 * scene.size));
}

/// Whether `end` is the end of a uniform rod about the centre of mass: I = m d^2 / 3.
bool is_end_of_rod(const ReportJson& body, double mass, const Vector3d& end) {
  const double expected = mass * end.squaredNorm() / 3;
  return std::abs(principal_inertia(body).maxCoeff() - expected) < 0.15 * expected;
}

}  // namespace

Affine3d cylinder_between(const Vector3d& from, const Vector3d& to, double radius) {
  const Vector3d along = to - from;
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along);
  return Eigen::Translation3d(0.5 * (from + to)) * turn * Eigen::Scaling(Vector3d(radius, radius, along.norm()));
}

void add_shapes(const ReportJson& shape, int body, const std::string& color, Scene& scene) {
  Builder builder(body, color, scene);
  each_shape(shape, [&](const ReportJson& one) { builder.shape(one); });
}

void add_default_shape(const ReportJson& body, int index, const std::vector<Vector3d>& attached, Scene& scene) {
  const SceneBody& own = scene.bodies[static_cast<std::size_t>(index)];
  Builder build(index, own.color, scene);
  const double mass = own.mass > 0 ? own.mass : 1;
  const std::vector<Vector3d> points = distinct_points(attached, 1e-6 * scene.size);
  if (points.empty()) return add_massive(build, body, mass, scene);
  double longest = 0;
  for (const Vector3d& point : points) longest = std::max(longest, point.norm());
  const double radius = rod_radius(points.size() == 2 ? (points[0] - points[1]).norm() : longest, scene);
  if (points.size() == 1) {
    if (is_end_of_rod(body, mass, points[0])) return build.rod(points[0], -points[0], rod_radius(2 * longest, scene));
    build.rod(points[0], Vector3d::Zero(), radius);
    return add_hub(build, radius, scene);
  }
  if (points.size() > 2) {
    for (const Vector3d& point : points) build.rod(point, Vector3d::Zero(), radius);
    return add_hub(build, radius, scene);
  }
  build.rod(points[0], points[1], radius);
  const Vector3d along = points[1] - points[0];
  const double s = std::clamp(-points[0].dot(along) / along.squaredNorm(), 0.0, 1.0);
  const Vector3d nearest = points[0] + s * along;
  if (nearest.norm() < 0.05 * along.norm()) return;
  build.rod(nearest, Vector3d::Zero(), 0.7 * radius);
  add_hub(build, radius, scene);
}

double reach_of_inertia(const ReportJson& body) {
  const double mass = number_of(body, "mass").value_or(0);
  return mass > 0 ? 0.5 * equivalent_box(principal_inertia(body), mass).norm() : 0;
}

double reach_of(const ReportJson& shape) {
  double reach = 0;
  each_shape(shape, [&](const ReportJson& one) {
    double own = vector_of(one, "center").value_or(Vector3d::Zero()).norm();
    for (const char* key : {"from", "to"}) own = std::max(own, vector_of(one, key).value_or(Vector3d::Zero()).norm());
    own += 0.5 * vector_of(one, "size").value_or(Vector3d::Zero()).norm();
    if (text_of(one, "type") == "mesh") {
      Affine3d place;
      const bool drawn = !triangles_of(one, place).corners.empty();
      for (int corner = 0; drawn && corner < 8; ++corner) {
        const Vector3d at(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
        own = std::max(own, (place * at).norm());
      }
    }
    if (text_of(one, "type") != "rod") own += number_of(one, "radius").value_or(0);
    reach = std::max(reach, own);
  });
  return reach;
}

}  // namespace trammel
