// The factor S = L D L^T by columns of blocks. Part of block_kernels.h.
#pragma once

#include "linalg/block_products.h"

namespace trammel::TRAMMEL_KERNEL_SET {

struct Pivots {
  const SchurProgram& program;
  const unsigned char* dropped;
  double threshold;
  RankWatch& watch;
  double largest_ratio = 0;  ///< scale/pivot where whole columns were kept, and the column
  const SchurColumn* closest = nullptr;

  /// Hands that over to the watch.
  void finish() const {
    if (!(largest_ratio * watch.smallest_kept > 1)) return;
    watch.smallest_kept = 1 / largest_ratio;
    for (Index position = closest->first_row; position < closest->first_row + closest->rows; ++position) {
      if (program.scale[position] * program.inverse_diagonal[position] < largest_ratio) continue;
      watch.smallest_kept_row = program.row_of_position[position];
    }
  }
  /// 1/pivot, or 0 for a row that is left out; `bad` where a number is not finite.
  TRAMMEL_KERNEL double inverse(double pivot, Index position, bool& bad) const {
    // pivot/scale by comparison of products: the division would cost more than the pivot's own.
    const double scale = program.scale[position];
    const Index row = program.row_of_position[position];
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

/// Right-looking, so that the next pivot waits for one product only. False, and nothing written, if some row is to be
/// left out or a number is not finite: calls in between would cost more than the arithmetic.
template <int n>
TRAMMEL_KERNEL bool factorize_kept(const SchurColumn& column, Pivots& pivots, double* L, double* inverse) {
  double a[n][n];  // lower triangle, a[k] is column k, 1/pivot on the diagonal; lives in registers
  bool kept = pivots.dropped == nullptr;
  double largest = 0;  // of scale/pivot
  const double* scale = pivots.program.scale + column.first_row;
  unrolled<n>([&](auto j) {
    unrolled<n - j.value>([&](auto i) { a[j.value][j.value + i.value] = L[j.value + i.value + j.value * n]; });
  });
  unrolled<n>([&](auto j_) {
    constexpr int j = j_.value;
    kept &= a[j][j] > pivots.threshold * scale[j];
    a[j][j] = 1 / a[j][j];
    const double ratio = scale[j] * a[j][j];
    largest = ratio > largest ? ratio : largest;
    unrolled<n - 1 - j>([&](auto step) {
      constexpr int k = j + 1 + step.value;
      const double l = a[j][k] * a[j][j];
      unrolled<n - k>([&](auto below) { a[k][k + below.value] -= a[j][k + below.value] * l; });
    });
    unrolled<n - 1 - j>([&](auto step) { a[j][j + 1 + step.value] *= a[j][j]; });
  });
  if (!kept) return false;
  unrolled<n>([&](auto j) {
    inverse[j.value] = a[j.value][j.value];
    unrolled<n - 1 - j.value>(
        [&](auto i) { L[j.value + 1 + i.value + j.value * n] = a[j.value][j.value + 1 + i.value]; });
  });
  if (largest > pivots.largest_ratio) pivots.largest_ratio = largest, pivots.closest = &column;
  return true;
}

/// Returns the row of a bad pivot, or -1.
Index factorize_diagonal_closely(const SchurColumn& column, const Pivots& pivots, double* L, double* inverse) {
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
TRAMMEL_KERNEL void solve_right_inline(const double* L, const double* inverse, double* S, double* unscaled) {
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

template <int m, int n>
void solve_right(const double* L, const double* inverse, Index, Index, double* S, double* unscaled) {
  solve_right_inline<m, n>(L, inverse, S, unscaled);
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
  SolveRight entries[most_kernel_rows][most_kernel_rows];

  template <int m, int n>
  constexpr void fill() {
    if constexpr (m <= most_kernel_rows) {
      entries[m - 1][n - 1] = &solve_right<m, n>;
      if constexpr (n < most_kernel_rows) {
        fill<m, n + 1>();
      } else {
        fill<m + 1, 1>();
      }
    }
  }
  constexpr SolveRightTable() : entries() { fill<1, 1>(); }  // after `fill`: clang 14 wants it in this order
  TRAMMEL_KERNEL SolveRight operator()(Index m, Index n) const {
    return m > most_kernel_rows || n > most_kernel_rows ? &solve_right_any : entries[m - 1][n - 1];
  }
};
constexpr SolveRightTable solve_right_table;

/// One column: its diagonal block, the blocks below it, and what they subtract from later columns. n and m are
/// constants where all blocks below have m rows, as in chains and in ladders of equal joints.
template <int n, int m>
Index factorize_uniform(const SchurProgram& program, const SchurColumn& column, Pivots& pivots) {
  double *values = program.values, *L = values + column.diagonal,
         *inverse = program.inverse_diagonal + column.first_row;
  if (!factorize_kept<n>(column, pivots, L, inverse)) {
    const Index bad = factorize_diagonal_closely(column, pivots, L, inverse);
    if (bad >= 0) return bad;
  }
  const SchurEntry *first = program.entries + column.first_entry, *end = program.entries + column.end_entry;
  double* unscaled = program.unscaled;
  for (const SchurEntry* e = first; e != end; ++e, unscaled += m * n) {  // L_e = S_e L^-T D^-1
    solve_right_inline<m, n>(L, inverse, values + e->offset, unscaled);
  }
  const Index* target = program.updates + column.first_update;
  const double* left = program.unscaled;
  for (const SchurEntry* a = first; a != end; ++a, left += m * n) {  // S_ab -= (L_a D) L_b^T
    for (const SchurEntry* b = first; b != a; ++b) {
      multiply_inline<m, m, Mode::subtract>(left, values + b->offset, n, values + *target++);
    }
    multiply_symmetric_inline<m, Mode::subtract>(left, values + a->offset, n, values + *target++);
  }
  return -1;
}

Index factorize_general(const SchurProgram& program, const SchurColumn& column, Pivots& pivots) {
  const Index n = column.rows;
  double *values = program.values, *L = values + column.diagonal,
         *inverse = program.inverse_diagonal + column.first_row;
  const Index bad = factorize_diagonal_closely(column, pivots, L, inverse);
  if (bad >= 0) return bad;
  const SchurEntry *first = program.entries + column.first_entry, *end = program.entries + column.end_entry;
  double* unscaled = program.unscaled;
  for (const SchurEntry* e = first; e != end; ++e) {
    solve_right_table(e->rows, n)(L, inverse, e->rows, n, values + e->offset, unscaled);
    unscaled += e->rows * n;
  }
  const Index* target = program.updates + column.first_update;
  const double* left = program.unscaled;
  for (const SchurEntry* a = first; a != end; ++a) {
    for (const SchurEntry* b = first; b <= a; ++b) {
      const Index kernel = product_kernel(a->rows, b->rows, a == b);
      double* entry = values + *target++;
      if (kernel < general_kernel) {
        products<Mode::subtract>.entries[kernel](left, values + b->offset, n, entry);
      } else {
        multiply_any<Mode::subtract>(left, values + b->offset, a->rows, b->rows, n, entry);
      }
    }
    left += a->rows * n;
  }
  return -1;
}

using FactorizeColumn = Index (*)(const SchurProgram&, const SchurColumn&, Pivots&);
template <int n, int m>
struct FactorizeKernel {
  static Index run(const SchurProgram& program, const SchurColumn& column, Pivots& pivots) {
    return factorize_uniform<n, m>(program, column, pivots);
  }
};
constexpr ColumnTable<FactorizeColumn, FactorizeKernel> factorize_table{&factorize_general};

Index factorize(const SchurProgram& program, const unsigned char* dropped, double threshold, RankWatch& watch) {
  bool any_dropped = false;
  for (Index r = 0; dropped != nullptr && r < program.rows; ++r) any_dropped |= dropped[r] != 0;
  Pivots pivots{program, any_dropped ? dropped : nullptr, threshold, watch};
  for (const SchurColumn* column = program.columns; column != program.columns + program.column_count; ++column) {
    const Index bad = factorize_table(*column)(program, *column, pivots);
    if (bad >= 0) return bad;
  }
  pivots.finish();
  return -1;
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
