// A column of 1 to 7 doubles held in vector registers: the element of the block kernels.
#pragma once

// Included only by the files that are compiled once per instruction set; the macro keeps their symbols apart, so that
// no linker replaces the code of one set by that of another.
#if !defined(TRAMMEL_KERNEL_SET)
#error "define TRAMMEL_KERNEL_SET before including this file"
#endif

namespace trammel::TRAMMEL_KERNEL_SET {

using Double2 [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
using Double4 [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

#define TRAMMEL_KERNEL [[gnu::always_inline]] inline

/// n = 4 + 2 + 1 as the bits of n say; parts that n does not have are never touched.
template <int n>
struct Rows {
  Double4 a;
  Double2 b;
  double c;

  static constexpr bool has_a = (n & 4) != 0, has_b = (n & 2) != 0, has_c = (n & 1) != 0;
  static constexpr int at_b = n & 4, at_c = n & 6;

  TRAMMEL_KERNEL void clear() {
    if constexpr (has_a) a = Double4{0, 0, 0, 0};
    if constexpr (has_b) b = Double2{0, 0};
    if constexpr (has_c) c = 0;
  }
  TRAMMEL_KERNEL void load(const double* x) {
    if constexpr (has_a) a = *reinterpret_cast<const Double4*>(x);
    if constexpr (has_b) b = *reinterpret_cast<const Double2*>(x + at_b);
    if constexpr (has_c) c = x[at_c];
  }
  TRAMMEL_KERNEL void store(double* x) const {
    if constexpr (has_a) *reinterpret_cast<Double4*>(x) = a;
    if constexpr (has_b) *reinterpret_cast<Double2*>(x + at_b) = b;
    if constexpr (has_c) x[at_c] = c;
  }
  /// += x * factor
  TRAMMEL_KERNEL void add(const double* x, double factor) {
    if constexpr (has_a) a += *reinterpret_cast<const Double4*>(x) * factor;
    if constexpr (has_b) b += *reinterpret_cast<const Double2*>(x + at_b) * factor;
    if constexpr (has_c) c += x[at_c] * factor;
  }
  TRAMMEL_KERNEL void add(const Rows& x, double factor) {
    if constexpr (has_a) a += x.a * factor;
    if constexpr (has_b) b += x.b * factor;
    if constexpr (has_c) c += x.c * factor;
  }
  /// -= x * factor
  TRAMMEL_KERNEL void subtract(const double* x, double factor) {
    if constexpr (has_a) a -= *reinterpret_cast<const Double4*>(x) * factor;
    if constexpr (has_b) b -= *reinterpret_cast<const Double2*>(x + at_b) * factor;
    if constexpr (has_c) c -= x[at_c] * factor;
  }
  TRAMMEL_KERNEL void subtract(const Rows& x, double factor) {
    if constexpr (has_a) a -= x.a * factor;
    if constexpr (has_b) b -= x.b * factor;
    if constexpr (has_c) c -= x.c * factor;
  }
  TRAMMEL_KERNEL void scale(double factor) {
    if constexpr (has_a) a *= factor;
    if constexpr (has_b) b *= factor;
    if constexpr (has_c) c *= factor;
  }
  TRAMMEL_KERNEL void add(const Rows& x) {
    if constexpr (has_a) a += x.a;
    if constexpr (has_b) b += x.b;
    if constexpr (has_c) c += x.c;
  }
  TRAMMEL_KERNEL void subtract_from(const double* x) {  // x - this
    Rows other;
    other.load(x);
    if constexpr (has_a) a = other.a - a;
    if constexpr (has_b) b = other.b - b;
    if constexpr (has_c) c = other.c - c;
  }
};

/// Calls f(constant<i>) for i = 0 .. n - 1, unrolled.
template <int i>
struct Constant {
  static constexpr int value = i;
};
template <int n, int i = 0, class F>
TRAMMEL_KERNEL void unrolled(const F& f) {
  if constexpr (i < n) {
    f(Constant<i>());
    unrolled<n, i + 1>(f);
  }
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
