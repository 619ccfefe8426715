// A generated run file and its states as numbers that other codes' models are built from.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace peers {

using Vector = Eigen::Vector3d;
using Pose = Eigen::Isometry3d;

/// A rigid body; its frame is at the centre of mass, along the principal axes. Planar bodies stand in the plane z = 0.
struct Body {
  std::string name;
  double mass = 0;
  Vector inertia;  ///< principal moments; all three are the planar one's where the model is planar: only z turns
  Pose drawing;    ///< body to ground as drawn
};

enum class Kind { revolute, universal, spherical };

/// Bodies by index, -1 for ground; geometry global as drawn.
struct Joint {
  Kind kind;
  int first, second;
  Vector at, axis, second_axis;

  /// The joint's frame as drawn: its columns are `x` and `y`, as far as the kind has axes.
  Pose frame(const Vector& x, const Vector& y) const;
};

/// One row of Trammel's results.
struct BodyState {
  Pose pose;
  Vector velocity, angular_velocity;          ///< global
  Vector acceleration, angular_acceleration;  ///< global
};

struct Model {
  bool planar = false;
  Vector gravity;
  std::vector<Body> bodies;
  std::vector<Joint> tree;  ///< in an order in which each joint's first body is placed before; one per body
  std::vector<Joint> cuts;  ///< joints between bodies that the tree has placed
  std::vector<std::vector<BodyState>> states;

  Pose drawing(int body) const { return body < 0 ? Pose::Identity() : bodies[static_cast<std::size_t>(body)].drawing; }
  /// A drawn frame, as the body has it.
  Pose in_body(int body, const Pose& frame) const { return drawing(body).inverse() * frame; }
};

/// Of a file that configs/benchmarks/make_model.py has written, and of the results.csv of its run with the channels
/// of all bodies and of their accelerations. Throws std::runtime_error for what peers do not know.
Model read_model(const std::string& run_file, const std::string& results);

/// A unit vector across another one.
Vector across(const Vector& axis);

/// A joint's motion: pose and angular velocity of a frame on the second body in that frame on the first.
struct Relative {
  Pose pose;
  Vector angular_velocity;  ///< of the second body against the first, in the first's frame
};
Relative relative(const Model& model, const std::vector<BodyState>& state, const Joint& joint, const Pose& frame);

}  // namespace peers
