// Products of small blocks with many columns at once. Included once per instruction set by column_kernels_*.cpp; uses
// nothing of the standard library, whose inline functions all sets would share.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/column_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

TRAMMEL_KERNEL Double4 load4(const double* x) { return *reinterpret_cast<const Double4*>(x); }
TRAMMEL_KERNEL void store4(double* x, Double4 value) { *reinterpret_cast<Double4*>(x) = value; }

/// Coordinates move few bodies: most lanes of a tangent's columns are zero, and so is what comes of them.
TRAMMEL_KERNEL bool is_zero(Double4 x) {
  const auto other = x != 0;
  return (other[0] | other[1] | other[2] | other[3]) == 0;
}

template <int count>
TRAMMEL_KERNEL void add_block(const BlockView& B, const double* X, Index stride, double* out) {
  for (Index lane = 0; lane < stride; lane += 4) {
    Double4 x[count];
    unrolled<count>([&](auto i) { x[i.value] = load4(X + i.value * stride + lane); });
    auto other = x[0] != 0;
    unrolled<count>([&](auto i) { other |= x[i.value] != 0; });
    if ((other[0] | other[1] | other[2] | other[3]) == 0) continue;
    const double* entry = B.data;
    double* target = out + lane;
    for (Index o = 0; o < B.count_out; ++o, entry += B.stride_out, target += stride) {
      Double4 sum = load4(target);
      unrolled<count>([&](auto i) { sum += x[i.value] * entry[i.value * B.stride_in]; });
      store4(target, sum);
    }
  }
}

void add_columns(const BlockView& block, const double* X, Index stride, double* out) {
  BlockView B = block;
  while (B.count_in > 0) {
    const Index piece = B.count_in < 7 ? B.count_in : 7;
    switch (piece) {
      case 1: add_block<1>(B, X, stride, out); break;
      case 2: add_block<2>(B, X, stride, out); break;
      case 3: add_block<3>(B, X, stride, out); break;
      case 4: add_block<4>(B, X, stride, out); break;
      case 5: add_block<5>(B, X, stride, out); break;
      case 6: add_block<6>(B, X, stride, out); break;
      default: add_block<7>(B, X, stride, out); break;
    }
    B.count_in -= piece;
    B.data += piece * B.stride_in;
    X += piece * stride;
  }
}

/// Which lane groups of some rows are not all zero: a bit for each, the last one for all that come behind it.
TRAMMEL_KERNEL unsigned long long moved_groups(const double* X, Index rows, Index stride) {
  unsigned long long groups = 0;
  for (Index lane = 0; lane < stride; lane += 4) {
    auto other = load4(X + lane) != 0;
    for (Index i = 1; i < rows; ++i) other |= load4(X + i * stride + lane) != 0;
    const Index bit = lane / 4 < 63 ? lane / 4 : 63;
    if ((other[0] | other[1] | other[2] | other[3]) != 0) groups |= 1ull << bit;
  }
  return groups;
}
TRAMMEL_KERNEL bool moved(unsigned long long groups, Index lane) {
  return (groups >> (lane / 4 < 63 ? lane / 4 : 63) & 1) != 0;
}

/// A body at a time: what does not move it adds nothing.
void add_gram(const double* X, const double* Y, Index count, Index stride, double* out) {
  constexpr Index rows_of_body = 7;
  for (Index first = 0; first < count; first += rows_of_body) {
    const Index rows = count - first < rows_of_body ? count - first : rows_of_body;
    const double *X_b = X + first * stride, *Y_b = Y + first * stride;
    const auto in_X = moved_groups(X_b, rows, stride), in_Y = moved_groups(Y_b, rows, stride);
    for (Index column = 0; column < stride; column += 4) {
      if (!moved(in_Y, column)) continue;
      for (Index row = 0; row < stride; row += 4) {
        if (!moved(in_X, row)) continue;
        Double4 sum[4];
        unrolled<4>([&](auto k) { sum[k.value] = load4(out + (column + k.value) * stride + row); });
        const double *x = X_b + row, *y = Y_b + column;
        for (Index i = 0; i < rows; ++i, x += stride, y += stride) {
          const Double4 left = load4(x);
          unrolled<4>([&](auto k) { sum[k.value] += left * y[k.value]; });
        }
        unrolled<4>([&](auto k) { store4(out + (column + k.value) * stride + row, sum[k.value]); });
      }
    }
  }
}

