// Error weights of a run's tolerances, for methods that judge errors themselves.
//
//   w_i = mask_i / (atol_i + rtol_i max(|y0_i|, |y1_i|)) (1)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/tolerances.h"

namespace trammel::sdk {

/// Weights in memory of the caller (n doubles). Same norm as the kernel's step control.
class ErrorWeights {
 public:
  /// [hot] (1) at the two ends of a step. A component without any tolerance must be exact: its weight is huge.
  ErrorWeights(const Tolerances& tolerances, ConstVectorView mask, ConstVectorView y0, ConstVectorView y1, VectorView w)
      : w_(w), max_norm_(tolerances.max_norm) {
    for (Index i = 0; i < w.size; ++i) {
      const double scale = allowed_error(tolerances, i, y0[i], y1[i]);
      w_[i] = mask[i] / std::max(scale, std::numeric_limits<double>::min());
    }
  }

  double operator[](Index i) const { return w_[i]; }

  /// [hot] The norm of tolerances.h; 1 means: just tolerated. NaN or infinite if an entry that counts is.
  template <class Vector>
  double norm(const Vector& e) const {
    return scaled_norm(
        w_.size, max_norm_, [&](Index i) { return w_[i] != 0; }, [&](Index i) { return e[i] == 0 ? 0 : w_[i] * e[i]; });
  }

  /// [hot] Fails with advice if the tolerances at y are below its rounding.
  template <class Vector>
  Status reachable(const Vector& y) const {
    const double rounding = 2 * std::numeric_limits<double>::epsilon() * norm(y);
    if (!(rounding > 0.5)) return Status::success();
    return Status::failure(StatusCode::not_converged,
                           "\"rtol\" and \"atol\" ask for less than the rounding error of the state: enlarge them;", -1,
                           rounding);
  }

 private:
  VectorView w_;
  bool max_norm_;
};

}  // namespace trammel::sdk
