// The block kernels themselves. Included once per instruction set by block_kernels_*.cpp; uses nothing of the standard
// library, whose inline functions all sets would share.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/schur_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

// Joints have 1 to 6 rows; groups with more take the general loops.
constexpr int most_rows = 6;

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
void multiply(const double* left, const double* right, Index width, double* target) {
  Rows<m> sum[n];
  for (int j = 0; j < n; ++j) sum[j].clear();
  for (Index k = 0; k < width; ++k, left += m, right += n) {
    Rows<m> column;
    column.load(left);
    unrolled<n>([&](auto j) { sum[j.value].add(column, right[j.value]); });
  }
  unrolled<n>([&](auto j) { finish<m, mode>(sum[j.value], target + j.value * m); });
}

template <int n>
struct Triangle {  // rows j .. n - 1 of column j
  Rows<n> first;
  Triangle<n - 1> rest;

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
struct Triangle<0> {
  TRAMMEL_KERNEL void clear() {}
  TRAMMEL_KERNEL void add(const double*, const double*) {}
  template <Mode mode>
  TRAMMEL_KERNEL void finish_all(double*, int) {}
};

/// The lower triangle only.
template <int n, Mode mode>
void multiply_symmetric(const double* left, const double* right, Index width, double* target) {
  Triangle<n> sum;
  sum.clear();
  for (Index k = 0; k < width; ++k, left += n, right += n) sum.add(left, right);
  sum.template finish_all<mode>(target, n);
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

template <Mode mode>
struct MultiplyTable {
  Multiply full[most_rows][most_rows];
  Multiply symmetric[most_rows];

  constexpr MultiplyTable() : full(), symmetric() { fill<1>(); }
  template <int m>
  constexpr void fill() {
    if constexpr (m <= most_rows) {
      fill_row<m, 1>();
      symmetric[m - 1] = &multiply_symmetric<m, mode>;
      fill<m + 1>();
    }
  }
  template <int m, int n>
  constexpr void fill_row() {
    if constexpr (n <= most_rows) {
      full[m - 1][n - 1] = &multiply<m, n, mode>;
      fill_row<m, n + 1>();
    }
  }
  TRAMMEL_KERNEL void operator()(bool diagonal, const double* left, const double* right, Index m, Index n, Index width,
                                 double* target) const {
    if (m > most_rows || n > most_rows) {
      multiply_any<mode>(left, right, m, n, width, target);
    } else {
      (diagonal ? symmetric[m - 1] : full[m - 1][n - 1])(left, right, width, target);
    }
  }
};
template <Mode mode>
constexpr MultiplyTable<mode> products;

void assemble(const SchurProgram& program, const double* B) {
  const SchurProduct* end = program.products + program.product_count;
  for (const SchurProduct* p = program.products; p != end; ++p) {
    const double *left = B + p->left, *right = B + p->right;
    double* target = program.values + p->target;
    if (p->first) {
      products<Mode::assign>(p->diagonal, left, right, p->rows_left, p->rows_right, p->width, target);
    } else {
      products<Mode::add>(p->diagonal, left, right, p->rows_left, p->rows_right, p->width, target);
    }
  }
  double* scale = program.scale;
  for (const SchurColumn* column = program.columns; column != program.columns + program.column_count; ++column) {
    const double* diagonal = program.values + column->diagonal;
    for (Index r = 0; r < column->rows; ++r, diagonal += column->rows + 1) *scale++ = *diagonal;
  }
}

// --- S = L D L^T ------------------------------------------------------------------------------------------------

/// The number of rows as a constant where it is one.
template <int known>
TRAMMEL_KERNEL constexpr Index row_count(Index rows) {
  return known > 0 ? known : rows;
}

/// Calls f(Constant<rows>), or f(Constant<0>) if there are more than most_rows.
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

struct Pivots {
  const SchurProgram& program;
  const unsigned char* dropped;
  double threshold;
  RankWatch& watch;

  /// 1/pivot, or 0 for a row that is left out; `bad` where a number is not finite.
  TRAMMEL_KERNEL double inverse(double pivot, Index position, bool& bad) const {
    const double scale = program.scale[position];
    const Index row = program.row_of_position[position];
    // pivot/scale by comparison of products: the division would cost more than the pivot's own.
    if (dropped != nullptr && dropped[row] != 0) {
      if (pivot > watch.largest_dropped * scale) watch.largest_dropped = pivot / scale, watch.largest_dropped_row = row;
      return 0;
    }
    if (pivot > threshold * scale) {
      if (pivot < watch.smallest_kept * scale) watch.smallest_kept = pivot / scale, watch.smallest_kept_row = row;
      return 1 / pivot;
    }
    if (__builtin_isfinite(pivot)) {
      if (watch.weak++ == 0) watch.weak_row = row;
    } else {
      bad = true;
    }
    return 0;
  }
};

/// Right-looking, so that the next pivot waits for one product only. Returns the row of a bad pivot, or -1.
template <int n>
TRAMMEL_KERNEL Index factorize_diagonal(const SchurColumn& column, const Pivots& pivots, double* L, double* inverse) {
  double a[n][n];  // lower triangle, a[k] is column k; lives in registers
  Index bad_row = -1;
  unrolled<n>([&](auto j) {
    for (int i = j.value; i < n; ++i) a[j.value][i] = L[i + j.value * n];
  });
  unrolled<n>([&](auto j_) {
    constexpr int j = j_.value;
    bool bad = false;
    const double d = inverse[j] = pivots.inverse(a[j][j], column.first_row + j, bad);
    if (bad) bad_row = pivots.program.row_of_position[column.first_row + j];
    unrolled<n - 1 - j>([&](auto step) {
      constexpr int k = j + 1 + step.value;
      const double l = a[j][k] * d;
      L[k + j * n] = l;
      unrolled<n - k>([&](auto below) { a[k][k + below.value] -= a[j][k + below.value] * l; });
    });
  });
  return bad_row;
}

inline Index factorize_diagonal_any(const SchurColumn& column, const Pivots& pivots, double* L, double* inverse) {
  const Index n = column.rows;
  Index bad_row = -1;
  for (Index j = 0; j < n; ++j) {
    bool bad = false;
    const double d = inverse[j] = pivots.inverse(L[j + j * n], column.first_row + j, bad);
    if (bad) bad_row = pivots.program.row_of_position[column.first_row + j];
    for (Index k = j + 1; k < n; ++k) {
      const double l = L[k + j * n] * d;
      for (Index i = k; i < n; ++i) L[i + k * n] -= L[i + j * n] * l;
    }
    for (Index k = j + 1; k < n; ++k) L[k + j * n] *= d;
  }
  return bad_row;
}

/// X = S L^-T (that is L_e D) into `unscaled`, X D^-1 in place of S.
template <int m, int n>
void solve_right(const double* L, const double* inverse, Index, Index, double* S, double* unscaled) {
  Rows<m> X[n];
  unrolled<n>([&](auto j) {
    X[j.value].load(S + j.value * m);
    unrolled<j.value>([&](auto k) { X[j.value].subtract(X[k.value], L[j.value + k.value * n]); });
    X[j.value].store(unscaled + j.value * m);
  });
  unrolled<n>([&](auto j) {
    X[j.value].scale(inverse[j.value]);
    X[j.value].store(S + j.value * m);
  });
}

inline void solve_right_any(const double* L, const double* inverse, Index m, Index n, double* S, double* unscaled) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) {
      double x = S[i + j * m];
      for (Index k = 0; k < j; ++k) x -= unscaled[i + k * m] * L[j + k * n];
      unscaled[i + j * m] = x;
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) S[i + j * m] = unscaled[i + j * m] * inverse[j];
  }
}

