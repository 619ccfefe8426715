// What a run hands out: rows of results.csv, and samples for whoever watches it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/simulation_state.h"
#include "trammel/integrator_extensions.h"
#include "trammel/error.h"

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
  if (observed) return true;
  status = RunStatus::failed;
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
    if (watch != nullptr) watch->tell(ChannelObserver::At::output, engine->t(), sample(engine->h()));
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
    if (csv == nullptr && watch == nullptr) continue;
    if (!observe_between(time)) return false;
    moved = true;
    if (csv != nullptr) columns->row(sample_at(between->view.t), row), csv->row(time, row);
    if (watch != nullptr) watch->tell(ChannelObserver::At::output, time, sample_at(between->view.t));
  }
  if (moved) plant->observe(engine->state());
  return true;
}

bool Simulation::State::tell_watch() {
  if (watch == nullptr) return true;
  const double rounding = 1e-12 * std::max(1.0, run.analysis.duration);
  bool moved = false;
  const bool pending = engine->pending();
  for (; const double* time = watch->next_time(engine->t() + (pending ? -rounding : rounding)); watch->skip_time()) {
    if (!observe_between(*time)) return false;
    moved = true;
    watch->tell(ChannelObserver::At::time, *time, sample_at(between->view.t));
  }
  if (moved) plant->observe(engine->state());
  if (!pending) watch->tell(ChannelObserver::At::step, engine->t(), sample(engine->h()));
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
                     exact == nullptr ? std::string(", which this integrator accepts")
                                      : fmt::format("; '{}' keeps its order with exact ones only: {} accept differences",
                                                    run.integrator.type, exact->otherwise()));
}

void Simulation::write_results(const std::filesystem::path& folder) {
  State& s = *state_;
  s.refuse_after_begin("write_results");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  }
  s.folder = folder;
  std::vector<std::string> header = {"t"};
  header.insert(header.end(), s.columns->names().begin(), s.columns->names().end());
  const std::filesystem::path rows = folder / "results.csv";
  const bool goes_on = !s.restarted_from.empty();
  if (goes_on && !std::filesystem::exists(s.restarted_from, error)) {
    throw Error(ErrorKind::input, fmt::format("{}: is missing beside the checkpoint; the run cannot go on without the rows "
                                              "before it", s.restarted_from.string()));
  }
  const bool keeps_checkpoint = goes_on && std::filesystem::equivalent(s.restarted_from.parent_path(), folder, error);
  if (goes_on && !std::filesystem::equivalent(s.restarted_from, rows, error)) {
    std::filesystem::copy_file(s.restarted_from, rows, std::filesystem::copy_options::overwrite_existing, error);
    if (error) throw Error(ErrorKind::compute, fmt::format("{}: cannot be copied: {}", s.restarted_from.string(), error.message()));
  }
  s.csv = goes_on ? std::make_unique<CsvFile>(rows, header, s.rows_end) : std::make_unique<CsvFile>(rows, header);
  for (const char* old : {"summary.json", "events.csv", "modes.csv", "mode_shapes.csv", "report.html"}) {
    std::filesystem::remove(folder / old, error);
  }
  for (const char* old : {"state_matrix.csv", "output_matrix.csv"}) std::filesystem::remove(folder / old, error);
  if (!keeps_checkpoint) std::filesystem::remove(folder / "checkpoint.json", error);
  if (s.is_static()) return;  // the one row is known at the end
  if (goes_on) return;
  s.columns->row(s.sample(0), {s.values.data(), static_cast<Index>(s.values.size())});
  s.record();
}

void Simulation::watch(const std::vector<std::string>& channels, const std::vector<double>& times,
                       ChannelObserver& observer) {
  State& s = *state_;
  s.refuse_after_begin("watch");
  s.watch = std::make_unique<Watch>(*s.model, *s.plant, s.engine.get(), channels, times, observer);
  if (s.is_static()) return;
  const double t = s.t();
  const Sample initial = s.sample(0);
  s.watch->tell(ChannelObserver::At::start, t, initial);
  for (; const double* time = s.watch->next_time(t); s.watch->skip_time()) {
    if (*time == t) s.watch->tell(ChannelObserver::At::time, *time, initial);
  }
}

}  // namespace trammel
