// LawScan: whether a step passes over a feature of a force that its method did not feel.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "run/plant/plant.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel {

/// Forces that are functions of scalars (`StateLaws`: springs, dampers, roads) are cheap to ask. Along the way of a step
/// their arguments follow the cubic through both ends; 128 values show whether five equidistant ones, as many as a method
/// has, represent the force. What is narrower still is looked for where the force's bounds leave room for it.
class LawScan {
 public:
  /// [step] 0: nothing is hidden between the two states; else the length of the step to try in place of this one. Moves
  /// the model to both states.
  /// `cut`: the step ends at events already, else laws that switch are left to these.
  double look(Plant& plant, const Tolerances& tolerances, const ConstStateView& start, const ConstStateView& end,
              bool cut = false);
  /// [step] The same in two calls: the ends of the way, and how fast bodies turn there at most (rad/s; negative: the model
  /// cannot be asked there); then what is hidden between them.
  double take_ends(Plant& plant, const ConstStateView& start, const ConstStateView& end);
  double between_ends(Plant& plant, const Tolerances& tolerances, bool cut = false);
  /// [step] The run starts, or forces may have been made anew.
  void begin(const ConstrainedModel& model);
  bool any() const { return !laws_.empty(); }
  /// Of what was found last: the force, where in time, and how long steps may be to see it, s.
  struct Found {
    const ForceSlot* force = nullptr;
    double t = 0, step = 0;
  };
  const Found& found() const { return found_; }
  void remember(Archive& archive);

 private:
  /// The laws of one force.
  struct Laws {
    const ForceSlot* slot;
    const StateLaws* laws;
    std::size_t first, count, first_argument, arguments;
    const LawSwitches* switches;
    std::size_t first_switch, switch_count, event_count;  ///< events of the force itself lie behind its switches
    bool unbounded;
  };
  struct Place {
    double t = -1;       ///< s; negative: not known
    double turning = 0;  ///< of the fastest body, rad/s
    std::vector<double> x, rate, switches;
  };
  /// A part of the step, with the law's values at its ends.
  struct Part {
    double from, to, at_from, at_to;
  };

  bool places(Plant& plant, const ConstStateView& state, Place& place);
  /// A law that switches between the ends, or touches or parts: an event will end the step there.
  bool switches(const Laws& laws) const;
  /// The share of the step at which something hidden begins; 1: nothing is. Law i is the n-th of all.
  double hidden(const Laws& laws, Index i, std::size_t n);
  double hidden_between(const Laws& laws, Index i, const Part& part, int depth);
  bool value(const Laws& laws, Index i, double s, double& force);
  /// How far the force may leave its two values inside a part of the step; infinite where nothing is known.
  double room(const Laws& laws, Index i, const Part& part);
  /// The tolerances of all momenta, `momentum_`.
  void weigh(Plant& plant, const Tolerances& tolerances);
  /// What a force may be without mattering in the step: N or N m.
  double negligible(const Laws& laws, const ConstrainedModel& model) const;
  /// What may be hidden, of the n-th law, as far as its values in the step are known.
  void allow(const Laws& laws, std::size_t n, std::size_t apart);

  static constexpr std::size_t parts = 128;  ///< of a step's way

  std::vector<Laws> laws_;
  std::vector<double> low_, high_;  ///< of the laws so far
  Place start_, end_;
  double t_ = 0, h_ = 0, allowed_ = 0;  ///< of the step looked at
  int budget_ = 0;
  Found found_;
  double narrow_ = 1;  ///< share of the step that what was found takes
  std::array<double, parts + 1> values_{};
  std::vector<double> momentum_, x_, rate_, box_;
};

}  // namespace trammel
