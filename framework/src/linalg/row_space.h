// RowSpace: the row space of the constraint Jacobian - its rank, its dependent rows, minimal-norm multipliers.
#pragma once

#include <vector>

#include "linalg/model_unit.h"
#include "linalg/schur_factor.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// J = [Phi_q; intrinsic rows], S = J J^T factorized block-sparse. K are the kept rows, D the dropped ones (of elements
/// only). With W = S_KK^-1 S_KD every dropped row is J_D = W^T J_K, and the multipliers of zero reaction are
/// N = [-W; I]. Intrinsic rows are eliminated first: where joints meet twice, their rows and a body's normalisation
/// together are dependent, and it is a joint's row that is left out.
class RowSpace {
 public:
  /// [setup]
  void analyse(const KktMatrix& matrix);
  /// [hot] With the rows that `matrix.dropped` marks left out.
  Status factorize(const KktMatrix& matrix);
  /// [hot] The same for the columns whose entry of `independent` is 0; all others count as 0.
  Status factorize_dependent(const KktMatrix& matrix, ConstVectorView independent);
  /// `matrix` with the numbers of the last factorization.
  KktMatrix as_factorized(const KktMatrix& matrix) const;
  /// [step] Marks the dependent element rows in `dropped` (entries of intrinsic rows stay 0) and leaves S factorized
  /// without them. A row counts as dependent if the sine of its angle to the span of the others is below `threshold`.
  /// Rows marked in `without` are left out in any case.
  Index select(const KktMatrix& matrix, double threshold, unsigned char* dropped,
               const unsigned char* without = nullptr);
  /// [hot] x := S_KK^-1 x, zero at dropped rows; `sparse`: see SchurFactor.
  void solve(VectorView x, bool sparse = false) const { schur_.solve(x, sparse); }
  /// [step] Column `row` of W into `share` (one entry per row). Returns the sine of the row's angle to the span of K.
  double combination(const KktMatrix& matrix, Index row, std::vector<double>& share) const;
  /// [step] That sine alone, without memory.
  double distance(const KktMatrix& matrix, Index row);
  /// [step] Of all rows left out together: the length of what a combination of them, each with length 1 to 3, has
  /// outside the span of K. Far below what one of them has outside only where others cancel that.
  double distance_of_dropped(const KktMatrix& matrix);
  /// [step] Moves the multipliers to those of the least squares that cause the same reactions; intrinsic ones follow
  /// along uncounted.
  void minimize(const KktMatrix& matrix, VectorView lambda);

  /// out (rows) = J x, out (coordinates) = J^T y.
  void apply(const KktMatrix& matrix, const double* x, double* out) const;
  void apply_transpose(const KktMatrix& matrix, const double* y, double* out) const;

  /// Sum of the squares of all entries of kept rows as they were factorized.
  double squared_length(const KktMatrix& matrix, const unsigned char* dropped) const;

  const RankWatch& watch() const { return schur_.watch(); }
  /// In which rows and coordinates are compared: callers give this class `unit().scaled(matrix)`, except for products
  /// with J.
  ModelUnit& unit() { return unit_; }
  const ModelUnit& unit() const { return unit_; }
  bool left_out(Index row) const { return schur_.left_out(row); }
  const SchurFactor& factor() const { return schur_; }

 private:
  void copy_blocks(const KktMatrix& matrix);
  /// Norm of the part of `rest_` outside the span of K.
  double project_rest(const KktMatrix& matrix);
  /// out (kept rows) = W in, and out (dropped rows) = W^T P in with P the projection onto element rows.
  void apply_shares(const KktMatrix& matrix, const std::vector<double>& in, std::vector<double>& out);
  void apply_shares_transposed(const KktMatrix& matrix, const std::vector<double>& in, std::vector<double>& out);

  SchurFactor schur_;
  ModelUnit unit_;
  std::vector<double> blocks_;
  Index full_size_ = 0;
  // Workspace of `minimize` and `distance`.
  std::vector<double> coordinates_, rest_, rows_, shares_, z_, residual_, direction_, image_;
};

}  // namespace trammel
