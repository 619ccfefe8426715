// What running again with other steps or tolerances told about a run.
#pragma once

#include <string>

namespace trammel {

/// Of a run with fixed steps, run again with others.
struct FixedStepResult {
  long reruns = 0, evaluations = 0;
  double until = 0;     ///< s, what was run again
  double error = 0;     ///< estimate, of the range of motion
  double time = 0;      ///< s, where it is largest
  double from = 0;      ///< s, where the steps that show it began
  bool grows = false;   ///< the error is that of the end, by what grew up to `until`
  std::string channel;  ///< "" : the motion was not compared with shorter steps, or nothing moved
  double step = 0;      ///< s, to try
  bool whole = false;   ///< all of the run was run again
  /// The whole motion was compared with that of other steps, and steps mattered little.
  bool held() const { return whole && !channel.empty() && error < 2e-3; }
};

/// Of a run with loose tolerances, run again with others.
struct ToleranceResult {
  long reruns = 0, evaluations = 0;
  double error = 0;     ///< estimate, of the range of motion
  double time = 0;      ///< s, where it is largest
  double rtol = 0;      ///< to try, with an atol to match,
  double atol = 0;      ///< or this alone, where it is the loose one,
  bool grows = false;   ///< the error is that of the end, by what grew in the stretch that was run again
  double max_step = 0;  ///< or this, s, where the method has no tolerances
  std::string channel;  ///< "": nothing moved
};

}  // namespace trammel
