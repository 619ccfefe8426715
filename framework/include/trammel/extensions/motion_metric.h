// MotionMetric: metrics of the motion itself, which want more of it than what steps happen to show.
#pragma once

namespace trammel {

/// Such a metric gets the accepted steps and samples between them: close enough for the trapezoidal rule and for
/// extremes, from a polynomial through states inside the step; and the end of each step before what happens there (h is
/// 0 behind it). In time order; two samples of one time are a jump.
class MotionMetric {
 public:
  static constexpr const char* id = "trammel.motion_metric/1";

 protected:
  ~MotionMetric() = default;
};

}  // namespace trammel
