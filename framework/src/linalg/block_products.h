// Products of blocks: S = B B^T, and the updates of its factor. Part of block_kernels.h.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/schur_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

enum class Mode { assign, add, subtract };

// --- target (m x n) = / += / -= left (m x width) right (n x width)^T ----------------------------------------------

using Multiply = void (*)(const double* left, const double* right, Index width, double* target);

template <int m, Mode mode>
TRAMMEL_KERNEL void finish(Rows<m>& sum, double* target) {
  if constexpr (mode == Mode::add) {
    Rows<m> old;
    old.load(target);
    sum.add(old);
  }
  if constexpr (mode == Mode::subtract) sum.subtract_from(target);
  sum.store(target);
}

template <int m, int n, Mode mode>
TRAMMEL_KERNEL void multiply_inline(const double* left, const double* right, Index width, double* target) {
  Rows<m> sum[n];
  for (int j = 0; j < n; ++j) sum[j].clear();
#pragma GCC unroll 3
  for (Index k = 0; k < width; ++k, left += m, right += n) {
    Rows<m> column;
    column.load(left);
    unrolled<n>([&](auto j) { sum[j.value].add(column, right[j.value]); });
  }
  unrolled<n>([&](auto j) { finish<m, mode>(sum[j.value], target + j.value * m); });
}

/// The lower triangle of a symmetric sum of products, column by column.
template <int n, bool whole = (n >= 4)>
struct SymmetricSum {
  Rows<n> first;  // rows j .. n - 1 of column j
  SymmetricSum<n - 1> rest;

  TRAMMEL_KERNEL void clear() { first.clear(), rest.clear(); }
  TRAMMEL_KERNEL void add(const double* left, const double* right) {
    first.add(left, right[0]);
    rest.add(left + 1, right + 1);
  }
  template <Mode mode>
  TRAMMEL_KERNEL void finish_all(double* target, int stride) {
    finish<n, mode>(first, target);
    rest.template finish_all<mode>(target + stride + 1, stride);
  }
};
template <>
struct SymmetricSum<0, false> {
  TRAMMEL_KERNEL void clear() {}
  TRAMMEL_KERNEL void add(const double*, const double*) {}
  template <Mode mode>
  TRAMMEL_KERNEL void finish_all(double*, int) {}
};
/// From 4 rows on: rows 0 to 3 of all columns, one register each. What lies above the diagonal in columns 4 and 5 is,
/// by symmetry, what is wanted below it in columns 0 to 3; the rest above the diagonal is written and never read.
template <int n>
struct SymmetricSum<n, true> {
  Rows<4> head[n];
  SymmetricSum<n - 4> tail;

  TRAMMEL_KERNEL void clear() {
    for (int j = 0; j < n; ++j) head[j].clear();
    tail.clear();
  }
  TRAMMEL_KERNEL void add(const double* left, const double* right) {
    Rows<4> column;
    column.load(left);
    unrolled<n>([&](auto j) { head[j.value].add(column, right[j.value]); });
    tail.add(left + 4, right + 4);
  }
  template <Mode mode>
  TRAMMEL_KERNEL void finish_all(double* target, int stride) {
    unrolled<4>([&](auto j) { finish<4, mode>(head[j.value], target + j.value * stride); });
    unrolled<n - 4>([&](auto i) {
      unrolled<4>([&](auto j) {
        double& entry = target[4 + i.value + j.value * stride];
        const double value = head[4 + i.value].a[j.value];
        entry = mode == Mode::assign ? value : mode == Mode::add ? entry + value : entry - value;
      });
    });
    tail.template finish_all<mode>(target + 4 + 4 * stride, stride);
  }
};

template <int n, Mode mode>
TRAMMEL_KERNEL void multiply_symmetric_inline(const double* left, const double* right, Index width, double* target) {
  SymmetricSum<n> sum;
  sum.clear();
#pragma GCC unroll 3
  for (Index k = 0; k < width; ++k, left += n, right += n) sum.add(left, right);
  sum.template finish_all<mode>(target, n);
}

template <int m, int n, Mode mode>
void multiply(const double* left, const double* right, Index width, double* target) {
  multiply_inline<m, n, mode>(left, right, width, target);
}
template <int n, Mode mode>
void multiply_symmetric(const double* left, const double* right, Index width, double* target) {
  multiply_symmetric_inline<n, mode>(left, right, width, target);
}

template <Mode mode>
void multiply_any(const double* left, const double* right, Index m, Index n, Index width, double* target) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) {
      double sum = 0;
      for (Index k = 0; k < width; ++k) sum += left[i + k * m] * right[j + k * n];
      double& entry = target[i + j * m];
      entry = mode == Mode::assign ? sum : mode == Mode::add ? entry + sum : entry - sum;
    }
  }
}

