// ErrorControl: the tolerances of a run, and how large the estimated error of a step is in them.
#pragma once

#include <string>
#include <vector>

#include "config/step_control_keys.h"
#include "run/stepping/step_size.h"
#include "trammel/integrator.h"

namespace trammel {

class ErrorControl {
 public:
  /// [setup] For so many components of the state. Throws Error(input) with Error::key() where step keys and method do
  /// not fit. `type`: of the integrator, for messages.
  ErrorControl(const StepControlOptions& control, const Integrator& integrator, const std::string& type,
               Index components);
  // The measure points to the tolerances.
  ErrorControl(const ErrorControl&) = delete;
  ErrorControl& operator=(const ErrorControl&) = delete;

  /// What steps keep to; valid as long as this object.
  const Tolerances& tolerances() const { return tolerances_; }
  /// The largest entries of the tolerances that the user gave.
  double loosest_rtol() const { return loosest_rtol_; }
  double loosest_atol() const { return loosest_atol_; }
  /// As the user gave it, or the default: one entry, or one for each component.
  const std::vector<double>& given_rtol() const { return given_rtol_; }
  const std::vector<double>& given_atol() const { return given_atol_; }
  /// What those that steps keep to allow at a number of this size; of several entries the first.
  double allowed(double size) const { return rtol_[0] * size + atol_[0]; }

  /// [step] Which components count. Valid until the next call.
  ConstVectorView mask(const Problem& problem);
  const ErrorMeasure& measure() const { return measure_; }
  /// Where the method writes its estimate; empty if it makes none.
  VectorView estimate() { return {error_.data(), static_cast<Index>(error_.size())}; }
  /// [step] Of the estimate, for a step between these two.
  double norm(const Problem& problem, ConstVectorView y0, ConstVectorView y1) {
    return measure_.norm(estimate(), y0, y1, mask(problem));
  }
  /// [step] The component with the largest weighted error, or -1.
  Index dominant(const Problem& problem, ConstVectorView y0, ConstVectorView y1);
  /// For messages about steps that became too small.
  std::string about_zero_tolerance() const;

 private:
  std::vector<double> rtol_, atol_, error_, mask_;
  const std::vector<double> given_rtol_, given_atol_;
  double loosest_rtol_, loosest_atol_;
  Tolerances tolerances_;
  ErrorMeasure measure_;
};

}  // namespace trammel
