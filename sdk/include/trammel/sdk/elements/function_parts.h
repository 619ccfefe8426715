// What functions made of other functions share: their common order, break points, and evaluation as jets.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "trammel/function.h"
#include "trammel/parameters.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/math/jet.h"

namespace trammel::sdk {

/// Copies the derivatives asked for; out_of_domain if one of them is not finite.
inline Status write_jet(const Jet& f, int order, double* value) {
  for (int k = 0; k <= order; ++k) {
    if (!std::isfinite(f.d[k])) {
      return Status::failure(StatusCode::out_of_domain, k == 0
                                                            ? "the function is not defined at this argument"
                                                            : "the function has no such derivative at this argument");
    }
    value[k] = f.d[k];
  }
  return Status::success();
}

/// [hot] f as a jet; derivatives above `order` are zero.
inline Status evaluate_jet(const Function& f, double x, int order, Jet& out) {
  out = Jet();
  return f.evaluate(x, order, out.d);
}

/// [setup] The break points of one function.
inline std::vector<double> break_points_of(const Function& f) {
  std::vector<double> points(static_cast<std::size_t>(f.break_points(nullptr, 0)));
  f.break_points(points.data(), static_cast<Index>(points.size()));
  return points;
}

/// [setup] Sorts, drops repetitions.
inline void merge_points(std::vector<double>& points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

/// [setup] Fills `x` as Function::break_points does.
inline Index write_points(const std::vector<double>& points, double* x, Index capacity) {
  for (Index k = 0; k < std::min(capacity, static_cast<Index>(points.size())); ++k) {
    x[k] = points[static_cast<std::size_t>(k)];
  }
  return static_cast<Index>(points.size());
}

/// A list of functions and what follows from it.
class FunctionParts final : public FunctionSwitches {
 public:
  explicit FunctionParts(const FunctionRefs& refs) : refs_(refs) {
    for (std::int64_t k = 0; k < refs.size; ++k) {
      max_order_ = std::min(max_order_, refs.data[k]->max_order());
      const std::vector<double> points = break_points_of(*refs.data[k]);
      break_points_.insert(break_points_.end(), points.begin(), points.end());
      const FunctionIntegral* integral = find_extension<FunctionIntegral>(*refs.data[k]);
      if (integral != nullptr) integrals_.push_back(integral);
      bounded_ = bounded_ && find_extension<FunctionBounds>(*refs.data[k]) != nullptr;
      switches_.push_back(find_extension<FunctionSwitches>(*refs.data[k]));
      if (switches_.back() != nullptr) count_ += switches_.back()->switch_count();
    }
    merge_points(break_points_);
  }

  std::int64_t size() const { return refs_.size; }
  const Function& operator[](std::int64_t k) const { return *refs_.data[k]; }
  int max_order() const { return max_order_; }
  const std::vector<double>& break_points() const { return break_points_; }
  /// Whether every part knows its integral; then `integral(k)` is that of part k.
  bool integrable() const { return integrals_.size() == static_cast<std::size_t>(refs_.size); }
  /// Whether every part knows its bounds.
  bool bounded() const { return bounded_; }
  /// The switching functions of all parts at the same argument, one part after the other.
  Index switch_count() const override { return count_; }
  void switch_values(double x, double* out) const override {
    for (const FunctionSwitches* part : switches_) {
      if (part == nullptr) continue;
      part->switch_values(x, out);
      out += part->switch_count();
    }
  }
  /// Those of part k alone, in its place; the others are NaN.
  void switch_values(std::int64_t k, double x, double* out) const {
    std::fill_n(out, count_, std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t n = 0; n < k; ++n) out += part_switches(n);
    if (part_switches(k) > 0) switches_[static_cast<std::size_t>(k)]->switch_values(x, out);
  }
  const FunctionIntegral& integral(std::int64_t k) const { return *integrals_[static_cast<std::size_t>(k)]; }

 private:
  Index part_switches(std::int64_t k) const {
    const FunctionSwitches* part = switches_[static_cast<std::size_t>(k)];
    return part != nullptr ? part->switch_count() : 0;
  }

  FunctionRefs refs_;
  int max_order_ = 3;
  std::vector<double> break_points_;
  std::vector<const FunctionIntegral*> integrals_;
  std::vector<const FunctionSwitches*> switches_;
  Index count_ = 0;
  bool bounded_ = true;
};

}  // namespace trammel::sdk
