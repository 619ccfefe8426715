// KeptPivots: numeric factorization P A Q = L U + F with the pivots and the pattern of a factorization before.
#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/sparse_lu.h"

namespace trammel {

/// What KLU does when it keeps its pivots (Gilbert and Peierls' left-looking method on a known pattern, SIAM J. Sci. Stat.
/// Comput. 9 (1988) 862-874), with the same operations in the same order, hence the same bits; but from the places where
/// the numbers stand right into the copy that is solved with. Of small matrices KLU's own way spends three quarters of its
/// instructions on moving numbers.
class KeptPivots {
 public:
  using Entries = std::vector<std::pair<Index, Index>>;

  /// [hot] After `lu` was factorized: its factors are taken over. Allocates where its pivots are new. `entries`: (row, column)
  /// of all numbers that a matrix has.
  void take(SparseLu& lu, const Entries& entries);
  void forget() { columns_.clear(); }
  bool begun() const { return !columns_.empty(); }
  const FactorCopy& factors() const { return copy_; }

  /// [hot] The factors of the matrix whose numbers are `value(i)`, in the entries' order. False, and `factors` void: these
  /// pivots may let entries grow, a number appeared where all were zero, or one is not finite.
  template <class Value>
  bool factorize(const Value& value) {
    for (const Index source : outside_) {
      if (value(source) != 0) return false;
    }
    squared_length_ = 0, all_kept_ = true;
    smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0;
    const auto size = static_cast<Index>(columns_.size()) - 1;
    for (Index k = 0; k < size; ++k) {
      for (Index e = columns_[static_cast<std::size_t>(k)]; e < columns_[static_cast<std::size_t>(k) + 1]; ++e) {
        const Placed& at = placed_[static_cast<std::size_t>(e)];
        const double x = value(at.source);
        column_[static_cast<std::size_t>(at.row)] += x;
        squared_length_ += x * x;
      }
      eliminate(k);
    }
    return all_kept_ && std::isfinite(squared_length_);
  }

  /// Sum of the squares of all numbers.
  double squared_length() const { return squared_length_; }
  /// Smallest over largest pivot.
  double pivot_ratio() const { return smallest_ / largest_; }

 private:
  struct Placed {
    Index row, source;
  };
  void begin(const Entries& entries);
  void eliminate(Index k);

  FactorCopy copy_;
  long choices_ = 0;            ///< of pivots, that `copy_` has
  std::vector<Index> columns_;  ///< of P A Q: where they begin in `placed_`
  std::vector<Placed> placed_;
  std::vector<Index> outside_;  ///< the numbers that were zero when the pattern was made
  std::vector<double> column_;  ///< scratch, zero between calls
  std::vector<double> chosen_;  ///< magnitudes of the pivots as they were chosen
  double squared_length_ = 0, smallest_ = 1, largest_ = 1;
  bool all_kept_ = true;
};

}  // namespace trammel
