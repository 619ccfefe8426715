// Scene: what a model looks like - solids, curves and springs fixed in its bodies - for the page and for glTF.
#pragma once

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "trammel/text/triangle_file.h"

namespace trammel {

using ReportJson = nlohmann::ordered_json;
inline constexpr int ground = -1;

/// Unit solids about the origin: a box of edge 1, a cylinder of radius 1 and height 1 along z, a sphere of radius 1.
/// A mesh is a box filled with triangles of its own: of edge 1 as well.
enum class Solid { box, cylinder, sphere, mesh };

struct Piece {
  Solid solid = Solid::box;
  int body = ground;
  Eigen::Affine3d place = Eigen::Affine3d::Identity();  ///< unit solid to body
  std::string color;                                    ///< #rrggbb
  bool marker = false;                                  ///< of a joint or named point; can be switched off
  int mesh = -1;                                        ///< index of a mesh in the scene
};

struct Curve {
  int body = ground;
  std::vector<Eigen::Vector3d> points;  ///< body-fixed, m
  std::string color;
  bool still = false;     ///< a road: no part of the mechanism, however long
  std::string element{};  ///< whose road it is
};

/// Something stretched between two points of bodies.
struct Link {
  enum class Kind { spring, damper, spring_damper, actuator, rod };
  Kind kind = Kind::spring;
  std::string name;
  int bodies[2] = {ground, ground};
  Eigen::Vector3d points[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< body-fixed, m
  double radius = 0;                                                               ///< m
  std::string color;
};

struct SceneBody {
  std::string name;
  double mass = 0;  ///< kg
  std::string color;
  Eigen::Affine3d start = Eigen::Affine3d::Identity();  ///< body to ground, as the run file places it
  bool default_shape = true;                            ///< none was given
  bool turns = true;                                    ///< false: a point mass
};

/// A constraint or force as far as arrows need it.
struct SceneElement {
  std::string name;
  bool force = false;
  std::string symbol;
  std::vector<int> bodies;
  bool has[2] = {false, false};
  Eigen::Vector3d points[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< body-fixed, m
  bool pushes = false;                                                             ///< a contact, along `direction`
  int frame = ground;                                                              ///< in which that is fixed
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  double reach = 0;  ///< m, from the last point to where the bodies touch
};

struct ScenePoint {
  std::string name;
  int body = ground;
  Eigen::Vector3d local = Eigen::Vector3d::Zero();
};

struct Scene {
  bool planar = false;
  /// Names and units of a body's coordinates: x y and the angle, or x y z and the four Euler parameters.
  std::vector<std::pair<std::string, std::string>> coordinates;
  bool has_bodies = false;  ///< false: a problem without bodies, nothing to draw
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  double size = 1;  ///< m, diagonal of what is drawn at the start, without the ground's own shapes
  double unit = 1;  ///< m, of a typical body
  std::vector<SceneBody> bodies;
  std::vector<ScenePoint> points;
  std::vector<Piece> pieces;
  std::vector<Triangles> meshes;  ///< between -1/2 and 1/2 along each axis
  std::vector<Curve> curves;
  std::vector<Link> links;
  std::vector<SceneElement> elements;
};

/// From the resolved run file of a summary, its `model`, what the system says of its bodies, and its `drawing`, what the
/// elements tell of themselves. What cannot be read is left out: a picture is no place to refuse a model.
Scene make_scene(const ReportJson& run, const ReportJson& model, const ReportJson& drawing = nullptr);

/// The scene as the page reads it.
ReportJson scene_json(const Scene& scene);

const char* solid_name(Solid solid);

}  // namespace trammel
