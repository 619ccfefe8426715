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
  /// [setup] Channels wanted ("energy.total", "rod.x"), literals or texts living as long as the metric.
  virtual Index channel_count() const = 0;
  virtual const char* channel(Index i) const = 0;
  /// [setup]
  virtual MemorySize memory() const = 0;
  /// [step] Called in time order; the first call is the initial state.
  virtual Status accumulate(const MetricSample& sample, const Memory& memory) const = 0;
  /// [step] The number, and further named ones (time of the maximum) by index from 1; 0 is the metric itself.
  virtual Index result_count() const { return 1; }
  virtual const char* result_name(Index i) const { return (void)i, ""; }
  virtual double result(Index i, const Memory& memory) const = 0;

 protected:
  ~Metric() = default;
};

}  // namespace trammel