using SolveRight = void (*)(const double* L, const double* inverse, Index m, Index n, double* S, double* unscaled);

struct SolveRightTable {
  SolveRight entries[most_rows][most_rows];

  constexpr SolveRightTable() : entries() { fill<1, 1>(); }
  template <int m, int n>
  constexpr void fill() {
    if constexpr (m <= most_rows) {
      entries[m - 1][n - 1] = &solve_right<m, n>;
      if constexpr (n < most_rows) {
        fill<m, n + 1>();
      } else {
        fill<m + 1, 1>();
      }
    }
  }
  TRAMMEL_KERNEL SolveRight operator()(Index m, Index n) const {
    return m > most_rows || n > most_rows ? &solve_right_any : entries[m - 1][n - 1];
  }
};
constexpr SolveRightTable solve_right_table;

Index factorize(const SchurProgram& program, const unsigned char* dropped, double threshold, RankWatch& watch) {
  const Pivots pivots{program, dropped, threshold, watch};
  double* values = program.values;
  for (const SchurColumn* column = program.columns; column != program.columns + program.column_count; ++column) {
    const Index n = column->rows;
    double *L = values + column->diagonal, *inverse = program.inverse_diagonal + column->first_row;
    Index bad = -1;
    with_rows(n, [&](auto known) {
      if constexpr (known.value > 0) {
        bad = factorize_diagonal<known.value>(*column, pivots, L, inverse);
      } else {
        bad = factorize_diagonal_any(*column, pivots, L, inverse);
      }
    });
    if (bad >= 0) return bad;
    const SchurEntry *first = program.entries + column->first_entry, *end = program.entries + column->end_entry;
    double* unscaled = program.unscaled;
    for (const SchurEntry* e = first; e != end; ++e) {  // L_e = S_e L^-T D^-1
      solve_right_table(e->rows, n)(L, inverse, e->rows, n, values + e->offset, unscaled);
      unscaled += e->rows * n;
    }
    const Index* target = program.updates + column->first_update;
    const double* left = program.unscaled;
    for (const SchurEntry* a = first; a != end; ++a) {  // S_ab -= (L_a D) L_b^T
      for (const SchurEntry* b = first; b <= a; ++b) {
        products<Mode::subtract>(a == b, left, values + b->offset, a->rows, b->rows, n, values + *target++);
      }
      left += a->rows * n;
    }
  }
  return -1;
}

