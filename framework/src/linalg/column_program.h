// Products of element blocks with many columns at once: what the kernels work on, compiled once per instruction set.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Columns are stored side by side: the numbers of one coordinate (or row) in all columns lie together, `stride` of
/// them, a multiple of 4 whose rest is zero.
constexpr Index column_stride(Index columns) { return (columns + 3) / 4 * 4; }

/// A block or its transpose: entry (out, in) is data[in * stride_in + out * stride_out].
struct BlockView {
  const double* data;
  Index count_in, count_out;
  Index stride_in, stride_out;
};

/// Factors of a matrix A in block triangular form, P A Q = L U + F: L with unit diagonal, U, block by block, F above
/// the blocks. Columns k have entries begin[k] .. begin[k + 1] - 1; diagonals are left out.
struct BlockTriangularFactors {
  struct Part {
    const Index* begin = nullptr;
    const Index* row = nullptr;
    const double* value = nullptr;
  };
  Index blocks = 0;
  const Index* block_begin = nullptr;  ///< blocks + 1
  Part L, U, F;
  const double* inverse_diagonal = nullptr;  ///< of U
};

struct ColumnKernels {
  /// out[o] += sum_i B(o, i) X[i]
  void (*add_columns)(const BlockView& B, const double* X, Index stride, double* out);
  /// out += sum_i X[i] Y[i]^T, stride x stride, column by column.
  void (*add_gram)(const double* X, const double* Y, Index count, Index stride, double* out);
  /// y := (L U + F)^-1 y or (L U + F)^-T y; a stride of 1 is one column.
  void (*solve)(const BlockTriangularFactors& factors, bool transposed, Index stride, double* y);
};

/// The fastest that this machine can run.
const ColumnKernels& column_kernels();

}  // namespace trammel
