// RankMonitor: watches the rank of the constraints through a run, chooses rows anew where it changes, and tells.
#pragma once

#include <string>
#include <vector>

#include "model/constrained_model.h"

namespace trammel {

/// Near a singular configuration a row comes near the span of the others; there it is left out (a solution of the other
/// rows, multipliers of the least squares) and counts again once it is clearly independent.
class RankMonitor {
 public:
  explicit RankMonitor(ConstrainedModel& model);

  /// [step] True if another choice of rows holds from here on. After an accepted step to t, at whose state the model
  /// was evaluated and factorized; `violation` is the 2-norm of Phi there: dependent rows look independent by as much.
  bool step(double t, double violation);
  /// Whether the step that is tried now might end next to a singular position: `share_of_step` tells.
  bool nears() const { return last_sine_ < watched; }
  /// [step] The model was evaluated and factorized at the end of a step that is tried. Less than 1: the step ends next to
  /// a singular position, and one of about that share of its length ends clear of it.
  double share_of_step() const;
  /// Whether the last step ended next to a singular position, and what comes of it, in words.
  bool is_near() const;
  std::string about_nearness() const;
  /// [step] Before an attempt of length h, where steps so far had `mean`: whether attempts next to a singular position have
  /// been so short, and so many, that the run does not get past it.
  bool sticks(double h, double mean);
  /// [step] The model was evaluated at a row inside a step: says where drivers leave it in a singular position.
  void row(double t);
  /// [step] The step that is about to be accepted passes a singular configuration at t, where `row` depends on others.
  void locate(double t, Index row) { located_ = {t, 0, row}; }
  /// Drivers determine the motion: where rows are left out, rates and reactions are not determined.
  void expect_determined_motion() { determined_ = true; }
  void remember(Archive& archive);
  /// [step] What the run met so far, in words; at most a handful.
  std::vector<std::string> messages() const;

 private:
  /// A row near the span of the others, or (rows_before >= 0) a new choice of rows. Told in words only when asked:
  /// steps neither format nor allocate.
  struct Event {
    double t, distance;
    Index row;
    Index rows_before = -1, rows_after = -1;
  };
  void note(const Event& event);
  void look_between_steps(double t, const RankWatch& now);
  bool exchange_rows(const RankWatch& now, double violation);
  double share_of_masses(const RankWatch& now);
  /// A row left out that is farther than `limit` from the span of all that are kept, or -1.
  Index regained_row(const RankWatch& now, double limit);
  std::string describe(const Event& event) const;

  ConstrainedModel& model_;
  const Index redundant_at_start_;
  bool near_ = false, determined_ = false;
  Event located_{0, 1, -1};
  Event nearest_{0, 1, -1};
  Event before_[2] = {{0, -1, -1}, {0, -1, -1}};  ///< the last two steps; `distance` squared
  std::vector<Event> events_;
  long more_ = 0;
  static constexpr double watched = 0.3;
  double last_sine_ = 1;  ///< smallest at the end of the last step, of `last_row_`
  Index last_row_ = -1;
  long tiny_attempts_ = 0;  ///< next to the same position
  double usual_step_ = 0;   ///< before that
  double last_tried_ = 1;   ///< distance at which other rows were looked for
  int pause_ = 0;           ///< steps until rows left out are measured again
  std::vector<unsigned char> scratch_;
};

}  // namespace trammel
