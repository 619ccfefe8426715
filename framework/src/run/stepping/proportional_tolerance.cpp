// The tolerance that steps of second-order methods keep to.
#include "run/stepping/proportional_tolerance.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double start = 1e-3;      // tol_0 of (1)
constexpr double rounding = 1e-13;  // steps do not come nearer than this

double allowed_share(double rtol) {
  if (!(rtol < start) || rtol <= rounding) return 1;
  return std::max(std::sqrt(rtol / start), rounding / rtol);
}

}  // namespace

// Of higher orders the exponent 1 / p matters little, and estimates are those of a lower order. A method that claims order
// 1 with an estimate of order 2 has order 2 in some models.
bool wants_proportional_tolerance(const IntegratorTraits& traits) {
  return traits.order <= 2 && traits.error_order == 2 && !traits.self_controlled;
}

void make_proportional(std::vector<double>& rtol, std::vector<double>& atol) {
  const bool one = rtol.size() == 1;
  double largest = 0;
  for (const double r : rtol) largest = std::max(largest, allowed_share(r));
  for (std::size_t i = 0; i < atol.size(); ++i) atol[i] *= one || atol.size() == 1 ? largest : allowed_share(rtol[i]);
  for (double& r : rtol) r *= allowed_share(r);
}

}  // namespace trammel