// --- Triangular solves
// --------------------------------------------------------------------------------------------------

/// One lane group: `width` doubles of each row.
template <int width>
struct Lanes;
template <>
struct Lanes<1> {
  using Value = double;
  TRAMMEL_KERNEL static Value load(const double* x) { return *x; }
  TRAMMEL_KERNEL static void store(double* x, Value value) { *x = value; }
};
template <>
struct Lanes<4> {
  using Value = Double4;
  TRAMMEL_KERNEL static Value load(const double* x) { return load4(x); }
  TRAMMEL_KERNEL static void store(double* x, Value value) { store4(x, value); }
};

/// Rows of part's column k: row -= value * row k.
template <int width>
TRAMMEL_KERNEL void scatter(const BlockTriangularFactors::Part& part, Index k, Index stride, double* y) {
  using Lane = Lanes<width>;
  const Index begin = part.begin[k], end = part.begin[k + 1];
  if (begin == end) return;
  for (Index lane = 0; lane < stride; lane += width) {
    const typename Lane::Value source = Lane::load(y + k * stride + lane);
    if constexpr (width == 4) {
      if (is_zero(source)) continue;
    }
    for (Index e = begin; e < end; ++e) {
      double* target = y + part.row[e] * stride + lane;
      Lane::store(target, Lane::load(target) - source * part.value[e]);
    }
  }
}
/// Row k -= sum of value * row over part's column k.
template <int width>
TRAMMEL_KERNEL void gather(const BlockTriangularFactors::Part& part, Index k, Index stride, double* y) {
  using Lane = Lanes<width>;
  const Index begin = part.begin[k], end = part.begin[k + 1];
  if (begin == end) return;
  for (Index lane = 0; lane < stride; lane += width) {
    typename Lane::Value sum = Lane::load(y + k * stride + lane);
    for (Index e = begin; e < end; ++e) sum -= Lane::load(y + part.row[e] * stride + lane) * part.value[e];
    Lane::store(y + k * stride + lane, sum);
  }
}
template <int width>
TRAMMEL_KERNEL void scale(double factor, Index stride, double* row) {
  using Lane = Lanes<width>;
  for (Index lane = 0; lane < stride; lane += width) Lane::store(row + lane, Lane::load(row + lane) * factor);
}

template <int width>
TRAMMEL_KERNEL void solve_blocks(const BlockTriangularFactors& f, bool transposed, Index stride, double* y) {
  for (Index step = 0; step < f.blocks; ++step) {
    const Index block = transposed ? step : f.blocks - 1 - step;
    const Index begin = f.block_begin[block], end = f.block_begin[block + 1];
    if (end - begin == 1) {  // most blocks of a Jacobian
      if (transposed) gather<width>(f.F, begin, stride, y);
      scale<width>(f.inverse_diagonal[begin], stride, y + begin * stride);
      if (!transposed) scatter<width>(f.F, begin, stride, y);
    } else if (transposed) {
      for (Index k = begin; k < end; ++k) {
        gather<width>(f.F, k, stride, y);
        gather<width>(f.U, k, stride, y);
        scale<width>(f.inverse_diagonal[k], stride, y + k * stride);
      }
      for (Index k = end; k-- > begin;) gather<width>(f.L, k, stride, y);
    } else {
      for (Index k = begin; k < end; ++k) scatter<width>(f.L, k, stride, y);
      for (Index k = end; k-- > begin;) {
        scale<width>(f.inverse_diagonal[k], stride, y + k * stride);
        scatter<width>(f.U, k, stride, y);
      }
      for (Index k = begin; k < end; ++k) scatter<width>(f.F, k, stride, y);
    }
  }
}

void solve_factors(const BlockTriangularFactors& factors, bool transposed, Index stride, double* y) {
  if (stride == 1) {
    solve_blocks<1>(factors, transposed, 1, y);
  } else {
    solve_blocks<4>(factors, transposed, stride, y);
  }
}

constexpr ColumnKernels column_set() { return {&add_columns, &add_gram, &solve_factors}; }

}  // namespace trammel::TRAMMEL_KERNEL_SET
