// Dense kernels of the multifrontal factorization. Included once per instruction set by front_kernels_*.cpp; uses
// nothing of the standard library, whose inline functions all sets would share.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/front_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

TRAMMEL_KERNEL Double4 load_rows(const double* x) { return *reinterpret_cast<const Double4*>(x); }
TRAMMEL_KERNEL void store_rows(double* x, Double4 value) { *reinterpret_cast<Double4*>(x) = value; }
TRAMMEL_KERNEL double magnitude(double x) { return __builtin_fabs(x); }

/// rows [from, size) of `column` -= sum_k L(:, k) u[k], for the columns [first, size); four rows at once, padding
/// included.
template <int width>
TRAMMEL_KERNEL void update_rest(const double* L, Index stride, Index from, Index size, double* F, Index first) {
  Index row = from;
  for (; row + 4 < size; row += 8) {
    Double4 low[width], high[width];
    unrolled<width>([&](auto k) {
      low[k.value] = load_rows(L + k.value * stride + row);
      high[k.value] = load_rows(L + k.value * stride + row + 4);
    });
    for (Index j = first; j < size; ++j) {
      double* column = F + j * stride;
      const double* u = column + from - width;
      Double4 a = load_rows(column + row), b = load_rows(column + row + 4);
      unrolled<width>([&](auto k) {
        a -= low[k.value] * u[k.value];
        b -= high[k.value] * u[k.value];
      });
      store_rows(column + row, a);
      store_rows(column + row + 4, b);
    }
  }
  if (row >= size) return;
  Double4 low[width];
  unrolled<width>([&](auto k) { low[k.value] = load_rows(L + k.value * stride + row); });
  for (Index j = first; j < size; ++j) {
    double* column = F + j * stride;
    const double* u = column + from - width;
    Double4 a = load_rows(column + row);
    unrolled<width>([&](auto k) { a -= low[k.value] * u[k.value]; });
    store_rows(column + row, a);
  }
}

/// Exchanges row k with the row of the largest entry of column k.
[[gnu::noinline]] inline void exchange(const FrontView& f, Index k, double largest) {
  Index best = k + 1;
  while (best + 1 < f.pivots && magnitude(f.data[k * f.stride + best]) != largest) ++best;
  f.exchanged[k] = best;
  for (double *a = f.data + k, *b = f.data + best; a < f.data + f.stride * f.size; a += f.stride, b += f.stride) {
    const double x = *a;
    *a = *b;
    *b = x;
  }
}

/// Pivots k0 .. k0 + width - 1 of P F = L U with 1/U(k, k) on the diagonal; pivots are sought in the first `pivots`
/// rows.
template <int width>
TRAMMEL_KERNEL bool eliminate(const FrontView& f, Index k0) {
  const Index stride = f.stride, size = f.size, pivots = f.pivots;
  Double4 most = Double4{0, 0, 0, 0};
  for (Index k = k0; k < k0 + width; ++k) {
    double* column = f.data + k * stride;
    // A pivot on the diagonal is kept unless another is much larger: most exchanges are spared.
    double largest = 0;
    for (Index i = k + 1; i < pivots; ++i) {
      const double m = magnitude(column[i]);
      largest = m > largest ? m : largest;
    }
    f.exchanged[k] = k;
    if (largest > diagonal_preference * magnitude(column[k])) exchange(f, k, largest);
    if (column[k] == 0) return false;
    const double inverse = 1 / column[k];
    column[k] = inverse;
    Double4 growth = Double4{0, 0, 0, 0};
    for (Index i = k + 1; i < size; i += 4) {
      const Double4 l = load_rows(column + i) * inverse;
      store_rows(column + i, l);
      growth = l > growth ? l : growth;
      growth = -l > growth ? -l : growth;
    }
    const bool tame = growth[0] < largest_multiplier && growth[1] < largest_multiplier &&
                      growth[2] < largest_multiplier && growth[3] < largest_multiplier;
    if (!tame) return false;
    most = growth > most ? growth : most;
    for (double* other = column + stride; other < f.data + (k0 + width) * stride; other += stride) {
      const double u = other[k];
      for (Index i = k + 1; i < size; i += 4) store_rows(other + i, load_rows(other + i) - load_rows(column + i) * u);
    }
  }
  for (int i = 0; i < 4; ++i) {
    if (most[i] > *f.largest_multiplier) *f.largest_multiplier = most[i];
  }
  const double* L = f.data + k0 * stride;
  for (Index j = k0 + width; j < size; ++j) {
    double* u = f.data + j * stride + k0;
    unrolled<width>([&](auto i) {
      unrolled<i.value>([&](auto k) { u[i.value] -= L[k.value * stride + k0 + i.value] * u[k.value]; });
    });
  }
  update_rest<width>(L, stride, k0 + width, size, f.data, k0 + width);
  return true;
}

