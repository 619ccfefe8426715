// Puts a run together from its parts and drives it.
#include "trammel/host/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compose/compose.h"
#include "config/method_request.h"
#include "config/report_options.h"
#include "model/zeros.h"
#include "plugin/breadcrumb.h"
#include "results/atomic_file.h"
#include "run/channel_rows.h"
#include "run/input_warnings.h"
#include "run/plant/model_plant.h"
#include "run/plant/problem_plant.h"
#include "run/plant/status_text.h"
#include "run/run_linearizer.h"
#include "run/simulation_state.h"
#include "run/start_of_run.h"
#include "run/stepping/method_run.h"
#include "run/zero_warnings.h"
#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/function.h"

namespace trammel {
namespace {

/// The times of the motion that an analysis wants to see.
class TellsAnalysis final : public ChannelObserver {
 public:
  explicit TellsAnalysis(AnalysisRun& analysis) : analysis_(analysis) {}
  void sample(At at, double t, double, ConstVectorView) override {
    if (at == At::time) analysis_.at_time(t);
  }

 private:
  AnalysisRun& analysis_;
};

void note_zeros(const Model& model, const ConstrainedModel& numbers, StartReport& start) {
  each_counted_coordinate(model, [&](const CountedCoordinate& coordinate) {
    start.note_zero({coordinate.name(), zero_name(coordinate.origin.zero), coordinate.origin.drawn,
                     coordinate_now(numbers.point(), coordinate)});
  });
}

/// Throws Error(plugin) if the mode is not `before`, what it was before any plugin was loaded.
void require_floating_point_mode(const FloatingPointMode& before, const PluginHost& host) {
  const char* what = before.difference(FloatingPointMode::current());
  if (what == nullptr) return;
  before.restore();
  std::string names;
  for (const PluginInfo* plugin : host.loaded()) names += (names.empty() ? "'" : ", '") + plugin->id + "'";
  throw Error(ErrorKind::plugin,
              fmt::format("a plugin changed the processor's floating-point mode ({}) before the start, one of "
                          "{}; 'trammel check' identifies it",
                          what, names));
}

/// Throws Error(input): analyses of plugins that follow a motion have no method where the file leaves it out.
void require_integrator(const RunFile& run) {
  if (run.integrator || !run.opened_analysis) return;
  throw Error(
      ErrorKind::input,
      message_at(run.opened_analysis.node->place, "/analysis",
                 "the motion needs a method: add \"integrator\": \"auto\" and \"formulation\": \"auto\", or name "
                 "an integrator"));
}

}  // namespace

Simulation::State::State(RunFile described, const SimulationOptions& options)
    : run(std::move(described)), host(search_folders(run.plugin_search, {options.plugin_path, options.trust})) {
  const Stopwatch since_start;
  run = composed(std::move(run), host.catalogue());
  require_valid(run, host.catalogue(), host.search_trace());
  // Inside: what the mark names, ids of the host's plugins and elements of the model, lives until the failure has its
  // text.
  const FloatingPointMode floating_point = FloatingPointMode::current();
  blamed([this, &options, &floating_point] {
    model = std::make_unique<Model>(run, host, options.threads);
    analysis = make_analysis(run, host, *model);
    const auto starting = [this](auto&& call) {
      try {
        return call();
      } catch (const Error& error) {
        const std::string degrees = given_in_degrees(run, host.catalogue(), *model);
        if (error.kind() != ErrorKind::input || !error.key().empty() || degrees.empty()) throw;
        throw Error(ErrorKind::input, std::string(error.what()) + "; " + degrees);
      }
    };
    std::optional<ModelStart> made;
    if (analysis->integrates()) {
      require_integrator(run);
      if (leaves_method(run)) made = starting([this] { return choose_method(host, run, *model, *analysis, methods); });
      methods.create(host, run, *model);
    }
    refuse_unaccepted(analysis->accepts(), run, *model);
    inputs = std::make_unique<Inputs>(*model);
    remarks.warn(format_warnings(run, *model));
    remarks.warn(input_warnings(run, host.catalogue(), *model, methods.any() ? &methods.control() : nullptr));
    recorder.set_files(make_row_files(host, run, *model));
    starting([&] { create_plant(std::move(made)); });
    if (plant->model() != nullptr) {
      remarks.warn(sketch_warnings(run, *model, *plant->model(), start.assembly));
      remarks.warn(start_warnings(run, *plant->model()));
      note_zeros(*model, *plant->model(), start);
    }
    begin(floating_point, options);
  });
  run.fold();
  outcome.timing.setup_s = since_start.seconds();
}

void Simulation::State::create_plant(std::optional<ModelStart> found) {
  if (model->assembly() == nullptr) {
    if (!methods.any() || run.start.demands() || analysis->searches()) {
      throw Error(ErrorKind::input,
                  message_at(run.system.node->place, "/system",
                             fmt::format("a system of type '{}' has no bodies to assemble; it knows dynamics only",
                                         run.system.type)));
    }
    plant = std::make_unique<ProblemPlant>(*model, methods.view());
    return;
  }
  const double constraint_limit = given(run.analysis.constraint_limit) ? run.analysis.constraint_limit : 0;
  try {
    ModelStart made = found ? std::move(*found) : make_start(*model, start_options(run));
    auto bodies = std::make_unique<ModelPlant>(std::move(made.model), methods.formulation(),
                                               methods.formulation_plugin(), methods.view(), constraint_limit,
                                               methods.any() ? InternalStates::move : InternalStates::stay);
    if (methods.any()) {
      const StepControlOptions& control = methods.control();
      const Numbers& rtol = control.rtol;
      if (!given(control.step) && rtol.size > 0)
        bodies->set_tolerance(*std::min_element(rtol.data, rtol.data + rtol.size));
    }
    remarks.warn(remarks_on_start(made, *bodies->model(), run.start.demands()));
    start.assembly = std::move(made.report.assembly), start.redundant = std::move(made.redundant);
    plant = std::move(bodies);
  } catch (const Error& thrown) {
    refuse_start(thrown, run, *analysis, *model);
  }
}

void Simulation::State::begin(const FloatingPointMode& before, const SimulationOptions& options) {
  AnalysisParts parts{.run = run, .model = *model, .plant = *plant, .remarks = remarks};
  parts.linearizer = [this, options](Plant& of) { return std::make_unique<RunLinearizer>(run, options, of, remarks); };
  if (methods.any()) {
    parts.integrator = &methods.integrator();
    parts.integrator_plugin = methods.integrator_plugin();
    parts.control = methods.control();
  }
  refuse_touching_stops(analysis->accepts(), run, *plant);
  report_unused(analysis->accepts(), run, *model, remarks);
  if (std::optional<EngineParts> moving = analysis->begin(parts)) {
    moving->times = search_times();
    require_floating_point_mode(before, host);
    start_engine(*moving);
  }
  if (analysis->searches())
    last_look.residuals = ResidualMaxima::unknown();
  else if (engine == nullptr)
    last_look.residuals = ResidualMaxima::of(plant->observation());
  auto columns = std::make_unique<Columns>(*model, plant->model(), plant->observation(), method_channels());
  try {
    const Assembly* assembly = model->assembly();
    const std::vector<std::string> otherwise =
        assembly != nullptr ? analysis->default_channels(*assembly) : std::vector<std::string>();
    columns->select(run.output.channels.empty() ? otherwise : run.output.channels, run.output.all_channels);
  } catch (const Error& error) {
    const Node* output = run.document->find("output");
    if (output == nullptr) throw;
    throw locate(error, *output, "/output");
  }
  check_report_channels(*run.document, columns->names(), columns->available());
  columns->keep_selected();
  recorder.set_columns(std::move(columns));
  const auto every = [this] { return Columns(*model, plant->model(), plant->observation(), method_channels()); };
  model->services().offer_channels([every] { return every().available(); },
                                   channel_rows(every, [this] { return sample(h()); }));
  if (const std::vector<double> times = analysis->watched_times(); !times.empty()) {
    auto observer = std::make_unique<TellsAnalysis>(*analysis);
    auto watch =
        std::make_unique<Watch>(*model, *plant, method_channels(), std::vector<std::string>(), times, *observer);
    Recorder::tell_start(*watch, t(), sample(0));
    recorder.add(std::move(watch), std::move(observer));
  }
  if (!analysis->searches()) start_last_look();
}

// Kinematics gives the motion; there is no balance to keep.
void Simulation::State::start_last_look() {
  Promise promise;
  const bool integrated = engine != nullptr && methods.any();
  if (integrated) {
    const StepControlOptions& options = methods.control();
    promise.method = methods.name(run);
    promise.step = given(options.step) ? options.step : 0;
    const auto keeper = [this](Archive& archive) { return !engine->pending() && engine->remember(archive); };
    last_look.fixed_steps.start(*plant, options.step_check ? promise.step : 0, methods.integrator().traits().order,
                                keeper);
    if (promise.step == 0)
      promise.rtol = engine->errors().loosest_rtol(), promise.atol = engine->errors().loosest_atol();
    const Integrator& method = methods.integrator();
    if (options.step_check && find_extension<OwnStepRule>(method) != nullptr)
      last_look.tolerances.start_own_steps(*plant, method.traits().order);
    else if (options.step_check && promise.step == 0)
      last_look.tolerances.start(*plant, promise.rtol, engine->errors().given_atol());
    if (!method.traits().implicit)
      last_look.stiffness.start(run.integrator.type, promise.step == 0 ? promise.rtol : 1e-6,
                                promise.step == 0 ? promise.atol : 1e-8, run.analysis.duration);
  }
  bool works = !inputs->names().empty();
  if (ConstrainedModel* numbers = plant->model(); numbers != nullptr && engine != nullptr && !works) {
    works = does_work(*numbers, plant->observation(), engine->plan().break_points(), run.analysis.duration);
    plant->observe(engine->state());
  }
  promise.judges = integrated, promise.works = works;
  last_look.start(*plant, promise);
}

void Simulation::State::start_engine(const EngineParts& parts) {
  try {
    engine = std::make_unique<Engine>(parts);
  } catch (const Error& error) {
    if (!run.integrator) throw;
    throw locate(error, *run.integrator.node, run.integrator.path);
  }
  warn_of_unstable_feedback();
  try {
    if (!engine->start()) throw Error(ErrorKind::compute, engine->failure().message);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.key().empty()) throw;
    if (error.key().rfind("constraints/", 0) == 0) throw locate(error, *run.system.node, "/system");
    if (!run.integrator) throw;
    const std::string_view section = MethodRun::integrator_section;
    if (error.key().starts_with(section)) {
      const Error of_method = Error::parameter(error.key().substr(section.size()), error.what());
      throw locate(of_method, *run.integrator.node, run.integrator.path);
    }
    const ParameterTable keys = step_control_table();
    const bool of_engine = std::any_of(keys.records, keys.records + keys.count,
                                       [&](const ParameterRecord& record) { return error.key() == record.name; });
    if (of_engine) {
      throw locate(error, *run.integrator.node, run.integrator.path);
    }
    if (!run.formulation) throw;
    throw locate(error, *run.formulation.node, run.formulation.path);
  }
  if (methods.any()) warn_of_instability();
  shown.make_room(engine->make_state());
  if (plant->observation().has_energy && !analysis->searches()) {
    engine->before_observation([this] { return last_look.energy.look_inside(*engine, *plant, shown.view()); });
  }
  if (methods.any() && !methods.control().observe_steps) engine->glance_where([this] { return !row_is_due(); });
}

