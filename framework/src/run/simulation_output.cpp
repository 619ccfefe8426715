// What a run hands out: rows of results.csv, and samples for whoever watches it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/simulation_state.h"
#include "trammel/error.h"
#include "trammel/integrator_extensions.h"

namespace trammel {

void Simulation::State::record() {
  if (csv == nullptr) return;
  csv->row(plant->observation().t, {values.data(), static_cast<Index>(values.size())});
}

// The state at t inside the last step, as outputs show it; left in `between` and in the plant's observation.
bool Simulation::State::observe_between(double t) {
  between->view.t = std::abs(t - engine->t()) <= rounding() ? engine->t() : t;
  Status observed = engine->interpolate(between->view.t, between->view);
  if (observed) observed = plant->observe(between->view);
  if (observed) observed = last_look.energy.row(*engine, *plant, between->view, between->view.t);
  if (observed && rank_monitor != nullptr) rank_monitor->row(between->view.t);
  if (observed && engine->contacts_hold(t)) return true;
  status = RunStatus::failed;
  if (observed) {
    message = engine->failure().message;
    return false;
  }
  message = fmt::format(
      "the state at the output time t = {:.9g} cannot be evaluated: {}; the run diverges, or its "
      "formulation cannot reach the constraints from there",
      t, engine->explain(observed));
  return false;
}

bool Simulation::State::write_outputs() {
  const VectorView row{values.data(), static_cast<Index>(values.size())};
  if (run.output.at_steps) {
    if (engine->pending()) return true;
    if (csv != nullptr) columns->row(sample(engine->h()), row), record();
    if (!watches.empty()) tell_watches(ChannelObserver::At::output, engine->t(), sample(engine->h()));
    return true;
  }
  // Multiples of the output step, and the end where that is none of them.
  const double end = engine->t_end(), rounding = 1e-12 * std::max(1.0, run.analysis.duration);
  const double through = std::min(engine->t(), end) + (engine->pending() ? -rounding : rounding);
  bool moved = false;
  for (;; ++next_row) {
    double time = static_cast<double>(next_row) * run.output.step;
    if (time > end + rounding && time - run.output.step < end - rounding) time = end;
    if (time > through) break;
    if (csv == nullptr && watches.empty()) continue;
    if (!observe_between(time)) return false;
    moved = true;
    const double length = engine->t() - engine->t_previous();
    last_look.row(*plant, time, (between->view.t - engine->t_previous()) / length, length);
    if (csv != nullptr) columns->row(sample_between(), row), csv->row(time, row);
    if (!watches.empty()) tell_watches(ChannelObserver::At::output, time, sample_between());
    // Driven motion is as exact in rows as where its own steps end: metrics see both.
    if (analysis->exact_between_steps() && time < engine->t() - rounding) {
      tell_watches(ChannelObserver::At::step, time, sample_between());
    }
  }
  if (moved) plant->observe(engine->state());
  return true;
}

bool Simulation::State::tell_watches() {
  if (watches.empty()) return true;
  const double rounding = 1e-12 * std::max(1.0, run.analysis.duration);
  bool moved = false;
  const bool pending = engine->pending();
  const double through = engine->t() + (pending ? -rounding : rounding);
  for (const std::unique_ptr<Watch>& watch : watches) {
    for (; const double* time = watch->next_time(through); watch->skip_time()) {
      if (!observe_between(*time)) return false;
      moved = true;
      watch->tell(ChannelObserver::At::time, *time, sample_between());
    }
  }
  if (moved) plant->observe(engine->state());
  if (!pending) tell_watches(ChannelObserver::At::step, engine->t(), sample(engine->h()));
  return true;
}

std::string Simulation::State::about_differences() const {
  ConstrainedModel* numbers = engine != nullptr ? plant->model() : nullptr;
  if (numbers == nullptr || numbers->linearization().differenced().empty()) return "";
  std::string names;
  for (const Index force : numbers->linearization().differenced()) {
    const ForceSlot& slot = numbers->assembly().forces[static_cast<std::size_t>(force)];
    names += fmt::format("{}force '{}' (type '{}')", names.empty() ? "" : ", ", slot.name, slot.type);
  }
  const auto* exact = find_extension<ExactJacobians>(integrator.as<Integrator>());
  return fmt::format("no exact derivatives: {}; differences, good to nine digits, take their place{}", names,
                     exact == nullptr
                         ? std::string(", which this integrator accepts")
                         : fmt::format("; '{}' keeps its order with exact ones only: {} accept differences",
                                       run.integrator.type, exact->otherwise()));
}

void Simulation::write_results(const std::filesystem::path& folder) {
  state_->refuse_after_begin("write_results");
  if (!state_->folder.empty()) {
    throw Error(ErrorKind::usage, fmt::format("results are written to {} already", state_->folder.string()));
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  }
  blamed([&] { state_->open_results(folder); });
  state_->folder = folder;
}

std::vector<std::string> Simulation::State::header() const {
  std::vector<std::string> all = {"t"};
  all.insert(all.end(), columns->names().begin(), columns->names().end());
  return all;
}

void Simulation::State::reopen_results() {
  const bool over = engine->finished() && !engine->pending();
  if (folder.empty() || csv != nullptr || over || status == RunStatus::failed) return;
  csv = std::make_unique<CsvFile>(folder / "results.csv", header(), rows_end);
}

void Simulation::State::open_results(const std::filesystem::path& where) {
  std::error_code error;
  const std::filesystem::path rows = where / "results.csv";
  const bool goes_on = !restarted_from.empty();
  if (goes_on && !std::filesystem::exists(restarted_from, error)) {
    throw Error(ErrorKind::input,
                fmt::format("{}: is missing beside the checkpoint; the run cannot go on without the rows "
                            "before it",
                            restarted_from.string()));
  }
  const bool keeps_checkpoint = goes_on && std::filesystem::equivalent(restarted_from.parent_path(), where, error);
  if (goes_on && !std::filesystem::equivalent(restarted_from, rows, error)) {
    std::filesystem::copy_file(restarted_from, rows, std::filesystem::copy_options::overwrite_existing, error);
    if (error)
      throw Error(ErrorKind::compute,
                  fmt::format("{}: cannot be copied: {}", restarted_from.string(), error.message()));
  }
  csv = goes_on ? std::make_unique<CsvFile>(rows, header(), rows_end) : std::make_unique<CsvFile>(rows, header());
  for (const char* old : {"summary.json", "events.csv", "modes.csv", "mode_shapes.csv", "report.html"}) {
    std::filesystem::remove(where / old, error);
  }
  for (const char* old : {"state_matrix.csv", "output_matrix.csv"}) std::filesystem::remove(where / old, error);
  if (!keeps_checkpoint) std::filesystem::remove(where / "checkpoint.json", error);
  if (analysis->searches()) return;  // the one row is known at the end
  if (goes_on) return;
  columns->row(sample(0), {values.data(), static_cast<Index>(values.size())});
  record();
}

void Simulation::watch(const std::vector<std::string>& channels, const std::vector<double>& times,
                       ChannelObserver& observer) {
  State& s = *state_;
  s.refuse_after_begin("watch");
  auto watch = std::make_unique<Watch>(*s.model, *s.plant, s.method_channels(), channels, times, observer);
  if (!s.analysis->searches()) blamed([&] { s.tell_start(*watch); });
  s.watches.push_back(std::move(watch));
}

void Simulation::State::tell_start(Watch& watch) {
  const Sample initial = sample(0);
  watch.tell(ChannelObserver::At::start, t(), initial);
  for (; const double* time = watch.next_time(t()); watch.skip_time()) {
    if (*time == t()) watch.tell(ChannelObserver::At::time, *time, initial);
  }
}

}  // namespace trammel