bool factorize_front(const FrontView& front) {
  const FrontView f = front;
  Index k = 0;
  for (; k + 4 <= f.pivots; k += 4) {
    if (!eliminate<4>(f, k)) return false;
  }
  switch (f.pivots - k) {
    case 1: return eliminate<1>(f, k);
    case 2: return eliminate<2>(f, k);
    case 3: return eliminate<3>(f, k);
    default: return true;
  }
}

/// y[from .. to) -= sum_k columns(:, k) x[k], four rows at once: up to three rows more are written.
template <int width>
TRAMMEL_KERNEL void subtract_columns(const double* columns, Index stride, const double* x, Index from, Index to,
                                     double* y) {
  double factor[width];
  unrolled<width>([&](auto k) { factor[k.value] = x[k.value]; });
  for (Index i = from; i < to; i += 4) {
    Double4 sum = load_rows(y + i);
    unrolled<width>([&](auto k) { sum -= load_rows(columns + k.value * stride + i) * factor[k.value]; });
    store_rows(y + i, sum);
  }
}

/// Columns k0 .. k0 + width - 1 of L y = b, the border included.
template <int width>
TRAMMEL_KERNEL void forward_columns(const FrontView& f, Index k0, double* y) {
  const double* L = f.data + k0 * f.stride;
  unrolled<width>([&](auto i) {
    unrolled<i.value>([&](auto k) { y[k0 + i.value] -= L[k.value * f.stride + k0 + i.value] * y[k0 + k.value]; });
  });
  subtract_columns<width>(L, f.stride, y + k0, k0 + width, f.size, y);
}

/// Columns k0 .. k0 + width - 1 of U y = b; k0 is a multiple of 4.
template <int width>
TRAMMEL_KERNEL void backward_columns(const FrontView& f, Index k0, double* y) {
  const double* U = f.data + k0 * f.stride;
  unrolled<width>([&](auto step) {
    constexpr int k = width - 1 - decltype(step)::value;
    y[k0 + k] *= U[k * f.stride + k0 + k];
    unrolled<k>([&](auto i) { y[k0 + i.value] -= U[k * f.stride + k0 + i.value] * y[k0 + k]; });
  });
  subtract_columns<width>(U, f.stride, y + k0, 0, k0, y);
}

TRAMMEL_KERNEL double inner_product(const double* a, const double* b, Index from, Index to) {
  double sum = 0;
  for (Index i = from; i < to; ++i) sum += a[i] * b[i];
  return sum;
}

