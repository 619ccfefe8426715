// Products of element blocks with many columns at once: what the kernels work on, compiled once per instruction set.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Columns are stored side by side: the numbers of one coordinate (or row) in all columns lie together, `stride` of them, a
/// multiple of 4 whose rest is zero.
constexpr Index column_stride(Index columns) { return (columns + 3) / 4 * 4; }

/// A block or its transpose: entry (out, in) is data[in * stride_in + out * stride_out].
struct BlockView {
  const double* data;
  Index count_in, count_out;
  Index stride_in, stride_out;
};

struct ColumnKernels {
  /// out[o] += sum_i B(o, i) X[i]
  void (*add_columns)(const BlockView& B, const double* X, Index stride, double* out);
  /// out += sum_i X[i] Y[i]^T, stride x stride, column by column.
  void (*add_gram)(const double* X, const double* Y, Index count, Index stride, double* out);
};

/// The fastest that this machine can run.
const ColumnKernels& column_kernels();

}  // namespace trammel
