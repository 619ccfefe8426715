// Coordinate partitioning of a model: the kernel's PartitionSolve.
#pragma once

#include <vector>

#include "linalg/dependent_lu.h"
#include "linalg/row_space.h"
#include "model/model_kkt.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

/// Phi_u is square, so x_u = Phi_u^-1 r, by a sparse LU, or Phi_u^T (Phi_u Phi_u^T)^-1 r by the block factorization of
/// the row space with the independent columns left out, whichever costs less. The latter's structure does not depend on
/// the partition, so that an exchange costs nothing, and it can leave out rows that depend on others; a body with many
/// joints makes it dense, and it squares the condition. That does not hurt: Newton's method and the refinement of
/// velocities work on exact residuals. Near singular points it takes over from the LU.
class ModelPartition final : public PartitionSolve, public PartitionQuality {
 public:
  /// [setup] Of positions: rows that hold for velocities only are left out.
  explicit ModelPartition(ModelKkt& kkt, RowLevel level = RowLevel::all) : kkt_(kkt), level_(level) {}

  Status choose_partition(ConstVectorView forced, VectorView independent) override;
  Status factorize_dependent(ConstVectorView independent) override;
  void solve_dependent(ConstVectorView r, VectorView x) override;
  void solve_dependent_transpose(ConstVectorView f, VectorView y) override;
  double dependent_condition(VectorView guess) override;

  void scales(VectorView scale) const override;
  Status choose_scaled(ConstVectorView scale, ConstVectorView forced, VectorView independent) override;
  double amplification(ConstVectorView scale, ConstVectorView independent, VectorView probe) override;

  /// [setup] Many solves per factorization will be wanted, which suits the LU.
  void expect_columns() { try_lu_ = true; }
  /// [step] As before the first factorization: pivots depend on those before, and are in no checkpoint.
  void forget() { lu_.forget(); }
  /// Columns side by side as in column_program.h.
  struct Columns {
    Index count = 1, stride = 1;
    bool transposed = false;
  };
  /// [hot] Phi_u^-1 of m rows (gives n), or, transposed, Phi_u^-T of n (gives m); what w has on entry is not looked at.
  void solve_columns(const double* in, const Columns& columns, double* out);

 private:
  /// The model's matrix with the rows left out that its choice leaves out.
  KktMatrix matrix();

  ModelKkt& kkt_;
  RowLevel level_;
  bool analysed_ = false;
  bool try_lu_ = false, by_lu_ = false;  ///< whether the LU is cheaper; whether the last factorization is its
  RowSpace rows_;
  DependentLu lu_;
  std::vector<unsigned char> dropped_;
  std::vector<double> work_, coordinates_;
  std::vector<double> image_, rows_of_;  ///< of `amplification`
};

}  // namespace trammel