// y: pivots, then the border's sums. A = P^T L U, so A x = b is L (U x) = P b, A^T x = b is U^T (L^T (P x)) = b.
void forward_front(const FrontView& front, bool transposed, double* y) {
  const FrontView f = front;
  if (transposed) {
    for (Index k = 0; k < f.pivots; ++k) {
      const double* column = f.data + k * f.stride;
      y[k] = (y[k] - inner_product(column, y, 0, k)) * column[k];
    }
    for (Index j = f.pivots; j < f.size; ++j) y[j] -= inner_product(f.data + j * f.stride, y, 0, f.pivots);
    return;
  }
  for (Index k = 0; k < f.pivots; ++k) {
    const Index other = f.exchanged[k];
    const double x = y[other];
    y[other] = y[k];
    y[k] = x;
  }
  Index k = 0;
  for (; k + 4 <= f.pivots; k += 4) forward_columns<4>(f, k, y);
  switch (f.pivots - k) {
    case 1: return forward_columns<1>(f, k, y);
    case 2: return forward_columns<2>(f, k, y);
    case 3: return forward_columns<3>(f, k, y);
    default: return;
  }
}

// y: pivots as the way forward left them, then the border's solution.
void backward_front(const FrontView& front, bool transposed, double* y) {
  const FrontView f = front;
  if (transposed) {
    for (Index k = f.pivots - 1; k >= 0; --k) y[k] -= inner_product(f.data + k * f.stride, y, k + 1, f.size);
    for (Index k = f.pivots - 1; k >= 0; --k) {
      const Index other = f.exchanged[k];
      const double x = y[other];
      y[other] = y[k];
      y[k] = x;
    }
    return;
  }
  for (Index i = 0; i < f.pivots;
       i += 4) {  // the last four rows may spoil the border's first, which are not needed then
    Double4 sum = load_rows(y + i);
    const double* row = f.data + i;
    for (Index j = f.pivots; j < f.size; ++j) sum -= load_rows(row + j * f.stride) * y[j];
    store_rows(y + i, sum);
  }
  Index k = f.pivots / 4 * 4;
  switch (f.pivots - k) {
    case 1: backward_columns<1>(f, k, y); break;
    case 2: backward_columns<2>(f, k, y); break;
    case 3: backward_columns<3>(f, k, y); break;
    default: break;
  }
  while ((k -= 4) >= 0) backward_columns<4>(f, k, y);
}

bool scale_front(const double* A, Index size, Index stride, const double* column_scale, double* row_scale, double* a) {
  const Double4 zero{0, 0, 0, 0}, one{1, 1, 1, 1};
  Double4 odd = zero;  // not a number where one is not finite
  for (Index i = 0; i < size; i += 4) {
    Double4 largest = zero;
    for (Index j = 0; j < size; ++j) {
      Double4 x = load_rows(A + j * stride + i);
      if (column_scale != nullptr) x *= column_scale[j];
      odd += x * 0;
      largest = x > largest ? x : largest;
      largest = -x > largest ? -x : largest;
    }
    const Double4 scale = largest > zero ? one / largest : one;
    store_rows(row_scale + i, scale);
    for (Index j = 0; j < size; ++j) {
      Double4 x = load_rows(A + j * stride + i);
      if (column_scale != nullptr) x *= column_scale[j];
      store_rows(a + j * stride + i, x * scale);
    }
  }
  return odd[0] + odd[1] + (odd[2] + odd[3]) == 0;
}

void add_sum(const FrontSum& sum, double* numbers) {
  for (Index j = 0; j < sum.columns; ++j) {
    const double* from = numbers + sum.from + j * sum.from_stride;
    double* to = numbers + sum.to + j * sum.to_stride;
    for (Index i = 0; i < sum.rows; ++i) to[i] += from[i];
  }
}

template <int c>
void add_scaled(const double* K, double c0, const double* C, double c1, double* to, Index stride) {
  for (int j = 0; j < c; ++j, K += c, to += stride) {
    Rows<c> sum;
    sum.load(to);
    sum.add(K, c0);
    if (C != nullptr) sum.add(C + j * c, c1);
    sum.store(to);
  }
}

/// A product that is rounded before it is subtracted, on machines with FMA as on others.
TRAMMEL_KERNEL Double4 rounded(Double4 product) {
#if defined(__FMA__)
  asm("" : "+x"(product));
#endif
  return product;
}

