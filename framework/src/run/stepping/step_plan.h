// StepPlan: where the next step may end - goals, break points, the grid of fixed steps, and what bounds a step's
// length.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "model/archive.h"
#include "run/stepping/step_size.h"
#include "run/stepping/time_profile.h"

namespace trammel {

class StepPlan {
 public:
  /// A step, and the exact time at which it is to end.
  struct Target {
    double h, t;
    bool anew = false;      ///< a method on a grid has to begin anew for this step, which is not the grid's
    bool off_grid = false;  ///< fixed steps count from its end
  };
  /// What is known of the run's functions of time.
  struct Times {
    std::vector<double> break_points;  ///< declared, ascending
    std::vector<double> jumps;         ///< those where a function or its slope jumps, ascending
    TimeProfile profile;
  };

  StepPlan(const StepControlOptions& control, const IntegratorTraits& traits, const Times& times, double duration);

  /// [step] The step to try from t where the controller proposes `h`.
  Target next(double t, double h, double t_end) const;
  /// [step] A step that ends at a break point sees functions as they are before it: it is attempted to a few roundings
  /// short of it. Other times are returned as they are.
  double left_of_break(double t) const;
  /// Whether t is a multiple of the fixed step, from where its grid begins.
  bool on_grid(double t) const;
  bool ends_on_grid_only() const { return fixed_ && !variable_step_; }
  bool fixed() const { return fixed_; }
  double same_time() const { return same_time_; }
  bool variable_step() const { return variable_step_; }

  /// [step] The grid of fixed steps begins anew at t; the first step of a segment is step 0.
  void begin_segment(double t) { segment_start_ = t, segment_steps_ = 0, piece_ = {}; }
  long segment_steps() const { return segment_steps_; }
  /// [step] A step to this target was accepted; it ends at t.
  void step_taken(const Target& target, double t);
  /// [step] The first fixed step of a segment was cut off by an event at `end` and is void: what the law does between
  /// two events lies inside one step, where methods that look at its ends see nothing. The way there is taken in short
  /// steps, and if the event comes later in longer ones until the grid is reached.
  void divide_piece(double end);
  /// Whether the first step of a segment was taken last, whole.
  bool first_of_segment() const { return segment_steps_ == 1 && piece_.h == 0; }
  /// [step] The next steps end at this time if they come to it.
  void land_at(double t) { landing_ = t; }
  double landing() const { return landing_; }
  /// [step] Longest step after an impact; for one step.
  void limit_flight(double h) { flight_ = h; }
  /// [step] Until the next call: the largest step in which no counted angle can be mistaken for another.
  void limit_turning(double h) { turning_ = h; }
  double turning_limit() const { return turning_; }
  /// Short pieces and narrow parts are taken in steps longer by this factor: for comparisons.
  void scale_cuts(double factor) { cut_ = factor; }
  /// A jump that lies between a step and a time at which it was evaluated outside of it; infinite if there is none.
  double jump_outside(double begin, double end, double earliest, double latest) const;
  /// [step] Of functions that came later.
  void add(const Times& times);
  const std::vector<double>& break_points() const { return break_points_; }
  /// What functions of time do, for whoever integrates over it.
  const TimeProfile& profile() const { return profile_; }
  /// A warning if fixed steps are longer than what functions of time do, or "".
  std::string about_fixed_steps(double t_end) const;
  /// Fixed steps that see what functions of time do, s; infinite if those of the run surely do.
  double step_that_sees(double t_end) const;
  void remember(Archive& archive);

 private:
  void find_narrow_parts(double duration);
  void add_flanks();
  double narrow_step(double t) const;
  long steps_of_short_piece() const;
  const TimeProfile::Part* missed(double t_end, double ratio) const;
  Target next_of_piece(double t, double t_end) const;
  void piece_taken(const Target& target, double t);
  double fixed_step_at(double t, double t_end) const;
  double next_break(double t) const;
  double goal(double t, double t_end) const;
  static void merge(std::vector<double>& all, const std::vector<double>& times);

  std::vector<double> break_points_, jumps_;
  TimeProfile profile_;
  std::vector<TimeProfile::Part> narrow_;  ///< where fixed steps are shortened, ascending
  int least_steps_;                        ///< of a piece between break points
  double shortened_from_ =
      std::numeric_limits<double>::infinity();  ///< steps so many times a part's bound are shortened in it
  double narrow_steps_;    ///< where narrow_ applies, for each that steps which choose themselves take
  double cut_ = 1;         ///< see scale_cuts
  double short_step_ = 0;  ///< on a grid: of the steps up to a break point off it, 0 elsewhere
  double short_end_ = 0;   ///< where they end
  /// See divide_piece.
  struct Piece {
    double step = 0;  ///< 0: the grid holds
    double end = 0;   ///< where the event was expected
    double h = 0;     ///< the last step, until a method on a grid has begun anew there
  } piece_;
  bool fixed_, variable_step_;
  double step_, max_step_, same_time_;
  double segment_start_ = 0;
  long segment_steps_ = 0;
  double landing_ = std::numeric_limits<double>::infinity();
  double flight_ = std::numeric_limits<double>::infinity();
  double turning_ = std::numeric_limits<double>::infinity();
};

}  // namespace trammel
