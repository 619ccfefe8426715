// Multifrontal LU: the fronts one after another.
#include "linalg/frontal_lu.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {
// Pivots below this fraction of the largest are rounding, as far as one can tell without scaling rows.
constexpr double least_pivot_of_fronts = 1e-13;
}  // namespace

void FrontalLu::analyse(const MechanismPattern& pattern, bool late) {
  structure_.analyse(pattern, late);
  numbers_.assign(static_cast<std::size_t>(structure_.numbers()) + 4, 0.0);
  given_.clear();
  given_.reserve(numbers_.size());  // most matrices never need it, and pages that nothing touches cost nothing
  local_.assign(2 * (static_cast<std::size_t>(structure_.largest()) + 4), 0.0);
  right_.assign(static_cast<std::size_t>(structure_.unknowns()), 0.0);
  residual_ = right_;
  exchanged_.assign(static_cast<std::size_t>(structure_.unknowns()), 0);
  first_pivot_.clear();
  Index pivots = 0;
  for (const Front& front : structure_.fronts()) {
    first_pivot_.push_back(pivots);
    pivots += front.pivots;
  }
}

double* FrontalLu::clear() {
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  return numbers_.data();
}

double* FrontalLu::clear_given() {
  given_.assign(numbers_.size(), 0.0);
  return given_.data();
}

bool FrontalLu::given_is_finite() const {
  return std::all_of(given_.begin(), given_.end(), [](double x) { return std::isfinite(x); });
}

FrontView FrontalLu::view(std::size_t front) {
  const Front& f = structure_.fronts()[front];
  return {numbers_.data() + f.begin, f.size, f.pivots, f.stride, exchanged_.data() + first_pivot_[front],
          &largest_multiplier_};
}

bool FrontalLu::factorize() {
  const FrontKernels& kernels = front_kernels();
  const std::vector<Front>& fronts = structure_.fronts();
  double smallest = 1, largest = 0;  // of 1 / pivot
  bool first = true;
  largest_multiplier_ = 0;
  for (std::size_t k = 0; k < fronts.size(); ++k) {
    const FrontView f = view(k);
    if (!kernels.factorize(f)) return false;
    for (Index i = 0; i < f.pivots; ++i) {
      const double inverse = std::abs(f.data[i * (f.stride + 1)]);
      if (!std::isfinite(inverse)) return false;
      smallest = first ? inverse : std::min(smallest, inverse);
      largest = std::max(largest, inverse);
      first = false;
    }
    for (Index i = 0; i < fronts[k].sums; ++i) {
      kernels.add_sum(structure_.sums()[static_cast<std::size_t>(fronts[k].first_sum + i)], numbers_.data());
    }
  }
  return smallest >= least_pivot_of_fronts * largest;
}

void FrontalLu::solve(double* x, bool transposed) {
  if (!needs_given()) return solve_once(x, transposed);
  std::copy(x, x + right_.size(), right_.begin());
  solve_once(x, transposed);
  std::copy(right_.begin(), right_.end(), residual_.begin());
  subtract_product(x, transposed, residual_.data());
  solve_once(residual_.data(), transposed);
  for (std::size_t i = 0; i < right_.size(); ++i) x[i] += residual_[i];
}

// r -= A x or A^T x: what is given of each front, times its part of x.
void FrontalLu::subtract_product(const double* x, bool transposed, double* r) {
  double *y = local_.data(), *product = y + local_.size() / 2;
  for (const Front& f : structure_.fronts()) {
    const double* A = given_.data() + f.begin;
    const FrontSegment *first = structure_.segments().data() + f.first_segment, *last = first + f.segments;
    for (const FrontSegment* s = first; s < last; ++s) std::copy(x + s->unknown, x + s->unknown + s->count, y + s->at);
    std::fill(product, product + f.size, 0.0);
    for (Index j = 0; j < f.size; ++j) {
      for (Index i = 0; i < f.size; ++i) {
        if (transposed) {
          product[j] += A[j * f.stride + i] * y[i];
        } else {
          product[i] += A[j * f.stride + i] * y[j];
        }
      }
    }
    for (const FrontSegment* s = first; s < last; ++s) {
      for (Index i = 0; i < s->count; ++i) r[s->unknown + i] -= product[s->at + i];
    }
  }
}

void FrontalLu::solve_once(double* x, bool transposed) {
  const FrontKernels& kernels = front_kernels();
  const std::vector<Front>& fronts = structure_.fronts();
  const FrontSegment* segments = structure_.segments().data();
  double* y = local_.data();
  const auto each = [&](Index first, Index last, auto&& act) {
    for (Index s = first; s < last; ++s) act(x + segments[s].unknown, segments[s].count, y + segments[s].at);
  };
  const auto load = [](const double* from, Index count, double* to) { std::copy(from, from + count, to); };
  const auto store = [](double* to, Index count, const double* from) { std::copy(from, from + count, to); };
  for (std::size_t k = 0; k < fronts.size(); ++k) {
    const Front& f = fronts[k];
    const Index begin = f.first_segment, border = begin + f.pivot_segments, end = begin + f.segments;
    each(begin, border, load);
    std::fill(y + f.pivots, y + f.stride, 0.0);
    kernels.forward(view(k), transposed, y);
    each(begin, border, store);
    each(border, end, [](double* to, Index count, const double* from) {
      for (Index i = 0; i < count; ++i) to[i] += from[i];
    });
  }
  for (std::size_t k = fronts.size(); k-- > 0;) {
    const Front& f = fronts[k];
    const Index begin = f.first_segment, border = begin + f.pivot_segments, end = begin + f.segments;
    each(begin, end, load);
    kernels.backward(view(k), transposed, y);
    each(begin, border, store);
  }
}

}  // namespace trammel
