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
  /// All samples, those inserted too.
  std::size_t count() const { return times_.size(); }
  double first(std::size_t function) const { return values_[function]; }
  void set(std::size_t k, const std::vector<double>& values);
  /// [step] One more sample, at a time inside the step. False: there is no room for more.
  bool insert(double t, const std::vector<double>& values);
  /// [setup] So many parts of each step at least.
  void divide_at_least(std::size_t parts) { least_parts_ = parts; }
  /// [step] Those of the last `points_of`.
  std::vector<Point>& points() { return points_; }
  /// [step] Those of one function, in a list that takes more of them in between.
  std::vector<Point>& points_of(std::size_t function);

  /// [step] Peaks that reach over zero between samples (motions that graze, ways past something): parabolas through the
  /// nearest three points of the function of the last `points_of`, or the lines through the two points on either side,
  /// which meet at peaks like those of a distance, lead to them and are points afterwards; `value(t, f)` evaluates it
  /// there.
  template <class Value>
  Status look_at_peaks(double same_time, const Value& value) {
    constexpr int most_points = 12;
    for (const bool front : {true, false}) {
      Point tip{};
      if (!tip_at_edge(front, tip.t)) continue;
      const Status status = value(tip.t, tip.f);
      if (!status) return status;
      points_.insert(front ? points_.begin() + 1 : points_.end() - 1, tip);
    }
    std::size_t at = 1;
    const std::size_t last_sample = points_.size() - 1;
    for (std::size_t k = 1; k < last_sample; ++k, ++at) {
      // Peaks of the others are nearer to other samples.
      const double first = k == 1 ? points_[at - 1].t : 0.5 * (points_[at - 1].t + points_[at].t);
      const double last = k + 1 == last_sample ? points_[at + 1].t : 0.5 * (points_[at].t + points_[at + 1].t);
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
  /// [step] |angular velocity| of the fastest body at these velocities, rad/s; 0 for problems.
  static double fastest(const ConstrainedModel* model, const double* v);
  /// Of the last step's end, for the next one.
  double rate_before = 0;
  void remember(Archive& archive) { archive.values("events.samples", rate_before); }

 private:
  /// Whether the parabola through point `at` and its neighbours has a peak between these that may reach over zero: at
  /// t, `shift` behind the point.
  bool peak_over_zero(std::size_t at, double& t, double& shift) const;
  /// Whether the lines from either side meet over zero behind point k: at t.
  bool tip_between(std::size_t k, double& t) const;
  /// Whether a function that comes to the first (or last) part of the step along a line, and is at its outer end, may
  /// have turned over zero in it: at t, if it turned by as much as it came.
  bool tip_at_edge(bool front, double& t) const;
  /// Whether a peak of height `at_peak` between values of this scale may pass zero, all being on the side of f.
  static bool reaches(double at_peak, double f, double scale);

  std::size_t functions_ = 0, parts_ = 2, least_parts_ = 2;
  std::vector<double> times_, values_;
  std::vector<Point> points_;
};

}  // namespace trammel