/// to[i] -= from[i] * factor, `blocks` times four numbers.
template <int blocks>
TRAMMEL_KERNEL void subtract_multiple(const double* from, double factor, double* to) {
  unrolled<blocks>([&](auto b) {
    constexpr Index i = 4 * decltype(b)::value;
    store_rows(to + i, load_rows(to + i) - rounded(load_rows(from + i) * factor));
  });
}

template <int blocks>
TRAMMEL_KERNEL Index factorize_blocks(const SmallFactors& small) {
  constexpr Index stride = 4 * blocks;
  const Index n = small.size;
  Index* order = small.pivot;                            // rows with a pivot, then the others
  double open[stride], *column = small.U, *L = small.L;  // open: 1 for rows without a pivot
  for (Index i = 0; i < stride; ++i) open[i] = 1;
  for (Index i = 0; i < n; ++i) order[i] = i;
  for (Index k = 0; k < n; ++k, column += stride, L += stride) {
    Index best = -1;
    double most = 0;
    for (Index i = k; i < n; ++i) {
      const double size = magnitude(column[order[i]]);
      if (size > most) most = size, best = i;
    }
    if (best < 0) return k;
    const Index pivot = order[best];
    order[best] = order[k];
    order[k] = pivot;
    const double inverse = 1 / column[pivot];
    small.diagonal[k] = column[pivot];
    open[pivot] = 0;
    unrolled<blocks>([&](auto b) {
      constexpr Index i = 4 * decltype(b)::value;
      const Double4 rows = load_rows(open + i), x = load_rows(column + i);
      store_rows(L + i, x * (rows * inverse));
      store_rows(column + i, x - x * rows);
    });
    column[pivot] = 0;
    double* other = column + stride;
    for (Index j = k + 1; j < n; ++j, other += stride) {
      if (const double u = other[pivot]; u != 0) subtract_multiple<blocks>(L, u, other);
    }
  }
  return -1;
}

Index factorize_small(const SmallFactors& small) {
  switch (small.stride / 4) {
    case 1: return factorize_blocks<1>(small);
    case 2: return factorize_blocks<2>(small);
    case 3: return factorize_blocks<3>(small);
    default: return factorize_blocks<4>(small);
  }
}

template <int blocks>
TRAMMEL_KERNEL void solve_blocks(const SmallFactors& small, double* b, double* x) {
  constexpr Index stride = 4 * blocks;
  const Index n = small.size;
  const Index* pivot = small.pivot;
  const double* column = small.L;
  for (Index k = 0; k < n; ++k, column += stride) subtract_multiple<blocks>(column, b[pivot[k]], b);
  column = small.U + n * stride;
  for (Index k = n - 1; k >= 0; --k) {
    column -= stride;
    x[k] = b[pivot[k]] / small.diagonal[k];
    subtract_multiple<blocks>(column, x[k], b);
  }
}

void solve_small(const SmallFactors& small, bool transposed, double* b, double* x) {
  if (transposed) {  // A^T = U^T L^T P: numbers stand in their rows
    const Index n = small.size, stride = small.stride;
    for (Index i = 0; i < stride; ++i) x[i] = 0;
    for (Index k = 0; k < n; ++k)
      x[small.pivot[k]] = (b[k] - inner_product(small.U + k * stride, x, 0, n)) / small.diagonal[k];
    for (Index k = n - 1; k >= 0; --k) x[small.pivot[k]] -= inner_product(small.L + k * stride, x, 0, n);
    return;
  }
  switch (small.stride / 4) {
    case 1: return solve_blocks<1>(small, b, x);
    case 2: return solve_blocks<2>(small, b, x);
    case 3: return solve_blocks<3>(small, b, x);
    default: return solve_blocks<4>(small, b, x);
  }
}

constexpr FrontKernels front_set() {
  return {&factorize_front, &forward_front, &backward_front,  &scale_front, &add_sum,
          &add_scaled<3>,   &add_scaled<7>, &factorize_small, &solve_small};
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
