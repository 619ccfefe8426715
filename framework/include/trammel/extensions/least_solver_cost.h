// LeastSolverCost: what a linear solver costs at least, known before its analysis.
#pragma once

#include "trammel/kkt_solver.h"

namespace trammel {

/// Solvers whose analysis takes much time and memory may tell before it what they cost at least, an extension of KktSolver
/// beside LinearSolverCost: `auto` does without the analysis where another solver costs no more.
class LeastSolverCost {
 public:
  static constexpr const char* id = "trammel.least_solver_cost/1";

  /// [setup] Before `analyse`: no `cost` of this matrix would be below it. As there, from the structure alone.
  virtual double least_cost(const KktMatrix& matrix) const = 0;

 protected:
  ~LeastSolverCost() = default;
};

}  // namespace trammel
