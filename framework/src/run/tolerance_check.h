// ToleranceCheck: whether loose tolerances were tight enough - the run again with others, compared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "record/check_results.h"
#include "run/motion_samples.h"

namespace trammel {

/// Tolerances bound the errors of single steps. What these come to is a matter of the motion: one that multiplies them
/// a thousandfold is lost at 1e-5, and an `atol` that suits metres allows anything of a motion of micrometres. How loose
/// they were is therefore asked at the end: rtol and atol / range of what moved. A run with loose tolerances, or of a
/// long run as much as is cheap, is run again with tolerances ten times as loose, and only where the two differ, with
/// tolerances ten times as tight, which are then believed: where the error is in proportion to the tolerance (L. F.
/// Shampine, Numerical Solution of Ordinary Differential Equations, 1994, ch. 7, section 3), the difference is 0.9 of it.
/// What grew in the stretch is taken to grow on in proportion to time, as phase errors do.
class ToleranceCheck {
 public:
  /// Makes the same run with rtol and atol, or with steps, `factor` times those of the run; nullptr: it cannot be.
  using Maker = std::function<std::unique_ptr<MotionSamples::Rerun>(double factor)>;
  using Result = ToleranceResult;

  /// [setup] With the observation of the initial state; the largest rtol, and one or more entries of atol.
  void start(Plant& plant, double rtol, std::vector<double> atol);
  /// [setup] The same for a method of this order that chooses its steps without tolerances: the run is repeated with
  /// steps half as long as its own mean.
  void start_own_steps(Plant& plant, int order);
  /// [step] After each accepted step.
  void step(const Observation& now);
  bool wanted() const { return !atol_.empty() || order_ > 0; }
  bool own_steps() const { return order_ > 0; }
  /// Once, at the end of the run, in which `jumps` happened; `mean_step`: its own.
  void finish(const Maker& make, const std::vector<MotionSamples::Jump>& jumps, double mean_step);
  bool finished() const { return done_; }
  const Result& result() const { return result_; }
  /// "" or what the run's reader should know. `method`: "cvode under projection".
  std::string warning(const std::string& method) const;
  void remember(Archive& archive);

  static constexpr double loose = 3e-6;

 private:
  MotionSamples::Difference compare(MotionSamples::Rerun& rerun, const std::vector<MotionSamples::Jump>& jumps);
  void finish_own_steps(const Maker& make, const std::vector<MotionSamples::Jump>& jumps, double mean_step);
  /// What to make smaller is atol alone.
  bool loose_in_atol() const { return atol_share_ > 10 * rtol_; }
  void tell(const MotionSamples::Difference& difference, double of_it);

  double rtol_ = 0;
  std::vector<double> atol_;                  ///< empty: not to be checked
  double loosest_atol_ = 0, atol_share_ = 0;  ///< that of the component for which it is loosest, and of its motion
  int order_ = 0;                             ///< of a method with steps of its own choice
  MotionSamples samples_;
  bool done_ = false;
  Result result_;
};

}  // namespace trammel
