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

/// One joint and what is put on it. All of it needs a joint with a coordinate that is in the model.
class JointElements {
 public:
  JointElements(sdk::ImportModel& model, sdk::ImportNotes& notes, const LimitKeys& keys)
      : model_(model), notes_(notes), keys_(keys) {}

  /// Infinite: none on that side. Whether the model starts between them is said after assembly.
  void limit(int joint, const sdk::ImportPlace& place, double lower, double upper);
  /// Viscous and dry.
  void friction(int joint, const sdk::ImportPlace& place, double damping, double dry);
  void spring(int joint, const sdk::ImportPlace& place, double stiffness, double reference);
  /// Inertia of the joint's coordinate: a rotor on the ground that turns as far as the joint.
  void armature(int joint, const sdk::ImportPlace& place, double inertia);
  /// x_second = ratio x_first + offset.
  void couple(const std::string& name, const sdk::ImportPlace& place, int first, int second, double ratio,
              double offset);

  /// The joint as others name it, with its coordinate; false where it is not in the model.
  bool usable(int joint) const {
    if (joint < 0 || model_.joint(joint).dropped || !model_.joint(joint).has_coordinate()) return false;
    return model_.body_of(model_.joint(joint).parent) != model_.body_of(model_.joint(joint).child);
  }

 private:
  sdk::ImportModel& model_;
  sdk::ImportNotes& notes_;
  LimitKeys keys_;
};

}  // namespace trammel::robot_xml
