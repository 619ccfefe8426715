// Driving a run from outside: to wanted times, with inputs, from descriptions made in code.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/description_state.h"
#include "config/remade_run.h"
#include "run/simulation_state.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

// A jump of a coordinate by more than this is no rounding of a solver.
constexpr double noteworthy_jump = 1e-8;

double largest_difference(const std::vector<double>& before, ConstVectorView after) {
  double largest = 0;
  for (Index i = 0; i < after.size; ++i)
    largest = std::max(largest, std::abs(after[i] - before[static_cast<std::size_t>(i)]));
  return largest;
}

}  // namespace

Simulation::Simulation(const RunDescription& description, const SimulationOptions& options)
    : state_([&] {
        const RunDescription::State& held = description_state(description.state_);
        return std::make_unique<State>(described_run_file(held.document, held.name, held.folder, options.set), options);
      }()) {
  tell_about_plugins();
}

void Simulation::State::refuse_after_begin(const char* call) const {
  if (outcome.begun()) throw Error(ErrorKind::usage, fmt::format("{} comes before the first step", call));
}

void Simulation::State::show_end_of_step() {
  if (!shown.inside()) return;
  shown.show_end();
  plant->observe(engine->state());
}

void Simulation::State::refuse_time(double t, Landing landing) const {
  if (!analysis->over_time()) throw Error(ErrorKind::usage, "this analysis does not run over time");
  const double now = time_shown();
  if (std::isnan(t)) throw Error(ErrorKind::usage, "the time to advance to is not a number");
  if (!(t >= now - rounding())) {
    throw Error(ErrorKind::usage,
                fmt::format("time runs forward: t = {:.9g} lies before the state shown, t = {:.9g}", t, now));
  }
  if (landing == Landing::dense_output) return;
  if (t < engine->t() - rounding()) {
    throw Error(ErrorKind::usage,
                fmt::format("the last step went on to t = {:.9g}: no step can end at t = {:.9g}", engine->t(), t));
  }
  if (!engine->can_land_at(t)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' has fixed steps of {:g} s on a grid: none ends at t = {:.9g}; give it other steps, or use "
                    "dense output",
                    run.integrator.type, methods.control().step, t));
  }
}

bool Simulation::advance_to(double t, Landing landing, RunObserver* observer) {
  State& s = *state_;
  s.refuse_time(t, landing);
  s.outcome.begin();
  s.engine->plan().land_at(landing == Landing::step_end ? t : std::numeric_limits<double>::infinity());
  bool goes_on = true;
  while (goes_on && s.engine->t() < t - s.rounding()) {
    goes_on = s.evaluate([&] { return s.advance(t); });
    if (!goes_on || s.engine->pending()) continue;
    // Writing forgets the inside of the step, which may be shown next; `advance` makes up for it.
    if (s.engine->t() <= t + s.rounding()) s.evaluate([&s] { s.write_checkpoint_if_due(); });
    if (observer == nullptr) continue;
    goes_on = observer->step(s.engine->t(), s.run.analysis.duration, s.engine->h(), s.engine->statistics().steps);
    if (goes_on) continue;
    s.interrupt();
    s.evaluate([&s] { s.write_checkpoint_here(); });
  }
  s.engine->plan().land_at(std::numeric_limits<double>::infinity());
  return !s.outcome.failed() && s.evaluate([&] { return s.show(t); });
}

bool Simulation::State::show(double t) {
  if (engine->t() < t - rounding()) {
    show_end_of_step();
    return false;
  }
  if (engine->t() <= t + rounding()) {
    show_end_of_step();
    return resume();
  }
  if (!observe_between(t)) return false;
  shown.stop_at(t);
  return true;
}

const std::vector<std::string>& Simulation::inputs() const { return state_->inputs->names(); }

double Simulation::input(const std::string& name) const { return state_->inputs->value(state_->inputs->find(name)); }

void Simulation::set_input(const std::string& name, double value) {
  State& s = *state_;
  const std::size_t i = s.inputs->find(name);
  if (!std::isfinite(value)) {
    throw Error(ErrorKind::input, fmt::format("the input '{}' must be finite, not {:g}", name, value));
  }
  if (s.shown.inside()) {
    throw Error(ErrorKind::usage,
                fmt::format("inputs change at the end of a step, t = {:.9g}, and the state shown lies "
                            "before it; go there with Landing::step_end",
                            s.engine->t()));
  }
  if (!s.analysis->over_time()) throw Error(ErrorKind::usage, "this analysis does not run over time");
  s.inputs->set(i, value);
}

double Simulation::parameter(const std::string& path) const { return number_at(state_->run, path); }

void Simulation::set_parameter(const std::string& path, double value) {
  State& s = *state_;
  s.refuse_after_begin("set_parameter");
  if (!s.recorder.folder().empty() || s.recorder.watched() || s.checkpoints.wanted())
    throw Error(ErrorKind::usage, "set_parameter comes before write_results, watch and checkpoint_every");
  if (s.t() != 0) throw Error(ErrorKind::usage, "set_parameter comes before restart");
  auto made = std::make_unique<State>(remade(s.run, {number_setting(path, value)}),
                                      SimulationOptions{{}, s.host.loaded_folders(), s.model->services().threads()});
  for (const std::string& name : s.inputs->changed()) {
    const std::size_t i = made->inputs->find(name);
    made->inputs->set(i, s.inputs->value(s.inputs->find(name)));
  }
  state_ = std::move(made);
  tell_about_plugins();
}

bool Simulation::State::apply_inputs() {
  if (inputs->changed().empty() || engine->finished()) return true;
  const Observation& now = plant->observation();
  const EnergyBudget energy_before = now.energy;
  const std::vector<double> q(now.q.data, now.q.data + now.q.size), v(now.v.data, now.v.data + now.v.size);
  const double violation = now.constraint_position + now.constraint_velocity;
  engine->elements_change();
  if (!engine->resume()) {
    outcome.fail(engine->failure());
    return false;
  }
  const double jump = std::max({largest_difference(q, now.q), largest_difference(v, now.v),
                                now.constraint_position + now.constraint_velocity - violation});
  if (jump > noteworthy_jump && !analysis->accepts().at_rest) {  // equilibria move with what acts
    outcome.fail(
        fmt::format("setting '{}' at t = {:.9g} makes positions or velocities jump (by {:.3g}): inputs may act "
                    "through forces, and not move constraints",
                    fmt::join(inputs->changed(), "', '"), engine->t(), jump));
    return false;
  }
  inputs->taken();
  if (now.has_energy) last_look.energy.jump(energy_before, now.energy, 0);
  return true;
}

}  // namespace trammel
