// Plugin `energy_drift`: how far the energy balance of a run is off,
//
//   max over time of |E(t) + D(t) - W(t) - E(0)|
//
// with total energy E, energy D dissipated and work W done from outside since the start.
#include <cmath>
#include <limits>

#include "trammel/metric.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {

class EnergyDrift final : public Metric {
 public:
  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return "=energy.total + energy.dissipated - energy.work"; }
  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>(), 0}; }

  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    if (m.samples++ == 0) m.initial = sample.values[0];
    const double off = std::abs(sample.values[0] - m.initial);
    if (off > m.largest) m.largest = off, m.time = sample.t;
    return Status::success();
  }

  Index result_count() const override { return 2; }
  const char* result_name(Index i) const override { return i == 0 ? "" : "time"; }
  double result(Index i, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    if (m.samples == 0) return std::numeric_limits<double>::quiet_NaN();
    return i == 0 ? m.largest : m.time;
  }

 private:
  struct Kept {
    explicit Kept(sdk::StateLayout& at)
        : initial(at.number()), largest(at.number()), time(at.number()), samples(at.number()) {}
    double &initial, &largest, &time, &samples;
  };
};

}  // namespace trammel

TRAMMEL_PLUGIN("energy_drift", "1.0.0", "BSD-3-Clause",
               component<EnergyDrift>(Host::any, "energy_drift", "Largest error of the energy balance, J, and when."));
