// What the step loop remembers in checkpoints, and which of its warnings may be withdrawn.
#include <fmt/format.h>

#include <algorithm>

#include "run/stepping/engine.h"
#include "trammel/constrained_system.h"
#include "trammel/second_order_system.h"

namespace trammel {
namespace {

void remember_events(Archive& archive, std::vector<LocatedEvent>& events) {
  std::vector<double> numbers;
  std::vector<std::string> names;
  for (const LocatedEvent& event : events) {
    numbers.insert(numbers.end(), {event.t, static_cast<double>(event.direction), event.speed});
    names.insert(names.end(), {event.element, event.event});
  }
  archive.list("events.located", numbers);
  archive.list("events.located", names);
  if (!archive.restores()) return;
  events.clear();
  for (std::size_t i = 0; i < std::min(numbers.size() / 3, names.size() / 2); ++i) {
    const double* number = &numbers[3 * i];
    events.push_back({number[0], names[2 * i], names[2 * i + 1], static_cast<int>(number[1]), number[2]});
  }
}

}  // namespace

bool Engine::remember(Archive& archive) {
  Statistics& n = statistics_;
  archive.values("engine", state_.view.t, h_, last_h_, last_order_, error_norm_, turning_warned_, advice_,
                 next_recent_);
  archive.values("statistics", n.steps, n.rejected, n.newton_iterations, n.partitions, n.restarts, n.events);
  archive.block("state", state_.data());
  if (!traits_.restart_only) archive.block("integrator", memory_state_);
  controller_.remember(archive);
  defects_.remember(archive);
  plan_.remember(archive);
  samples_.remember(archive);
  archive.block("events.values", event_values_);
  archive.list("events.recent", recent_events_);
  remember_events(archive, located_);
  archive.list("warnings", warnings_);
  const std::size_t changes_here = changed_.size();
  archive.list("events.changed", changed_);
  if (archive.restores()) {
    for (std::size_t i = changes_here; i < changed_.size(); ++i)
      monitor_.change_elements(static_cast<std::size_t>(changed_[i]));
    if (changes_here < changed_.size()) {
      plant_.elements_changed(state_.view);
      defects_.elements_changed(plant_);
    }
  }
  Status status = plant_.remember(archive, state_.view);
  if (!archive.restores()) return true;
  // Scratch has no meaning between calls; equal bits make what comes after equal even where a method should read it.
  std::fill(memory_scratch_.begin(), memory_scratch_.end(), 0.0);
  previous_.copy_from(state_);
  attempted_.copy_from(state_);
  slopes_.forget();
  if (status && traits_.restart_only) status = integrator_.start(problem_, state_.view, memory_);
  if (status && !traits_.restart_only) status = prepare_again();
  if (status) status = plant_.observe(state_.view);
  if (!status)
    return fail(fmt::format("the state of the checkpoint at t = {:.9g} cannot be evaluated: {}", t(), explain(status)));
  limit_turning();
  return true;
}

bool Engine::begin_at(Archive archive) {
  archive.numbers()["integrator"] = memory_state_;
  if (failure_.happened || archive.numbers()["events.changed"].size() < changed_.size()) return false;
  archive.restore_from_here();
  pending_ = impacts_ = elements_change_ = false;
  changes_.clear();
  std::fill(met_.begin(), met_.end(), 0);
  std::fill(fired_.begin(), fired_.end(), 0);
  if (!remember(archive)) return false;
  h_ = control_.step;
  plan_.begin_segment(t());
  controller_.restart();
  const Status status = integrator_.start(problem_, state_.view, memory_);
  return status.ok() || fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(status)));
}

// Implicit methods remember that the view holds their matrix, which is in no archive. One of the same coefficients is
// made at the state reached: simplified iterations converge with it at least as well as with the older one. Where that
// cannot be, the method begins anew.
Status Engine::prepare_again() {
  const ImplicitMatrix matrix = plant_.implicit_matrix;
  if (!matrix.prepared) return Status::success();
  const PlantCounters counters = plant_.counters;
  const StateView& at = state_.view;
  Status status;
  if (problem_.second_order != nullptr) {
    status = problem_.second_order->linearize(at.t, at.x, at.v);
    if (status) status = problem_.second_order->prepare(matrix.c0, matrix.c1);
  } else if (problem_.constrained != nullptr) {
    status = problem_.constrained->evaluate(at.t, at.x, at.v, {}, evaluate_dynamics | evaluate_Phi);
    if (status) status = problem_.constrained->linearize(at.a, at.lambda);
    if (status) status = problem_.constrained->prepare(matrix.c0, matrix.c1);
  }
  plant_.counters = counters;
  return status ? status : integrator_.start(problem_, state_.view, memory_);
}

std::vector<std::string> Engine::refutable() const {
  std::vector<std::string> texts;
  if (advice_ >= 0) texts.push_back(warnings_[static_cast<std::size_t>(advice_)]);
  if (std::string text = plan_.about_fixed_steps(t_end_); !text.empty()) texts.push_back(std::move(text));
  for (const std::string& text : defects_.about_fixed_steps()) texts.push_back(text);
  return texts;
}

}  // namespace trammel
