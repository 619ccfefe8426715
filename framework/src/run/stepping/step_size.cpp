// Step-size control common to all integrators that have an error estimate.
#include "run/stepping/step_size.h"

#include <algorithm>
#include <cmath>

#include "trammel/tolerances.h"

namespace trammel {
ErrorMeasure::ErrorMeasure(const Tolerances& tolerances, Index size) : tolerances_(tolerances), size_(size) {}

double ErrorMeasure::scaled(Index i, ConstVectorView error, ConstVectorView y0, ConstVectorView y1) const {
  // A zero tolerance on a zero component: only an exact zero is good enough.
  return error[i] == 0 ? 0 : std::abs(error[i]) / allowed_error(tolerances_, i, y0[i], y1[i]);
}

double ErrorMeasure::norm(ConstVectorView error, ConstVectorView y0, ConstVectorView y1, ConstVectorView mask) const {
  return scaled_norm(
      size_, tolerances_.max_norm, [&](Index i) { return mask[i] != 0; },
      [&](Index i) { return mask[i] * scaled(i, error, y0, y1); });
}

Index ErrorMeasure::dominant(ConstVectorView error, ConstVectorView y0, ConstVectorView y1,
                             ConstVectorView mask) const {
  Index worst = -1;
  double largest = 0;  // without any error there is no dominant one
  for (Index i = 0; i < size_; ++i) {
    const double e = mask[i] == 0 ? 0 : mask[i] * scaled(i, error, y0, y1);
    if (!(e <= largest)) largest = e, worst = i;
  }
  return worst;
}

StepController::StepController(const StepControlOptions& options, int error_order)
    : safety_(options.safety), min_factor_(options.min_factor), max_factor_(options.max_factor) {
  const double k = error_order + 1;
  exponent_ = options.controller == ControllerType::pi ? 0.7 / k : 1 / k;
  previous_exponent_ = options.controller == ControllerType::pi ? 0.4 / k : 0;
}

double StepController::factor(double error) const {
  if (error <= 0) return max_factor_;
  const double raw = safety_ * std::pow(error, -exponent_) * std::pow(previous_error_, previous_exponent_);
  return std::clamp(raw, min_factor_, max_factor_);
}

double StepController::accepted(double h, double error) {
  double ratio = factor(error);
  if (after_rejection_) ratio = std::min(ratio, 1.0);
  after_rejection_ = false;
  previous_error_ = std::max(error, 1e-4);
  return h * ratio;
}

double StepController::rejected(double h, double error) {
  after_rejection_ = true;
  // The plain I rule: the memory of the accepted error says nothing about a step that failed.
  const double k_inverse = previous_exponent_ > 0 ? exponent_ / 0.7 : exponent_;
  return h * std::clamp(safety_ * std::pow(error, -k_inverse), min_factor_, 0.95);
}

double StepController::failed(double h) {
  after_rejection_ = true;
  return h * 0.25;
}

double first_step(OdeSystem& system, double t, ConstVectorView y, const ErrorMeasure& measure, int order,
                  double largest, VectorView f0, VectorView y1, VectorView f1) {
  const ConstVectorView mask = system.mask();
  if (!system.rhs(t, y, f0)) return std::min(largest, 1e-6);
  const double d0 = measure.norm(y, y, mask), d1 = measure.norm(f0, y, mask);
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  // A state that is zero but for rounding says nothing about the size of the motion.
  h0 = std::clamp(h0, 1e-10 * largest, largest);
  if (!std::isfinite(h0)) h0 = 1e-6;
  y1.map() = y.map() + h0 * f0.map();
  if (!system.rhs(t + h0, y1, f1)) return h0;
  f1.map() -= f0.map();
  const double d2 = measure.norm(f1, y, mask) / h0;
  const double steepest = std::max(d1, d2);
  const double h1 = steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  const double h = std::min({100 * h0, h1, largest});
  return std::isfinite(h) && h > 0 ? h : h0;
}

}  // namespace trammel
