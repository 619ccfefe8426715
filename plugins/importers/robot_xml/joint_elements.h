// Elements on joints that all formats have: limits, damping and friction, springs, rotors, motors.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "trammel/parameters.h"
#include "trammel/sdk/import/model.h"

namespace trammel::robot_xml {

/// How limits of joints enter the run file.
enum class LimitKind : std::int32_t { compliant, rigid, none };

/// Keys that all importers of this plugin share.
struct LimitKeys {
  LimitKind limits;
  double limit_stiffness;
  double limit_dissipation;
  double friction_speed;
};

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Two frames, as elements take them, between which a ball turns; its spring is slack where they agree.
struct BallFrames {
  std::string first, second;  ///< bodies
  sdk::Frame in_first, in_second;
  bool free = false;  ///< not a joint: the same acts on the displacement
};

/// One joint and what is put on it. All of it needs a joint with a coordinate that is in the model.
class JointElements {
 public:
  JointElements(sdk::ImportModel& model, sdk::ImportNotes& notes, const LimitKeys& keys)
      : model_(model), notes_(notes), keys_(keys) {}

  /// Infinite: none on that side. Whether the model starts between them is said after assembly.
  void limit(int joint, const sdk::ImportPlace& place, double lower, double upper, bool second = false);
  /// Viscous and dry.
  void friction(int joint, const sdk::ImportPlace& place, double damping, double dry);
  void spring(int joint, const sdk::ImportPlace& place, double stiffness, double reference);
  /// Damping, dry friction and spring of one axis of a universal joint.
  void of_axis(int joint, bool second, const sdk::ImportPlace& place, double damping, double dry, double stiffness,
               double reference);
  /// Spring and damper of a ball, or of a body that moves freely, as MuJoCo has them.
  void of_ball(const std::string& name, const sdk::ImportPlace& place, const BallFrames& at, double stiffness,
               double damping);
  /// Inertia of the joint's coordinate: a rotor on the ground that turns as far as the joint.
  void armature(int joint, const sdk::ImportPlace& place, double inertia);
  /// x_second = ratio x_first + offset.
  void couple(const std::string& name, const sdk::ImportPlace& place, int first, int second, double ratio,
              double offset);

  /// The joint as others name it, with its coordinate; false where it is not in the model.
  bool usable(int joint) const { return in_model(joint) && model_.joint(joint).has_coordinate(); }
  /// Whether the joint has the two angles of a cross.
  bool has_two_angles(int joint) const {
    return in_model(joint) && model_.joint(joint).kind == sdk::Joint::Kind::universal && !model_.joint(joint).skew;
  }
  bool in_model(int joint) const {
    return joint >= 0 && !model_.joint(joint).dropped &&
           model_.body_of(model_.joint(joint).parent) != model_.body_of(model_.joint(joint).child);
  }

 private:
  sdk::ImportModel& model_;
  sdk::ImportNotes& notes_;
  LimitKeys keys_;
};

}  // namespace trammel::robot_xml
