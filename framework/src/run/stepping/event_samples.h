// EventSamples: the values of event functions inside a step, as densely as the bodies turn in it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/archive.h"
#include "model/constrained_model.h"

namespace trammel {

class EventSamples {
 public:
  struct Point {
    double t, f;
  };
  /// Steps in which bodies turn further than this, rad, are not sampled densely enough: they have to be shorter.
  static constexpr double most_turn = 25;

  /// [setup] For so many functions.
  void resize(std::size_t functions);
  /// [step] Equidistant parts of the step from `from` to `to`, in which bodies turn at `rate`, rad/s: 0.4 rad in each,
  /// two of them at least, an even number.
  void divide(double from, double to, double rate);
  std::size_t parts() const { return parts_; }
  double time(std::size_t k) const { return times_[k]; }
  double first(std::size_t function) const { return values_[function]; }
  void set(std::size_t k, const std::vector<double>& values);
  /// [setup] So many parts of each step at least.
  void divide_at_least(std::size_t parts) { least_parts_ = parts; }
  /// [step] Those of the last `points_of`.
  std::vector<Point>& points() { return points_; }
  /// [step] Those of one function, in a list that takes more of them in between.
  std::vector<Point>& points_of(std::size_t function);

  /// [step] Where abs, min, max or a comparison of its formula switches, a function may have a peak or jump, and have a
  /// sign for a moment that no sample shows: `zero_of(s, a, b, t)` finds where switching function s passes zero between
  /// two samples, `value(t, f)` the function `beside` that place, on either side.
  template <class ZeroOf, class Value>
  Status look_at_kinks(std::size_t first, std::size_t count, double beside, const ZeroOf& zero_of, const Value& value) {
    kinks_.clear();
    for (std::size_t s = first; s < first + count; ++s) {
      const std::vector<Point>& points = points_of(s);
      for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        if (!(points[k].f * points[k + 1].f < 0)) continue;
        double t = 0;
        Status status = zero_of(s, points[k], points[k + 1], t);
        for (const double place : {t - beside, t + beside}) {
          if (!(place > points[k].t && place < points[k + 1].t)) continue;
          Point kink{place, 0};
          if (status) status = value(place, kink.f);
          kinks_.push_back(kink);
        }
        if (!status) return status;
      }
    }
    return Status::success();
  }
  /// [step] Peaks that reach over zero between samples (motions that graze, ways past something): parabolas through the
  /// nearest three points of the function of the last `points_of`, or the lines through the two points on either side,
  /// which meet at peaks like those of a distance, lead to them and are points afterwards; `value(t, f)` evaluates it
  /// there.
  template <class Value>
  Status look_at_peaks(double same_time, const Value& value) {
    constexpr int most_points = 12;
    std::size_t at = 1;
    for (std::size_t k = 1; k < parts_; ++k, ++at) {
      // Peaks of the others are nearer to other samples.
      const double first = k == 1 ? points_[at - 1].t : 0.5 * (points_[at - 1].t + points_[at].t);
      const double last = k + 1 == parts_ ? points_[at + 1].t : 0.5 * (points_[at].t + points_[at + 1].t);
      const std::size_t more = points_.size() - at;
      for (int i = 0; i < most_points; ++i) {
        Point peak{};
        double shift = 0;
        if (!peak_over_zero(at, peak.t, shift) || peak.t < first || peak.t > last || std::abs(shift) <= same_time)
          break;
        const Status status = value(peak.t, peak.f);
        if (!status) return status;
        if (shift > 0) ++at;
        points_.insert(points_.begin() + static_cast<std::ptrdiff_t>(at), peak);
      }
      at = points_.size() - more;
    }
    return Status::success();
  }
  /// [step] What `look_at_kinks` found becomes points of that function too.
  void take_kinks();

  /// [step] |angular velocity| of the fastest body at these velocities, rad/s; 0 for problems.
  static double fastest(const ConstrainedModel* model, const double* v);
  /// Of the last step's end, for the next one.
  double rate_before = 0;
  void remember(Archive& archive) { archive.values("events.samples", rate_before); }

 private:
  /// Whether the parabola through point `at` and its neighbours has a peak between these that may reach over zero: at
  /// t, `shift` behind the point.
  bool peak_over_zero(std::size_t at, double& t, double& shift) const;

  std::size_t functions_ = 0, parts_ = 2, least_parts_ = 2;
  std::vector<double> times_, values_;
  std::vector<Point> points_, kinks_;
};

}  // namespace trammel
