// Plugin `channel_statistics`: metrics that condense one channel x(t) into one number.
//
//   max, min   extreme x and its time
//   mean       1/T integral x dt                                                                                  (1)
//   rms        sqrt(1/T integral x^2 dt)                                                                          (2)
//   drift      max |x(t) - x(0)| and its time                                                                     (3)
//
// Integrals by the trapezoidal rule over the samples, which need not be equidistant: accepted steps and, but for the
// drift, samples between them (MotionMetric). Within a window of time, and of a filtered channel, by Simpson's rule over
// what lies between the samples (window.h).
#include <cmath>
#include <limits>
#include <string>

#include "trammel/extensions/motion_metric.h"
#include "trammel/metric.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"
#include "window.h"

namespace trammel {
namespace {

using channel_statistics::Window;

enum class Statistic { max, min, mean, rms, drift };

constexpr bool is_integral(Statistic kind) { return kind == Statistic::mean || kind == Statistic::rms; }

template <Statistic kind>
class ChannelStatistic final : public Metric, MotionMetric {
 public:
  using Parameters = channel_statistics::Keys;
  static constexpr auto parameters = channel_statistics::key_table;

  explicit ChannelStatistic(const Parameters& p) : channel_(p.channel.view()), window_(p) {}

  /// Drift is asked of what should not change; what it does between steps is the interpolation's doing.
  const void* extension(const char* id) const override {
    return kind == Statistic::drift ? nullptr : sdk::offer_extensions<MotionMetric>(id, this);
  }

  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return channel_.c_str(); }
  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>() + window_.size(), 0}; }

  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state);
    const double x = sample.values[0];
    if (!window_.is_everything()) {
      window_.accumulate(sample.t, x, m.samples == 0, memory.state + sdk::StateLayout::size<Kept>(), Sums{m});
      ++m.samples;
      return Status::success();
    }
    if (m.samples == 0) {
      m.first = kind == Statistic::drift ? x : sample.t;
      m.result = is_integral(kind) ? 0 : extreme_of(x, m);
      m.time = sample.t;
    } else if constexpr (is_integral(kind)) {
      const double dt = sample.t - m.time;
      m.result += dt * (integrand(m.last) + integrand(x)) / 2;  // (1), (2)
      m.time = sample.t;
    } else if (extreme_of(x, m) > m.result) {
      m.result = extreme_of(x, m);
      m.time = sample.t;
    }
    m.last = x;
    m.length = m.time - m.first;
    ++m.samples;
    ++m.counted;
    return Status::success();
  }

  Index result_count() const override { return is_integral(kind) ? 1 : 2; }
  const char* result_name(Index i) const override { return i == 0 ? "" : "time"; }

  double result(Index i, const Memory& memory) const override {
    auto m = sdk::StateLayout::place<Kept>(memory.state);
    if (window_.needs_all_samples() && m.counted == 0)
      window_.finish(memory.state + sdk::StateLayout::size<Kept>(), Sums{m});
    if (m.counted == 0) return std::numeric_limits<double>::quiet_NaN();
    if (i == 1) return m.time;
    if (!is_integral(kind)) return kind == Statistic::min ? -m.result : m.result;
    const double mean = m.length > 0 ? m.result / m.length : integrand(m.last);
    return kind == Statistic::rms ? std::sqrt(mean) : mean;
  }

 private:
  struct Kept {
    explicit Kept(sdk::StateLayout& at)
        : result(at.number()),
          time(at.number()),
          last(at.number()),
          first(at.number()),
          length(at.number()),
          samples(at.number()),
          counted(at.number()) {}
    double& result;        ///< so far; min: negated
    double& time;          ///< its time; integrals: of the last sample
    double &last, &first;  ///< values; the first is a time but for drift
    double& length;        ///< s, of what was integrated over
    double& samples;       ///< their number, and of those inside the window
    double& counted;
  };

  /// What a window shows goes into the statistic.
  struct Sums {
    const Kept& m;
    void point(double t, double x) const {
      if (m.counted == 0) m.first = kind == Statistic::drift ? x : t;
      if (is_integral(kind)) {
        if (m.counted == 0) m.result = 0;
      } else if (m.counted == 0 || extreme_of(x, m) > m.result) {
        m.result = extreme_of(x, m);
        m.time = t;
      }
      m.last = x;
      ++m.counted;
    }
    void piece(double h, double begin, double middle, double end) const {
      if (!is_integral(kind)) return;
      m.result += h * (integrand(begin) + 4 * integrand(middle) + integrand(end)) / 6;
      m.length += h;
    }
  };

  static double integrand(double x) { return kind == Statistic::rms ? x * x : x; }
  static double extreme_of(double x, const Kept& m) {
    return kind == Statistic::min ? -x : kind == Statistic::drift ? std::abs(x - m.first) : x;  // (3)
  }

  std::string channel_;
  Window window_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN(
    "channel_statistics", "1.0.0", "BSD-3-Clause",
    component<ChannelStatistic<Statistic::max>>(Host::any, "max", "Largest value of a channel, and when."),
    component<ChannelStatistic<Statistic::min>>(Host::any, "min", "Smallest value of a channel, and when."),
    component<ChannelStatistic<Statistic::mean>>(Host::any, "mean", "Mean of a channel over time."),
    component<ChannelStatistic<Statistic::rms>>(Host::any, "rms", "Root mean square of a channel over time."),
    component<ChannelStatistic<Statistic::drift>>(Host::any, "drift",
                                                  "Largest change of a channel from its initial value, and when."));
