// Multifrontal LU of a mechanism's implicit KKT matrix: dense blocks of a body and its joints, O(n) for chains, trees
// and ladders.
#pragma once

#include <vector>

#include "linalg/front_program.h"
#include "linalg/front_structure.h"

namespace trammel {

/// Pivots are exchanged only among a body's own unknowns (its coordinates, its intrinsic row and the rows eliminated
/// with it), so that nothing ever fills in beyond the structure. Where that is too narrow `factorize` says so.
class FrontalLu {
 public:
  /// [setup]
  void analyse(const MechanismPattern& pattern, bool late = false);
  bool analysed() const { return structure_.unknowns() > 0; }
  const FrontStructure& structure() const { return structure_; }

  /// [hot] Zeroes the matrix and gives its numbers, to be added to where `structure().place` says.
  double* clear();
  /// [hot] False where pivots are too small: dependent rows, or rows that depend as far as their own body goes.
  bool factorize();
  /// [hot] x := A^-1 x or A^-T x.
  void solve(double* x, bool transposed = false);

 private:
  FrontView view(std::size_t front);
  void gather(const Front& front, const double* x, Index first, Index last, double* local) const;

  FrontStructure structure_;
  std::vector<double> numbers_, local_;
  std::vector<Index> exchanged_;    // by unknown, in the order of elimination
  std::vector<Index> first_pivot_;  // of each front among them
};

}  // namespace trammel
