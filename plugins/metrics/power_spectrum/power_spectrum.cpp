// Plugin `power_spectrum`: the power spectral density of a channel by Welch's method.
//
// The channel is sampled with a fixed rate 1/dt; segments of n samples, each beginning n - overlap behind the one before, lose
// their mean and are multiplied by Hann's window w. The density over the frequencies f_k = k / (n dt) is the mean over the segments of
//   S_k = 2 dt |sum_j w_j x_j exp(-2 pi i j k / n)|^2 / sum_j w_j^2                                               (1)
// (once, not twice, at 0 and at half the rate), so that the sum of S_k / (n dt) is the mean square of what varies.
//
// P. D. Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70-73.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "trammel/extensions/metric_curve.h"
#include "trammel/extensions/motion_metric.h"
#include "trammel/metric.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {
namespace {

class PowerSpectrum final : public Metric, MotionMetric, MetricCurve {
 public:
  struct Parameters {
    Text channel;
    double sample_rate, segment, overlap, from, until, low, high;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, channel, "1", "Column of results.csv, or \"=formula\" of such columns."),
      TRAMMEL_FIELD(Parameters, sample_rate, "Hz",
                    "Samples per second; twice the highest frequency in the channel, at least.")
          .above(0),
      TRAMMEL_FIELD(Parameters, segment, "s", "Length of a segment; its reciprocal is the distance of two frequencies.")
          .above(0),
      TRAMMEL_FIELD(Parameters, overlap, "1", "Share of a segment that the next one has, too.")
          .at_least(0)
          .at_most(0.95)
          .otherwise("0.5"),
      TRAMMEL_FIELD(Parameters, from, "s", "Samples from this time on.").optional(),
      TRAMMEL_FIELD(Parameters, until, "s", "Samples up to this time.").optional(),
      TRAMMEL_FIELD(Parameters, low, "Hz", "Lower end of the band that counts; all frequencies above 0 if left out.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, high, "Hz", "Upper end of the band; half the rate if left out.").above(0).optional());

  explicit PowerSpectrum(const Parameters& p)
      : channel_(p.channel.view()),
        interval_(1 / p.sample_rate),
        from_(given(p.from) ? p.from : -std::numeric_limits<double>::infinity()),
        until_(given(p.until) ? p.until : std::numeric_limits<double>::infinity()),
        low_(given(p.low) ? p.low : 0),
        high_(given(p.high) ? p.high : std::numeric_limits<double>::infinity()) {
    constexpr double least = 8, most = 1 << 22;
    const double samples = std::round(p.segment * p.sample_rate);
    if (!(samples >= least && samples <= most))
      throw Error::parameter("segment", "must hold 8 to 4194304 samples of 'sample_rate'; it holds " +
                                            std::to_string(static_cast<long long>(std::min(samples, 1e15))));
    if (!(until_ > from_)) throw Error::parameter("until", "must be after 'from'");
    if (!(high_ > low_)) throw Error::parameter("high", "must be above 'low'");
    n_ = static_cast<Index>(samples);
    advance_ = std::max<Index>(1, n_ - static_cast<Index>(std::round(p.overlap * samples)));
    window_.resize(static_cast<std::size_t>(n_));
    for (std::size_t j = 0; j < window_.size(); ++j)
      window_[j] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(j) / samples);
    for (const double w : window_) power_ += w * w;
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<MotionMetric, MetricCurve>(id, this, this);
  }
  Index channel_count() const override { return 1; }
  const char* channel(Index) const override { return channel_.c_str(); }
  MemorySize memory() const override { return {sdk::StateLayout::size<Kept>(n_), 0}; }

