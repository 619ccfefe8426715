// Sparse LU of Phi_u, the columns of the dependent coordinates of the constraint Jacobian.
#pragma once

#include <vector>

#include "linalg/column_program.h"
#include "linalg/kept_pivots.h"
#include "linalg/sparse_lu.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// Phi_u has few entries per row and no symmetry; with the independent columns gone it falls into small blocks, most of
/// them coupled in one direction only. Its symbolic work belongs to a partition: another one is ordered anew.
class DependentLu {
 public:
  /// [hot] False: as many dependent coordinates as kept rows there are not, or Phi_u is too near to a singular matrix
  /// for this class, which leaves no rows out. Allocates where the partition or the kept rows are not those of the last
  /// call.
  bool factorize(const KktMatrix& matrix, ConstVectorView independent);

  /// [hot] x (n) = Phi_u^-1 r (m), 0 at independent coordinates, or y (m) = Phi_u^-T f_u, 0 at rows left out, f (n);
  /// for many columns side by side as in column_program.h, or for one (`stride` 1).
  void solve(const double* in, bool transposed, Index stride, double* out);

  struct Determinant {
    int sign = 0;          ///< 0: Phi_u is singular or not square
    double logarithm = 0;  ///< of the absolute value
  };
  /// [hot] Of the Phi_u last given to `factorize`, also where that said false because it is near to a singular one.
  Determinant determinant();

  /// [step] The next factorization orders the matrix and chooses pivots as the first one did.
  void forget() { independent_.clear(); }

  /// Sum of the squares of the entries.
  double squared_length() const { return squared_length_; }

 private:
  bool same_structure(const KktMatrix& matrix, ConstVectorView independent) const;
  void analyse(const KktMatrix& matrix, ConstVectorView independent);
  bool by_klu(const KktMatrix& matrix);
  /// The number that entry i stands for.
  double number(const KktMatrix& matrix, Index i) const {
    const Index source = sources_[static_cast<std::size_t>(i)];
    return source >= 0 ? matrix.Phi_q[source] : matrix.intrinsic[~source];
  }

  bool square_ = false, factorized_ = false;
  std::vector<unsigned char> independent_, dropped_;
  std::vector<Index> rows_, columns_;  ///< those of the unknowns of the factorization
  std::vector<Index> sources_;         ///< of each entry: its place in Phi_q, or ~place among the intrinsic rows
  KeptPivots::Entries entries_;
  SparseLu lu_{true};
  KeptPivots kept_;
  std::vector<Index> idle_rows_, idle_columns_;  ///< those without an unknown
  std::vector<Index> row_at_, column_at_;  ///< the constraint row and the coordinate that are number k of the factors
  std::vector<double> work_;
  std::vector<unsigned char> passed_;  ///< scratch of `determinant`
  double squared_length_ = 0, pivot_ratio_ = 0;
};

}  // namespace trammel
