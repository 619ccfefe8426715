// Products of small column-major blocks whose number of rows is known to the compiler: the inner loops of the solvers.
#pragma once

#include <utility>

#include "trammel/linalg.h"

namespace trammel::blocks {

/// Rows known while compiling for 1 to 7 (joints have 1 to 6), else 0: then `rows` is read at run time.
template <Index known>
constexpr Index row_count(Index rows) {
  return known > 0 ? known : rows;
}

/// Calls f with std::integral_constant<Index, R>, R = rows or 0.
template <class F>
inline decltype(auto) with_rows(Index rows, F&& f) {
  switch (rows) {
    case 1: return f(std::integral_constant<Index, 1>());
    case 2: return f(std::integral_constant<Index, 2>());
    case 3: return f(std::integral_constant<Index, 3>());
    case 4: return f(std::integral_constant<Index, 4>());
    case 5: return f(std::integral_constant<Index, 5>());
    case 6: return f(std::integral_constant<Index, 6>());
    case 7: return f(std::integral_constant<Index, 7>());
    default: return f(std::integral_constant<Index, 0>());
  }
}

/// target (m x n) += sign * left (m x width) * right (n x width)^T; `from_diagonal` leaves out what is above it.
template <Index M>
inline void add_outer(double sign, const double* left, const double* right, Index rows_left, Index n, Index width,
                      bool from_diagonal, double* target) {
  const Index m = row_count<M>(rows_left);
  for (Index j = 0; j < n; ++j, target += m) {
    if constexpr (M > 0) {
      double sum[M > 0 ? M : 1] = {};  // stays in registers over the width
      for (Index k = 0; k < width; ++k) {
        const double factor = right[j + k * n];
        for (Index i = 0; i < M; ++i) sum[i] += left[i + k * M] * factor;
      }
      for (Index i = 0; i < M; ++i) target[i] += sign * sum[i];
    } else {
      for (Index k = 0; k < width; ++k) {
        const double factor = sign * right[j + k * n];
        for (Index i = from_diagonal ? j : 0; i < m; ++i) target[i] += left[i + k * m] * factor;
      }
    }
  }
}

/// X (m x n) := X L^-T with L lower triangular (n x n) and the inverses of its diagonal given.
template <Index M>
inline void solve_right(const double* L, const double* inverse_diagonal, Index n, Index rows, double* X) {
  const Index m = row_count<M>(rows);
  for (Index j = 0; j < n; ++j) {
    double* column = X + j * m;
    for (Index k = 0; k < j; ++k) {
      const double factor = L[j + k * n];
      for (Index i = 0; i < m; ++i) column[i] -= X[i + k * m] * factor;
    }
    for (Index i = 0; i < m; ++i) column[i] *= inverse_diagonal[j];
  }
}

/// y += sign * A x, A (m x n).
template <Index M>
inline void add_product(double sign, const double* A, Index rows, Index n, const double* x, double* y) {
  const Index m = row_count<M>(rows);
  if constexpr (M > 0) {
    double sum[M > 0 ? M : 1] = {};
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < M; ++i) sum[i] += A[i + j * M] * x[j];
    }
    for (Index i = 0; i < M; ++i) y[i] += sign * sum[i];
  } else {
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < m; ++i) y[i] += sign * A[i + j * m] * x[j];
    }
  }
}

/// y -= A^T x, A (m x n).
template <Index M>
inline void subtract_transposed(const double* A, Index rows, Index n, const double* x, double* y) {
  const Index m = row_count<M>(rows);
  for (Index j = 0; j < n; ++j) {
    double sum = 0;
    for (Index i = 0; i < m; ++i) sum += A[i + j * m] * x[i];
    y[j] -= sum;
  }
}

}  // namespace trammel::blocks
