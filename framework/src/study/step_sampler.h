// StepSampler: channels inside steps, by polynomials through as many states as their course needs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trammel/host/step_observer.h"

namespace trammel {

/// One state in the middle of a step tells whether its ends' chord, or the parabola, is the channels' course; where they
/// are not, states at the quarters, and halves of the step. Where chords serve for long, not every step is looked into.
class StepSampler {
 public:
  using Values = std::vector<double>;
  /// Channels' values at a time; false: none.
  using Look = std::function<bool(double t, Values& values)>;
  struct Point {
    double t;
    Values values;
  };

  /// [step] The state at the start of the run, or behind what happened at the end of a step.
  void begin(double t, const Values& values);
  /// [step] The samples of a step behind its start, up to its end before what happens there; so close that chords serve.
  /// Empty: its end is not known. Valid until the next call.
  std::span<const Point> step(double from, double to, const Look& look);

 private:
  struct Part {
    Point a, m, b;
  };
  bool refine(const Part& part, const Look& look, int depth);
  /// Of the middle from the chord, and of a value from another, as a share of the channels' ranges.
  double bend(const Part& part) const;
  double share(const Values& difference) const;
  void see(const Values& values);
  /// The polynomial through 3 or 5 equidistant points.
  void emit(std::span<const Point* const> points, double bend);
  /// A sample behind the others; its values are to be written.
  Point& add_sample(double t);

  Point start_{};
  Values least_, most_;
  std::vector<Point> samples_;  ///< room for samples, of which the first `count_` count
  std::size_t count_ = 0;
  Values differences_;  ///< forward ones of emitted points, order by order
  long steps_ = 0, looks_ = 0;
  int quiet_ = 0, pause_ = 0;  ///< steps whose chords served, steps to go without a look
};

}  // namespace trammel
