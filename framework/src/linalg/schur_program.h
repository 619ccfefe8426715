// What the numeric part of SchurFactor works on: plain arrays, so that it can be compiled once per instruction set.
#pragma once

#include "trammel/kkt_solver.h"

namespace trammel {

/// Groups of at most this many rows (joints have 1 to 6) have kernels of their own; larger ones share general loops.
constexpr Index most_kernel_rows = 6;
/// The kernel for a product of blocks of m and n rows; general_kernel if there is none. `diagonal`: of a block with
/// itself.
constexpr Index general_kernel = most_kernel_rows * (most_kernel_rows + 1);
constexpr Index product_kernel(Index m, Index n, bool diagonal) {
  if (m > most_kernel_rows || n > most_kernel_rows) return general_kernel;
  return (m - 1) * (most_kernel_rows + 1) + (diagonal ? most_kernel_rows : n - 1);
}

/// target (+)= left right^T over `width` columns; the first product of a target assigns.
struct SchurProduct {
  Index left = 0, right = 0, target = 0;  ///< offsets of column-major blocks
  Index width = 0;                        ///< 0: sets the target to zero
  std::int16_t rows_left = 0, rows_right = 0;
  std::int16_t kernel = 0;  ///< see `product_kernel`
  bool first = false;
  bool diagonal = false;  ///< left is right: lower triangle only
};

/// Block L(row group, column) below the diagonal.
struct SchurEntry {
  Index offset;
  Index row;  ///< first row of the row group in B's order
  Index rows;
};

struct SchurColumn {
  Index row;        ///< first row in B's order
  Index first_row;  ///< the same in elimination order
  std::int16_t rows;
  std::int16_t rows_below;  ///< of every block below the diagonal, 0 where they differ or are too many for a kernel
  Index diagonal;           ///< offset of the diagonal block
  Index first_entry, end_entry;
  Index first_product, end_product;
  Index first_update;  ///< offsets of the targets of this column's outer products, row-wise lower triangle
};

/// S = L D L^T with unit lower triangular L, by columns of blocks. D^-1 is 0 at rows that are left out.
struct SchurProgram {
  const SchurProduct* products = nullptr;  ///< by target, and so by column
  const SchurColumn* columns = nullptr;
  Index column_count = 0;
  const SchurEntry* entries = nullptr;
  const Index* updates = nullptr;
  const Index* row_of_position = nullptr;  ///< elimination row -> row of B
  Index rows = 0;
  double* values = nullptr;
  double* scale = nullptr;             ///< S_ii before elimination
  double* inverse_diagonal = nullptr;  ///< D^-1
  double* unscaled = nullptr;          ///< scratch: the blocks L D of one column
};

/// The hot loops for one instruction set.
struct BlockKernels {
  const char* name;
  void (*assemble)(const SchurProgram& program, const double* B);
  /// Returns the row (of B) where a number is not finite, or -1.
  Index (*factorize)(const SchurProgram& program, const unsigned char* dropped, double threshold, RankWatch& watch);
  void (*solve)(const SchurProgram& program, double* x, bool sparse);
  /// out += A x and out -= A^T y over element blocks of `width` columns at the given offsets.
  void (*add_products)(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                       Index width, const double* x, double* out);
  void (*subtract_transposed)(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                              Index width, const double* y, double* out);
};

extern const BlockKernels baseline_kernels;
#if defined(TRAMMEL_AVX2_KERNELS)
extern const BlockKernels avx2_kernels;
#endif

/// The fastest that this machine can run.
const BlockKernels& block_kernels();

}  // namespace trammel
