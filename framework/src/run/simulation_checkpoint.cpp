// Saving and restoring a whole run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/checkpoint_file.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {

void Simulation::State::remember(Archive& archive) {
  ResidualMaxima& m = last_look.residuals;
  recorder.remember(archive);
  archive.values("max", m.constraint_position, m.constraint_velocity, m.constraint_acceleration, m.multiplier_residual);
  archive.values("timing", outcome.timing.solve_s, outcome.timing.output_s);
  last_look.remember(archive);
  inputs->remember(archive);
  analysis->remember(archive);
  const std::size_t functions = model->functions_of_time().size();
  if (!engine->remember(archive)) throw Error(ErrorKind::compute, engine->failure().message);
  if (model->functions_of_time().size() > functions) engine->plan().add(search_times(functions));
}

void Simulation::State::write_checkpoint_if_due() {
  if (t() >= checkpoints.next() - rounding()) write_checkpoint_here();
}

void Simulation::State::write_checkpoint_here() {
  if (!checkpoints.wanted() || !recorder.writes() || engine->finished() || engine->pending()) return;
  checkpoints.pass(t());
  recorder.sync();
  Archive archive;
  remember(archive);
  write_checkpoint(recorder.folder() / "checkpoint.json", CheckpointOwner(run, host.loaded()), t(), archive);
  // Goes on as a restarted run would: whatever is not in the archive is forgotten here too.
  archive.restore_from_here();
  remember(archive);
}

void Simulation::checkpoint_every(double seconds) {
  State& s = *state_;
  if (!s.analysis->over_time()) {
    throw Error(ErrorKind::usage, "checkpoints need an analysis that runs over time: leave out --checkpoint-every");
  }
  if (!(seconds > 0) || !std::isfinite(seconds)) {
    throw Error(ErrorKind::input, fmt::format("checkpoint_every needs a number of seconds > 0, not {:g}", seconds));
  }
  s.checkpoints = CheckpointSchedule(seconds);
  s.checkpoints.pass(s.t());
}

void Simulation::restart(const std::filesystem::path& checkpoint) {
  State& s = *state_;
  s.refuse_after_begin("restart");
  if (!s.recorder.folder().empty()) throw Error(ErrorKind::usage, "restart comes before write_results");
  if (!s.analysis->over_time())
    throw Error(ErrorKind::input, checkpoint.string() + ": this analysis does not run over time");
  Archive archive = read_checkpoint(checkpoint, CheckpointOwner(s.run, s.host.loaded()));
  try {
    s.evaluate([&] { s.remember(archive); });
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: cannot be restored: {}", checkpoint.string(), error.what()));
  }
  s.recorder.restart_from(std::filesystem::absolute(checkpoint).parent_path());
}

}  // namespace trammel
