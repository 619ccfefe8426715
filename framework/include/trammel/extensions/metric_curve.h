// MetricCurve: metrics that have a curve beside their numbers: a spectrum, one channel over another.
#pragma once

#include "trammel/linalg.h"
#include "trammel/memory.h"

namespace trammel {

/// Studies that keep files write the curve of every case as NAME.csv into the case's folder.
class MetricCurve {
 public:
  static constexpr const char* id = "trammel.metric_curve/1";

  /// [setup] Number of columns, and their heads: texts that live as long as the metric.
  virtual Index columns() const = 0;
  virtual const char* column(Index i) const = 0;
  /// [step] From what was accumulated, after the run.
  virtual Index points(const Memory& memory) const = 0;
  virtual double value(Index point, Index column, const Memory& memory) const = 0;

 protected:
  ~MetricCurve() = default;
};

}  // namespace trammel
