// ModelBlockSolve: a model's solves with several right-hand sides at once; the kernel's BlockSolve.
#pragma once

#include <vector>

#include "model/implicit_factors.h"
#include "model/model_kkt.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

class ModelBlockSolve final : public BlockSolve {
 public:
  /// [setup]
  ModelBlockSolve(ModelKkt& kkt, ImplicitFactors& factors);
  void solve_block(double* unknowns, Index columns) override;
  void solve_implicit_block(Index handle, double* unknowns, Index columns, bool transposed) override;

 private:
  ModelKkt& kkt_;
  ImplicitFactors& factors_;
  std::vector<double> f_, g_;
};

}  // namespace trammel