bool Simulation::State::advance(double show, RunObserver* observer) {
  if (!outcome.begun() && checkpoints.wanted() && recorder.folder().empty()) {
    throw Error(ErrorKind::usage,
                "checkpoints go to the folder of the results: write_results comes before the first step");
  }
  outcome.begin();
  if (outcome.interrupted()) outcome.complete(engine != nullptr ? engine->events().stop_message() : std::string());
  if (analysis->searches()) return advance_search(observer);
  if (engine == nullptr) return false;  // assembly is over when it has begun
  show_end_of_step();
  reopen_results();
  write_checkpoint_if_due();
  if (outcome.failed() || !resume() || !apply_inputs()) return false;
  const Stopwatch solving;
  if (!engine->advance()) {
    outcome.timing.solve_s += solving.seconds();
    if (engine->failure().happened) {
      outcome.fail(engine->failure());
      const bool by_plugin = outcome.by_plugin();
      if (const std::string ended = function_that_ends(*model, engine->t(), run.analysis.duration); !ended.empty()) {
        outcome.fail(ended + ": a longer table, 'outside', or a shorter run; " + outcome.message(), by_plugin);
      }
      const std::string reason = by_plugin ? std::string() : analysis->explain_end(*engine);
      if (!reason.empty()) outcome.fail(reason);
    }
    return false;
  }
  const Observation& now = plant->observation(Look::glance);
  last_look.residuals.look(now);
  if (now.has_energy) {
    const Status measured = last_look.energy.step(*engine, *plant, shown.view());
    if (!measured) {
      outcome.fail(fmt::format("the energy balance cannot be evaluated at t = {:.9g}: {}", engine->t(),
                               explain(measured, *plant)));
      return false;
    }
  }
  model->services().accept(engine->t(), engine->h(), engine->statistics().steps);
  if (std::string wrong = last_look.step(*plant, engine->t()); !wrong.empty()) {
    outcome.fail(std::move(wrong));
    return false;
  }
  if (const Statistics done = engine->statistics(); last_look.stiffness.due(done.steps)) {
    const std::string stiff = last_look.stiffness.look(*plant, *model, engine->state(), done.steps, done.evaluations);
    if (!stiff.empty()) remarks.warn(stiff);
  }
  outcome.timing.solve_s += solving.seconds();
  const Stopwatch writing;
  const bool waits = engine->pending() && show < engine->t() - rounding();
  const bool written = write_outputs() && tell_watches() && (waits || resume());
  outcome.timing.output_s += writing.seconds();
  if (written) outcome.complete(engine->events().stop_message());
  return written;
}

