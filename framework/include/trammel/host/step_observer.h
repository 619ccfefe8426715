// StepObserver: an observer of channels that looks at places inside steps of its own choice.
#pragma once

#include <functional>

#include "trammel/host/simulation.h"

namespace trammel {

class StepObserver : public ChannelObserver {
 public:
  /// The values of the channels at a time inside the step, or nullptr: there is no state to be had. They stay until the
  /// next call.
  using Look = std::function<const double*(double t)>;
  /// [step] After a step, before its rows and samples, and before what happens at its end. Nothing that is looked at
  /// changes the motion or counts as an evaluation; the end of the step, as it is before what happens there, costs nothing
  /// if it is asked for first and is no break point.
  virtual void inside(double from, double to, const Look& look) = 0;
};

}  // namespace trammel
