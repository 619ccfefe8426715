// The choice of a run's method, and the look at whether it was the right one.
#include "run/choice/method_chooser.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {

// The choice rests on the motion at the start, which is then that of the run.
std::optional<ModelStart> Simulation::State::choose_method() {
  refuse_unaccepted(analysis->accepts(), run, *model);
  std::optional<ModelStart> made;
  MethodChooser chooser(host, run, *model);
  if (chooser.needs_start()) {
    if (model->assembly() != nullptr) {
      try {
        made = make_start(*model, start_options());
      } catch (const Error& error) {
        refuse_start(error);
      }
    }
    chooser.look(made ? &*made : nullptr);
  }
  methods.chosen(chooser.choose(run));
  return made;
}

void Simulation::State::look_for_stiffness() {
  const Statistics statistics = engine->statistics();
  const std::string warning =
      last_look.stiffness.look(*plant, *model, engine->state(), statistics.steps, statistics.evaluations);
  if (!warning.empty()) remarks.warn(warning);
}

}  // namespace trammel
