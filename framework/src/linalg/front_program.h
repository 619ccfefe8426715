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

struct FrontKernels {
  /// P F = L U for the pivots, the rest less its product; false where a pivot is too small.
  bool (*factorize)(const FrontView& front);
  /// Both halves of a solve for one front; y has `stride` numbers, those beyond `size` zero.
  void (*forward)(const FrontView& front, bool transposed, double* y);
  void (*backward)(const FrontView& front, bool transposed, double* y);
  void (*add_sum)(const FrontSum& sum, double* numbers);
  /// to += c0 K + c1 C, blocks of 3 x 3 and 7 x 7; C may be nullptr.
  void (*add_scaled_3)(const double* K, double c0, const double* C, double c1, double* to, Index stride);
  void (*add_scaled_7)(const double* K, double c0, const double* C, double c1, double* to, Index stride);
};

/// The fastest that this machine can run.
const FrontKernels& front_kernels();

}  // namespace trammel
