// Triangular solves with the factor, and products of Jacobian blocks with vectors. Part of block_kernels.h.
#pragma once

#include "linalg/block_factor.h"

namespace trammel::TRAMMEL_KERNEL_SET {

/// y += A x or y -= A x, A (m x n), n a constant where `width` says it.
template <int known, int width, bool minus>
TRAMMEL_KERNEL void add_product(const double* A, Index m, Index n, const double* x, double* y) {
  if constexpr (known > 0 && width > 0) {
    Rows<known> sum;
    sum.load(y);
    unrolled<width>([&](auto j) {
      if constexpr (minus) {
        sum.subtract(A + j.value * known, x[j.value]);
      } else {
        sum.add(A + j.value * known, x[j.value]);
      }
    });
    sum.store(y);
  } else {
    for (Index j = 0; j < n; ++j, A += m) {
      for (Index i = 0; i < m; ++i) y[i] += minus ? -A[i] * x[j] : A[i] * x[j];
    }
  }
}

/// y -= A^T x, A (m x n).
template <int known, int width>
TRAMMEL_KERNEL void subtract_transposed_product(const double* A, Index m, Index n, const double* x, double* y) {
  if constexpr (known > 0 && width > 0) {
    double entries[known];
    for (int i = 0; i < known; ++i) entries[i] = x[i];
    unrolled<width>([&](auto j) {
      double sum = y[j.value];
      unrolled<known>([&](auto i) { sum -= A[j.value * known + i.value] * entries[i.value]; });
      y[j.value] = sum;
    });
  } else {
    for (Index j = 0; j < n; ++j, A += m) {
      for (Index i = 0; i < m; ++i) y[j] -= A[i] * x[i];
    }
  }
}

TRAMMEL_KERNEL bool all_zero(const double* x, Index n) {
  for (Index i = 0; i < n; ++i) {
    if (x[i] != 0) return false;
  }
  return true;
}

// One column of either substitution, in place: the rows of a group lie together in B's order too. n and m are the rows
// of the column and of the blocks below it, 0 where they are not the same for all.
using Substitute = void (*)(const SchurProgram&, const SchurColumn&, double* x, bool sparse);

// Loops over the strict lower triangle of n rows, unrolled where n is a constant: vector stores between scalar loads
// would make every step of the substitution wait for the memory.
template <int n, class F>
TRAMMEL_KERNEL void each_row(Index rows, const F& f) {
  if constexpr (n > 0) {
    unrolled<n>([&](auto j) { f(j.value); });
  } else {
    for (Index j = 0; j < rows; ++j) f(j);
  }
}
template <int n, class F>
TRAMMEL_KERNEL void each_column(Index rows, const F& f) {
  if constexpr (n > 0) {
    unrolled<n>([&](auto j) { unrolled<n - 1 - j.value>([&](auto k) { f(j.value, j.value + 1 + k.value); }); });
  } else {
    for (Index j = 0; j < rows; ++j) {
      for (Index i = j + 1; i < rows; ++i) f(j, i);
    }
  }
}
template <int n, class F>
TRAMMEL_KERNEL void each_column_backward(Index rows, const F& f) {
  if constexpr (n > 0) {
    unrolled<n>([&](auto back) {
      constexpr int j = n - 1 - back.value;
      unrolled<n - 1 - j>([&](auto k) { f(j, j + 1 + k.value); });
    });
  } else {
    for (Index j = rows - 1; j >= 0; --j) {
      for (Index i = j + 1; i < rows; ++i) f(j, i);
    }
  }
}

/// A column's part of x: in registers where its length is a constant, else where it lies.
template <int n>
struct Unknowns {
  double entries[n];
  double* home;

  TRAMMEL_KERNEL explicit Unknowns(double* x) : home(x) {
    for (int i = 0; i < n; ++i) entries[i] = x[i];
  }
  TRAMMEL_KERNEL double& operator[](Index i) { return entries[i]; }
  TRAMMEL_KERNEL void store() {
    for (int i = 0; i < n; ++i) home[i] = entries[i];
  }
};
template <>
struct Unknowns<0> {
  double* entries;

