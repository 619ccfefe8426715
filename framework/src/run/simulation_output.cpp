// What a run hands out: rows of its files, and samples for whoever watches it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/create_folder.h"
#include "run/plant/status_text.h"
#include "run/simulation_state.h"
#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel {

// The state at t inside the last step, as outputs show it; left in `between` and in the plant's observation.
bool Simulation::State::observe_between(double t) {
  shown.view().t = std::abs(t - engine->t()) <= rounding() ? engine->t() : t;
  Status observed = last_look.energy.before_row(*engine, *plant, shown.view(), shown.view().t);
  if (observed) observed = engine->interpolate(shown.view().t, shown.view());
  if (observed) observed = plant->observe(shown.view());
  if (observed) observed = last_look.energy.row(*engine, *plant, shown.view(), shown.view().t);
  if (RankMonitor* rank = plant->rank_monitor(); observed && rank != nullptr) rank->row(shown.view().t);
  if (observed && engine->contacts_hold(t)) return true;
  if (observed) {
    outcome.fail(engine->failure());
  } else {
    outcome.fail(
        fmt::format("the state at the output time t = {:.9g} cannot be evaluated: {}; the run diverges, or its "
                    "formulation cannot reach the constraints from there",
                    t, explain(observed, *plant)));
  }
  return false;
}

// Looks are no part of the run: what counts evaluations is as before, and so is the state that the plant observes.
void Simulation::State::look_inside() {
  const double from = engine->t_previous(), to = engine->t(), end = engine->t_before_break();
  if (!recorder.looks_inside(to) || from == to) return;
  const PlantCounters counters = plant->counters;
  bool moved = false;
  for (const std::unique_ptr<Watch>& watch : recorder.watches()) {
    if (watch->inside() == nullptr) continue;
    watch->inside()->inside(from, to, [&](double t) -> const double* {
      if (t == to && end == to) {
        if (moved) plant->observe(engine->state());
        moved = false;
        return watch->row(sample(engine->h()));
      }
      moved = true;
      t = std::min(t, end);
      shown.view().t = t;
      const StateView& at = shown.view();
      Status status = watch->energy() ? last_look.energy.before_row(*engine, *plant, at, t) : Status::success();
      if (status) status = engine->interpolate(t, at);
      if (status) status = plant->observe(at);
      if (status && watch->energy()) status = last_look.energy.row(*engine, *plant, at, t);
      return status ? watch->row(sample_between()) : nullptr;
    });
  }
  if (moved) plant->observe(engine->state());
  plant->counters = counters;
}

bool Simulation::State::row_is_due() const {
  if (run.output.at_steps || recorder.watched() || engine->finished()) return true;
  return static_cast<double>(recorder.next_row()) * run.output.step <= engine->t() + rounding();
}

bool Simulation::State::write_outputs() {
  look_inside();
  if (run.output.at_steps) {
    if (engine->pending()) return true;
    if (recorder.writes()) {
      recorder.evaluate(sample(engine->h()));
      recorder.write(plant->observation().t);
    }
    if (recorder.watched()) recorder.tell(ChannelObserver::At::output, engine->t(), sample(engine->h()));
    return true;
  }
  // Multiples of the output step, and the end where that is none of them.
  const double end = engine->t_end(), rounding = 1e-12 * std::max(1.0, run.analysis.duration);
  const double through = std::min(engine->t(), end) + (engine->pending() ? -rounding : rounding);
  bool moved = false;
  for (;; recorder.skip_row()) {
    double time = static_cast<double>(recorder.next_row()) * run.output.step;
    if (time > end + rounding && time - run.output.step < end - rounding) time = end;
    if (time > through) break;
    if (!recorder.writes() && !recorder.watched()) continue;
    if (!observe_between(time)) return false;
    moved = true;
    const double length = engine->t() - engine->t_previous();
    last_look.row(*plant, time, (shown.view().t - engine->t_previous()) / length, length);
    if (recorder.writes()) {
      recorder.evaluate(sample_between());
      recorder.write(time);
    }
    if (recorder.watched()) recorder.tell(ChannelObserver::At::output, time, sample_between());
    // Driven motion is as exact in rows as where its own steps end: metrics see both.
    if (analysis->exact_between_steps() && time < engine->t() - rounding) {
      recorder.tell(ChannelObserver::At::step, time, sample_between());
    }
  }
  if (moved) plant->observe(engine->state());
  return true;
}

bool Simulation::State::tell_watches() {
  if (!recorder.watched()) return true;
  const double rounding = 1e-12 * std::max(1.0, run.analysis.duration);
  bool moved = false;
  const bool pending = engine->pending();
  const double through = engine->t() + (pending ? -rounding : rounding);
  for (const std::unique_ptr<Watch>& watch : recorder.watches()) {
    for (; const double* time = watch->next_time(through); watch->skip_time()) {
      if (!observe_between(*time)) return false;
      moved = true;
      watch->tell(ChannelObserver::At::time, *time, sample_between());
    }
  }
  if (moved) plant->observe(engine->state());
  if (!pending) recorder.tell(ChannelObserver::At::step, engine->t(), sample(engine->h()));
  return true;
}

std::string Simulation::State::about_differences() const {
  ConstrainedModel* numbers = engine != nullptr ? plant->model() : nullptr;
  if (numbers == nullptr || numbers->parts().linearization.differenced().empty()) return "";
  std::string names;
  for (const Index force : numbers->parts().linearization.differenced()) {
    const ForceSlot& slot = numbers->assembly().forces[static_cast<std::size_t>(force)];
    names += fmt::format("{}force '{}' (type '{}')", names.empty() ? "" : ", ", slot.name, slot.type);
  }
  const auto* exact = find_extension<ExactJacobians>(methods.integrator());
  return fmt::format("no exact derivatives: {}; differences, good to nine digits, take their place{}", names,
                     exact == nullptr
                         ? std::string(", which this integrator accepts")
                         : fmt::format("; '{}' keeps its order with exact ones only: {} accept differences",
                                       run.integrator.type, exact->otherwise()));
}

void Simulation::write_results(const std::filesystem::path& folder) {
  state_->refuse_after_begin("write_results");
  State& s = *state_;
  if (!s.recorder.folder().empty()) {
    throw Error(ErrorKind::usage, fmt::format("results are written to {} already", s.recorder.folder().string()));
  }
  create_folder(folder);
  blamed([&] {
    s.recorder.open(folder, [&s] { return s.notes_of_files(); });
    if (s.analysis->searches() || s.recorder.restarted()) return;  // the one row is known at the end; rows are there
    s.recorder.evaluate(s.sample(0));
    s.recorder.write(s.plant->observation().t);
  });
  s.recorder.use_folder(folder);
}

std::vector<std::string> Simulation::row_files() const {
  std::vector<std::string> names;
  for (const RowFile& file : state_->recorder.files()) names.push_back(file.name());
  return names;
}

void Simulation::State::reopen_results() {
  const bool over = engine->finished() && !engine->pending();
  if (!over && !outcome.failed()) recorder.reopen();
}

void Simulation::watch(const std::vector<std::string>& channels, const std::vector<double>& times,
                       ChannelObserver& observer) {
  State& s = *state_;
  s.refuse_after_begin("watch");
  auto watch = std::make_unique<Watch>(*s.model, *s.plant, s.method_channels(), channels, times, observer);
  if (!s.analysis->searches()) blamed([&] { Recorder::tell_start(*watch, s.t(), s.sample(0)); });
  s.recorder.add(std::move(watch));
}

}  // namespace trammel
