// TimeProfile: what the functions of time do over a run, known before it - where steps end, and how long they may be.
#pragma once

#include <string>
#include <vector>

namespace trammel {

/// A bound of the step by what happens inside it. A step from t is at most
///   h(t) = min over parts with end > t of  max(begin - t, step)                                                    (1)
/// so that one from afar ends where a part begins in which no longer step than `step` sees what goes on: methods need
/// not look at the end of a step, and would not feel what begins there.
class TimeProfile {
 public:
  /// A part of the run, and the longest step in it.
  struct Part {
    double begin, end, step;
  };

  /// [step] (1); infinite where nothing bounds it.
  double largest_step(double t) const;
  /// The parts in the order of their time, each bounded by all functions. For quadrature over time.
  const std::vector<Part>& parts() const { return parts_; }
  /// Jumps and kinks that the functions do not declare, ascending.
  const std::vector<double>& break_points() const { return break_points_; }
  /// Nothing wider than this was passed over, s; 0 where there was nothing to search.
  double width() const { return width_; }
  long functions() const { return functions_; }

  /// [setup] One more function: its parts, ascending and disjoint, its break points, the width that was searched.
  void add(const std::vector<Part>& parts, const std::vector<double>& break_points, double width);
  /// [setup] All that another knows.
  void add(const TimeProfile& others);

 private:
  std::vector<Part> parts_;
  std::vector<double> break_points_;
  double width_ = 0;
  long functions_ = 0;
};

}  // namespace trammel
