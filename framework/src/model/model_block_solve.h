// ModelBlockSolve: a model's solves with several right-hand sides at once; the kernel's BlockSolve.
#pragma once

#include <vector>

#include "model/implicit_kkt.h"
#include "model/model_kkt.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

class ModelBlockSolve final : public BlockSolve {
 public:
  /// [setup]
  ModelBlockSolve(ModelKkt& kkt, ImplicitKkt& implicit_kkt);
  void solve_block(double* unknowns, Index columns) override;
  void solve_implicit_block(double* unknowns, Index columns, bool transposed) override;

 private:
  ModelKkt& kkt_;
  ImplicitKkt& implicit_kkt_;
  std::vector<double> f_, g_;
};

}  // namespace trammel