  Status accumulate(const MetricSample& sample, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, n_);
    const double t = sample.t, x = sample.values[0];
    if (m.begun == 0) {
      m.begun = 1;
      m.start = std::max(t, from_);
      m.last_t = t, m.last_x = x;
    }
    for (;;) {
      const double due = m.start + m.taken * interval_;
      if (due > t + rounding * interval_ || due > until_ + rounding * interval_) break;
      const double share = t > m.last_t ? std::clamp((due - m.last_t) / (t - m.last_t), 0.0, 1.0) : 1;
      add(m, m.last_x + (x - m.last_x) * share);
      ++m.taken;
    }
    m.last_t = t, m.last_x = x;
    return Status::success();
  }

  Index result_count() const override { return 4; }
  const char* result_name(Index i) const override {
    constexpr const char* names[] = {"", "peak", "frequency", "segments"};
    return names[i];
  }
  double result(Index i, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, n_);
    if (i == 3) return m.segments;
    if (m.segments == 0) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0, peak = 0, at = std::numeric_limits<double>::quiet_NaN();
    for (Index k = 1; k <= n_ / 2; ++k) {
      if (frequency(k) < low_ || frequency(k) > high_) continue;
      const double density = m.spectrum[k] / m.segments;
      sum += density * frequency(1);
      if (density > peak) peak = density, at = frequency(k);
    }
    return i == 0 ? std::sqrt(sum) : i == 1 ? peak : at;
  }

  Index columns() const override { return 2; }
  const char* column(Index i) const override { return i == 0 ? "frequency" : "density"; }
  Index points(const Memory& memory) const override {
    return sdk::StateLayout::place<Kept>(memory.state, n_).segments > 0 ? n_ / 2 : 0;
  }
  double value(Index point, Index column, const Memory& memory) const override {
    const auto m = sdk::StateLayout::place<Kept>(memory.state, n_);
    return column == 0 ? frequency(point + 1) : m.spectrum[point + 1] / m.segments;
  }

 private:
  static constexpr double rounding = 1e-9;  // of the interval

  struct Kept {
    Kept(sdk::StateLayout& at, Index n)
        : begun(at.number()),
          start(at.number()),
          last_t(at.number()),
          last_x(at.number()),
          taken(at.number()),
          filled(at.number()),
          segments(at.number()),
          segment(at.vector(n)),
          spectrum(at.vector(n / 2 + 1)) {}
    double& begun;
    double &start, &last_t, &last_x;
    double &taken, &filled;  ///< samples in all, and in the segment
    double& segments;
    sdk::StateLayout::Vector segment, spectrum;  ///< `spectrum`: sum over the segments
  };

  double frequency(Index k) const { return static_cast<double>(k) / (static_cast<double>(n_) * interval_); }

  void add(const Kept& m, double x) const {
    auto filled = static_cast<Index>(m.filled);
    m.segment[filled++] = x;
    if (filled == n_) {
      add_segment(m);
      for (Index j = advance_; j < n_; ++j) m.segment[j - advance_] = m.segment[j];
      filled = n_ - advance_;
    }
    m.filled = static_cast<double>(filled);
  }

  void add_segment(const Kept& m) const {
    const double mean = m.segment.map().mean();
    std::vector<double> x(window_.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = window_[j] * (m.segment[static_cast<Index>(j)] - mean);
    std::vector<std::complex<double>> X;
    Eigen::FFT<double>().fwd(X, x);
    for (Index k = 0; k <= n_ / 2; ++k) {
      const bool once = k == 0 || 2 * k == n_;
      m.spectrum[k] += (once ? 1 : 2) * interval_ * std::norm(X[static_cast<std::size_t>(k)]) / power_;  // (1)
    }
    ++m.segments;
  }

  std::string channel_;
  double interval_, from_, until_, low_, high_;
  Index n_ = 0, advance_ = 0;
  std::vector<double> window_;
  double power_ = 0;  ///< sum of w squared
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN(
    "power_spectrum", "1.0.0", "BSD-3-Clause",
    component<PowerSpectrum>(Host::any, "power_spectrum",
                             "Power spectral density of a channel by Welch's method: root mean square in a band."));
