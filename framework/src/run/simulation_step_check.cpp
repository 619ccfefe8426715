// The check of fixed steps: the same run file with other steps, driven beside the run, which is over.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// S: Simulation::State.
template <class S>
class OtherSteps final : public FixedStepCheck::Rerun {
 public:
  explicit OtherSteps(std::unique_ptr<S> state) : state_(std::move(state)) {}
  bool show(double t, const Observation*& now) override {
    S& s = *state_;
    now = &s.plant->observation();
    try {
      while (s.engine->t() < t - s.rounding()) {
        if (!s.evaluate([&] { return s.advance(t); })) break;
      }
      return s.status != RunStatus::failed && s.evaluate([&] { return s.show(t); });
    } catch (const Error&) {
      return false;  // a step of that length fails: no more than that is to be known
    }
  }
  bool begin(const Archive& start) override {
    S& s = *state_;
    try {
      s.status = RunStatus::completed;
      s.shown = left_out();
      const long before = evaluations();
      if (!s.evaluate([&] { return s.engine->begin_at(start); })) return false;
      before_ = before - s.engine->statistics().evaluations;
      // Its balance begins there as well, and judges nothing.
      s.last_look = {};
      s.last_look.start(*s.plant, {}, false, false);
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  long evaluations() const override { return before_ + state_->engine->statistics().evaluations; }

 private:
  long before_ = 0;  ///< the archive's count takes the place of one's own
  std::unique_ptr<S> state_;
};

}  // namespace

// Events and inputs from outside are the run's own; what was set by hand cannot be repeated.
void Simulation::State::check_fixed_steps() {
  FixedStepCheck& check = last_look.fixed_steps;
  if (!check.wanted() || status != RunStatus::completed || !inputs.empty()) return;
  std::set<std::filesystem::path> folders;
  for (const PluginInfo* plugin : host.loaded()) folders.insert(plugin->library.parent_path());
  const SimulationOptions options{{}, std::vector<std::filesystem::path>(folders.begin(), folders.end())};
  const auto make = [&](double step) -> std::unique_ptr<FixedStepCheck::Rerun> {
    try {
      Problems problems;
      std::vector<Setting> settings{parse_setting(fmt::format("integrator.step={}", step))};
      RunFile other = make_run_file(*run.document, run.file, run.folder, settings, problems);
      problems.raise();
      auto state = std::make_unique<State>(std::move(other), options);
      state->last_look.fixed_steps = {};
      return std::make_unique<OtherSteps<State>>(std::move(state));
    } catch (const Error&) {
      return nullptr;
    }
  };
  // Where a law switches velocities go on; impacts and what the run file lets happen may change them at once.
  FixedStepCheck::Happenings happenings;
  happenings.events = engine->statistics().events > 0;
  std::map<std::string, double> last;
  for (const LocatedEvent& e : engine->events()) {
    if (e.event == "impact" || e.element == "analysis") happenings.jumps = true;
    const auto [before, first] = last.try_emplace(e.element, e.t);
    if (!first && e.event == "function" && e.t > before->second) {
      happenings.shortest_piece = std::min(happenings.shortest_piece, e.t - before->second);
    }
    before->second = e.t;
  }
  check.finish(make, run.analysis.duration, happenings);
}

}  // namespace trammel
