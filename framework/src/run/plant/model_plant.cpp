// A multibody model as a run integrates it.
#include "run/plant/model_plant.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "model/element_report.h"
#include "model/own_last_step.h"
#include "model/runaway.h"
#include "run/plant/formulated_view.h"
#include "run/plant/model_names.h"

namespace trammel {
namespace {

std::unique_ptr<ModelView> make_view(ConstrainedModel& model, const Formulation* formulation, const std::string& plugin,
                                     ViewKind kind, InternalStates states, PlantCounters& counters,
                                     ImplicitMatrix& matrix) {
  if (formulation == nullptr) return std::make_unique<ConstrainedView>(model, states, counters, matrix);
  if (kind == ViewKind::second_order)
    return std::make_unique<SecondOrderView>(model, *formulation, plugin, counters, matrix);
  return std::make_unique<OdeView>(model, *formulation, plugin, counters);
}

/// What elements keep begins, unless the start knows it already; accelerations and multipliers that forces see are
/// those that follow from themselves.
Status begin_memory(ConstrainedModel& model, bool begun, double t, const BodyState& at) {
  ModelPoint& point = model.point();
  Status status;
  if (!begun) {
    status = model.evaluate(t, at.q, at.v, at.z, 0u);
    if (status) status = point.memory().begin(point);
    point.invalidate();
  }
  return status ? see_own_step(model, t, at.q, at.v, at.z) : status;
}

// The power of drivers takes multipliers, and so do forces that see them. Rows left out, and singular positions that the
// method's own factorizations met, are watched at every step.
bool may_glance(ConstrainedModel& model) {
  constexpr double clear = 0.3;  // sine of a row's angle to the others: from there on RankMonitor looks at no attempt
  const RankWatch& met = model.parts().kkt.closest();
  return !model.rheonomic() && !model.point().memory().any() && model.rank().redundant() == 0 && met.weak == 0 &&
         met.smallest_kept > clear * clear;
}

}  // namespace

ModelPlant::ModelPlant(StartedModel started, const Formulation* formulation, const std::string& formulation_plugin,
                       ViewKind view, double constraint_limit, InternalStates states)
    : memory_begun_(started.memory_begun),
      model_(std::move(started.numbers)),
      rank_(*model_),
      forecast_(model_->assembly()),
      view_(make_view(*model_, formulation, formulation_plugin, view, states, counters, implicit_matrix)),
      scratch_(started.at) {
  observer_ =
      std::make_unique<ModelObserver>(*model_, std::move(started.at), constraint_limit, view_->constraint_limit());
}

ModelPlant::~ModelPlant() = default;

Problem ModelPlant::problem() {
  Problem problem;
  view_->offer(problem);
  return problem;
}

Status ModelPlant::start(const StateView& state) {
  const BodyState at = observer_->point();
  Status status;
  if (model_->point().holds_drivers()) {  // their velocities were those of drivers that move
    ProjectionReport projected;
    status = model_->project_velocities(0.0, at.q, at.v, ProjectionWeights::identity, projected);
  }
  if (status && model_->point().memory().any()) status = begin_memory(*model_, memory_begun_, state.t, at);
  if (status) status = view_->begin(state.t, at);
  return status ? view_->embed(at, state) : status;
}

bool ModelPlant::rollback(const StateView& state) {
  model_->rank().take_closest();  // what a void attempt met is no part of the motion
  return view_->rollback(state, observation(Look::glance).t, observer_->point());
}

Status ModelPlant::observe(const ConstStateView& state, Look look) {
  const Status status = view_->lift(state, observer_->point(state.t));
  if (!status) return status;
  return look == Look::glance && may_glance(*model_) ? observer_->glance() : observer_->observe(state.lambda);
}

Status ModelPlant::observe_at(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  const BodyState at = observer_->point(t);
  if (q.data != at.q.data) at.q.map() = q.map();
  if (v.data != at.v.data) at.v.map() = v.map();
  if (z.data != at.z.data) at.z.map() = z.map();
  const Status status = see_own_step(*model_, t, at.q, at.v, at.z);  // no step led there
  return status ? observer_->observe() : status;
}

Status ModelPlant::power(const ConstStateView& state, EnergyBudget& budget) {
  const BodyState at = scratch_.view();
  const Status status = view_->lift_nearby(state, at);
  return status ? observer_->power(state.t, at, state.lambda, budget) : status;
}

Status ModelPlant::look(const ConstStateView& state) {
  const BodyState at = scratch_.view();
  const Status status = view_->lift(state, at);
  return status ? model_->evaluate(state.t, at.q, at.v, at.z, 0u) : status;
}

Status ModelPlant::collide(const StateView& state, Contacts& contacts, const std::vector<char>& met,
                           std::vector<double>& approach, Impact& impact) {
  const BodyState at = observer_->point();
  Status status = view_->lift(state, at);
  if (status) status = view_->before_impact(state.t, at);
  if (status) status = contacts.collide(*model_, state.t, at.q, at.z, met, at.v, approach, impact);
  return status ? view_->embed(at, state) : status;
}

Status ModelPlant::elements_changed(const StateView& state) {
  model_->point().invalidate();
  forecast_ = BreakPointForecast(model_->assembly());
  const BodyState at = observer_->point();
  const Status status = view_->lift(state, at);
  return status ? view_->embed(at, state) : status;
}

// The law of an element with a memory is continuous there; what it does from now on is another branch of it.
Status ModelPlant::jumped(const StateView& state) {
  ModelPoint& point = model_->point();
  ElementMemory& memory = point.memory();
  if (!memory.any()) return Status::success();
  Status status = observe(state);
  if (status) status = memory.jump(point);
  point.invalidate();
  if (!status || !memory.sees_last_step()) return status;
  const BodyState at = observer_->point();
  status = see_own_step(*model_, state.t, at.q, at.v, at.z);
  const bool has_accelerations = view_->kind() == ViewKind::constrained;
  return status && has_accelerations ? view_->embed(at, state) : status;
}

Status ModelPlant::remember(Archive& archive, const ConstStateView& state) {
  Status status = Plant::remember(archive, state);
  view_->remember(archive);
  model_->remember(archive);
  rank_.remember(archive);
  if (!archive.restores()) return status;
  const BodyState at = observer_->point();
  if (status) status = view_->lift(state, at);
  if (status) status = view_->resume(archive, state.t, at);
  model_->remember(archive);  // counters and rows as they were
  Plant::remember(archive, state);
  return status;
}

double ModelPlant::time_of_flight(const Contacts& contacts) {
  double time = 0;
  const bool known = contacts.time_of_flight(*model_, observation().v, observation().a, time).ok();
  return known ? time : std::numeric_limits<double>::infinity();
}

Status ModelPlant::settle() {
  model_->point().update_angle_references();
  Status status;
  if (ElementMemory& memory = model_->point().memory(); memory.any()) {
    if (memory.sees_last_step()) finish_multipliers();
    status = memory.accept(model_->point(), observation().a, observation().lambda);
    model_->point().invalidate();
  }
  if (!observer_->is_complete()) return status;
  const bool chosen_anew = rank_.step(observation().t, model_->unit().norm_of_rows(model_->Phi()));
  if (chosen_anew) observer_->rows_changed();
  return status;
}

double ModelPlant::share_of_step(const ConstStateView& next) {
  if (!rank_.nears() || view_->kind() != ViewKind::ode) return 1;
  const BodyState at = scratch_.view();
  Status status = view_->lift(next, at);
  if (status) status = model_->evaluate(next.t, at.q, at.v, at.z, evaluate_jacobian);
  if (status) status = model_->factorize(ProjectionWeights::mass);
  return status ? rank_.share_of_step() : 1;  // what fails there is told where the end is observed
}

std::vector<std::string> ModelPlant::notes() const {
  std::vector<std::string> all = rank_.messages();
  if (const std::string note = view_->note(); !note.empty()) all.push_back(note);
  constexpr double much = 0.01;  // of their largest values, in one step
  const ElementMemory& memory = model_->point().memory();
  if (memory.sees_last_step() && memory.largest_change() > much) all.push_back(memory.note());
  return all;
}

double ModelPlant::turning_step() const {
  // Half a turn would be the limit of the nearest branch; the rest is for rates that grow within the step.
  constexpr double safe_turn = 0.8 * std::numbers::pi;
  const double rate = fastest_counted_rate(model_->point());
  return rate > 0 ? safe_turn / rate : std::numeric_limits<double>::infinity();
}

std::string ModelPlant::component_name(Index i) const { return trammel::component_name(*model_, *view_, i); }

std::string ModelPlant::component_owner(Index i) const { return trammel::component_owner(*model_, *view_, i); }

std::string ModelPlant::subject(const Status& status) const {
  return subject_of(*model_, *view_, status, worst_constraint());
}

// Where states have run away, whatever is evaluated first overflows: that is no fault of its own.
std::string ModelPlant::find_not_finite() {
  return runs_away(*model_) ? describe_runaway(*model_) : trammel::find_not_finite(model_->point());
}

}  // namespace trammel
