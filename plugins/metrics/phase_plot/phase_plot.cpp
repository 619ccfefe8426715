// Plugin `phase_plot`: one channel over another, and the area that the curve runs around.
//
//   integral y dx over the samples, as chords, from `from` to `until`                                              (1)
//
// Over closed loops: force over stroke is work, positive clockwise.
#include <cmath>
#include <limits>
#include <string>

#include "trammel/extensions/metric_curve.h"
#include "trammel/extensions/motion_metric.h"
#include "trammel/metric.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {
namespace {

class PhasePlot final : public Metric, MotionMetric, MetricCurve {
 public:
  struct Parameters {
    Text x, y;
    double from, until;
    std::int64_t points;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, x, "1", "Column of the horizontal axis, or \"=formula\" of columns."),
      TRAMMEL_FIELD(Parameters, y, "1", "Column of the vertical axis, or \"=formula\" of columns."),
      TRAMMEL_FIELD(Parameters, from, "s", "Counts from this time on.").optional(),
      TRAMMEL_FIELD(Parameters, until, "s", "Counts up to this time.").optional(),
      TRAMMEL_FIELD(Parameters, points, "1", "Points of the curve that are kept, at most.")
          .at_least(2)
          .at_most(1000000)
          .otherwise("2000"));

  explicit PhasePlot(const Parameters& p)
      : x_(p.x.view()),
        y_(p.y.view()),
        from_(given(p.from) ? p.from : -std::numeric_limits<double>::infinity()),
        until_(given(p.until) ? p.until : std::numeric_limits<double>::infinity()),
        room_(static_cast<Index>(p.points)) {
    if (!(until_ > from_)) throw Error::parameter("until", "must be after 'from'");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<MotionMetric, MetricCurve>(id, this, this);
  }
  Index channel_count() const override { return 2; }
  const char* channel(Index i) const override { return i == 0 ? x_.c_str() : y_.c_str(); }
  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>(room_), 0}; }

  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, room_);
    const double t = sample.t, x = sample.values[0], y = sample.values[1];
    if (m.samples > 0 && t > m.t) {
      const double t0 = m.t, x0 = m.x, y0 = m.y;
      const double begin = std::max(t0, from_), end = std::min(t, until_);
      const auto along = [&](double a, double b, double at) { return a + (b - a) * (at - t0) / (t - t0); };
      if (end > begin) {
        const double xa = along(x0, x, begin), xb = along(x0, x, end), ya = along(y0, y, begin), yb = along(y0, y, end);
        if (m.inside == 0) keep(m, xa, ya);
        m.area += 0.5 * (ya + yb) * (xb - xa);  // (1)
        keep(m, xb, yb);
        m.inside = 1;
      }
    } else if (t >= from_ && t <= until_) {
      if (m.samples > 0) m.area += 0.5 * (m.y + y) * (x - m.x);  // a jump
      keep(m, x, y);
      m.inside = 1;
    }
    m.t = t, m.x = x, m.y = y;
    ++m.samples;
    return Status::success();
  }

  double result(Index, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, room_);
    return m.inside > 0 ? m.area : std::numeric_limits<double>::quiet_NaN();
  }

  Index columns() const override { return 2; }
  const char* column(Index i) const override { return i == 0 ? "x" : "y"; }
  Index points(const Memory& memory) const override {
    return static_cast<Index>(sdk::StateLayout::place<Kept>(memory.state, room_).kept);
  }
  double value(Index point, Index column, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, room_);
    return column == 0 ? m.xs[point] : m.ys[point];
  }

 private:
  struct Kept {
    Kept(sdk::StateLayout& at, Index n)
        : t(at.number()),
          x(at.number()),
          y(at.number()),
          samples(at.number()),
          inside(at.number()),
          area(at.number()),
          kept(at.number()),
          skipped(at.number()),
          every(at.number()),
          xs(at.vector(n)),
          ys(at.vector(n)) {}
    double &t, &x, &y;  ///< of the last sample
    double &samples, &inside, &area;
    double &kept, &skipped, &every;  ///< points; since the last of them; distance - 1
    sdk::StateLayout::Vector xs, ys;
  };

  /// Where room runs out every other point goes, and from then on half as many come.
  void keep(const Kept& m, double x, double y) const {
    if (m.skipped < m.every) {
      ++m.skipped;
      return;
    }
    m.skipped = 0;
    auto kept = static_cast<Index>(m.kept);
    if (kept == room_) {
      for (Index i = 0; 2 * i < room_; ++i) m.xs[i] = m.xs[2 * i], m.ys[i] = m.ys[2 * i];
      m.kept = static_cast<double>(kept = (room_ + 1) / 2);
      const double before = m.every;
      m.every = 2 * before + 1;
      if (room_ % 2 == 1) {  // this point is one of those that go
        m.skipped = before + 1;
        return;
      }
    }
    m.xs[kept] = x, m.ys[kept] = y;
    m.kept = static_cast<double>(kept + 1);
  }

  std::string x_, y_;
  double from_, until_;
  Index room_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("phase_plot", "1.0.0", "BSD-3-Clause",
               component<PhasePlot>(Host::any, "phase_plot",
                                    "One channel over another as a curve, and the area that it runs around."));
