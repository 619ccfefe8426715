// Services of the host for linear solvers: the kernel's own factors, which ranks, partitions and implicit steps use too.
#pragma once

#include <cstdint>

#include "trammel/kkt_solver.h"
#include "trammel/refusal.h"

// Asked of ModelInfo with find_extension, like those of host_services.h. Who makes a factor ends it, before the model ends.
namespace trammel {

/// S = B B^T = L D L^T of the reduced blocks B = Phi_q W, block-sparse in the joint graph; see KktMatrix.
class BlockFactor {
 public:
  /// [hot] Of the rows that `matrix.dropped` keeps; those that depend on others are left out, and the watch says so.
  /// `not_finite`: subject is the row.
  virtual Status factorize(const KktMatrix& matrix) = 0;
  /// [hot] The same with kept rows left out only where nothing but rounding is left of them.
  virtual Status factorize_to_rounding(const KktMatrix& matrix) = 0;
  /// [hot] x := S^-1 x, one number per element row, 0 for rows that are left out.
  virtual void solve(VectorView x) const = 0;
  /// [step] Of the last factorization.
  virtual const RankWatch& watch() const = 0;
  /// [setup] Of one factorization and one solve, as LinearSolverCost means it.
  virtual double cost() const = 0;

 protected:
  ~BlockFactor() = default;
};

class BlockFactors {
 public:
  static constexpr const char* id = "trammel.block_factors/1";

  /// [setup] Orders and makes room; nullptr and why.
  virtual BlockFactor* make_block_factor(const KktMatrix& matrix, Refusal* refusal) const = 0;
  /// [setup] nullptr is allowed.
  virtual void end_block_factor(BlockFactor* factor) const = 0;
  /// [hot] out += J x over the element blocks, J = Phi_q, or Phi_q W if `reduced`.
  virtual void add_products(const KktMatrix& matrix, bool reduced, const double* x, double* out) const = 0;
  /// [hot] out -= J^T y.
  virtual void subtract_transposed(const KktMatrix& matrix, bool reduced, const double* y, double* out) const = 0;

 protected:
  ~BlockFactors() = default;
};

/// Sparse LU of a matrix whose possible entries never change (KLU).
class SparseFactor {
 public:
  /// [hot] The entries' values, in their order: to be written before `factorize`.
  virtual double* values() = 0;
  /// [hot] `singular`: subject is the column without a pivot. Allocates where new pivots are chosen or entries appear that
  /// were 0 so far.
  virtual Status factorize() = 0;
  /// [hot] x := A^-1 x.
  virtual void solve(double* x) = 0;
  /// [setup] Multiply-adds of one factorization if no entry were zero, as far as the ordering can tell.
  virtual double work() = 0;

 protected:
  ~SparseFactor() = default;
};

class SparseFactors {
 public:
  static constexpr const char* id = "trammel.sparse_factors/1";

  /// [setup] Entry i, 0 <= i < entries, stands at (rows[i], columns[i]); those at the same place are added. nullptr and
  /// why.
  virtual SparseFactor* make_sparse_factor(Index size, const Index* rows, const Index* columns, Index entries,
                                           Refusal* refusal) const = 0;
  /// [setup] nullptr is allowed.
  virtual void end_sparse_factor(SparseFactor* factor) const = 0;

 protected:
  ~SparseFactors() = default;
};

}  // namespace trammel
