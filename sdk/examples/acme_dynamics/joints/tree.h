// The spanning tree of a mechanism: which joint carries which body, and which rows are left over as cuts.
#pragma once

#include <trammel/constrained_system.h>
#include <trammel/extensions/element_extensions.h>
#include <trammel/extensions/system_constraints.h>
#include <trammel/extensions/system_extensions.h>

#include <vector>

namespace acme::joints {

using trammel::ConstrainedLayout;
using trammel::Index;

/// A coordinate of a joint: its row, and the joint's bodies that it is measured between.
struct Coordinate {
  const trammel::Constraint* row;
  const trammel::CountedAngles* counts;  ///< nullptr: no angle that counts turns
  const void* states[2];
  Index child, parent;  ///< which of the row's two bodies they are
};

/// One body, and what carries it. A body that no joint of the tree carries is free: its own coordinates are its joint
/// coordinates, as many as it has, and the row that it carries by itself is a cut.
struct Link {
  Index body, parent = -1;  ///< parent: number among the links, -1: ground, or free
  bool free = true;
  Index first, width;                     ///< its coordinates among all
  Index first_theta, thetas = 0;          ///< its joint coordinates among all
  Index joint = -1, first_row, rows = 0;  ///< of the joint among SystemConstraints, of its rows
  Index child_side = 0, parent_side = 0;  ///< which of the joint's bodies they are
  Index intrinsic = -1;                   ///< the row that the body carries by itself
  Index first_coordinate = 0;             ///< among Tree::coordinates
};

/// A joint of the tree has two bodies, no time, no rows for velocities, and with its coordinates as many rows as a body
/// has coordinates, the body's own row counted: revolute, translational, cylindrical, universal.
class Tree {
 public:
  /// [setup] Throws std::runtime_error where the system says too little of itself.
  explicit Tree(const ConstrainedLayout& system);

  const ConstrainedLayout* system;
  const trammel::SystemConstraints* constraints;
  std::vector<Link> links;  ///< parents first
  std::vector<Coordinate> coordinates;
  const trammel::CoordinateSizes* sizes;
  const trammel::RowChoice* choice;
  std::vector<Index> cuts;  ///< rows that no joint of the tree has
  Index thetas = 0;
  Index widest = 0;   ///< most coordinates of a body
  Index columns = 0;  ///< numbers that elements write for every body
  Index n, m, nz;

 private:
  bool carry(Index joint, std::vector<Index>& link_of);
  void add_free(Index body, std::vector<Index>& link_of);
  Link begin_link(Index body) const;

  const trammel::BodyLayout* layout_;
};

}  // namespace acme::joints
