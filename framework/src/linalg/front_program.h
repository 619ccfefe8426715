// What the dense kernels of the multifrontal factorization work on; compiled once per instruction set.
#pragma once

#include "linalg/front_structure.h"

namespace trammel {

/// Multipliers beyond this lose too many digits: the pivots of a front are then chosen too narrowly.
constexpr double largest_multiplier = 1e9;
/// Solutions are refined where multipliers exceed this: pivots of several fronts that follow one another multiply what
/// each of them loses.
constexpr double trusted_multiplier = 1e4;
/// A pivot off the diagonal must be so much larger than the one on it.
constexpr double diagonal_preference = 30;

struct FrontView {
  double* data;
  Index size, pivots, stride;
  Index* exchanged;            ///< row k was exchanged with this one
  double* largest_multiplier;  ///< so far, over all fronts
};

/// A full matrix of at most 16 unknowns, `stride` (the next multiple of 4) numbers from one column to the next. Rows
/// stay where they are: row `pivot[k]` is number k of U. What is not in U or L is zero in their columns.
struct SmallFactors {
  double *U, *L;     ///< U: on entry the matrix, zero beyond `size` in each column
  double* diagonal;  ///< U(k, k)
  Index size, stride;
  Index* pivot;
};

struct FrontKernels {
  /// P F = L U for the pivots, the rest less its product; false where a pivot is too small.
  bool (*factorize)(const FrontView& front);
  /// Both halves of a solve for one front; y has `stride` numbers, those beyond `size` zero.
  void (*forward)(const FrontView& front, bool transposed, double* y);
  void (*backward)(const FrontView& front, bool transposed, double* y);
  /// a = D A C with rows of largest entry 1, D = `row_scale` (`stride` numbers); C = `column_scale`, 1 where it is
  /// nullptr. False: a number of A is not finite.
  bool (*scale)(const double* A, Index size, Index stride, const double* column_scale, double* row_scale, double* a);
  void (*add_sum)(const FrontSum& sum, double* numbers);
  /// to += c0 K + c1 C, blocks of 3 x 3 and 7 x 7; C may be nullptr.
  void (*add_scaled_3)(const double* K, double c0, const double* C, double c1, double* to, Index stride);
  void (*add_scaled_7)(const double* K, double c0, const double* C, double c1, double* to, Index stride);
  /// P A = L U of a full matrix with partial pivoting. Returns a column without a pivot, or -1.
  Index (*factorize_small)(const SmallFactors& small);
  /// x := A^-1 b or A^-T b; `b` is overwritten, zero beyond `size` on entry.
  void (*solve_small)(const SmallFactors& small, bool transposed, double* b, double* x);
};

/// The fastest that this machine can run.
const FrontKernels& front_kernels();

}  // namespace trammel
