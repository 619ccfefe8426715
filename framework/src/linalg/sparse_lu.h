// Sparse LU of a real or complex matrix whose possible entries never change: SuiteSparse's KLU, called so that nothing
// re-allocates.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/column_program.h"
#include "linalg/small_lu.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// A copy of KLU's factors, for solves with many columns at once: P A Q = L U + F.
struct FactorCopy {
  std::vector<Index> row_of, column_of;  ///< P and Q: the row and the column of A that are number k
  BlockTriangularFactors factors;        ///< points into the rest

  std::vector<Index> block_begin, L_begin, L_row, U_begin, U_row, F_begin, F_row;
  std::vector<double> L_value, U_value, F_value, inverse_diagonal;
};

/// Many of a mechanism's possible entries are always zero (a joint's rows against the position of a body it does not
/// touch, the products of position and orientation in the mass), and nobody declares which. The pattern therefore holds
/// the entries that were not zero at least once; one that appears later enlarges it, which is exact, rare and the only
/// time besides new pivots that memory is allocated.
///
/// Masses and lengths of very different size can make all of a column small. Where a matrix looks singular its columns
/// are balanced as well, and stay so.
///
/// Systems of a few unknowns are factorized as full matrices, rows scaled, with partial pivoting: KLU's calls and copies
/// alone cost more than that.
///
/// KLU is called directly: pivots are chosen once and kept (klu_refactor works in the memory of the first
/// factorization) until they let entries grow, which is rare; only then they are chosen anew.
/// `Scalar`: double or std::complex<double>.
template <class Scalar>
class BasicSparseLu {
 public:
  /// `block_triangular`: looks for a permutation to block triangular form first, for matrices of no symmetry.
  explicit BasicSparseLu(bool block_triangular = false);
  ~BasicSparseLu();

  /// [setup] `entries` are (row, column) pairs; repeated ones are added up.
  void analyse(Index size, std::vector<std::pair<Index, Index>> entries);
  bool analysed() const { return size_ >= 0; }
  /// [hot] Takes the values from `each(add)`, which calls add(value) once per entry in the entries' order, twice if the
  /// pattern has to grow. Throws Error(compute) if KLU cannot order the pattern.
  template <class Each>
  void fill(const Each& each) {
    Writer add{given_.data()};
    each(add);
    place();
  }
  /// [hot] The same in two steps: the values in the entries' order, and taking what was written there.
  Scalar* given() { return given_.data(); }
  void take_given() { place(); }
  /// [hot] `singular`: subject is the column without a pivot. May allocate where new pivots are chosen.
  Status factorize();
  /// [hot] x := A^-1 x or A^-T x for `columns` vectors one after another.
  void solve(Scalar* x, Index columns = 1, bool transposed = false);
  /// [hot] The factors of the last factorization, of a real matrix; allocates where the pivots are new.
  void copy_factors(FactorCopy& copy);
  /// How often pivots were chosen so far.
  long choices() const { return choices_; }
  /// Smallest over largest pivot of the last factorization, rows scaled.
  double pivot_ratio() const;
  /// [setup] Multiply-adds of one factorization if no entry were zero, as far as the ordering can tell.
  double work();

 private:
  struct Handles;
  struct Writer {
    Scalar* next;

    void operator()(Scalar value) { *next++ = value; }
  };
  struct Placed {
    Index entry, slot;
  };
  bool is_small() const { return !block_triangular_ && size_ <= SmallLu<Scalar>::most_unknowns; }
  void place();
  void place_small();
  void order();
  Status choose_pivots();
  Status factorize_scaled();
  void balance_columns();
  void scale_columns();
  bool pivots_shrank() const;

  bool block_triangular_;
  Index size_ = -1;
  std::vector<std::pair<Index, Index>> entries_;
  std::vector<std::size_t> by_column_;  // the entries sorted by column and row
  std::vector<unsigned char> used_;     // per entry: was not zero at least once
  std::vector<Index> column_start_, row_;
  std::vector<Placed> placed_;  // the used entries; all of a small matrix
  std::vector<Index> unused_;   // the others; none of a small matrix
  std::vector<Scalar> given_;   // values in the entries' order
  std::vector<Scalar> values_, chosen_pivots_;
  std::vector<double> column_scale_;  // empty: none, as long as KLU's scaling of rows is enough
  SmallLu<Scalar> small_;             ///< in place of `klu_` where the matrix is small
  std::unique_ptr<Handles> klu_;
  long choices_ = 0;
};

using SparseLu = BasicSparseLu<double>;
using ComplexSparseLu = BasicSparseLu<std::complex<double>>;

}  // namespace trammel