Simulation::Simulation(const std::filesystem::path& run_file, const SimulationOptions& options)
    : state_(std::make_unique<State>(load_run_file(run_file, options.set), options)) {
  tell_about_plugins();
}

void Simulation::tell_about_plugins() { state_->remarks.warn_first(state_->host.warnings()); }

Simulation::~Simulation() = default;

bool Simulation::step() {
  return state_->evaluate([this] { return state_->advance(); });
}

RunStatus Simulation::run(RunObserver* observer) {
  State& s = *state_;
  try {
    while (s.evaluate([&] { return s.advance(std::numeric_limits<double>::infinity(), observer); })) {
      s.evaluate([&s] { s.write_checkpoint_if_due(); });
      if (observer != nullptr &&
          !observer->step(s.engine->t(), s.run.analysis.duration, s.engine->h(), s.engine->statistics().steps)) {
        s.interrupt();
        s.evaluate([&s] { s.write_checkpoint_here(); });
        break;
      }
    }
  } catch (const Error& error) {
    s.outcome.fail(error);
  }
  return finish();
}

void Simulation::State::interrupt() { outcome.interrupt(fmt::format("interrupted at t = {:.9g}", time_shown())); }

RunStatus Simulation::finish() {
  State& s = *state_;
  if (!s.recorder.folder().empty()) s.recorder.require_own_process();
  const bool over = s.engine == nullptr || s.analysis->searches() || (s.engine->finished() && !s.shown.inside());
  if (s.outcome.completed() && !over) s.interrupt();
  try {
    s.recorder.sync();
  } catch (const Error& error) {
    s.outcome.fail(error);
  }
  if (over) s.check_with_other_steps();
  if (over && s.outcome.completed() && s.analysis->over_time() && !s.recorder.folder().empty()) {
    try {
      s.evaluate([&s] { s.analysis->write(s.recorder.folder()); });
    } catch (const Error& error) {
      s.outcome.fail(error);
    }
  }
  s.evaluate([&s] { s.take_notes(); });
  if (const std::filesystem::path& folder = s.recorder.folder(); !folder.empty()) {
    s.recorder.require_own_process();  // the looks at the end have evaluated plugins once more
    nlohmann::ordered_json outcome;
    s.outcome.add_to(outcome);
    std::string summary = s.evaluate([&s] { return s.summary(); });
    RowFileContent end{{}, {{"status", outcome["status"]}, {"message", outcome["message"]}, {"summary", ""}}};
    std::string& note = end.notes.back().second;
    note.swap(summary);  // of large models it is long
    try {
      s.recorder.close(end);
      note.swap(summary);
    } catch (const Error& error) {
      s.outcome.fail(error);
      summary = s.evaluate([&s] { return s.summary(); });
    }
    try {
      if (s.engine != nullptr) write_events(s.engine->events().located(), folder / "events.csv");
      write_atomically(folder / "summary.json", summary);
    } catch (const Error&) {
      if (s.outcome.message().empty()) throw;  // otherwise the first failure is the one to tell
    }
  }
  return s.outcome.status();
}

