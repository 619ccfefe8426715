// Sparse LU of a matrix whose pattern never changes: SuiteSparse's KLU, called so that nothing re-allocates.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// KLU is called directly: pivots are chosen once and kept (klu_refactor works in the memory of the first factorization)
/// until they let entries grow, which is rare; only then they are chosen anew.
class SparseLu {
 public:
  SparseLu();
  ~SparseLu();

  /// [setup] `entries` are (row, column) pairs; repeated ones are added up. Throws Error(compute) if KLU fails.
  void analyse(Index size, const std::vector<std::pair<Index, Index>>& entries);
  bool analysed() const { return size_ >= 0; }
  /// [hot] Values in the order of the entries: `clear`, then `add` once per entry.
  void clear();
  void add(double value) { values_[static_cast<std::size_t>(slots_[next_++])] += value; }
  /// [hot] `singular`: subject is the column without a pivot. May allocate where new pivots are chosen.
  Status factorize();
  /// [hot] x := A^-1 x or A^-T x for `columns` vectors one after another.
  void solve(double* x, Index columns = 1, bool transposed = false);
  /// [setup] Multiply-adds of one factorization, as far as the ordering can tell.
  double work() const;

 private:
  struct Handles;
  Status choose_pivots();

  Index size_ = -1;
  std::vector<Index> column_start_, row_, slots_;
  std::vector<double> values_;
  std::size_t next_ = 0;
  std::unique_ptr<Handles> klu_;
};

}  // namespace trammel
