// Window: the part of a run that a statistic looks at, and the filter through which it does.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analog_filter.h"
#include "trammel/error.h"
#include "trammel/sdk/plugin.h"

namespace trammel::channel_statistics {

enum class FilterType : std::int32_t { none, low_pass, high_pass, band_pass, wk, wd, wf };

struct Keys {
  Text channel;
  double from, until;  ///< s; NaN: left out
  FilterType filter;
  double low, high;  ///< Hz
  std::int64_t order;
  bool zero_phase;
  double sample_rate;  ///< Hz
};

constexpr auto key_table = sdk::table<Keys>(
    TRAMMEL_FIELD(Keys, channel, "1", "Column of results.csv, for example \"rod.x\", or \"=formula\" of such columns."),
    TRAMMEL_FIELD(Keys, from, "s", "Counts from this time on.").optional(),
    TRAMMEL_FIELD(Keys, until, "s", "Counts up to this time.").optional(),
    TRAMMEL_FIELD(Keys, filter, "1",
                  "Filters the channel: Butterworth's filters, or the frequency weightings of ISO 2631-1.")
        .choices("none|low_pass|high_pass|band_pass|wk|wd|wf")
        .otherwise("\"none\""),
    TRAMMEL_FIELD(Keys, low, "Hz", "Lower corner frequency, of high_pass and band_pass.").above(0).optional(),
    TRAMMEL_FIELD(Keys, high, "Hz", "Upper corner frequency, of low_pass and band_pass.").above(0).optional(),
    TRAMMEL_FIELD(Keys, order, "1", "Order of Butterworth's filters; a band-pass filter has twice as many poles.")
        .at_least(1)
        .at_most(8)
        .otherwise("2"),
    TRAMMEL_FIELD(Keys, zero_phase, "1", "Filters forth and back: no phase, and the square of the magnitude.")
        .otherwise("false"),
    TRAMMEL_FIELD(Keys, sample_rate, "Hz", "Samples per second that zero_phase keeps of the channel.")
        .above(0)
        .optional());

class Window {
 public:
  explicit Window(const Keys& keys)
      : from_(given(keys.from) ? keys.from : -std::numeric_limits<double>::infinity()),
        until_(given(keys.until) ? keys.until : std::numeric_limits<double>::infinity()),
        zero_phase_(keys.zero_phase) {
    if (!(until_ > from_)) throw Error::parameter("until", "must be after 'from'");
    const bool lower = keys.filter == FilterType::high_pass || keys.filter == FilterType::band_pass;
    const bool upper = keys.filter == FilterType::low_pass || keys.filter == FilterType::band_pass;
    check(lower, given(keys.low), "low", "the corner frequency of filters 'high_pass' and 'band_pass', Hz");
    check(upper, given(keys.high), "high", "the corner frequency of filters 'low_pass' and 'band_pass', Hz");
    if (lower && upper && !(keys.high > keys.low)) throw Error::parameter("high", "must be above 'low'");
    if (zero_phase_ && keys.filter == FilterType::none)
      throw Error::parameter("zero_phase", "means nothing without a filter");
    check(zero_phase_, given(keys.sample_rate), "sample_rate",
          "how many samples per second are kept for \"zero_phase\"");
    const int order = static_cast<int>(keys.order);
    switch (keys.filter) {
      case FilterType::none: break;
      case FilterType::low_pass: filter_.emplace(low_pass(order, keys.high)); break;
      case FilterType::high_pass: filter_.emplace(high_pass(order, keys.low)); break;
      case FilterType::band_pass: filter_.emplace(band_pass(order, keys.low, keys.high)); break;
      case FilterType::wk: filter_.emplace(weighting(wk)); break;
      case FilterType::wd: filter_.emplace(weighting(wd)); break;
      case FilterType::wf: filter_.emplace(weighting(wf)); break;
    }
    if (!zero_phase_) return;
    constexpr double most_samples = 1e7;
    if (!given(keys.until))
      throw Error::parameter("until", "is required by \"zero_phase\", which keeps all samples up to it");
    if (!(until_ * keys.sample_rate < most_samples))
      throw Error::parameter("sample_rate", "makes more than 1e7 samples up to 'until'");
    interval_ = 1 / keys.sample_rate;
    // Beyond the window as long as the way back needs to forget where it began.
    constexpr double forgets = 16, most_extra = 1e6;
    const double extra = std::min(most_extra, std::ceil(forgets / filter_->slowest() * keys.sample_rate));
    count_ = static_cast<Index>(std::ceil(until_ * keys.sample_rate - 1e-9) + extra) + 1;
  }

  /// All of the run, as it is.
  bool is_everything() const { return !filter_ && std::isinf(from_) && std::isinf(until_); }
  /// Results are known when the run is over.
  bool needs_all_samples() const { return zero_phase_; }
  /// Of its memory: time and value of the last sample, the filter's; or number of samples, and these.
  Index size() const {
    return is_everything() ? 0 : zero_phase_ ? 4 + count_ : 2 + static_cast<Index>(filter_ ? filter_->size() : 0);
  }

