// Plugin `final_value`: a channel's value at the end of a run.
#include <limits>
#include <string>

#include "trammel/metric.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {

class FinalValue final : public Metric {
 public:
  struct Parameters {
    Text channel;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, channel, "1", "Column of results.csv, for example \"rod.x\" or \"energy.total\"."));

  explicit FinalValue(const Parameters& p) : channel_(p.channel.view()) {}

  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return channel_.c_str(); }

  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>(), 0}; }
  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    m.value = sample.values[0], m.samples = 1;
    return Status::success();
  }
  double result(Index, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    return m.samples > 0 ? m.value : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  struct Kept {
    explicit Kept(sdk::StateLayout& at) : value(at.number()), samples(at.number()) {}
    double &value, &samples;
  };

  std::string channel_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("final_value", "1.0.0", "BSD-3-Clause",
               component<FinalValue>(Host::any, "final_value", "Value of a channel at the end of the run."));
