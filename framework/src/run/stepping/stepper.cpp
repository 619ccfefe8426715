// The loop around attempted steps.
#include "run/stepping/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plugin/breadcrumb.h"
#include "run/plant/rank_monitor.h"
#include "run/plant/status_text.h"
#include "run/stepping/step_rules.h"

namespace trammel {
namespace {

/// Below it the end of a step is its start.
double smallest_step(double t_end) { return 16 * std::numeric_limits<double>::epsilon() * std::max(1.0, t_end); }

Status first_not_finite(ConstVectorView y) {
  for (Index i = 0; i < y.size; ++i) {
    if (!std::isfinite(y[i])) return Status::failure(StatusCode::not_finite, "state", i, y[i]);
  }
  return Status::success();
}

}  // namespace

Stepper::Stepper(const EngineParts& parts)
    : plant_(parts.plant),
      control_(parts.control),
      fixed_(given(parts.control.step)),
      duration_(parts.duration),
      method_(parts.integrator, parts.integrator_type, parts.integrator_plugin, parts.plant),
      plan_(parts.control, method_.traits(), parts.times, parts.duration),
      step_(method_, parts.plant, plan_.same_time()),
      corrected_(parts.plant.size(), parts.plant.view()),
      errors_(parts.control, parts.integrator, parts.integrator_type, step_.end().controlled().size),
      controller_(parts.control, method_.traits().error_order),
      first_(parts.control, method_.traits(), step_.end()),
      defects_(parts.plant.size(), parts.plant.view(), parts.control.defect_control, fixed_) {
  method_.set_tolerances(errors_.tolerances());
}

std::string Stepper::start() {
  StateBuffer& state = step_.end();
  state.view.t = 0;
  Status status = plant_.start(state.view);
  if (!status) return fmt::format("the start at t = 0 failed: {}", explain(status, plant_));
  if (!fixed_) {
    refuse_unreachable_tolerances(control_, errors_.tolerances(), plant_, state.controlled(),
                                  errors_.mask(method_.problem()));
  }
  method_.require_fit(state.view);
  status = guarded(method_.plugin(), "", "start", [&] { return method_.start(state.view); });
  if (!status) return fmt::format("integrator '{}' could not start: {}", method_.type(), explain(status, plant_));
  step_.begin();
  min_step_ = given(control_.min_step) ? control_.min_step : smallest_step(duration_);
  h_ = fixed_ ? control_.step : std::max(choose_first_step(duration_), min_step_);
  return {};
}

std::string Stepper::advance(double t_end, Statistics& statistics) {
  const long rejections_allowed = 200;  // in a row: beyond that no controller is converging
  failure_.clear();
  for (long tries = 0; tries < rejections_allowed; ++tries) {
    const Target target = plan_.next(step_.t(), h_, t_end);
    // The step proposed, not the rest up to a goal: that may be as short as it is.
    constexpr long steps_of_a_start = 20;  // methods that control themselves begin with short steps that grow
    const bool too_small =
        h_ < min_step_ && (!method_.traits().self_controlled || plan_.segment_steps() >= steps_of_a_start);
    if (!fixed_ && (too_small || plan_.turning_limit() < smallest_step(t_end)) && target.h < t_end - step_.t())
      return about_small_step();
    const double mean = statistics.steps > 0 ? step_.t() / static_cast<double>(statistics.steps) : 0;
    if (RankMonitor* rank = plant_.rank_monitor(); !fixed_ && rank != nullptr && rank->sticks(target.h, mean)) {
      return fmt::format("steps of {:.2g} s do not get past t = {:.9g}, where those before had {:.2g} s on average{}",
                         target.h, step_.t(), mean, about_singular_position());
    }
    if (attempt(target, statistics)) return accept(target, t_end, statistics);
    if (!failure_.empty()) return failure_;
  }
  return fmt::format("{} attempts in a row failed at t = {:.9g}{}", rejections_allowed, step_.t(),
                     about_singular_position());
}

std::string Stepper::about_singular_position() const {
  const RankMonitor* rank = plant_.rank_monitor();
  if (rank == nullptr || !rank->is_near()) return {};
  constexpr double looser = 100;
  const double rtol = errors_.loosest_rtol();
  return fmt::format(
      "; {}: 'rtol' {:g} asks for more than is left there, try {:g}, or a formulation that corrects positions",
      rank->about_nearness(), rtol, looser * rtol);
}

std::string Stepper::about_small_step() {
  const Index worst = errors_.dominant(method_.problem(), step_.end().controlled(), step_.attempted().controlled());
  return fmt::format(
      "the step size fell below {:.3g} at t = {:.9g}{}; try another integrator for stiff or "
      "discontinuous problems, looser tolerances, or a look at the model there{}{}",
      min_step_, step_.t(),
      worst >= 0
          ? fmt::format("; '{}'{} has the dominant error", plant_.component_name(worst), plant_.component_owner(worst))
          : std::string(),
      errors_.about_zero_tolerance(), about_singular_position());
}

bool Stepper::attempt(const Target& target, Statistics& statistics) {
  const IntegratorTraits& traits = method_.traits();
  const double t = step_.t();
  StateBuffer& attempted = step_.attempted();
  if (target.anew) {
    const Status begun = method_.start(step_.end().view);
    if (!begun) {
      failure_ = fmt::format("restart at t = {:.9g} failed: {}", t, explain(begun, plant_));
      return false;
    }
  }
  plant_.begin_attempt();
  const VectorView error = errors_.estimate();
  attempted.view.t = plan_.left_of_break(target.t);
  const double h =
      attempted.view.t < target.t && (traits.variable_step || target.anew) ? attempted.view.t - t : target.h;
  plant_.counters.earliest = std::numeric_limits<double>::infinity(),
  plant_.counters.latest = -plant_.counters.earliest;
  const StepResult result = method_.attempt(step_.state(), h, attempted.view, error);
  Status status = result.status;
  // Self-controlled methods may have taken a shorter step; all others end where they were asked to.
  const bool as_asked = result.h == 0 || result.h == h;
  taken_ = as_asked ? h : result.h;
  if (!as_asked) attempted.view.t = t + taken_;
  statistics.newton_iterations += result.newton_iterations;
  if (status && !attempted.controlled().map().allFinite()) status = first_not_finite(attempted.controlled());
  if (!status) {
    retry(taken_, status, statistics);
    return false;
  }
  if (fixed_) failure_ = about_jump_outside(target);
  if (!failure_.empty()) return false;
  if (result.rejected) {
    reject(result.h_next < taken_ && result.h_next > 0 ? result.h_next : 0.5 * taken_, statistics);
    return false;
  }

  // What is asked inside the step later, its slope at the end among it, stays before a break point.
  corrected_.copy_from(attempted);
  if (as_asked) corrected_.view.t = target.t;
  correction_ = plant_.correct(corrected_.view, error);
  if (!correction_.status) {
    retry(taken_, correction_.status, statistics);
    return false;
  }
  if (fixed_) return true;

  const double proposed = h_;
  double& estimate = estimate_;
  estimate = -1;
  if (!traits.self_controlled || traits.error_order > 0)
    estimate = errors_.norm(method_.problem(), step_.end().controlled(), attempted.controlled());
  if (!traits.self_controlled) {
    if (!std::isfinite(estimate)) {
      retry(h, Status::failure(StatusCode::not_finite, "error estimate"), statistics);
      return false;
    }
    if (estimate > 1) {
      failed_ = true;
      reject(controller_.rejected(h, estimate), statistics);
      return false;
    }
    h_ = controller_.accepted(h, estimate);
    if (target.t == plan_.landing()) h_ = std::max(h_, proposed);
  } else if (result.h_next > 0) {
    h_ = result.h_next;
  }
  const double instead = defects_.look(last_attempt(step_.end(), statistics));
  if (instead > 0) {
    controller_.failed(taken_);
    reject(instead, statistics);
    return false;
  }
  // An attempt whose errors were too large next to a singular position had it among its stages: shorter ones would only
  // begin nearer to it. Where violations are not corrected, they are more noise at the end than stages ever have.
  const bool has_met_it = failed_ && correction_.changed;
  const double share = has_met_it ? 1 : plant_.share_of_step(corrected_.view);
  if (share < 1 && share * taken_ > min_step_) {
    reject(share * taken_, statistics);
    leap_ = taken_;
    return false;
  }
  if (!traits.self_controlled) h_ = std::max(h_, leap_);
  // A step that was cut off at a goal bounds none.
  h_ = std::min(h_, std::max({defects_.largest_next(), proposed, leap_, min_step_}));
  leap_ = 0;
  failed_ = false;
  return true;
}

// Methods with stages outside their step see functions behind a jump as they are before it, or the other way round.
std::string Stepper::about_jump_outside(const Target& target) const {
  const double t = step_.t(), earliest = plant_.counters.earliest, latest = plant_.counters.latest;
  const double jump = plan_.jump_outside(t, target.t, earliest, latest);
  if (!std::isfinite(jump)) return {};
  return fmt::format(
      "'{}' evaluates forces outside its steps (that from t = {:.9g} to {:.9g} at t = {:.9g}), across the "
      "jump of a function of time at t = {:.9g}; take a method that stays inside, such as 'rk4'",
      method_.type(), t, target.t, jump > t ? latest : earliest, jump);
}

void Stepper::reject(double h_next, Statistics& statistics) {
  method_.reject();
  ++statistics.rejected;
  h_ = h_next;
  if (!plant_.rollback(step_.end().view)) return;
  ++statistics.restarts;
  const Status begun = method_.start(step_.end().view);
  if (!begun) failure_ = fmt::format("restart at t = {:.9g} failed: {}", step_.t(), explain(begun, plant_));
  controller_.restart();
}

void Stepper::retry(double h, const Status& status, Statistics& statistics) {
  const double t = step_.t();
  // The model is still where the attempt ended; words are needed only where no shorter step follows.
  const bool last = fixed_ || controller_.failed(h) < min_step_;
  const std::string reason = last ? explain(status, plant_) : std::string();
  reject(h, statistics);
  if (!failure_.empty()) return;
  if (fixed_) {
    failure_ = fmt::format("the step from t = {:.9g} to {:.9g} failed: {}; try a smaller step or a stable method", t,
                           t + h, reason);
    return;
  }
  h_ = controller_.failed(h);
  if (h_ < min_step_) {
    failure_ = fmt::format(
        "no step from t = {:.9g} succeeds: {}; try looser tolerances, another integrator or "
        "formulation, or a look at the model there{}{}",
        t, reason, errors_.about_zero_tolerance(), about_singular_position());
  }
}

std::string Stepper::accept(const Target& target, double t_end, Statistics& statistics) {
  step_.accept(corrected_, taken_);
  ++statistics.steps;
  method_.accept(step_.state(), correction_.changed);
  plant_.accepted();
  if (step_.t() > t_end + plan_.same_time()) {
    // A step on an equidistant grid went past the end: the run ends at its end, on the interpolant.
    const Status status = step_.interpolate(t_end, corrected_.view);
    if (!status) return fmt::format("the state at the end cannot be interpolated: {}", explain(status, plant_));
    corrected_.view.t = t_end;
    step_.end().copy_from(corrected_);
  }
  plan_.step_taken(target, step_.t());
  return {};
}

DefectControl::Attempt Stepper::last_attempt(const StateBuffer& start, const Statistics& statistics) {
  return {method_.problem(),
          method_.integrator(),
          plant_,
          errors_.measure(),
          errors_.mask(method_.problem()),
          method_.memory(),
          start,
          step_.attempted(),
          estimate_,
          statistics.steps,
          duration_};
}

bool Stepper::felt_until_event(const Statistics& statistics) {
  constexpr double nearly_all = 0.9;  // of the step: it ends where it was meant to
  const double part = step_.t() - step_.t_previous(), h = step_.attempted().view.t - step_.t_previous();
  if (!(part > 16 * plan_.same_time()) || part > nearly_all * h) return true;
  if (fixed_) return !plan_.first_of_segment();
  return defects_.felt_until(last_attempt(step_.start(), statistics), step_.t());
}

Status Stepper::take_back(Statistics& statistics, double share) {
  const double end = step_.t();
  if (!fixed_) h_ = std::max(min_step_, share * (end - step_.t_previous()));
  step_.take_back();
  --statistics.steps;
  ++statistics.rejected;
  plan_.begin_segment(step_.t());
  if (fixed_) plan_.divide_piece(end);
  Status status = plant_.restarting(step_.end().view);
  if (status) status = method_.start(step_.end().view);
  controller_.restart();
  return status;
}

Status Stepper::restart() {
  const Status status = method_.start(step_.end().view);
  controller_.restart();
  defects_.restart(plant_);
  return status;
}

void Stepper::choose_step_anew(double t_end) {
  constexpr double longer = 5;  // than the careful guess: the controller's own growth
  if (fixed_) return;
  // Without a history the order is the first again, for which the steps before were too long.
  const double growth = method_.traits().self_controlled ? 1 : longer;
  h_ = std::max(min_step_, std::min(h_, growth * choose_first_step(t_end)));
}

void Stepper::remember(Archive& archive) {
  archive.values("stepper", h_);
  step_.remember(archive);
  method_.remember(archive);
  controller_.remember(archive);
  defects_.remember(archive);
  plan_.remember(archive);
}

Status Stepper::restored() {
  step_.begin();
  return method_.restored(plant_, step_.end().view);
}

Status Stepper::restored_from_other_steps() {
  h_ = control_.step;
  plan_.begin_segment(step_.t());
  controller_.restart();
  return method_.start(step_.end().view);
}

}  // namespace trammel
