// Both sides of every break point, compared.
#include "model/function_kinks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel {
namespace {

struct Sides {
  std::array<double, 4> left{}, right{};
  bool defined = false;
};

// So far from a point (relative) its sides are looked at; points of composed functions are off by rounding.
constexpr double aside = 1e-10;
// Differences of derivatives (relative to the largest at any point) that are jumps, and derivatives that are zero.
constexpr double jump = 1e-6, none = 1e-12;

}  // namespace

FunctionKinks function_kinks(const Function& function) {
  std::vector<double> points(static_cast<std::size_t>(function.break_points(nullptr, 0)));
  FunctionKinks kinks;
  if (points.empty()) return kinks;
  function.break_points(points.data(), static_cast<Index>(points.size()));
  const int order = std::min(3, function.max_order());
  std::vector<Sides> sides(points.size());
  std::array<double, 4> scale{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    double step = aside * (1 + std::abs(points[i]));
    if (i > 0) step = std::min(step, 0.1 * (points[i] - points[i - 1]));
    if (i + 1 < points.size()) step = std::min(step, 0.1 * (points[i + 1] - points[i]));
    Sides& at = sides[i];
    at.defined = function.evaluate(points[i] - step, order, at.left.data()).ok() &&
                 function.evaluate(points[i] + step, order, at.right.data()).ok();
    for (std::size_t k = 0; at.defined && k < 4; ++k) {
      scale[k] = std::max({scale[k], std::abs(at.left[k]), std::abs(at.right[k])});
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Sides& at = sides[i];
    if (!at.defined) continue;  // the end of where the function is defined
    bool sharp = false;
    for (std::size_t k = 0; k < 3; ++k) sharp = sharp || std::abs(at.left[k] - at.right[k]) > jump * scale[k];
    const auto straight = [&](const std::array<double, 4>& side) {
      return std::abs(side[2]) <= none * scale[2] && std::abs(side[3]) <= none * scale[3];
    };
    sharp = sharp || straight(at.left) != straight(at.right);
    (sharp ? kinks.sharp : kinks.smooth).push_back(points[i]);
  }
  return kinks;
}

}  // namespace trammel