  TRAMMEL_KERNEL explicit Unknowns(double* x) : entries(x) {}
  TRAMMEL_KERNEL double& operator[](Index i) { return entries[i]; }
  TRAMMEL_KERNEL void store() {}
};

template <int n, int m>
struct Forward {  // L z = x
  static void run(const SchurProgram& program, const SchurColumn& column, double* x, bool sparse) {
    const Index rows = row_count<n>(column.rows);
    const double* L = program.values + column.diagonal;
    if (sparse && all_zero(x + column.row, rows)) return;
    Unknowns<n> z(x + column.row);
    each_column<n>(rows, [&](auto j, auto i) { z[i] -= L[i + j * rows] * z[j]; });
    z.store();
    const SchurEntry* end = program.entries + column.end_entry;
    for (const SchurEntry* e = program.entries + column.first_entry; e != end; ++e) {
      add_product<m, n, true>(program.values + e->offset, e->rows, rows, z.entries, x + e->row);
    }
  }
};

template <int n, int m>
struct Backward {  // L^T x = D^-1 z
  static void run(const SchurProgram& program, const SchurColumn& column, double* x, bool sparse) {
    const Index rows = row_count<n>(column.rows);
    const double *L = program.values + column.diagonal, *inverse = program.inverse_diagonal + column.first_row;
    Unknowns<n> z(x + column.row);
    each_row<n>(rows, [&](auto j) { z[j] *= inverse[j]; });
    const SchurEntry* end = program.entries + column.end_entry;
    for (const SchurEntry* e = program.entries + column.first_entry; e != end; ++e) {
      if (sparse && all_zero(x + e->row, e->rows)) continue;
      subtract_transposed_product<m, n>(program.values + e->offset, e->rows, rows, x + e->row, z.entries);
    }
    each_column_backward<n>(rows, [&](auto j, auto i) { z[j] -= L[i + j * rows] * z[i]; });
    z.store();
  }
};

constexpr ColumnTable<Substitute, Forward> forward_table{&Forward<0, 0>::run};
constexpr ColumnTable<Substitute, Backward> backward_table{&Backward<0, 0>::run};

void solve(const SchurProgram& program, double* x, bool sparse) {
  const SchurColumn* const columns = program.columns;
  const Index count = program.column_count;
  for (Index i = 0; i < count; ++i) forward_table(columns[i])(program, columns[i], x, sparse);
  for (Index i = count; i-- > 0;) backward_table(columns[i])(program, columns[i], x, sparse);
}

// --- Products with Jacobian blocks ---------------------------------------------------------------------------------

// One function per width of a body: planar, spatial reduced, spatial full; 0 for any other. Plain functions on purpose:
// of a lambda that it does not inline, g++ 12 packs the captures with AVX and forgets the vzeroupper, which made
// everything after it four times as slow.

template <int known_width>
void add_products_of(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                     Index width, const double* x, double* out) {
  const JacobianBlock *block = blocks, *end = blocks + count;
  while (block != end) {
    const Index m = block->rows;
    with_rows(m, [&](auto rows) {
      do {
        add_product<rows.value, known_width, false>(A + block->*offset, m, width, x + block->body * width,
                                                    out + block->first_row);
      } while (++block != end && block->rows == m);
    });
  }
}

template <int known_width>
void subtract_transposed_of(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                            Index width, const double* y, double* out) {
  const JacobianBlock *block = blocks, *end = blocks + count;
  while (block != end) {
    const Index m = block->rows;
    with_rows(m, [&](auto rows) {
      do {
        subtract_transposed_product<rows.value, known_width>(A + block->*offset, m, width, y + block->first_row,
                                                             out + block->body * width);
      } while (++block != end && block->rows == m);
    });
  }
}

using BlockProducts = void (*)(const JacobianBlock*, Index, Index JacobianBlock::*, const double*, Index, const double*,
                               double*);

void add_products(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A, Index width,
                  const double* x, double* out) {
  const BlockProducts work = width == 3   ? &add_products_of<3>
                             : width == 6 ? &add_products_of<6>
                             : width == 7 ? &add_products_of<7>
                                          : &add_products_of<0>;
  work(blocks, count, offset, A, width, x, out);
}

void subtract_transposed(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                         Index width, const double* y, double* out) {
  const BlockProducts work = width == 3   ? &subtract_transposed_of<3>
                             : width == 6 ? &subtract_transposed_of<6>
                             : width == 7 ? &subtract_transposed_of<7>
                                          : &subtract_transposed_of<0>;
  work(blocks, count, offset, A, width, y, out);
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
