// The kernel's own factors as services for linear solvers (trammel/extensions/factor_services.h).
#pragma once

#include "linalg/schur_factor.h"
#include "trammel/extensions/factor_services.h"
#include "trammel/extensions/host_services.h"

namespace trammel {

/// Nanoseconds of one factorization and one solve on the machine of docs/performance.md; only their ratio matters.
double range_space_cost(const SchurFactor& factor);

/// Block factors for the components of a run.
class ReducedFactors final : public BlockFactors {
 public:
  /// `workers`: threads that the run lets components use; nullptr: one.
  explicit ReducedFactors(const Workers* workers) : workers_(workers) {}
  BlockFactor* make_block_factor(const KktMatrix& k, Refusal* refusal) const override;
  void end_block_factor(BlockFactor* factor) const override;
  void add_products(const KktMatrix& k, bool reduced, const double* x, double* out) const override;
  void subtract_transposed(const KktMatrix& k, bool reduced, const double* y, double* out) const override;

 private:
  const Workers* workers_;
};

/// Sparse factors, which live as long as the process.
const SparseFactors& sparse_factors();

}  // namespace trammel
