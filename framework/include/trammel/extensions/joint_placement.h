// Optional ability of joints: where they let the second body stand relative to the first, as a function of a few numbers.
#pragma once

#include <cstdint>

#include "trammel/linalg.h"

namespace trammel {

/// How the second body's joint axes are turned against the first body's, F_j = F_i R.
enum class JointTurn : std::int32_t {
  none,        ///< R = I
  third,       ///< about the third axis: the only turn in the plane
  first_then,  ///< about the first axis, then about the turned second one (Hooke's joint)
  all,         ///< any rotation
};

/// Joint points P and right-handed orthonormal joint axes F = (f, g, h), both fixed in their bodies. The joint's rows hold
/// for all numbers theta, and only for
///   A_j F_j = A_i F_i R(angles),   P_j = P_i + A_i F_i d,
/// with d free along the axes named in `slides`. A screw has no slide but d = (0, 0, offset + lead angle).
struct JointPlacementForm {
  double point[2][3] = {{0, 0, 0}, {0, 0, 0}};  ///< m, of body 0 and 1; z = 0 in the plane
  double axes[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};  ///< f, g, h one behind another
  JointTurn turn = JointTurn::none;
  std::uint32_t slides = 0;  ///< bit k: along axis k
  double lead = 0;           ///< m/rad, with `JointTurn::third`
  double offset = 0;         ///< m
};

/// Joints between two rigid bodies whose rows do not depend on time and leave as many motions as the form has numbers; an
/// extension of Constraint. For formulations that count in relative coordinates; others are constraints to them.
class JointPlacement {
 public:
  static constexpr const char* id = "trammel.joint_placement/1";

  /// [setup] The same at every call.
  virtual JointPlacementForm placement() const = 0;

 protected:
  ~JointPlacement() = default;
};

}  // namespace trammel
