// Stands for a library of somebody else: bell.h.
#include "bell.h"

#include <cmath>
#include <new>

struct bell {
  double width;
};

bell* bell_open(double width) { return width > 0 ? new (std::nothrow) bell{width} : nullptr; }
void bell_close(bell* it) { delete it; }
int bell_values(const bell* it, double x, int order, double* out) {
  const double w = it->width, s = x / w, value = std::exp(-s * s / 2);
  if (order < 0 || order > 3 || !std::isfinite(x)) return 1;
  const double factors[] = {1, -s / w, (s * s - 1) / (w * w), (3 - s * s) * s / (w * w * w)};
  for (int k = 0; k <= order; ++k) out[k] = factors[k] * value;
  return 0;
}