RunStatus Simulation::status() const { return state_->outcome.status(); }
const std::string& Simulation::message() const { return state_->outcome.message(); }
bool Simulation::failed_by_plugin() const { return state_->outcome.by_plugin(); }
const std::vector<std::string>& Simulation::warnings() const { return state_->remarks.warnings(); }
double Simulation::time() const { return state_->time_shown(); }
double Simulation::end_time() const {
  if (state_->engine == nullptr) return 0;
  return given(state_->run.analysis.duration) ? state_->run.analysis.duration : state_->engine->t_end();
}
ConstVectorView Simulation::positions() const { return state_->plant->observation().q; }
ConstVectorView Simulation::velocities() const { return state_->plant->observation().v; }
ConstVectorView Simulation::accelerations() const { return state_->plant->observation().a; }
ConstVectorView Simulation::multipliers() const {
  blamed([this] { state_->plant->finish_multipliers(); });
  return state_->plant->observation().lambda;
}
const std::vector<std::string>& Simulation::channels() const { return state_->recorder.names(); }

std::vector<double> Simulation::channel_values() {
  State& s = *state_;
  const ConstVectorView values = blamed([&s] { return s.recorder.evaluate(s.sample_now()); });
  return {values.data, values.data + values.size};
}

}  // namespace trammel
