// TwistTree: the bodies of a model as a tree of links with their elements, and the directions that rows allow.
#pragma once

#include <vector>

#include "linalg/twist_program.h"
#include "model/assembly.h"

namespace trammel {

/// Breadth first from ground; what is not connected to it has roots of its own.
class TwistTree {
 public:
  std::vector<TwistLink> links;
  std::vector<std::vector<std::size_t>> elements;  ///< constraints of each link
  std::vector<Index> link_of_body, row_of;         ///< row_of: element row of each row of the links, in their order
  // Loops: constraints that close them, and the rows that links carry, see twist_program.h.
  std::vector<std::size_t> loops;
  std::vector<Index> cut_row_of;  ///< element row of each row of the loops
  std::vector<Index> cut, above;
  std::vector<Index> first_cut;  ///< of each loop, its first row among those of all

  /// [setup] False: an element has more than two bodies, two bodies have more rows between them than `size`, or couple
  /// without being neighbours; or links carry the rows of many loops.
  bool build(const Assembly& assembly, int size);

 private:
  struct Ends;
  bool close_loops(const Assembly& assembly, const std::vector<Ends>& ends);
  bool carry();
  bool neighbours(Index a, Index b) const;
  bool couples_neighbours(const Assembly& assembly) const;

  std::vector<std::vector<Index>> carried_;  // loops of each link, ascending
};

/// Place of entry k of a twist.
template <class S>
constexpr int twist_place(int k) {
  return S::size == 6 && k >= 3 ? k + 1 : k;
}

/// [step] basis = [D F] with J [D F] = [I 0], for `rows` rows of J, which are overwritten. False: they nearly depend on
/// each other.
template <class S>
bool directions_of_rows(double (*J)[S::stride], Index rows, double (*basis)[S::stride]);

}  // namespace trammel
