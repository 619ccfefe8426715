// Optional abilities of a ConstrainedSystem beyond its own interface. The kernel's view of a model has all of them.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Which rows the solves leave out because they depend on others: their multipliers are 0. The choice changes only
/// between steps.
class RowChoice {
 public:
  static constexpr const char* id = "trammel.row_choice/1";

  /// [hot] Number of rows left out.
  virtual Index redundant() const = 0;
  /// [hot] Whether 0 <= row < m is left out.
  virtual bool is_redundant(Index row) const = 0;

 protected:
  ~RowChoice() = default;
};

/// Solves with several right-hand sides at once. `unknowns` has `columns` vectors of n + m numbers one after another:
/// (f, g) on entry, (x, lambda) on return.
class BlockSolve {
 public:
  static constexpr const char* id = "trammel.block_solve/1";

  /// [hot] With the matrix of ConstrainedSystem::factorize, which is symmetric.
  virtual void solve_block(double* unknowns, Index columns) = 0;
  /// [hot] With the matrix of ConstrainedSystem::prepare, or its transpose.
  virtual void solve_implicit_block(double* unknowns, Index columns, bool transposed) = 0;

 protected:
  ~BlockSolve() = default;
};

}  // namespace trammel
