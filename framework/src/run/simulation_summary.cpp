// What a run tells about itself: summary.json, and reports for people.
#include <algorithm>

#include "model/mobility.h"
#include "model/model_drawing.h"
#include "run/plant/model_plant.h"
#include "run/simulation_state.h"
#include "run/stepping/run_events.h"
#include "trammel/integrator_extensions.h"

namespace trammel {

void Simulation::State::fill_summary() {
  summary.title = run.title;
  summary.run_json = run.resolved_json();
  summary.method = methods.any() ? methods.name(run) : run.document->find("analysis")->find("type")->text;
  summary.plugins = host.loaded();
  if (const Assembly* assembly = model->assembly()) {
    long redundant = 0;
    for (const RedundantSet& set : summary.redundant) redundant += static_cast<long>(set.rows.size());
    summary.dimensions = {assembly->bodies(), assembly->coordinates(), assembly->rows(), redundant,
                          assembly->coordinates() - assembly->rows() + redundant};
    summary.linear_solver = plant->model()->kkt().solver(ProjectionWeights::mass).name();
  } else {
    const Index n = plant->observation().q.size;
    summary.dimensions = {0, n, 0, 0, n};
  }
  summary.drawing = drawing_of(*model);
  summary.names = declared_names(*model, plant->observation().q.size, recorder.columns());
  if (engine != nullptr) summary.statistics = engine->statistics();
  if (engine == nullptr) summary.statistics.newton_iterations = summary.assembly.iterations;
  summary.formulation_counts.clear();
  for (const auto& [name, value] : plant->formulation_counts()) {
    if (name == "partitions") {
      summary.statistics.partitions = value;
    } else {
      summary.formulation_counts.emplace_back(name, value);
    }
  }
  if (engine != nullptr) summary.independent = plant->independent_coordinates();
  if (engine != nullptr) summary.note = engine->method().note();
  if (engine != nullptr) summary.time_scan = {engine->plan().profile().width(), engine->plan().profile().functions()};
  std::vector<std::string> told = engine != nullptr ? engine->warnings() : std::vector<std::string>();
  const RunEvents* events = analysis->events();
  if (events != nullptr && engine != nullptr && engine->finished() && !recorder.restarted()) {
    std::vector<std::string> happened;
    for (const LocatedEvent& event : engine->events().located())
      happened.push_back(event.element == "analysis" ? event.event : std::string());
    const std::string never = events->notes(happened, told);
    summary.note += (summary.note.empty() || never.empty() ? "" : "; ") + never;
  }
  if (const std::string differences = about_differences(); !differences.empty()) told.push_back(differences);
  const bool moves = analysis->over_time();
  const std::vector<std::string> looked = moves ? last_look.warnings(*plant) : std::vector<std::string>();
  for (const std::vector<std::string>& notes : {told, plant->notes(), looked}) {
    for (const std::string& note : notes) {
      if (std::find(summary.warnings.begin(), summary.warnings.end(), note) == summary.warnings.end()) {
        summary.warnings.push_back(note);
      }
    }
  }
  if (last_look.fixed_steps.finished()) {
    summary.fixed_step_check = &last_look.fixed_steps.result();
    if (summary.fixed_step_check->held()) {
      if (engine != nullptr) {
        for (std::string& text : engine->refutable()) summary.predictions.push_back(std::move(text));
      }
      summary.withdraw_predictions();
    }
  }
  if (methods.any()) {
    const auto* own = find_extension<OwnStepRule>(methods.integrator());
    if (own != nullptr && !given(methods.control().step)) summary.step_rule = own->rule();
  }
  if (last_look.tolerances.finished()) summary.tolerance_check = &last_look.tolerances.result();
  const EnergyBalance& energy = last_look.energy;
  summary.max.energy_drift = energy.drift;
  summary.max.energy_exchanged = energy.exchanged();
  summary.max.energy_drift_relative = plant->model() != nullptr ? energy.relative_drift() : left_out();
  analysis->add_to(summary);
  summary.final_t = time_shown();
  summary.over_time = analysis->over_time();
  const std::vector<double>& values = recorder.evaluate(sample_now());
  summary.final_channels.clear();
  for (std::size_t i = 0; i < values.size(); ++i) summary.final_channels.emplace_back(recorder.names()[i], values[i]);
}

std::string Simulation::report() {
  blamed([this] { state_->fill_summary(); });
  return state_->summary.to_text();
}

std::string Simulation::mobility() {
  ConstrainedModel* numbers = state_->plant->model();
  if (numbers == nullptr) return "";
  const Observation& now = state_->plant->observation();
  return blamed([&] { return to_text(analyse_mobility(*numbers, now.t, now.q, now.z)); });
}

std::string Simulation::summary_json() {
  blamed([this] { state_->fill_summary(); });
  return state_->summary.to_json();
}

}  // namespace trammel
