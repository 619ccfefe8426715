// ModelBlockSolve: a model's solves with several right-hand sides at once; the kernel's BlockSolve.
#pragma once

#include <vector>

#include "model/model_kkt.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

class ModelBlockSolve final : public BlockSolve {
 public:
  /// [setup]
  explicit ModelBlockSolve(ModelKkt& kkt);
  void solve_block(double* unknowns, Index columns) override;

 private:
  ModelKkt& kkt_;
  std::vector<double> f_, g_;
};

}  // namespace trammel