// --- Triangular solves and products with vectors ------------------------------------------------------------------

/// y += A x or y -= A x, A (m x n).
template <int known, bool minus>
TRAMMEL_KERNEL void add_product(const double* A, Index m, Index n, const double* x, double* y) {
  if constexpr (known > 0) {
    Rows<known> sum;
    sum.load(y);
    for (Index j = 0; j < n; ++j, A += known) sum.add(A, minus ? -x[j] : x[j]);
    sum.store(y);
  } else {
    for (Index j = 0; j < n; ++j, A += m) {
      for (Index i = 0; i < m; ++i) y[i] += minus ? -A[i] * x[j] : A[i] * x[j];
    }
  }
}

/// y -= A^T x, A (m x n).
template <int known>
TRAMMEL_KERNEL void subtract_transposed_product(const double* A, Index rows, Index n, const double* x, double* y) {
  if constexpr (known > 0) {
    double entries[known];
    for (int i = 0; i < known; ++i) entries[i] = x[i];
    for (Index j = 0; j < n; ++j, A += known) {
      double sum = y[j];
      unrolled<known>([&](auto i) { sum -= A[i.value] * entries[i.value]; });
      y[j] = sum;
    }
  } else {
    for (Index j = 0; j < n; ++j, A += rows) {
      for (Index i = 0; i < rows; ++i) y[j] -= A[i] * x[i];
    }
  }
}

TRAMMEL_KERNEL bool all_zero(const double* x, Index n) {
  for (Index i = 0; i < n; ++i) {
    if (x[i] != 0) return false;
  }
  return true;
}

// One column of either substitution; its number of rows is a constant where `known` says it.
template <int known>
TRAMMEL_KERNEL void substitute_forward(const SchurProgram& program, const SchurColumn& column, double* y) {
  const Index n = row_count<known>(column.rows);
  const double* L = program.values + column.diagonal;
  double* z = y + column.first_row;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < n; ++i) z[i] -= L[i + j * n] * z[j];
  }
  for (Index e = column.first_entry; e < column.end_entry; ++e) {
    const SchurEntry& below = program.entries[e];
    with_rows(below.rows, [&](auto rows) {
      add_product<rows.value, true>(program.values + below.offset, below.rows, n, z, y + below.first_row);
    });
  }
}

template <int known>
TRAMMEL_KERNEL void substitute_backward(const SchurProgram& program, const SchurColumn& column, double* y, bool sparse) {
  const Index n = row_count<known>(column.rows);
  const double* L = program.values + column.diagonal;
  double* z = y + column.first_row;
  for (Index j = 0; j < n; ++j) z[j] *= program.inverse_diagonal[column.first_row + j];
  for (Index e = column.first_entry; e < column.end_entry; ++e) {
    const SchurEntry& below = program.entries[e];
    if (sparse && all_zero(y + below.first_row, below.rows)) continue;
    with_rows(below.rows, [&](auto rows) {
      subtract_transposed_product<rows.value>(program.values + below.offset, below.rows, n, y + below.first_row, z);
    });
  }
  for (Index j = n - 1; j >= 0; --j) {
    for (Index i = j + 1; i < n; ++i) z[j] -= L[i + j * n] * z[i];
  }
}

void solve(const SchurProgram& program, double* x, bool sparse) {
  double* y = program.work;
  for (Index p = 0; p < program.rows; ++p) y[p] = x[program.row_of_position[p]];
  for (Index k = 0; k < program.column_count; ++k) {  // L z = y
    const SchurColumn& column = program.columns[k];
    if (sparse && all_zero(y + column.first_row, column.rows)) continue;
    with_rows(column.rows, [&](auto known) { substitute_forward<known.value>(program, column, y); });
  }
  for (Index k = program.column_count; k-- > 0;) {  // L^T x = D^-1 z
    const SchurColumn& column = program.columns[k];
    with_rows(column.rows, [&](auto known) { substitute_backward<known.value>(program, column, y, sparse); });
  }
  for (Index p = 0; p < program.rows; ++p) x[program.row_of_position[p]] = y[p];
}

void add_products(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A, Index width,
                  const double* x, double* out) {
  for (const JacobianBlock* block = blocks; block != blocks + count; ++block) {
    with_rows(block->rows, [&](auto rows) {
      add_product<rows.value, false>(A + block->*offset, block->rows, width, x + block->body * width,
                                     out + block->first_row);
    });
  }
}

void subtract_transposed(const JacobianBlock* blocks, Index count, Index JacobianBlock::*offset, const double* A,
                         Index width, const double* y, double* out) {
  for (const JacobianBlock* block = blocks; block != blocks + count; ++block) {
    with_rows(block->rows, [&](auto rows) {
      subtract_transposed_product<rows.value>(A + block->*offset, block->rows, width, y + block->first_row,
                                              out + block->body * width);
    });
  }
}

constexpr BlockKernels set_of(const char* name) {
  return {name, &assemble, &factorize, &solve, &add_products, &subtract_transposed};
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
