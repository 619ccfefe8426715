// IllinoisSearch: a zero in a bracket by the Illinois method, safeguarded by bisection (Dowell and Jarratt, BIT 11 (1971)
// 168-174).
#pragma once

#include <algorithm>
#include <cmath>

namespace trammel {

/// The caller evaluates: while the bracket is too wide, `trial` gives a point, and `take` what was found there.
class IllinoisSearch {
 public:
  /// [step] The function has values of different signs at the ends.
  IllinoisSearch(double low, double f_low, double high, double f_high)
      : low_(low),
        high_(high),
        f_low_(f_low),
        f_high_(f_high),
        size_low_(std::abs(f_low)),
        size_high_(std::abs(f_high)) {}

  double width() const { return high_ - low_; }
  int tries() const { return tries_; }
  /// The end of the bracket on the far side of the zero.
  double high() const { return high_; }
  /// The smaller of the function's magnitudes at the ends.
  double least() const { return std::min(size_low_, size_high_); }

  double trial() const {
    const double secant = high_ - f_high_ * (high_ - low_) / (f_high_ - f_low_), middle = 0.5 * (low_ + high_);
    return tries_ % 4 != 3 && secant > low_ && secant < high_ ? secant : middle;
  }
  /// `before`: whether f, at t, has the sign of the value at the lower end.
  void take(double t, double f, bool before) {
    ++tries_;
    if (before) {
      low_ = t, f_low_ = f, size_low_ = std::abs(f);
      if (side_ == -1) f_high_ *= 0.5;
      side_ = -1;
    } else {
      high_ = t, f_high_ = f, size_high_ = std::abs(f);
      if (side_ == 1) f_low_ *= 0.5;
      side_ = 1;
    }
  }

 private:
  double low_, high_, f_low_, f_high_;  ///< values halved where an end stays
  double size_low_, size_high_;
  int tries_ = 0, side_ = 0;
};

}  // namespace trammel
