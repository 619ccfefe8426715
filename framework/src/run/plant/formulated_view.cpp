// What views under a formulation do with its memory and its charts.
#include "run/plant/formulated_view.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "linalg/fence.h"
#include "linalg/finite.h"
#include "model/declared_sizes.h"
#include "plugin/create.h"
#include "plugin/marked.h"

namespace trammel {

FormulatedView::FormulatedView(ConstrainedModel& model, bool states_as_rates, const Formulation& formulation,
                               const std::string& plugin)
    : ModelView(model),
      whole_(model, states_as_rates),
      formulation_(formulation),
      plugin_(plugin),
      attempt_observer_(find_extension<AttemptObserver>(formulation)),
      tolerance_follower_(find_extension<ToleranceFollower>(formulation)),
      counters_(find_extension<FormulationCounters>(formulation)) {
  const MemorySize size = guarded(plugin_, "", "memory", [&] { return formulation.memory(system()); });
  make_room(size, fmt::format("plugin '{}': formulation", plugin_), {&memory_state_, &memory_scratch_, &memory_cache_});
  memory_backup_ = memory_state_;
  for (std::vector<double>* block : {&memory_state_, &memory_scratch_, &memory_cache_}) build_fence(*block);
  memory_ = {memory_state_.data(), memory_scratch_.data(), memory_cache_.data()};
}

// Throws Error(input) where the formulation says at the start that it does not fit.
void FormulatedView::require_fit(double t, const BodyState& at) {
  if (fitted_) return;
  fitted_ = true;
  const FormulationFit* fit = find_extension<FormulationFit>(formulation_);
  if (fit == nullptr) return;
  RefusalBuffer reason;
  const WholeModel::Point point = whole_.joined(at);
  const bool fits = guarded(plugin_, "", "start",
                            [&] { return fit->fits(system(), t, point.q, point.v, memory_, reason.refusal()); });
  if (!fits) reason.raise(plugin_, "", "start", "it does not fit this model");
}

Status FormulatedView::begin(double t, const BodyState& at) {
  require_fit(t, at);
  const WholeModel::Point point = whole_.joined(at);
  const Status status = formulation_.start(system(), t, point.q, point.v, memory_);
  if (status && tolerance_follower_ != nullptr && rtol_ > 0) tolerance_follower_->follow(rtol_, memory_);
  if (status) memory_changed();
  return status;
}

void FormulatedView::restore_memory() {
  std::copy(memory_backup_.begin(), memory_backup_.end(), memory_state_.begin());
  memory_changed();
}

bool FormulatedView::rollback(const StateView& state, double t, const BodyState& at) {
  restore_memory();
  ++void_attempts_;
  if (attempt_observer_ == nullptr) return false;
  const WholeModel::Point point = whole_.joined(at);
  const bool changed = attempt_observer_->repeated(system(), t, point.q, point.v, void_attempts_, memory_);
  return changed && chart_changed(state, at);
}

void FormulatedView::accepted() {
  void_attempts_ = 0;
  formulation_.accepted(memory_);
  const bool holds = fence_stands(memory_state_) && fence_stands(memory_scratch_) && fence_stands(memory_cache_);
  if (!holds) {
    throw Error(
        ErrorKind::plugin,
        fmt::format("plugin '{}': the formulation, or something that runs with it, wrote beyond its memory", plugin_));
  }
}

void FormulatedView::remember(Archive& archive) {
  archive.block("formulation", memory_state_);
  archive.values("attempts", void_attempts_);
}

Status FormulatedView::resume(Archive& archive, double t, const BodyState& at) {
  const Status status = begin(t, at);
  std::fill(memory_scratch_.begin(), memory_scratch_.end(), 0.0);
  std::fill(memory_cache_.begin(), memory_cache_.end(), 0.0);
  archive.block("formulation", memory_state_);
  begin_attempt();
  restore_memory();  // the mask follows the memory
  return status;
}

std::vector<std::pair<std::string, long>> FormulatedView::counts() const {
  std::vector<std::pair<std::string, long>> counts;
  for (Index i = 0; counters_ != nullptr && i < counters_->counter_count(); ++i) {
    counts.emplace_back(counters_->counter_name(i), std::lround(counters_->counter(i, memory_)));
  }
  return counts;
}

std::string FormulatedView::note() const {
  const auto* notes = find_extension<FormulationNotes>(formulation_);
  std::array<char, 400> text{};
  if (notes != nullptr) notes->note(whole_.system(), memory_, text.data(), static_cast<Index>(text.size()));
  return text.data();
}

OdeView::OdeView(ConstrainedModel& model, const Formulation& formulation, const std::string& plugin,
                 PlantCounters& counters)
    : FormulatedView(model, false, formulation, plugin),
      chart_change_(find_extension<ChartChange>(formulation)),
      ode_(*this, counters, formulation.ode_size(model)) {}

Status OdeView::CountedOde::rhs(double t, ConstVectorView y, VectorView f) {
  counters_.see(t);
  const Status status =
      marked(view_.plugin_.c_str(), "", [&] { return view_.formulation_.rhs(view_.model_, t, y, view_.memory_, f); });
  if (!status || all_finite(f)) return status;
  for (Index i = 0; i < f.size; ++i) {
    if (!std::isfinite(f[i])) return Status::failure(StatusCode::not_finite, "derivative", i, f[i]);
  }
  return status;
}

Status OdeView::CountedOde::jacobian(double t, ConstVectorView y, MatrixView f_y) {
  const ElementMark mark(view_.plugin_.c_str(), "");
  const Status status = view_.formulation_.jacobian(view_.model_, t, y, view_.memory_, f_y);
  if (!status || f_y.map().allFinite()) return status;
  return Status::failure(StatusCode::not_finite, "Jacobian of the right-hand side");
}

Status OdeView::lift(const ConstStateView& state, const BodyState& out) {
  return formulation_.lift(model_, state.t, state.x, memory_, out.q, out.v, out.z);
}

Status OdeView::embed(const BodyState& at, const StateView& state) {
  return embed_state(formulation_, model_, state.t, at.q, at.v, at.z, memory_, state.x);
}

Correction OdeView::correct(const StateView& next, VectorView error) {
  const Correction correction =
      marked(plugin_.c_str(), "", [&] { return formulation_.correct(model_, next.t, next.x, error, memory_); });
  if (correction.mask_changed) memory_changed();
  return correction;
}

Status OdeView::correct_output(const StateView& state) {
  if (!formulation_.traits().corrects_output) return Status::success();
  // Output is no step: what `correct` remembers about steps is put back.
  begin_attempt();
  const Correction correction = formulation_.correct(model_, state.t, state.x, {}, memory_);
  restore_memory();
  return correction.status;
}

Status OdeView::restarting(const StateView& state, const BodyState&) {
  if (chart_change_ == nullptr) return Status::success();
  const ElementMark mark(plugin_.c_str(), "");
  return chart_change_->change_chart(model_, state.t, state.x, memory_);
}

// The state holds all coordinates: only the mask is another one.
bool OdeView::chart_changed(const StateView&, const BodyState&) {
  memory_changed();
  return false;
}

// Where y is not (q, v, z) a formulation that offers both views says what its coordinates are called.
ModelView::Place OdeView::place(Index i) const {
  const Index nz = model_.internal_states(), d = (ode_.size() - nz) / 2;
  const auto* reduction = find_extension<SecondOrderFormulation>(formulation_);
  if (d == model_.coordinates() || reduction == nullptr) return ModelView::place(i);
  if (i >= 2 * d) return {-1, false, i - 2 * d};
  return place_of(reduction->coordinate(model_, i % d, memory_), i >= d);
}

std::vector<std::string> OdeView::independent_coordinates() const {
  const Index n = model_.coordinates();
  std::vector<std::string> names;
  if (ode_.size() != 2 * n + model_.internal_states()) return names;  // not (q, v, z): no coordinates to name
  std::vector<double> mask(static_cast<std::size_t>(ode_.size()), 1.0);
  formulation_.mask(model_, memory_, {mask.data(), ode_.size()});
  for (Index i = 0; i < n; ++i) {
    if (mask[static_cast<std::size_t>(i)] != 0) names.emplace_back(model_.coordinate_name(i));
  }
  return static_cast<Index>(names.size()) < n ? names : std::vector<std::string>();
}

SecondOrderView::SecondOrderView(ConstrainedModel& model, const Formulation& formulation, const std::string& plugin,
                                 PlantCounters& counters, ImplicitMatrix& matrix)
    : FormulatedView(model, true, formulation, plugin),
      reduction_(*find_extension<SecondOrderFormulation>(formulation)),
      nearby_(find_extension<NearbyLift>(formulation)),
      counted_(*reduction_.bind(system(), memory_), counters, matrix, plugin_, whole_.states()) {}

Status SecondOrderView::lift(const ConstStateView& state, const BodyState& out) {
  const WholeModel::Point to = whole_.room(out);
  const Status status = reduction_.lift_second_order(system(), state.t, state.x, state.v, memory_, to.q, to.v);
  if (status) whole_.split(out);
  return status;
}

Status SecondOrderView::lift_nearby(const ConstStateView& state, const BodyState& out) {
  if (nearby_ == nullptr) return lift(state, out);
  const WholeModel::Point to = whole_.room(out);
  const Status status = nearby_->lift_nearby(system(), state.t, state.x, state.v, memory_, to.q, to.v);
  if (status) whole_.split(out);
  return status;
}

Status SecondOrderView::embed(const BodyState& at, const StateView& state) {
  const WholeModel::Point from = whole_.joined(at);
  return reduction_.embed_second_order(system(), state.t, from.q, from.v, memory_, state.x, state.v);
}

Correction SecondOrderView::correct(const StateView& next, VectorView) {
  const ElementMark mark(plugin_.c_str(), "");
  return reduction_.correct_second_order(system(), next.t, next.x, next.v, memory_);
}

// The formulation learns from where it goes on.
Status SecondOrderView::restarting(const StateView& state, const BodyState& scratch) {
  const Status status = lift(state, scratch);
  return status ? embed(scratch, state) : status;
}

ModelView::Place SecondOrderView::place(Index i) const {
  const Index d = counted_.size();
  return place_of(reduction_.coordinate(whole_.system(), i % d, memory_), i >= d);
}

std::vector<std::string> SecondOrderView::independent_coordinates() const {
  std::vector<std::string> names;
  for (Index i = 0; i < counted_.size() - whole_.states(); ++i) {
    names.emplace_back(model_.coordinate_name(reduction_.coordinate(whole_.system(), i, memory_)));
  }
  return names;
}

}  // namespace trammel
