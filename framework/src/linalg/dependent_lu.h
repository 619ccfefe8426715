// Sparse LU of Phi_u, the columns of the dependent coordinates of the constraint Jacobian.
#pragma once

#include <vector>

#include "linalg/sparse_lu.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// Phi_u has few entries per row and no symmetry; with the independent columns gone it falls into small blocks, most of them
/// coupled in one direction only. Its symbolic work belongs to a partition: another one is ordered anew.
class DependentLu {
 public:
  /// [hot] False: as many dependent coordinates as kept rows there are not, or Phi_u is too near to a singular matrix for
  /// this class, which leaves no rows out. Allocates where the partition or the kept rows are not those of the last call.
  bool factorize(const KktMatrix& matrix, ConstVectorView independent);

  /// Unknowns of the factorization: as many as kept rows.
  Index size() const { return static_cast<Index>(columns_.size()); }
  /// The constraint row, and the coordinate, that are number i there.
  Index row(Index i) const { return rows_[static_cast<std::size_t>(i)]; }
  Index coordinate(Index i) const { return columns_[static_cast<std::size_t>(i)]; }
  /// [hot] x := Phi_u^-1 x or Phi_u^-T x for `count` vectors of size() numbers one after another.
  void solve(double* x, Index count, bool transposed) { lu_.solve(x, count, transposed); }

  /// Sum of the squares of the entries.
  double squared_length() const { return squared_length_; }

 private:
  bool same_structure(const KktMatrix& matrix, ConstVectorView independent) const;
  void analyse(const KktMatrix& matrix, ConstVectorView independent);

  bool square_ = false;
  std::vector<unsigned char> independent_, dropped_;
  std::vector<Index> rows_, columns_;
  std::vector<Index> sources_;  ///< of each entry: its place in Phi_q, or ~place among the intrinsic rows
  SparseLu lu_{true};
  double squared_length_ = 0;
};

}  // namespace trammel
