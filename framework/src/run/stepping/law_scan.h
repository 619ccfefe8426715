// LawScan: whether a step passes over a feature of a force that its method did not feel.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "run/plant/plant.h"
#include "trammel/element_extensions.h"

namespace trammel {

/// Forces that are functions of scalars (`StateLaws`: springs, dampers, roads) are cheap to ask. Along the way of a step
/// their arguments follow the cubic through both ends; 128 values show whether five equidistant ones, as many as a method
/// has, represent the force. What is narrower still is looked for where the force's bounds leave room for it.
class LawScan {
 public:
  /// [step] 0: nothing is hidden between the two states; else the length of the step to try in place of this one. Moves
  /// the model to both states.
  double look(Plant& plant, const Tolerances& tolerances, const StateView& start, const StateView& end);
  /// [step] The run starts, or forces may have been made anew.
  void begin(const ConstrainedModel& model);
  /// Whether a step from t on crosses a place where something was found: it is looked at whatever its length.
  bool expects(double t) const { return t < until_; }
  void remember(Archive& archive);

 private:
  /// The laws of one force.
  struct Laws {
    const ForceSlot* slot;
    const StateLaws* laws;
    std::size_t first, count, first_argument, arguments;
  };
  struct Place {
    std::vector<double> x, rate;
  };
  /// A part of the step, with the law's values at its ends.
  struct Part {
    double from, to, at_from, at_to;
  };

  bool places(Plant& plant, const StateView& state, Place& place);
  /// The share of the step at which something hidden begins; 1: nothing is. Law i is the n-th of all.
  double hidden(const Laws& laws, Index i, std::size_t n);
  double hidden_between(const Laws& laws, Index i, const Part& part, int depth);
  bool value(const Laws& laws, Index i, double s, double& force);
  /// How far the force may leave its two values inside a part of the step; infinite where nothing is known.
  double room(const Laws& laws, Index i, const Part& part);
  /// What a force may be without mattering in the step: N or N m.
  double negligible(Plant& plant, const Tolerances& tolerances);

  static constexpr std::size_t parts = 128;  ///< of a step's way

  std::vector<Laws> laws_;
  std::vector<double> low_, high_;  ///< of the laws so far
  Place start_, end_;
  double t_ = 0, h_ = 0, allowed_ = 0;  ///< of the step looked at
  int budget_ = 0;
  double until_ = -1;  ///< s, end of the last void step
  std::array<double, parts + 1> values_{};
  std::vector<double> momentum_, x_, rate_, box_;
};

}  // namespace trammel
