// Whether all numbers of a vector are finite, at the speed of reading them.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// 0 * x is 0 for finite numbers and NaN for others. Four sums, so that none waits for another.
inline bool all_finite(ConstVectorView x) {
  double sum[4] = {0, 0, 0, 0};
  Index i = 0;
  for (; i + 4 <= x.size; i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += 0 * x[i + k];
  }
  for (; i < x.size; ++i) sum[0] += 0 * x[i];
  return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
}

}  // namespace trammel
