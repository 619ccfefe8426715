// Analyses of one state, which is looked for when the run goes on.
#include "run/simulation_state.h"

namespace trammel {

bool Simulation::State::advance_search(RunObserver* observer) {
  if (analysis->found()) return false;
  const Stopwatch solving;
  const SearchProgress progress = [observer](Index iterations, double left) {
    return observer == nullptr || observer->step(0, 0, left, static_cast<long>(iterations));
  };
  SearchOutcome found{.failed = outcome.failed(), .by_plugin = outcome.by_plugin(), .message = outcome.message()};
  const bool goes_on = analysis->search(engine.get(), progress, found);
  outcome.timing.solve_s += solving.seconds();
  if (goes_on) return true;
  if (found.failed)
    outcome.fail(found.message, found.by_plugin);
  else if (found.interrupted)
    outcome.interrupt(found.message);
  else
    outcome.complete(found.message);
  last_look.residuals = ResidualMaxima::of(plant->observation());
  recorder.evaluate(sample(0));
  recorder.write(plant->observation().t);
  for (const std::unique_ptr<Watch>& watch : recorder.watches()) {
    const Sample found = sample(0);
    watch->tell(ChannelObserver::At::start, 0, found);
    for (; const double* time = watch->next_time(0); watch->skip_time())
      watch->tell(ChannelObserver::At::time, *time, found);
  }
  // Files of its own belong to a state that was found.
  if (found.completed() && !recorder.folder().empty()) analysis->write(recorder.folder());
  return false;
}

}  // namespace trammel
