// A run in time: step by step, with what happens between two steps.
#include "run/stepping/engine.h"

#include <fmt/format.h>

#include "plugin/breadcrumb.h"
#include "run/plant/status_text.h"

namespace trammel {

Engine::Engine(const EngineParts& parts)
    : plant_(parts.plant),
      t_end_(parts.duration),
      stepper_(parts),
      events_(parts.plant, parts.run_events, stepper_.last_step(), parts.duration) {}

void Engine::fail(std::string message, bool by_plugin) {
  failure_ = {.happened = true, .by_plugin = by_plugin, .message = std::move(message)};
}

bool Engine::goes_on(std::string trouble) {
  if (trouble.empty()) return true;
  fail(std::move(trouble));
  return false;
}

bool Engine::start() {
  floating_point_ = FloatingPointMode::current();
  if (!goes_on(stepper_.start())) return false;
  const Status status = plant_.observe(state());
  if (!status) {
    fail(fmt::format("the initial state cannot be evaluated: {}", explain(status, plant_)));
    return false;
  }
  warnings_.add(plan().about_fixed_steps(t_end_));
  if (!goes_on(events_.start())) return false;
  if (events_.any()) plant_.observe(state());
  limit_turning();
  stepper_.watch_from_here();
  return true;
}

// Angles that count turns follow the nearest branch from one accepted step to the next.
void Engine::limit_turning() {
  const double limit = plant_.turning_step(), ahead = std::min(limit, plant_.forecast_step());
  plan().limit_turning(std::min(ahead, events_.longest_step()));
  const double step = stepper_.fixed_step();
  if (stepper_.fixed() && !(step <= limit)) warnings_.add_turning(t(), step, limit);
}

bool Engine::can_land_at(double t) const {
  return !plan().ends_on_grid_only() || plan().on_grid(t) || t >= t_end_ - plan().same_time();
}

bool Engine::advance() {
  if (failure_.happened || finished()) return false;
  const PhaseScope scope(method().plugin().c_str(), "", "step");
  try {
    return advance_unguarded();
  } catch (...) {
    rethrow_marked("step");  // whatever ran last has left its name
  }
}

bool Engine::advance_unguarded() {
  if (pending_ && !resume()) return false;
  return step_to_event() && look_inside() && observe_end();
}

bool Engine::step_to_event() {
  constexpr int most_taken_back = 14;  // in a row
  for (int taken_back = 0;; ++taken_back) {
    if (!goes_on(stepper_.advance(t_end_, statistics_))) return false;
    const bool may_cut = !stepper_.chart_changed();  // a new chart holds at the step's end only
    if (!goes_on(events_.look(may_cut, warnings_))) return false;
    if (taken_back == most_taken_back || stepper_.felt_until_event(statistics_)) break;
    events_.take_back();
    const Status status = stepper_.take_back(statistics_);
    if (!status) {
      fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status, plant_)));
      return false;
    }
  }
  std::string trouble = events_.take();
  const StepEvents::Outcome& found = events_.outcome();
  statistics_.events += found.events;
  pending_ = pending_ || found.changes;
  if (found.stops) t_end_ = std::min(t_end_, t());
  return goes_on(std::move(trouble));
}

bool Engine::look_inside() {
  constexpr int most_shorter = 12;  // in a row
  if (stepper_.fixed()) warnings_.add(stepper_.watch());
  for (int shorter = 0;; ++shorter) {
    const bool eventful = pending_ || events_.outcome().events > 0;  // events happen once
    pending_ = pending_ || plan().left_of_break(t()) != t();
    Status status = before_observation_ ? before_observation_() : Status::success();
    if (status) return true;
    if (stepper_.fixed() || eventful || stepper_.chart_changed() || shorter == most_shorter) {
      fail(fmt::format("the energy balance cannot be evaluated before t = {:.9g}: {}", t(), explain(status, plant_)));
      return false;
    }
    pending_ = false;
    events_.take_back();
    status = stepper_.take_back(statistics_, 0.5);
    if (!status) {
      fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status, plant_)));
      return false;
    }
    if (!step_to_event()) return false;
  }
}

bool Engine::observe_end() {
  pending_ = pending_ || stepper_.chart_changed();  // in another chart the motion goes on
  const bool unseen = unseen_ && !pending_ && !events_.any() && unseen_();
  if (!observe(unseen ? Look::glance : Look::full) || !contacts_hold(t())) return false;
  if (const Status status = plant_.settle(); !status) {
    fail(fmt::format("the step to t = {:.9g} cannot be accepted: {}", t(), explain(status, plant_)));
    return false;
  }
  limit_turning();
  if (!warnings_.advised()) warnings_.add_advice(t(), method().advice());
  return constraints_hold() && memory_holds() && floating_point_mode_holds();
}

bool Engine::memory_holds() {
  const char* block = method().overrun();
  if (block == nullptr && !stepper_.last_step().intact()) block = "a state";
  if (block == nullptr) return true;
  fail(
      fmt::format("plugin '{}', integrator '{}': something wrote beyond {} before t = {:.9g}, as a rule the integrator",
                  method().plugin(), method().type(), block, t()),
      true);
  return false;
}

