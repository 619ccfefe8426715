// Twists, wrenches and rigid shifts in vector registers, for the elimination along a tree. Included once per instruction set.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/twist_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

TRAMMEL_KERNEL Double4 four(const double* x) { return *reinterpret_cast<const Double4*>(x); }
TRAMMEL_KERNEL void keep_four(double* x, Double4 value) { *reinterpret_cast<Double4*>(x) = value; }
TRAMMEL_KERNEL double sum_of(Double4 a) { return (a[0] + a[2]) + (a[1] + a[3]); }
TRAMMEL_KERNEL Double4 yzx(Double4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
TRAMMEL_KERNEL Double4 cross_of(Double4 a, Double4 b) { return yzx(a * yzx(b) - yzx(a) * b); }

/// A twist or a wrench.
template <class S>
struct Twist {
  static constexpr int fours = S::stride / 4;
  Double4 part[fours];

  TRAMMEL_KERNEL void load(const double* x) {
    for (int i = 0; i < fours; ++i) part[i] = four(x + 4 * i);
  }
  TRAMMEL_KERNEL void store(double* x) const {
    for (int i = 0; i < fours; ++i) keep_four(x + 4 * i, part[i]);
  }
  TRAMMEL_KERNEL void clear() {
    for (int i = 0; i < fours; ++i) part[i] = Double4{0, 0, 0, 0};
  }
  TRAMMEL_KERNEL void add(const double* x, double factor) {
    for (int i = 0; i < fours; ++i) part[i] += four(x + 4 * i) * factor;
  }
  TRAMMEL_KERNEL void add(const double* x) {
    for (int i = 0; i < fours; ++i) part[i] += four(x + 4 * i);
  }
  TRAMMEL_KERNEL void add(const Twist& x) {
    for (int i = 0; i < fours; ++i) part[i] += x.part[i];
  }
  TRAMMEL_KERNEL void add(const Twist& x, double factor) {
    for (int i = 0; i < fours; ++i) part[i] += x.part[i] * factor;
  }
  TRAMMEL_KERNEL double dot(const double* x) const {
    Double4 products = part[0] * four(x);
    for (int i = 1; i < fours; ++i) products += part[i] * four(x + 4 * i);
    return sum_of(products);
  }
  TRAMMEL_KERNEL double dot(const Twist& x) const {
    Double4 products = part[0] * x.part[0];
    for (int i = 1; i < fours; ++i) products += part[i] * x.part[i];
    return sum_of(products);
  }
};

/// Place of entry k of a twist.
template <class S>
constexpr int place_of(int k) {
  return S::size == 6 && k >= 3 ? k + 1 : k;
}

/// A x, A column by column.
template <class S>
TRAMMEL_KERNEL Twist<S> product_of(const double* A, const double* x) {
  Twist<S> y;
  y.clear();
  unrolled<S::size>([&](auto k) { y.add(A + k.value * S::stride, x[place_of<S>(k.value)]); });
  return y;
}

/// X t where X is the rigid shift by e, X^T f, and the columns of A X.
TRAMMEL_KERNEL Twist<SpatialSize> shifted(const Twist<SpatialSize>& t, Double4 e) {
  return {{t.part[0] + cross_of(t.part[1], e), t.part[1]}};
}
TRAMMEL_KERNEL Twist<PlanarSize> shifted(const Twist<PlanarSize>& t, Double4 e) {
  return {{t.part[0] + t.part[0][2] * Double4{-e[1], e[0], 0, 0}}};
}
TRAMMEL_KERNEL Twist<SpatialSize> shifted_back(const Twist<SpatialSize>& f, Double4 e) {
  return {{f.part[0], f.part[1] + cross_of(e, f.part[0])}};
}
TRAMMEL_KERNEL Twist<PlanarSize> shifted_back(const Twist<PlanarSize>& f, Double4 e) {
  return {{f.part[0] + Double4{0, 0, e[0] * f.part[0][1] - e[1] * f.part[0][0], 0}}};
}
TRAMMEL_KERNEL void shift_columns(Twist<SpatialSize>* A, Double4 e) {
  const Twist<SpatialSize> x = A[0], y = A[1], z = A[2];
  A[3].add(z, e[1]), A[3].add(y, -e[2]);
  A[4].add(x, e[2]), A[4].add(z, -e[0]);
  A[5].add(y, e[0]), A[5].add(x, -e[1]);
}
TRAMMEL_KERNEL void shift_columns(Twist<PlanarSize>* A, Double4 e) {
  A[2].add(Twist<PlanarSize>(A[1]), e[0]), A[2].add(Twist<PlanarSize>(A[0]), -e[1]);
}

/// X^T f
template <class S>
TRAMMEL_KERNEL Twist<S> moved_back(const Twist<S>& f, Double4 e, const double* general) {
  if (general == nullptr) return shifted_back(f, e);
  Twist<S> back;
  back.clear();
  unrolled<S::size>([&](auto k) {
    constexpr int place = place_of<S>(decltype(k)::value);
    back.part[place / 4][place % 4] = f.dot(general + k.value * S::stride);
  });
  return back;
}

/// Replaces A by A X.
template <class S>
TRAMMEL_KERNEL void times_motion(Twist<S>* A, Double4 e, const double* general) {
  if (general == nullptr) return shift_columns(A, e);
  double columns[S::size * S::stride];
  for (int k = 0; k < S::size; ++k) A[k].store(columns + k * S::stride);
  for (int k = 0; k < S::size; ++k) A[k] = product_of<S>(columns, general + k * S::stride);
}

/// Pivots below this fraction of what they are made of have lost digits that other eliminations keep.
constexpr double least_pivot_of_tree = 1e-6;

/// Inverts a matrix of n rows, column by column, with row pivots; `size`: of what its diagonal is made of. False where a
/// pivot is too small.
template <int n>
TRAMMEL_KERNEL bool invert_pivots(double* a, double* inverse, double* size) {
  if constexpr (n == 1) {
    inverse[0] = 1 / a[0];
    return __builtin_fabs(a[0]) > least_pivot_of_tree * size[0];
  } else {
    for (int i = 0; i < n * n; ++i) inverse[i] = i % (n + 1) == 0 ? 1 : 0;
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i) {
        const double x = a[i + k * n], y = a[best + k * n];
        if (x * x * size[best] > y * y * size[i]) best = i;
      }
      const double pivot = a[best + k * n];
      if (!(pivot * pivot > least_pivot_of_tree * least_pivot_of_tree * size[best] * size[k])) return false;
      size[best] = size[k];
      for (int j = 0; j < n; ++j) {
        const double x = a[k + j * n], y = inverse[k + j * n];
        a[k + j * n] = a[best + j * n], a[best + j * n] = x;
        inverse[k + j * n] = inverse[best + j * n], inverse[best + j * n] = y;
      }
      const double scale = 1 / pivot;
      for (int j = 0; j < n; ++j) a[k + j * n] *= scale, inverse[k + j * n] *= scale;
      for (int i = 0; i < n; ++i) {
        if (i == k) continue;
        const double factor = a[i + k * n];
        for (int j = 0; j < n; ++j) {
          a[i + j * n] -= factor * a[k + j * n];
          inverse[i + j * n] -= factor * inverse[k + j * n];
        }
      }
    }
    return true;
  }
}

/// sum of d_k t_k^2
template <class S>
TRAMMEL_KERNEL double weighted_square(const double* d, const Twist<S>& t) {
  Twist<S> products;
  for (int i = 0; i < Twist<S>::fours; ++i) products.part[i] = t.part[i] * four(d + 4 * i);
  return products.dot(t);
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
