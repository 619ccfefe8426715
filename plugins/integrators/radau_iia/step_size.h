// Choice of the step, Hairer and Wanner, Solving ODEs II (1996), IV.8.
//
//   h_new = fac h_n |err_n+1|^(-1/4),  fac = 0.9 (2 k_max + 1) / (2 k_max + k), k the iterations of the step      (8.21)
//   h_new = fac h_n (1 / |err_n+1|)^(1/4) h_n / h_n-1 (|err_n| / |err_n+1|)^(1/4)                                  (8.25)
// (8.25) is the predictive controller of Gustafsson (ACM Trans. Math. Softw. 20 (1994) 496-517); the smaller one counts.
#pragma once

#include "record.h"

namespace trammel::radau {

struct StepSize {
  static constexpr double safety = 0.9, least = 0.2, most = 8;
  /// Of an estimate behind which the history has no say.
  static constexpr double least_error = 1e-10, least_remembered = 1e-2;

  static double by_error(double error, int iterations, int most_iterations) {
    const double kmax = most_iterations, fac = safety * (2 * kmax + 1) / (2 * kmax + iterations);
    return std::clamp(fac * std::pow(std::max(error, least_error), -0.25), least, most);
  }
  /// Factor for the next step behind one of size h that is accepted. A step within `kept` of the present one is that.
  static double next(const Record& record, double h, double error, double factor, double kept) {
    if (record.accepted_error > 0 && record.accepted_step != 0) {
      const double e = std::max(error, least_error),
                   predicted = safety * h / record.accepted_step * std::pow(record.accepted_error / (e * e), 0.25);
      factor = std::min(factor, std::clamp(predicted, least, most));
    }
    if (record.rejected != 0) factor = std::min(factor, 1.0);
    return factor >= 1 && factor <= kept ? 1 : factor;
  }
};

}  // namespace trammel::radau
