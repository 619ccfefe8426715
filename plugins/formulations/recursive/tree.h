// Tree: the spanning tree of a mechanism, whose joints' relative coordinates are the state.
#pragma once

#include <array>
#include <vector>

#include "trammel/constrained_layout.h"
#include "trammel/extensions/joint_placement.h"
#include "trammel/extensions/system_constraints.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/math/euler_parameters.h"

namespace trammel::recursive {

using sdk::Vec2;
using sdk::Vec3;
using sdk::Vec4;

/// Turns from the parent's joint axes to the child's. Two turns: about `first`, then about the turned `second`.
enum class Turn : std::int32_t { none, third, two, all };

/// How a link stands on its parent: JointPlacementForm seen from the parent, whichever body of the joint that is.
struct Joint {
  Turn turn = Turn::all;
  unsigned slides = 7;  ///< bit k: along axis k
  bool slides_on_child =
      false;                  ///< the slides' axes are fixed in the child, and the child's point moves back along them
  int first = 0, second = 1;  ///< axes of two turns
  double lead = 0, offset = 0;               ///< of a screw
  Vec3<> point[2] = {{0, 0, 0}, {0, 0, 0}};  ///< of parent and child, m
  std::array<Vec3<>, 3> axes[2] = {{Vec3<>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {Vec3<>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec4<> frame[2] = {{1, {0, 0, 0}}, {1, {0, 0, 0}}};  ///< of the axes, as Euler parameters; the child's inverted
  Vec4<> still{1, {0, 0, 0}}, turned{0, {0, 0, 1}};    ///< of Turn::third: frames with cos, with sin of half the angle
  double angle = 0;                                    ///< in the plane: of the parent's first axis less the child's

  int slide_count() const { return static_cast<int>((slides & 1u) + ((slides >> 1u) & 1u) + ((slides >> 2u) & 1u)); }
  int turn_count() const { return turn == Turn::none ? 0 : turn == Turn::third ? 1 : turn == Turn::two ? 2 : 4; }
};

/// A body, or coordinates that no rigid body has: then they are its thetas. Thetas of a joint: slides, then turns.
struct Link {
  Index body = -1;
  Index parent = -1;  ///< link, -1: ground
  Index end = 0;      ///< links up to here, itself first, hang on it
  Index first = 0, count = 0;
  Index theta = 0, thetas = 0;
  Index constraint = -1;  ///< its joint, -1: it is free
  bool own = false;
  Joint joint;
};

class Tree {
 public:
  explicit Tree(const ConstrainedLayout& system);
  /// [setup] Rows of joints are zero for opposed axes as well: turns the children's axes to where they are at q, in space.
  void face(ConstVectorView q);

  const ConstrainedLayout* system;
  Index n, m, nz;
  bool spatial = true;
  std::vector<Link> links;     ///< each behind its parent, those that hang on it without gaps behind it
  Index thetas = 0;            ///< length of theta
  Index gauges = 0;            ///< balls: their thetas are four numbers whose length means nothing
  std::vector<Index> cuts;     ///< rows that the tree does not satisfy by itself
  std::vector<Index> link_of;  ///< by theta
  const SystemConstraints* constraints = nullptr;
};

}  // namespace trammel::recursive
