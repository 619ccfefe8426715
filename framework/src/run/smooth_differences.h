// SmoothDifferences: a derivative from five values, and whether there is one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace trammel {

/// f at five places h apart; vectors of one length.
class SmoothDifferences {
 public:
  /// Where p is among the places: in the middle, or, where f is known on one side only, at an end.
  enum class Place { lowest = 0, middle = 2, highest = 4 };

  SmoothDifferences(std::vector<double> m2, std::vector<double> m1, std::vector<double> at, std::vector<double> p1,
                    std::vector<double> p2, double h, Place place = Place::middle)
      : f_{std::move(m2), std::move(m1), std::move(at), std::move(p1), std::move(p2)}, h_(h), place_(place) {}

  double step() const { return h_; }
  /// From p to the place farthest away.
  double reach() const { return (place_ == Place::middle ? 2 : 4) * h_; }

  /// At p, of fourth order (B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math.
  /// Comp. 51 (1988) 699-706, tables 1 and 3).
  std::vector<double> first_derivative() const {
    std::vector<double> result(f_[0].size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += weights()[k] * f_[k][i];
      result[i] = sum / (12 * h_);
    }
    return result;
  }
  /// By how much `first_derivative` is off if every value is off by 1.
  double noise_factor() const {
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) sum += std::abs(weights()[k]);
    return sum / (12 * h_);
  }
  /// Largest |f| of entries first .. last - 1.
  double largest(std::size_t first, std::size_t last) const {
    double size = 0;
    for (std::size_t i = first; i < last; ++i) {
      for (const std::vector<double>& f : f_) size = std::max(size, std::abs(f[i]));
    }
    return size;
  }
  /// Largest difference of one of these entries between two places.
  double change(std::size_t first, std::size_t last) const {
    double most = 0;
    for (std::size_t i = first; i < last; ++i) {
      double low = f_[0][i], high = low;
      for (const std::vector<double>& f : f_) low = std::min(low, f[i]), high = std::max(high, f[i]);
      most = std::max(most, high - low);
    }
    return most;
  }
  /// What the values look like they are off by: their fourth differences, of which a smooth f leaves h^4 f''''. That of
  /// independent errors of size s is 8.4 s (J. J. More, S. M. Wild, Estimating computational noise, SIAM J. Sci. Comput.
  /// 33 (2011) 1292-1314).
  double noise(std::size_t first, std::size_t last) const {
    constexpr double of_size_one = 8.4;
    double most = 0;
    for (std::size_t i = first; i < last; ++i)
      most = std::max(most, std::abs(f_[0][i] - 4 * f_[1][i] + 6 * f_[2][i] - 4 * f_[3][i] + f_[4][i]));
    return most / of_size_one;
  }

  /// Whether f has a derivative there, in entries first .. last - 1, by what jumps and kinks do to differences over h and
  /// 2 h: over the wider step, the slope of a jump halves, and the second difference of a kink, times h, doubles where
  /// that of a smooth function grows fourfold. `size`: of what the entries are differences of, below whose rounding nothing
  /// is seen.
  bool smooth(std::size_t first, std::size_t last, double size) const {
    double largest_slope = 0;
    for (std::size_t i = first; i < last; ++i)
      largest_slope = std::max({largest_slope, std::abs(slope(i, 1)), std::abs(slope(i, 2))});
    const double least = unseen(first, last, size);
    if (!std::isfinite(least + largest_slope)) return false;
    for (std::size_t i = first; i < last; ++i) {
      if (jump(i) > least + of_jump * largest_slope || kink(i) > least + of_kink * largest_slope) return false;
    }
    return true;
  }
  /// What `smooth` sees of jumps and kinks, and what it does not see for rounding.
  double irregularity(std::size_t first, std::size_t last) const {
    double most = 0;
    for (std::size_t i = first; i < last; ++i) most = std::max({most, jump(i), kink(i)});
    return most;
  }
  double unseen(std::size_t first, std::size_t last, double size) const {
    return rounding * std::max(size, largest(first, last)) / h_;
  }

 private:
  static constexpr double rounding = 1e-12;  // of values that come from solves
  // Of the largest slope: smooth functions differ by the square and by the cube of h over the length they change in, which
  // is far longer than h.
  static constexpr double of_jump = 1e-4, of_kink = 1e-5;

  const double* weights() const {
    static constexpr double table[3][5] = {{-25, 48, -36, 16, -3}, {1, -8, 0, 8, -1}, {3, -16, 36, -48, 25}};
    return table[static_cast<int>(place_) / 2];
  }
  double slope(std::size_t i, std::size_t k) const {
    return (f_[2 + k][i] - f_[2 - k][i]) / (2 * static_cast<double>(k) * h_);
  }
  double jump(std::size_t i) const { return std::abs(slope(i, 1) - slope(i, 2)); }
  double kink(std::size_t i) const { return std::abs(4 * bend(i, 1) - bend(i, 2)) / h_; }
  double bend(std::size_t i, std::size_t k) const { return f_[2 + k][i] - 2 * f_[2][i] + f_[2 - k][i]; }

  std::vector<double> f_[5];
  double h_;
  Place place_;
};

}  // namespace trammel