/// By `product_kernel`.
template <Mode mode>
struct MultiplyTable {
  Multiply entries[general_kernel];

  constexpr MultiplyTable() : entries() { fill<1>(); }
  template <int m>
  constexpr void fill() {
    if constexpr (m <= most_kernel_rows) {
      fill_row<m, 1>();
      entries[product_kernel(m, m, true)] = &multiply_symmetric<m, mode>;
      fill<m + 1>();
    }
  }
  template <int m, int n>
  constexpr void fill_row() {
    if constexpr (n <= most_kernel_rows) {
      entries[product_kernel(m, n, false)] = &multiply<m, n, mode>;
      fill_row<m, n + 1>();
    }
  }
};
template <Mode mode>
constexpr MultiplyTable<mode> products;

/// The number of rows as a constant where it is one.
template <int known>
TRAMMEL_KERNEL constexpr Index row_count(Index rows) {
  return known > 0 ? known : rows;
}

/// Calls f(Constant<rows>), or f(Constant<0>) if there are more than most_kernel_rows.
template <class F>
TRAMMEL_KERNEL void with_rows(Index rows, const F& f) {
  switch (rows) {
    case 1: return f(Constant<1>());
    case 2: return f(Constant<2>());
    case 3: return f(Constant<3>());
    case 4: return f(Constant<4>());
    case 5: return f(Constant<5>());
    case 6: return f(Constant<6>());
    default: return f(Constant<0>());
  }
}

/// Functions of one column by its number of rows and that of the blocks below it.
template <class Function, template <int, int> class Kernel>
struct ColumnTable {
  Function entries[most_kernel_rows + 1][most_kernel_rows + 1];

  constexpr explicit ColumnTable(Function general) : entries() {
    for (auto& row : entries) {
      for (Function& entry : row) entry = general;
    }
    fill<1, 1>();
  }
  template <int n, int m>
  constexpr void fill() {
    if constexpr (n <= most_kernel_rows) {
      entries[n][m] = &Kernel<n, m>::run;
      if constexpr (m < most_kernel_rows) {
        fill<n, m + 1>();
      } else {
        fill<n + 1, 1>();
      }
    }
  }
  TRAMMEL_KERNEL Function operator()(const SchurColumn& column) const {
    return column.rows_below == 0 ? entries[0][0] : entries[column.rows][column.rows_below];
  }
};

// One column of S. n and m: rows of the column and of the blocks below it, 0 where they are not the same for all.
using AssembleColumn = void (*)(const SchurProgram&, const SchurColumn&, const double* B);

void assemble_general(const SchurProgram& program, const SchurColumn& column, const double* B) {
  const SchurProduct* end = program.products + column.end_product;
  for (const SchurProduct* p = program.products + column.first_product; p != end; ++p) {
    const double *left = B + p->left, *right = B + p->right;
    double* target = program.values + p->target;
    if (p->kernel < general_kernel) {
      const auto& entries = p->first ? products<Mode::assign>.entries : products<Mode::add>.entries;
      entries[p->kernel](left, right, p->width, target);
    } else if (p->first) {
      multiply_any<Mode::assign>(left, right, p->rows_left, p->rows_right, p->width, target);
    } else {
      multiply_any<Mode::add>(left, right, p->rows_left, p->rows_right, p->width, target);
    }
  }
  const double* diagonal = program.values + column.diagonal;
  double* scale = program.scale + column.first_row;
  for (Index r = 0; r < column.rows; ++r) scale[r] = diagonal[r * (column.rows + 1)];
}

template <int n, int m>
struct Assemble {
  static void run(const SchurProgram& program, const SchurColumn& column, const double* B) {
    const SchurProduct* end = program.products + column.end_product;
    for (const SchurProduct* p = program.products + column.first_product; p != end; ++p) {
      const double *left = B + p->left, *right = B + p->right;
      double* target = program.values + p->target;
      if (!p->first) {  // two elements between the same two bodies
        products<Mode::add>.entries[p->kernel](left, right, p->width, target);
      } else if (p->diagonal) {
        multiply_symmetric_inline<n, Mode::assign>(left, right, p->width, target);
      } else {
        multiply_inline<m, n, Mode::assign>(left, right, p->width, target);
      }
    }
    const double* diagonal = program.values + column.diagonal;
    double* scale = program.scale + column.first_row;
    unrolled<n>([&](auto r) { scale[r.value] = diagonal[r.value * (n + 1)]; });
  }
};
constexpr ColumnTable<AssembleColumn, Assemble> assemble_table{&assemble_general};

void assemble(const SchurProgram& program, const double* B) {
  for (const SchurColumn* column = program.columns; column != program.columns + program.column_count; ++column) {
    assemble_table (*column)(program, *column, B);
  }
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
