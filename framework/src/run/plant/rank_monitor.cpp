// Watch over the rank of the constraints.
#include "run/plant/rank_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dependence.h"
#include "model/rank_report.h"

namespace trammel {
namespace {

// Sines of the angle between a row and the span of the others. Rows are left out below the first (as at the start),
// taken back above the second; an approach counts as one below the third and is over above the fourth.
constexpr double dependent = dependence_threshold, independent = 1e-5, near = 1e-3, far = 4e-3;
// Off the constraints by x, a dependent row looks independent by a small multiple of x.
constexpr double violation_share = 100;
constexpr std::size_t most_messages = 8;

std::string closeness(double sine) {
  return sine < dependent ? std::string("depends on") : fmt::format("comes within {:.0e} (sine of an angle) of", sine);
}

}  // namespace

RankMonitor::RankMonitor(ConstrainedModel& model) : model_(model), redundant_at_start_(model.rank().redundant()) {
  events_.reserve(most_messages);
  scratch_.resize(2 * static_cast<std::size_t>(model.constraints()));
}

void RankMonitor::note(const Event& event) {
  if (events_.size() < most_messages) {
    events_.push_back(event);
  } else {
    ++more_;
  }
}

std::string RankMonitor::describe(const Event& event) const {
  if (event.rows_before >= 0 && determined_) {
    return fmt::format(
        "the position at t = {:.6g} is singular, row '{}' is left out there: rates, accelerations and reactions "
        "in the rows of results.csv with that t are not reliable",
        event.t, model_.row_name(event.row));
  }
  if (event.rows_before >= 0) {
    return fmt::format("at t = {:.6g} the number of dependent constraint rows changes from {} to {}, with row '{}'",
                       event.t, event.rows_before, event.rows_after, model_.row_name(event.row));
  }
  const ConstraintSlot* slot = model_.assembly().constraint_of_row(event.row);
  return fmt::format(
      "singular configuration near t = {:.6g}, a possible bifurcation: row '{}'{} {} what the other rows demand; "
      "motion may branch there",
      event.t, model_.row_name(event.row),
      slot != nullptr ? fmt::format(" of '{}' (type '{}')", slot->name, slot->type) : std::string(),
      closeness(event.distance));
}

// Steps may pass a singular configuration at some distance on either side. Near it the squared sine is d^2 + m^2 (t -
// t0)^2: the parabola through three steps around a minimum tells t0 and d.
void RankMonitor::look_between_steps(double t, const RankWatch& now) {
  constexpr double worth_looking = 0.1, sharp = 0.05;
  constexpr double dip = 4;  // a passage halfway between two steps leaves a factor of 9, one at a step far more
  const Event &first = before_[0], &middle = before_[1];
  const double value = now.smallest_kept;
  const bool one_row = first.row == middle.row && middle.row == now.smallest_kept_row &&
                       model_.assembly().constraint_of_row(middle.row) != nullptr;
  const bool minimum = first.distance > middle.distance && middle.distance <= value &&
                       middle.distance < worth_looking && std::max(first.distance, value) > dip * middle.distance;
  if (one_row && minimum && !near_) {
    const double left = (middle.distance - first.distance) / (middle.t - first.t);
    const double curvature = ((value - middle.distance) / (t - middle.t) - left) / (t - first.t);
    const double slope = left + curvature * (middle.t - first.t);  // at the middle point
    const double bottom = middle.distance - slope * slope / (4 * curvature);
    if (curvature > 0 && bottom < sharp * middle.distance && share_of_masses(now) == 1) {
      note({middle.t - slope / (2 * curvature), std::sqrt(std::max(bottom, 0.0)), middle.row});
    }
  }
  before_[0] = before_[1];
  before_[1] = {t, value, now.smallest_kept_row};
}

// Where rows are redundant, one that is kept may come near the others although the configuration is not singular:
// another row of the same set is the better choice then, and no rank has changed.
bool RankMonitor::exchange_rows(const RankWatch& now, double violation) {
  constexpr double ill_chosen = 0.1, worth_another_look = 0.5, better = 3;
  const double distance = now.weak > 0 ? 0 : std::sqrt(now.smallest_kept);
  const Index row = now.weak > 0 ? now.weak_row : now.smallest_kept_row;
  if (distance > 2 * ill_chosen) last_tried_ = 1;
  if (model_.rank().redundant() == 0 || distance > ill_chosen || distance > worth_another_look * last_tried_)
    return false;
  last_tried_ = distance;
  if (row < 0 || model_.assembly().constraint_of_row(row) == nullptr) return false;
  const double threshold = std::max(dependent, violation_share * violation);
  if (!model_.rank().exchange_row(row, threshold, std::max(better * distance, better * threshold), scratch_))
    return false;
  last_tried_ = 1;
  return true;
}

// How much nearer to the others the nearest row is in the metric of M^-1 than by geometry, where that is much.
double RankMonitor::share_of_masses(const RankWatch& now) {
  constexpr double much = 30;
  const RankWatch* geometric = model_.rank().geometric_watch();
  model_.rank().take_closest();  // this look is no part of the motion
  if (now.weak > 0 || geometric == nullptr || geometric->weak > 0 || !(now.smallest_kept > 0)) return 1;
  const double share = std::sqrt(geometric->smallest_kept / now.smallest_kept);
  return share > much ? share : 1;
}

// Solvers measure rows left out from those that come before them in their order, which are not all that are kept after
// an exchange. Where that has shown nothing new, it is measured in every fourth step only.
Index RankMonitor::regained_row(const RankWatch& now, double limit) {
  constexpr int longest_pause = 3;
  if (!(std::sqrt(now.largest_dropped) > limit)) {
    pause_ = 0;
    return -1;
  }
  if (pause_ > 0) {
    --pause_;
    return -1;
  }
  const Index row = model_.rank().regained_row(limit);
  pause_ = row < 0 ? longest_pause : 0;
  return row;
}

// Where a row comes within s of the others, rounding of its value is a change of coordinates 1/s times as large, of
// velocities 1/s^2 and of accelerations 1/s^3 times, which is noise under the steps that begin there; closer still the
// row is left out. Steps that end on either side of the position at a distance pass it with their stages, whose errors
// the error control sees. The sine falls to zero in proportion to time.
double RankMonitor::share_of_step() const {
  constexpr double noisy = 0.01, beside = 0.3, half_way = 0.45;
  const RankWatch* watch = model_.rank().watch();
  if (watch == nullptr) return 1;
  const double sine = watch->weak > 0 ? 0 : std::sqrt(watch->smallest_kept);
  return sine < noisy && sine < beside * last_sine_ ? half_way : 1;
}

bool RankMonitor::is_near() const { return last_sine_ < near && last_row_ >= 0; }

std::string RankMonitor::about_nearness() const {
  return fmt::format(
      "the position is singular or nearly so: row '{}' {} what the other rows demand, and violations of the "
      "constraints, "
      "rounding at least, come back divided by that sine in positions, its square in velocities, its cube in "
      "accelerations",
      model_.row_name(last_row_), closeness(last_sine_));
}

bool RankMonitor::sticks(double h, double mean) {
  constexpr double tiny = 1e-5;
  constexpr long most = 1000;  // a passage at full length takes one or two attempts, a start or an event at one dozens
  if (!is_near()) tiny_attempts_ = 0, usual_step_ = mean;
  if (is_near() && h < tiny * usual_step_) ++tiny_attempts_;
  return tiny_attempts_ > most;
}

bool RankMonitor::step(double t, double violation) {
  const RankWatch* watch = model_.rank().watch();
  if (watch == nullptr) return false;
  const RankWatch now = *watch, closest = model_.rank().take_closest();
  if (model_.rank().redundant() <= redundant_at_start_) {  // else the rows left out next to a position are not back yet
    last_sine_ = now.weak > 0 ? 0 : std::sqrt(now.smallest_kept);
    last_row_ = now.weak > 0 ? now.weak_row : now.smallest_kept_row;
  }
  if (exchange_rows(now, violation)) {
    before_[0] = before_[1] = {t, -1, -1};
    near_ = false;
    return true;
  }
  double distance = closest.weak > 0 ? 0 : std::sqrt(std::min(closest.smallest_kept, now.smallest_kept));
  if (distance < near) distance *= share_of_masses(now);
  const Index row = closest.weak > 0                             ? closest.weak_row
                    : closest.smallest_kept <= now.smallest_kept ? closest.smallest_kept_row
                                                                 : now.smallest_kept_row;
  if (distance < near && row >= 0 && (!near_ || distance < nearest_.distance))
    nearest_ = {t, distance, row}, near_ = true;
  if (located_.row >= 0) {
    nearest_ = located_, near_ = true;
    before_[0] = before_[1] = {t, 0, -1};  // no second message from between the steps
    located_.row = -1;
  }
  if (near_ && distance > far) {
    near_ = false;
    note(nearest_);
    nearest_.distance = 1;
    before_[0] = before_[1] = {t, 0, -1};  // this passage has been reported
  }
  look_between_steps(t, now);
  const Index regained_one = regained_row(now, std::max(independent, violation_share * violation));
  const bool regained = regained_one >= 0;
  if (!regained && now.weak == 0) return false;
  const Index before = model_.rank().redundant();
  const Index cause = regained ? regained_one : now.weak_row;
  const Index after = model_.rank().choose_rows(std::max(dependent, violation));
  if (after != before && (!determined_ || after > before)) note({t, 0, cause, before, after});
  return true;
}

void RankMonitor::row(double t) {
  const RankWatch* watch = model_.rank().watch();
  if (!determined_ || watch == nullptr) return;
  const bool weak = watch->weak > 0;
  if (!weak && !(std::sqrt(watch->smallest_kept) < dependent)) return;
  note({t, 0, weak ? watch->weak_row : watch->smallest_kept_row, model_.rank().redundant(), model_.rank().redundant()});
}

void RankMonitor::remember(Archive& archive) {
  std::vector<double> all;
  const auto put = [&](const Event& e) {
    for (const double x : {e.t, e.distance, double(e.row), double(e.rows_before), double(e.rows_after)})
      all.push_back(x);
  };
  for (const Event* e : {&nearest_, &before_[0], &before_[1]}) put(*e);
  for (const Event& e : events_) put(e);
  archive.values("rank", near_, more_, last_sine_, last_row_, tiny_attempts_, usual_step_);
  archive.values("rank.exchange", last_tried_, pause_);
  archive.list("rank.events", all);
  if (!archive.restores()) return;
  std::size_t at = 0;
  const auto take = [&] {
    const Event e{all[at], all[at + 1], Index(all[at + 2]), Index(all[at + 3]), Index(all[at + 4])};
    at += 5;
    return e;
  };
  for (Event* e : {&nearest_, &before_[0], &before_[1]}) *e = take();
  events_.clear();
  while (at + 5 <= all.size()) events_.push_back(take());
}

std::vector<std::string> RankMonitor::messages() const {
  std::vector<std::string> all;
  for (const Event& event : events_) all.push_back(describe(event));
  if (near_) all.push_back(describe(nearest_));
  if (more_ > 0) all.push_back(fmt::format("{} more passages near singular configurations", more_));
  return all;
}

}  // namespace trammel
