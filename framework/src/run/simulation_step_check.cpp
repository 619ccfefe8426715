// The checks of fixed steps and of loose tolerances: the same run file with others, driven beside the run, which is
// over.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "config/method_request.h"
#include "plugin/found_plugins.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// Impacts, and what the run file lets happen.
std::vector<MotionSamples::Jump> jumps_of(const Engine& engine) {
  std::vector<MotionSamples::Jump> jumps;
  for (const LocatedEvent& e : engine.events().located()) {
    if (e.event == "impact") jumps.push_back({e.element, e.t, e.speed});
    if (e.element == "analysis") jumps.push_back({e.event, e.t, 0});
  }
  return jumps;
}

/// S: Simulation::State.
template <class S>
class OtherSteps final : public MotionSamples::Rerun {
 public:
  explicit OtherSteps(std::unique_ptr<S> state) : state_(std::move(state)) {}
  bool show(double t, const Observation*& now) override {
    S& s = *state_;
    now = &s.plant->observation();
    try {
      while (s.engine->t() < t - s.rounding()) {
        if (!s.evaluate([&] { return s.advance(t); })) break;
      }
      return !s.outcome.failed() && s.evaluate([&] { return s.show(t); });
    } catch (const Error&) {
      return false;  // a step of that length fails: no more than that is to be known
    }
  }
  bool begin(const Archive& start) override {
    S& s = *state_;
    try {
      s.outcome.complete("");
      s.shown.show_end();
      const long before = evaluations();
      if (!s.evaluate([&] { return s.engine->begin_at(start); })) return false;
      before_ = before - s.engine->statistics().evaluations;
      // Its balance begins there as well, and judges nothing.
      s.last_look = {};
      s.last_look.start(*s.plant, {});
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  std::vector<MotionSamples::Jump> jumps() const override { return jumps_of(*state_->engine); }
  long evaluations() const override { return before_ + state_->engine->statistics().evaluations; }

 private:
  long before_ = 0;  ///< the archive's count takes the place of one's own
  std::unique_ptr<S> state_;
};

/// `integrator.rtol=` with every entry times `factor`, but none made less than `least`.
Setting scaled(const char* name, const std::vector<double>& values, double factor, double least) {
  std::vector<std::string> entries;
  for (const double value : values)
    entries.push_back(fmt::format("{}", std::max(factor * value, std::min(value, least))));
  const std::string text = fmt::format("{}", fmt::join(entries, ", "));
  return parse_setting(fmt::format("integrator.{}={}", name, values.size() == 1 ? text : "[" + text + "]"));
}

}  // namespace

// Events and inputs from outside are the run's own; what was set by hand cannot be repeated.
void Simulation::State::check_with_other_steps() {
  FixedStepCheck& steps = last_look.fixed_steps;
  ToleranceCheck& tolerances = last_look.tolerances;
  if (!(steps.wanted() || tolerances.wanted()) || !outcome.completed() || !inputs->names().empty()) return;
  const KnownPlugins those_of_the_run;
  const SimulationOptions options{{}, host.loaded_folders(), model->services().threads()};
  const StepControlOptions& own = methods.control();
  const auto make = [&](std::vector<Setting> settings, double cuts) -> std::unique_ptr<MotionSamples::Rerun> {
    try {
      Problems problems;
      const std::vector<Setting> method = settings_of_choice(run);  // of this run, not of one with other tolerances
      settings.insert(settings.begin(), method.begin(), method.end());
      RunFile other = make_run_file(WrittenDocument(run.whole_document()), run.file, run.folder, settings, problems);
      problems.raise();
      auto state = std::make_unique<State>(std::move(other), options);
      state->last_look.fixed_steps = {}, state->last_look.tolerances = {};
      state->engine->plan().scale_cuts(cuts);
      return std::make_unique<OtherSteps<State>>(std::move(state));
    } catch (const Error&) {
      return nullptr;
    }
  };
  if (tolerances.wanted()) {
    const double mean_step = run.analysis.duration / static_cast<double>(std::max(1L, engine->statistics().steps));
    const auto with = [&](double factor) {
      if (tolerances.own_steps())
        return make({parse_setting(fmt::format("integrator.max_step={}", factor * mean_step))}, factor);
      constexpr double least = 1e-13;  // a smaller rtol is one of rounding
      return make({scaled("rtol", engine->errors().given_rtol(), factor, least),
                   scaled("atol", engine->errors().given_atol(), factor, 0)},
                  1);
    };
    tolerances.finish(with, jumps_of(*engine), mean_step);
    return;
  }
  const auto with = [&](double step) {
    return make({parse_setting(fmt::format("integrator.step={}", step))}, std::clamp(step / own.step, 0.25, 4.0));
  };
  // Where a law switches velocities go on.
  FixedStepCheck::Happenings happenings;
  happenings.events = engine->statistics().events > 0;
  happenings.jumps = jumps_of(*engine);
  happenings.foreseen = remarks.predicts() || !engine->refutable().empty();
  happenings.step_that_sees = engine->step_that_sees();
  // Between two impacts motions are smooth; between switches of one law, or of what the run file sets, they are not.
  const auto switches = [&](const LocatedEvent& e) {
    if (e.element != "analysis") return e.event != "impact";
    const auto same = [&](const RunEvent& event) { return event.name == e.event; };
    const auto event = std::find_if(run.events.begin(), run.events.end(), same);
    return event != run.events.end() && event->effect == EventEffect::set_parameter;
  };
  std::map<std::string, double> last;
  for (const LocatedEvent& e : engine->events().located()) {
    if (!switches(e)) continue;
    const auto before = last.try_emplace(e.element, e.t).first;
    if (e.t > before->second) happenings.shortest_piece = std::min(happenings.shortest_piece, e.t - before->second);
    before->second = e.t;
  }
  steps.finish(with, run.analysis.duration, happenings);
}

}  // namespace trammel
