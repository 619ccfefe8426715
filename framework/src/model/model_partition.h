// Coordinate partitioning of a model: the kernel's PartitionSolve.
#pragma once

#include <vector>

#include "linalg/row_space.h"
#include "trammel/system_extensions.h"

namespace trammel {

class ConstrainedModel;

/// Phi_u is square, so x_u = Phi_u^-1 r = Phi_u^T (Phi_u Phi_u^T)^-1 r: the block factorization of the row space with the
/// independent columns left out. Its structure does not depend on the partition, so that an exchange costs nothing. The
/// squared condition does not hurt: Newton's method and the refinement of velocities work on exact residuals.
class ModelPartition final : public PartitionSolve {
 public:
  explicit ModelPartition(ConstrainedModel& model) : model_(model) {}

  Status choose_partition(ConstVectorView forced, VectorView independent) override;
  Status factorize_dependent(ConstVectorView independent) override;
  void solve_dependent(ConstVectorView r, VectorView x) override;
  void solve_dependent_transpose(ConstVectorView f, VectorView y) override;
  double dependent_condition(VectorView guess) override;

 private:
  /// The model's matrix with the rows left out that its choice leaves out.
  KktMatrix matrix();

  ConstrainedModel& model_;
  bool analysed_ = false;
  RowSpace rows_;
  std::vector<unsigned char> dropped_;
  std::vector<double> work_;
};

}  // namespace trammel
