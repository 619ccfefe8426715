// Metrics with one mistake each, around the mean of a channel: type bad_<check>.
#include <trammel/extensions/metric_curve.h>
#include <trammel/extensions/motion_metric.h>
#include <trammel/metric.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <limits>

namespace {

using namespace trammel;

enum class Bug { none, declares, feeding, side_by_side, curve, later, sampling };

/// 1/T integral x dt by the trapezoidal rule.
template <Bug bug>
class Mean final : public Metric, private MotionMetric, private MetricCurve {
  enum { samples, first, last, value_at, sum, numbers };

 public:
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<MotionMetric, MetricCurve>(id, this, this);
  }
  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return bug == Bug::declares ? "=rod.x +" : "=2*t"; }
  MemorySize memory() const override { return {numbers, 0}; }

  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    double* const m = memory.state;
    const double x = sample.values[0], dt = sample.t - m[last];
    if (bug == Bug::feeding) m[numbers] = 1;
    if (m[samples] == 0) m[first] = bug == Bug::later ? 0 : sample.t;
    if (m[samples] > 0) {
      const double part = bug == Bug::sampling ? x : dt * (x + m[value_at]) / 2;
      m[sum] += part, all_ += part;
    }
    m[last] = sample.t, m[value_at] = x;
    m[samples] += 1;
    return Status::success();
  }
  double result(Index, const Memory& memory) const override {
    const double* const m = memory.state;
    if (m[samples] == 0) return std::numeric_limits<double>::quiet_NaN();
    if (m[samples] == 1) return m[value_at];
    if (bug == Bug::sampling) return m[sum] / (m[samples] - 1);
    return (bug == Bug::side_by_side ? all_ : m[sum]) / (m[last] - m[first]);
  }

  /// The last sample.
  Index columns() const override { return 2; }
  const char* column(Index i) const override { return i == 0 ? "t" : "x"; }
  Index points(const Memory& memory) const override { return memory.state[samples] > 0 ? 1 : 0; }
  double value(Index, Index column, const Memory& memory) const override {
    return memory.state[column == 0 ? last : value_at] + (bug == Bug::curve ? looked_++ : 0);
  }

 private:
  mutable double all_ = 0, looked_ = 0;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Mean<bug>>(Host::any, type, "A metric with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_metrics", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good_mean"),
               planted<Bug::declares>("bad_declares"), planted<Bug::feeding>("bad_feeding"),
               planted<Bug::side_by_side>("bad_side_by_side"), planted<Bug::curve>("bad_curve"),
               planted<Bug::later>("bad_later"), planted<Bug::sampling>("bad_sampling"));
