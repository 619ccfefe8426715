// Plugin `@TYPE@`: a metric. EDIT: what it condenses a run into.
//
//   integral over time of [x(t) > level], straight lines between samples                                           (1)
#include <trammel/extensions/motion_metric.h>
#include <trammel/metric.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/state_layout.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace trammel;

/// MotionMetric: it wants samples between the steps as well. EDIT: leave it out if accepted steps alone count.
class @CLASS@ final : public Metric, MotionMetric {
 public:
  struct Parameters {  // EDIT: what users give in the study
    Text channel;
    double level;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, channel, "1", "Column of results.csv, or \"=formula\" of such columns."),
      TRAMMEL_FIELD(Parameters, level, "as the channel", "Values above it count.").otherwise("0"));

  explicit @CLASS@(const Parameters& p) : channel_(p.channel.view()), level_(p.level) {}
  const void* extension(const char* id) const override { return sdk::offer_extensions<MotionMetric>(id, this); }

  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return channel_.c_str(); }
  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>(), 0}; }

  /// EDIT: what a sample adds. All that is remembered lies in `memory`: several runs are measured side by side.
  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    const double x = sample.values[0] - level_;
    if (m.samples > 0) m.above += (sample.t - m.time) * share_above(m.last, x);  // (1)
    m.time = sample.t, m.last = x, m.samples = 1;
    return Status::success();
  }
  double result(Index, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    return m.samples > 0 ? m.above : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  struct Kept {  // zero before the first sample
    explicit Kept(sdk::StateLayout& at)
        : above(at.number()), time(at.number()), last(at.number()), samples(at.number()) {}
    double &above, &time, &last, &samples;
  };

  /// Of the straight line from a to b, the part above zero.
  static double share_above(double a, double b) {
    const double most = std::max(a, b), least = std::min(a, b);
    return least >= 0 ? 1 : most <= 0 ? 0 : most / (most - least);
  }

  std::string channel_;
  double level_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "Time that a channel spends above a level, s."));
