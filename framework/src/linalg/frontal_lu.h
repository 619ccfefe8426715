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
  /// [hot] False where pivots are too small or not finite: dependent rows, or rows that depend as far as their own body
  /// goes.
  bool factorize();
  /// True where the last `factorize` had to take small pivots: solutions are then refined, for which the matrix is given
  /// once more, to `clear_given`.
  bool needs_given() const { return largest_multiplier_ > trusted_multiplier; }
  /// [hot] As `clear`, for the copy of the matrix that refinement multiplies with.
  double* clear_given();
  /// [hot] Whether the matrix given so is finite: if not, another order of elimination does not help.
  bool given_is_finite() const;
  /// [hot] x := A^-1 x or A^-T x.
  void solve(double* x, bool transposed = false);

 private:
  FrontView view(std::size_t front);
  void solve_once(double* x, bool transposed);
  void subtract_product(const double* x, bool transposed, double* r);
  void gather(const Front& front, const double* x, Index first, Index last, double* local) const;

  FrontStructure structure_;
  std::vector<double> numbers_, given_, local_, right_, residual_;
  double largest_multiplier_ = 0;
  std::vector<Index> exchanged_;    // by unknown, in the order of elimination
  std::vector<Index> first_pivot_;  // of each front among them
};

}  // namespace trammel
