// Step-size control: the error norm, and the I and PI controllers.
#pragma once

#include "config/step_control_keys.h"
#include "model/archive.h"
#include "trammel/integrator.h"

namespace trammel {

/// Weighted norm of an error estimate: e_i / (atol_i + rtol_i max(|y0_i|, |y1_i|)), masked.
class ErrorMeasure {
 public:
  ErrorMeasure(const Tolerances& tolerances, Index size);
  /// [hot] 1 means: just tolerated.
  double norm(ConstVectorView error, ConstVectorView y0, ConstVectorView y1, ConstVectorView mask) const;
  /// [step] Norm of any vector in the weights at y.
  double norm(ConstVectorView x, ConstVectorView y, ConstVectorView mask) const { return norm(x, y, y, mask); }
  /// [step] The component with the largest weighted error.
  Index dominant(ConstVectorView error, ConstVectorView y0, ConstVectorView y1, ConstVectorView mask) const;

 private:
  double scaled(Index i, ConstVectorView error, ConstVectorView y0, ConstVectorView y1) const;
  Tolerances tolerances_;
  Index size_;
};

/// h_next = h min(max_factor, max(min_factor, safety err^-a err_previous^b)); I: a = 1/k, b = 0; PI (Gustafsson as in
/// Hairer, Norsett, Wanner I, IV.2, Eq. 2.43c): a = 0.7/k, b = 0.4/k, k = order of the estimate + 1. No growth in the
/// step after a rejection.
class StepController {
 public:
  StepController() = default;
  StepController(const StepControlOptions& options, int error_order);
  /// [step] Proposal after an attempt of size h with error norm `error`.
  double accepted(double h, double error);
  double rejected(double h, double error);
  /// [step] After a failure that has no error norm (NaN, singular, Newton).
  double failed(double h);
  void restart() { previous_error_ = 1e-4, after_rejection_ = false; }
  void remember(Archive& archive) { archive.values("controller", previous_error_, after_rejection_); }

 private:
  double factor(double error) const;
  double exponent_ = 0.2, previous_exponent_ = 0, safety_ = 0.9, min_factor_ = 0.2, max_factor_ = 5;
  double previous_error_ = 1e-4;
  bool after_rejection_ = false;
};

/// First step of a method of this order (Hairer, Norsett, Wanner I, II.4); two evaluations of f.
double first_step(OdeSystem& system, double t, ConstVectorView y, const ErrorMeasure& measure, int order,
                  double largest, VectorView f0, VectorView y1, VectorView f1);

}  // namespace trammel
