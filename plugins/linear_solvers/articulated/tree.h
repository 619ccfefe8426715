// Tree: which rows a spanning tree of bodies takes along, and which ones close loops.
#pragma once

#include <vector>

#include "trammel/extensions/free_directions.h"
#include "trammel/kkt_solver.h"

namespace trammel::articulated {

/// A row group at one body of the tree.
struct Attached {
  Index block;  ///< of the KKT matrix
  Index link;   ///< whose body it is
};

/// An element's rows.
struct RowGroup {
  Index element;
  Index first_row, rows;
  Index child = 0;                           ///< edges: which attached body is the child
  Index child_block = -1, other_block = -1;  ///< edges: its blocks, -1 for ground
  Index first_attached = 0, attached = 0;    ///< loops: among Tree::attached
  const FreeDirections* joint = nullptr;     ///< edges: nullptr: its rows say it
};

/// A body with what connects it to its parent; parents come first.
struct Link {
  Index body;
  Index parent;               ///< link, -1: ground, or nothing
  Index first_group, groups;  ///< among Tree::edges
  Index first_row;            ///< of its rows among those of all edges
  std::int16_t rows, free;    ///< together S::size
  Index joint = -1;           ///< number of the joint that says all its directions, or -1
  bool leaf = true;           ///< no link has it as its parent
  bool first = false;         ///< of its parent's links the one that a walk to the root meets first
  Index general = -1;         ///< number among those whose motion with the parent is no rigid shift, or -1
};

/// Breadth first from ground, so that the ways of loops to it are short. Elements of which some row is left out are loops:
/// the factor of the loops' rows tells how near they are to being independent.
class Tree {
 public:
  std::vector<Link> links;
  std::vector<RowGroup> edges, loops;
  std::vector<Attached> attached;
  Index edge_rows = 0, generals = 0;
  std::vector<Index> link_of_body;

  /// [setup] `elements` may be null; `as_loop`: one flag per element that must not be an edge.
  void build(const KktMatrix& k, int size, const KktElements* elements, const std::vector<unsigned char>& as_loop);
  /// [setup] Whether the ways of all loops to the root are no more than loops along a chain need: nets have ways of their
  /// own length for every mesh, and bodies with hundreds of loops couple all of these.
  bool short_ways() const;
  /// Whether `build` would use another set of edges for these flags of rows.
  bool fits(const KktMatrix& k);

 private:
  void add_link(Index body, Index parent, const std::vector<RowGroup>& groups, int size);
  void collect_groups(const KktMatrix& k, const KktElements* elements, const std::vector<unsigned char>& as_loop);

  struct Candidate {
    RowGroup group;
    Index bodies[2];  ///< -1: ground
    Index blocks[2];
    bool may_join;  ///< be an edge, as long as no row of it is left out
    bool joins, used = false;
  };
  std::vector<Candidate> candidates_;
  std::vector<unsigned char> partly_;  ///< per element: some row is left out
  std::vector<unsigned char> seen_;    ///< `dropped` as `fits` saw it last
};

}  // namespace trammel::articulated
