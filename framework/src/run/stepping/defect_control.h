// DefectControl: voids steps that passed over something their method did not sample - the model is asked inside the
// step.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "run/plant/plant.h"
#include "run/plant/state_buffer.h"
#include "run/stepping/law_scan.h"
#include "run/stepping/step_size.h"

namespace trammel {

/// The defect of the interpolant p, f(t, p) - p' (Enright, Analysis of error control strategies for continuous
/// Runge-Kutta methods, SIAM J. Numer. Anal. 26 (1989) 588-599), at places drawn anew for each step. A method that felt
/// nothing while the state moved on is looked behind densely; other steps once where they are longer than those looked
/// into before, as long as all looks take a small share of the evaluations. h times the defect is the error it stands
/// for; the part of a stiff system that an error of p explains is taken off. Beyond what the estimate and the tolerance
/// explain the step is void, and the place is looked at again by every step that covers it.
class DefectControl {
 public:
  /// An attempt that its error estimate accepts.
  struct Attempt {
    const Problem& problem;
    const Integrator& integrator;
    Plant& plant;
    const ErrorMeasure& measure;
    ConstVectorView mask;
    const Memory& memory;
    const StateBuffer& start;
    const StateBuffer& end;
    double error;     ///< its norm, or -1 where the method tells none
    long number;      ///< of the step
    double duration;  ///< of the run
  };

  /// Fixed steps cannot be made shorter: laws are watched, nothing else.
  DefectControl(const ProblemSize& size, ViewKind view, DefectMode mode, bool fixed);
  /// [step] 0: the attempt stands; else the length of the step to try in its place.
  double look(const Attempt& attempt);
  /// [step] Whether the method felt what acts in the attempt up to t, where an event ends it. Evaluates the model.
  bool felt_until(const Attempt& attempt, double t);
  /// [step] After a fixed step, which is what it is and ends at events. Not "": the first that passed over a narrow part of a law, in words.
  std::string watch(Plant& plant, const ConstStateView& start, const ConstStateView& end);
  /// What `watch` said, and fixed steps that see all of what was found, s; infinite: nothing was.
  const std::vector<std::string>& about_fixed_steps() const { return about_; }
  double step_that_sees() const { return seeing_; }
  /// [step] The largest step after the one looked at last.
  double largest_next() const { return largest_next_; }
  /// [step] Starts and restarts: no length of steps is proven.
  void restart(Plant& plant);
  /// [step] Forces may have been made anew.
  void elements_changed(Plant& plant);
  void remember(Archive& archive);
  long voided() const { return voided_; }

 private:
  /// Places to look at, before the budget.
  int draws(const Attempt& attempt, double h);
  /// Drivers move rows, and no estimate says how far an interpolant is off them: the correction that brings the middle of
  /// the step onto the rows, in tolerances. Negative: it cannot be told, or nothing is driven.
  double off_rows(const Attempt& attempt);
  /// The scan of laws, in parts of the way that bodies do not turn far in. 0: nothing is hidden.
  double scan_laws(const Attempt& attempt);
  double clear_before(double start, double end) const;
  bool travels(const Attempt& attempt);
  bool as_far_as_end(const Attempt& attempt, bool unfelt) const;
  Index positions_of(const Attempt& attempt) const;
  Status quintic(const Attempt& attempt, double t, Index positions);
  double middle_of(const Attempt& attempt, double place, double reach);
  /// Norm of the error that the defect at t stands for over the time h, of the step or of the part that counts of it: what
  /// is stiff in a long step need not be in a short piece. Negative: it cannot be told.
  double measured(const Attempt& attempt, double t, double limit, double h);
  Status interpolate(const Attempt& attempt, double t, const StateView& out) const;
  /// What the model says at a state: y', or x''.
  Status ask(const Attempt& attempt, const ConstStateView& at, VectorView f) const;

  DefectMode mode_;
  bool searches_;
  LawScan laws_;
  bool first_order_;
  StateBuffer at_, beside_, interpolated_;
  std::vector<double> f_, slope_, defect_, change_, error_, first_slope_, last_slope_;
  bool supported_ = true, have_slopes_ = false, doubts_ = false;
  long voided_ = 0, in_a_row_ = 0;
  double proven_ = 0;                     ///< the longest step that was looked into since the last start, s
  double place_ = -1;                     ///< s, where the last defect was
  double clear_ = -1;                     ///< s, before it nothing was found
  double spent_ = 0, spent_unfelt_ = 0;   ///< evaluations, of steps that felt something and of those that did not
  double largest_q_ = 0, largest_v_ = 0;  ///< of the middles of steps, where drivers move rows
  std::vector<std::string> about_;        ///< what fixed steps passed over first, in words
  double seeing_ = std::numeric_limits<double>::infinity();
  double largest_next_ = std::numeric_limits<double>::infinity();
};

}  // namespace trammel
