// What events do to a multibody model: a look at its state, velocity jumps, changed elements.
#include "run/plant/model_plant.h"

namespace trammel {

Status ModelPlant::look(const StateView& state) {
  const auto view = [](std::vector<double>& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  Status status = lift(state, view(work_n_), view(work_n2_), view(work_z_));
  if (status) status = model_.evaluate(state.t, view(work_n_), view(work_n2_), view(work_z_), 0u);
  return status;
}

Status ModelPlant::collide(const StateView& state, Contacts& contacts, const std::vector<char>& met,
                           std::vector<double>& approach, Impact& impact) {
  Status status = lift(state, q(), v(), z());
  if (status && view_ == ViewKind::constrained) {
    // Interpolated states are off the constraints by the error of the interpolation; treatments that mind correct
    // theirs.
    constexpr double tolerance = 1e-12;
    ProjectionReport report;
    status = model_.project_positions(state.t, q(), ProjectionWeights::mass, tolerance, report);
  }
  if (status) status = contacts.collide(model_, state.t, q(), z(), met, v(), approach, impact);
  return status ? embed(state) : status;
}

Status ModelPlant::restarting(const StateView& state) {
  if (view_ == ViewKind::second_order) {  // the formulation learns from where it goes on
    const Status status = lift(state, q(), v(), z());
    return status ? embed(state) : status;
  }
  if (chart_change_ == nullptr || view_ != ViewKind::ode) return Status::success();
  const ElementMark mark(formulation_plugin_.c_str(), "");
  return chart_change_->change_chart(model_, state.t, state.x, memory_);
}

Status ModelPlant::elements_changed(const StateView& state) {
  model_.point().invalidate();
  forecast_ = BreakPointForecast(assembly_);
  Status status = lift(state, q(), v(), z());
  return status ? embed(state) : status;
}

// What a formulation keeps beside its memory (factorizations, predictions) is dropped by a new start, in the run that
// saves and in the one that restores alike, so that both go on with the same numbers.
Status ModelPlant::remember(Archive& archive, const StateView& state) {
  Status status = Plant::remember(archive, state);
  archive.block("formulation", memory_state_);
  archive.values("attempts", void_attempts_);
  model_.remember(archive);
  rank_.remember(archive);
  if (!archive.restores()) return status;
  if (status) status = lift(state, q(), v(), z());
  if (status && formulation_ != nullptr) status = start_formulation(state.t);
  std::fill(memory_scratch_.begin(), memory_scratch_.end(), 0.0);
  archive.block("formulation", memory_state_);
  model_.remember(archive);  // counters and rows as they were
  Plant::remember(archive, state);
  begin_attempt(), restore_memory();  // the mask follows the memory
  return status;
}

double ModelPlant::time_of_flight(const Contacts& contacts) {
  double time = 0;
  const bool known = contacts.time_of_flight(model_, observation_.v, observation_.a, time).ok();
  return known ? time : std::numeric_limits<double>::infinity();
}

}  // namespace trammel
