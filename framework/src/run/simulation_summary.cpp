// What a run tells about itself: summary.json, and reports for people.
#include <nlohmann/json.hpp>

#include "model/mobility.h"
#include "model/model_drawing.h"
#include "results/declared_json.h"
#include "results/json_number.h"
#include "results/run_figures.h"
#include "results/run_subject.h"
#include "results/run_work.h"
#include "results/static_report.h"
#include "results/summary_text.h"
#include "run/simulation_state.h"
#include "run/stepping/run_events.h"
#include "run/work.h"
#include "trammel/extensions/integrator_extensions.h"
#include "version.h"

namespace trammel {
namespace {

RunSubject subject_of(const RunFile& run, const PluginHost& host, const Model& model, const Plant& plant,
                      long redundant) {
  RunSubject subject{run.title, host.loaded(), {}};
  if (const Assembly* assembly = model.assembly()) {
    subject.dimensions = {assembly->bodies(),
                          assembly->coordinates(),
                          assembly->rows(),
                          redundant,
                          assembly->coordinates() - assembly->rows() + redundant,
                          assembly->velocity_rows()};
  } else {
    const Index n = plant.observation().q.size;
    subject.dimensions = {0, n, 0, 0, n};
  }
  return subject;
}

MethodsUsed methods_used(const Methods& methods, const RunFile& run, Plant& plant, bool moves) {
  MethodsUsed used;
  used.name = methods.any() ? methods.name(run) : run.document->find("analysis")->find("type")->text;
  const MethodChoice& choice = methods.choice();
  used.choice = {choice.types.formulation, choice.types.integrator, choice.reason, choice.text};
  if (moves) used.independent = plant.independent_coordinates();
  if (methods.any()) {
    const auto* own = find_extension<OwnStepRule>(methods.integrator());
    if (own != nullptr && !given(methods.control().step)) used.step_rule = own->rule();
  }
  if (ConstrainedModel* numbers = plant.model(); numbers != nullptr) {
    ModelKkt& kkt = numbers->parts().kkt;
    used.linear_solver = kkt.mass_solver().type(), used.linear_solver_plugin = kkt.mass_solver().plugin_id();
    used.watches_rank = kkt.solver(ProjectionWeights::mass).watch() != nullptr;
  }
  return used;
}

/// `engine`, `statics`: nullptr where there is none.
RunWork work_of(const Engine* engine, const StaticReport* statics, const StartReport& start, Plant& plant,
                const LastLook& last_look) {
  RunWork work;
  if (engine != nullptr)
    work.statistics = engine->statistics(), work.work = work_in_evaluations(plant, work.statistics);
  if (engine == nullptr) work.statistics.newton_iterations = start.assembly.iterations;
  if (statics != nullptr) work.statistics.newton_iterations = statics->search.iterations;
  for (const auto& [name, value] : plant.formulation_counts()) {
    if (name == "partitions") {
      work.statistics.partitions = value;
    } else {
      work.formulation_counts.emplace_back(name, value);
    }
  }
  if (last_look.tolerances.finished()) work.tolerance_check = &last_look.tolerances.result();
  if (last_look.fixed_steps.finished()) work.fixed_step_check = &last_look.fixed_steps.result();
  return work;
}

/// "time_scan": nothing wider than this, s, in the functions of time was passed over.
void add_time_scan(const TimeProfile& profile, nlohmann::ordered_json& summary) {
  if (profile.functions() == 0) return;
  summary["time_scan"] = {{"width", json_number(profile.width())}, {"functions", profile.functions()}};
}

/// Events of the run file that happened, by name; "" for others.
std::vector<std::string> happened(const std::vector<LocatedEvent>& located) {
  std::vector<std::string> names;
  for (const LocatedEvent& event : located) names.push_back(event.element == "analysis" ? event.event : std::string());
  return names;
}

}  // namespace

void Simulation::State::take_notes() {
  std::vector<std::string> found;
  if (engine != nullptr) {
    found = engine->warnings();
    remarks.begin_note(engine->method().note());
    const RunEvents* events = analysis->events();
    if (events != nullptr && engine->finished() && !recorder.restarted())
      remarks.add_to_note(events->notes(happened(engine->events().located()), found));
  }
  if (engine != nullptr && methods.any() && !methods.control().observe_steps) {
    remarks.add_to_note(
        "steps without a row were looked at for violated rows, energy and finite numbers only (\"observe_steps\": "
        "false)");
  }
  remarks.warn_once(model->services().warnings());
  for (const std::string& text : model->services().notes()) remarks.add_to_note(text);
  if (const ConstrainedModel* numbers = plant->model()) remarks.add_to_note(numbers->point().memory().note());
  if (const std::string differences = about_differences(); !differences.empty()) found.push_back(differences);
  remarks.warn_once(found);
  remarks.warn_once(plant->notes());
  for (const NamedResult& result : analysis->results()) {
    if (!std::isfinite(result.value)) remarks.warn_once({fmt::format("the result '{}' is not finite", result.name)});
  }
  if (analysis->over_time()) remarks.warn_once(last_look.warnings(*plant));
  if (!last_look.fixed_steps.finished() || !last_look.fixed_steps.result().held()) return;
  if (engine != nullptr) remarks.may_refute(engine->refutable());
  remarks.withdraw_predictions();
}

std::string Simulation::State::summary() {
  SummaryText text;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  const StaticReport* statics = analysis->statics();
  outcome.add_to(json);
  json["title"] = run.title;
  text.take(json);
  text.add("run", run.resolved_json());
  subject_of(run, host, *model, *plant, start.redundant_rows()).add_to(json);
  work_of(engine.get(), statics, start, *plant, last_look).add_to(json);
  methods_used(methods, run, *plant, engine != nullptr).add_to(json);
  outcome.timing.add_to(json);
  if (engine != nullptr) add_time_scan(engine->plan().profile(), json);
  text.take(json);
  FinalState end{time_shown(), analysis->over_time(), {}};
  const ConstVectorView values = recorder.evaluate(sample_now());
  for (std::size_t i = 0; i < recorder.names().size(); ++i)
    end.channels.emplace_back(recorder.names()[i], values[static_cast<Index>(i)]);
  end.add_to(json);
  end = {};
  text.take(json);
  last_look.maxima(*plant).add_to(json);
  start.add_zeros_to(json);
  start.add_assembly_to(json);
  if (statics != nullptr) statics->add_to(json);
  for (const NamedResult& result : analysis->results()) json["results"][result.name] = json_number(result.value);
  start.add_redundant_to(json);
  text.take(json);
  add_drawing(drawing_of(*model, plant->observation().q, analysis->over_time() ? run.analysis.duration : 0), json);
  text.take(json);
  add_names(declared_names(*model, plant->observation().q.size, recorder.columns()), json);
  text.take(json);
  if (!recorder.folder().empty()) {
    for (const RowFile& file : recorder.files()) json["files"].push_back(file.name());
  }
  remarks.add_to(json);
  text.take(json);
  return text.finish();
}

std::vector<std::pair<std::string, std::string>> Simulation::State::notes_of_files() const {
  const RunSubject subject = subject_of(run, host, *model, *plant, start.redundant_rows());
  nlohmann::ordered_json json;
  subject.add_to(json);
  return {{"program", std::string("trammel ") + version()},
          {"title", subject.title},
          {"run", run.resolved_json()},
          {"plugins", json["plugins"].dump()},
          {"status", "running"}};
}

std::string Simulation::State::summary_text() const {
  const RunSubject subject = subject_of(run, host, *model, *plant, start.redundant_rows());
  const StaticReport* statics = analysis->statics();
  std::string text = subject.to_text();
  text += methods_used(methods, run, *plant, engine != nullptr).to_text(remarks.note());
  text += start.to_text();
  if (statics != nullptr) text += statics->to_text();
  for (const NamedResult& result : analysis->results())
    text += fmt::format("  {:10} {:.9g}{}\n", result.name, result.value, result.unit == "1" ? "" : " " + result.unit);
  text += outcome.to_text({time_shown(), analysis->over_time(), {}});
  text += work_of(engine.get(), statics, start, *plant, last_look).to_text(outcome.timing.solve_s);
  if (subject.dimensions.bodies > 0) text += last_look.maxima(*plant).to_text();
  return text;
}

std::string Simulation::report() {
  return blamed([this] {
    state_->take_notes();
    return state_->summary_text();
  });
}

std::string Simulation::mobility() {
  ConstrainedModel* numbers = state_->plant->model();
  if (numbers == nullptr) return "";
  const Observation& now = state_->plant->observation();
  return blamed([&] { return to_text(analyse_mobility(*numbers, now.t, now.q, now.z)); });
}

std::string Simulation::summary_json() {
  return blamed([this] {
    state_->take_notes();
    return state_->summary();
  });
}

void Simulation::take_figures(RunFigures& figures) {
  blamed([&figures, &s = *state_] {
    s.take_notes();
    nlohmann::ordered_json& json = figures.summary;
    json = nlohmann::ordered_json::object();
    const StaticReport* statics = s.analysis->statics();
    const RunSubject subject = subject_of(s.run, s.host, *s.model, *s.plant, s.start.redundant_rows());
    figures.plugins = subject.plugins;
    subject.dimensions.add_to(json);
    work_of(s.engine.get(), statics, s.start, *s.plant, s.last_look).add_to(json);
    s.outcome.timing.add_to(json);
    if (s.engine != nullptr) add_time_scan(s.engine->plan().profile(), json);
    json["final"]["t"] = json_number(s.time_shown());
    s.last_look.maxima(*s.plant).add_to(json);
    s.start.add_assembly_to(json);
    if (statics != nullptr) statics->add_to(json);
    for (const NamedResult& result : s.analysis->results()) json["results"][result.name] = json_number(result.value);
    if (!s.recorder.folder().empty()) {
      for (const RowFile& file : s.recorder.files()) json["files"].push_back(file.name());
    }
    s.remarks.add_to(json);
  });
}

}  // namespace trammel
