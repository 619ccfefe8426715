// Metric: condenses a run into one number; used by studies. Accumulates at every accepted step or output time.
#pragma once

#include "trammel/extension.h"
#include "trammel/memory.h"
#include "trammel/parameters.h"
#include "trammel/status.h"

namespace trammel {

/// One accepted step or output time: the values of the channels the metric asked for, in its order.
struct MetricSample {
  double t = 0;
  double h = 0;  ///< step that led here, 0 at the start
  ConstVectorView values;
};

class Metric : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.metric/1";

  /// [setup] Number of channels wanted.
  virtual Index channel_count() const = 0;
  /// [setup] Channel number i ("energy.total", "rod.x"): a literal or a text living as long as the metric.
  virtual const char* channel(Index i) const = 0;
  /// [setup] Doubles it accumulates in; zero at the first call of `accumulate`.
  virtual MemorySize memory() const = 0;
  /// [step] Called in time order; the first call is the initial state.
  virtual Status accumulate(const MetricSample& sample, const Memory& memory) const = 0;
  /// [setup] How many numbers come out: the metric itself and further ones (time of the maximum).
  virtual Index result_count() const { return 1; }
  /// [setup] Name of number i, appended to the metric's own; "" for i = 0, the metric itself.
  virtual const char* result_name([[maybe_unused]] Index i) const { return ""; }
  /// [step] Number i from what was accumulated; NaN if nothing was.
  virtual double result(Index i, const Memory& memory) const = 0;

 protected:
  ~Metric() = default;
};

}  // namespace trammel
