// SmoothDifferences: a derivative from five values, and whether there is one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace trammel {

/// f at p - 2 h, p - h, p, p + h, p + 2 h; five vectors of one length.
class SmoothDifferences {
 public:
  SmoothDifferences(std::vector<double> m2, std::vector<double> m1, std::vector<double> at, std::vector<double> p1,
                    std::vector<double> p2, double h)
      : f_{std::move(m2), std::move(m1), std::move(at), std::move(p1), std::move(p2)}, h_(h) {}

  /// Of fourth order: (8 (f_1 - f_-1) - (f_2 - f_-2)) / (12 h).
  std::vector<double> first_derivative() const {
    std::vector<double> result(f_[0].size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = (4 * slope(i, 1) - slope(i, 2)) / 3;
    return result;
  }

  /// Whether f has a derivative there, in entries first .. last - 1, by what jumps and kinks do to differences over h and
  /// 2 h: over the wider step, the slope of a jump halves, and the second difference of a kink, times h, doubles where
  /// that of a smooth function grows fourfold. `size`: of what the entries are differences of, below whose rounding nothing
  /// is seen.
  bool smooth(std::size_t first, std::size_t last, double size) const {
    double largest = 0;
    for (std::size_t i = first; i < last; ++i) {
      largest = std::max({largest, std::abs(slope(i, 1)), std::abs(slope(i, 2))});
      for (const std::vector<double>& f : f_) size = std::max(size, std::abs(f[i]));
    }
    const double unseen = rounding * size / h_;
    if (!std::isfinite(unseen + largest)) return false;
    for (std::size_t i = first; i < last; ++i) {
      if (std::abs(slope(i, 1) - slope(i, 2)) > unseen + of_jump * largest) return false;
      if (std::abs(4 * bend(i, 1) - bend(i, 2)) / h_ > unseen + of_kink * largest) return false;
    }
    return true;
  }

 private:
  static constexpr double rounding = 1e-12;  // of values that come from solves
  // Of the largest slope: smooth functions differ by the square and by the cube of h over the length they change in, which
  // is far longer than h.
  static constexpr double of_jump = 1e-4, of_kink = 1e-5;

  double slope(std::size_t i, std::size_t k) const {
    return (f_[2 + k][i] - f_[2 - k][i]) / (2 * static_cast<double>(k) * h_);
  }
  double bend(std::size_t i, std::size_t k) const { return f_[2 + k][i] - 2 * f_[2][i] + f_[2 - k][i]; }

  std::vector<double> f_[5];
  double h_;
};

}  // namespace trammel