bool Engine::observe(Look look) {
  const Status status = plant_.observe(state(), look);
  if (!status) fail(fmt::format("the state at t = {:.9g} cannot be evaluated: {}", t(), explain(status, plant_)));
  return status.ok();
}

bool Engine::contacts_hold(double t) {
  if (events_.impacts().count() == 0) return true;
  const double scale = 1 + plant_.observation().q.map().lpNorm<Eigen::Infinity>();
  const double within = stepper_.fixed() ? 1e-6 : errors().allowed(scale);
  const double allowed = 1e-9 * scale + 0.1 * within;  // a tenth of what the run's tolerances allow
  return goes_on(events_.impacts().overlap(*plant_.model(), t, allowed));
}

bool Engine::constraints_hold() {
  const double violation = plant_.violation(), limit = plant_.constraint_limit();
  if (!(limit > 0) || violation <= limit) return true;
  fail(
      fmt::format("constraint violation {:.3g} exceeds the limit {} at t = {:.9g}, most at '{}'; try formulation "
                  "'projection' or 'coordinate_partitioning', smaller steps or tolerances, or another "
                  "analysis.constraint_limit",
                  violation, plant_.constraint_limit_text(), t(), plant_.worst_constraint()));
  return false;
}

bool Engine::floating_point_mode_holds() {
  const char* what = floating_point_.difference(FloatingPointMode::current());
  if (what == nullptr) return true;
  floating_point_.restore();
  fail(fmt::format("a plugin changed the processor's floating-point mode ({}) before t = {:.9g}; integrator plugin "
                   "'{}', see summary.json for the others",
                   what, t(), method().plugin()),
       true);
  return false;
}

bool Engine::resume() {
  if (!pending_ || failure_.happened) return !failure_.happened;
  pending_ = false;
  events_.impacts().clear_impact();
  ++statistics_.restarts;
  plan().begin_segment(t());
  const bool impacts = events_.impacts().any_meet();
  if (impacts && !goes_on(events_.collide())) return false;
  const bool changed = events_.change_elements() || elements_change_;
  elements_change_ = false;
  const StateView& state = stepper_.last_step().end().view;
  Status status;
  if (changed) status = plant_.elements_changed(state);
  if (status) status = plant_.restarting(state);
  if (status) status = plant_.jumped(state);
  if (status) status = stepper_.restart();
  if (!status) {
    fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status, plant_)));
    return false;
  }
  const bool same_motion =
      !impacts && !changed && !events_.any_at_zero() && plan().left_of_break(t()) == t();  // in another chart
  if (!finished() && (method().traits().self_controlled || !same_motion)) stepper_.choose_step_anew(t_end_);
  if (!observe()) return false;
  // Dense output of the next step begins with what acts behind a jump, not with what acted before it.
  const Observation& now = plant_.observation();
  if (state.a.size > 0 && state.a.size == now.a.size) {
    state.a.map() = now.a.map();
    state.lambda.map() = now.lambda.map();
  }
  if (!goes_on(events_.finish(impacts || changed))) return false;
  if (impacts) plan().limit_flight(1.05 * events_.impacts().time_of_flight(plant_));
  limit_turning();
  return true;
}

bool Engine::remember(Archive& archive) {
  Statistics& n = statistics_;
  archive.values("statistics", n.steps, n.rejected, n.newton_iterations, n.partitions, n.restarts, n.events);
  // Elements first: what they write into the state is not what they wrote where they changed.
  if (events_.remember(archive)) {
    plant_.elements_changed(stepper_.last_step().end().view);
    stepper_.elements_changed();
  }
  stepper_.remember(archive);
  warnings_.remember(archive);
  Status status = plant_.remember(archive, state());
  if (!archive.restores()) return true;
  if (status) status = stepper_.restored();
  if (status) status = plant_.observe(state());
  if (!status) {
    fail(
        fmt::format("the state of the checkpoint at t = {:.9g} cannot be evaluated: {}", t(), explain(status, plant_)));
    return false;
  }
  limit_turning();
  return true;
}

bool Engine::begin_at(Archive archive) {
  method().replace_in(archive);
  if (failure_.happened || !events_.changes_are_in(archive)) return false;
  archive.restore_from_here();
  pending_ = elements_change_ = false;
  events_.forget();
  if (!remember(archive)) return false;
  const Status status = stepper_.restored_from_other_steps();
  if (!status) fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status, plant_)));
  return status.ok();
}

std::vector<std::string> Engine::refutable() const {
  std::vector<std::string> texts;
  if (warnings_.advised()) texts.push_back(warnings_.advice());
  if (std::string text = plan().about_fixed_steps(t_end_); !text.empty()) texts.push_back(std::move(text));
  for (const std::string& text : stepper_.defects().about_fixed_steps()) texts.push_back(text);
  return texts;
}

Statistics Engine::statistics() const {
  Statistics all = statistics_;
  all.evaluations = plant_.counters.evaluations;
  all.jacobians = plant_.counters.jacobians;
  all.factorizations = plant_.counters.factorizations;
  if (const ConstrainedModel* model = plant_.model()) {
    if (method().problem().ode != nullptr)
      all.jacobians = model->point().jacobians, all.factorizations = model->parts().kkt.factorizations;
    all.constraint_projections = model->parts().projection.projections;
    all.placements = model->point().placements;
  }
  return all;
}

}  // namespace trammel