  /// A sample goes on from the one before along a line. `sums.point(t, y)` gets what lies in the window, `sums.piece(h, y0, y,
  /// y1)` a part of length h with its middle.
  template <class Sums>
  void accumulate(double t, double x, bool first, double* memory, const Sums& sums) const {
    if (zero_phase_) return keep(t, x, first, memory);
    double* const state = memory + 2;
    if (first) {
      if (filter_) filter_->settle(x, state);
      if (t >= from_ && t <= until_) sums.point(t, output(x, state));
    } else {
      const double t0 = memory[0], x0 = memory[1];
      if (t == t0) {  // a jump
        if (t >= from_ && t <= until_) sums.point(t, output(x, state));
      } else {
        const auto at = [&](double time) { return x0 + (x - x0) * (time - t0) / (t - t0); };
        double before = t0;
        for (const double end : {from_, until_, t}) {
          const double stop = std::min(end, t);
          if (!(stop > before)) continue;
          go(before, stop, at, state, before >= from_ && stop <= until_, sums);
          before = stop;
        }
      }
    }
    memory[0] = t, memory[1] = x;
  }

  /// Of zero_phase: the samples, filtered forth and back.
  template <class Sums>
  void finish(const double* memory, const Sums& sums) const {
    const auto n = static_cast<std::size_t>(memory[3]);
    const double begin = memory[2];
    std::vector<double> y(memory + 4, memory + 4 + n), state(filter_->size());
    for (int way = 0; way < 2 && n > 0; ++way) {
      filter_->settle(y[0], state.data());
      double before = y[0];
      y[0] = filter_->output(before, state.data());
      for (std::size_t i = 1; i < n; ++i) {
        const double now = y[i];
        filter_->advance(interval_, before, now, state.data());
        y[i] = filter_->output(now, state.data());
        before = now;
      }
      std::reverse(y.begin(), y.end());
    }
    const double edge = 1e-9 * interval_;
    bool inside = false;
    for (std::size_t i = 0; i < n; ++i) {
      const double t = begin + interval_ * static_cast<double>(i);
      const bool now = t >= from_ - edge && t <= until_ + edge;
      if (now) sums.point(t, y[i]);
      if (now && inside) sums.piece(interval_, y[i - 1], 0.5 * (y[i - 1] + y[i]), y[i]);
      inside = now;
    }
  }

 private:
  static void check(bool wanted, bool is_given, const char* key, const char* what) {
    if (wanted && !is_given) throw Error::parameter(key, std::string("is missing: ") + what);
    if (!wanted && is_given) throw Error::parameter(key, std::string("means nothing here; it is ") + what);
  }
  double output(double x, const double* state) const { return filter_ ? filter_->output(x, state) : x; }

  /// From `begin` to `end` in parts in which the filter's fastest motion hardly turns.
  template <class At, class Sums>
  void go(double begin, double end, const At& at, double* state, bool counts, const Sums& sums) const {
    constexpr double turn = 0.2, most_parts = 10000;
    const double length = end - begin;
    const double wanted = filter_ && counts ? std::ceil(length * filter_->fastest() / turn) : 1;
    const auto parts = static_cast<int>(std::clamp(wanted, 1.0, most_parts));
    double t = begin, y = output(at(begin), state);
    if (counts) sums.point(begin, y);
    for (int i = 1; i <= parts; ++i) {
      const double to = i == parts ? end : begin + length * i / parts, middle = 0.5 * (t + to);
      if (filter_) filter_->advance(middle - t, at(t), at(middle), state);
      const double half = output(at(middle), state);
      if (filter_) filter_->advance(to - middle, at(middle), at(to), state);
      const double next = output(at(to), state);
      if (counts) sums.piece(to - t, y, half, next), sums.point(to, next);
      t = to, y = next;
    }
  }

  void keep(double t, double x, bool first, double* memory) const {
    double &last_t = memory[0], &last_x = memory[1], &begin = memory[2], &kept = memory[3];
    double* const samples = memory + 4;
    if (first) {
      begin = t;
      samples[0] = x, kept = 1;
    } else {
      while (kept < static_cast<double>(count_)) {
        const double due = begin + kept * interval_;
        if (due > t + 1e-9 * interval_) break;
        samples[static_cast<Index>(kept)] =
            t > last_t ? last_x + (x - last_x) * std::min(1.0, (due - last_t) / (t - last_t)) : x;
        ++kept;
      }
    }
    last_t = t, last_x = x;
  }

  double from_, until_;
  bool zero_phase_;
  std::optional<AnalogFilter> filter_;
  double interval_ = 0;  ///< s, between the samples of zero_phase
  Index count_ = 0;      ///< of these, at most
};

}  // namespace trammel::channel_statistics
