// A multibody model as a run integrates it.
#include "run/plant/model_plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "linalg/finite.h"
#include "model/consistency.h"
#include "model/element_report.h"
#include "model/equilibrium.h"
#include "model/runaway.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {

/// The formulation's first-order view, counted and checked for finite results.
class ModelPlant::OdeView final : public OdeSystem {
 public:
  OdeView(ModelPlant& plant, Index size) : plant_(plant), mask_(static_cast<std::size_t>(size), 1.0) {}

  Index size() const override { return static_cast<Index>(mask_.size()); }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    plant_.counters.see(t);
    const ElementMark mark(plant_.formulation_plugin_.c_str(), "");
    const Status status = plant_.formulation_->rhs(plant_.model_, t, y, plant_.memory_, f);
    if (!status) return status;
    if (all_finite(f)) return status;
    for (Index i = 0; i < f.size; ++i) {
      if (!std::isfinite(f[i])) return Status::failure(StatusCode::not_finite, "derivative", i, f[i]);
    }
    return status;
  }
  ConstVectorView mask() const override { return {mask_.data(), size()}; }
  void update_mask() { plant_.formulation_->mask(plant_.model_, plant_.memory_, {mask_.data(), size()}); }

 private:
  ModelPlant& plant_;
  std::vector<double> mask_;
};

ModelPlant::ModelPlant(const Model& model, const Formulation* formulation, const std::string& formulation_plugin,
                       ViewKind view, LinearSolver solver, const StartOptions& start, double constraint_limit)
    : assembly_(*model.assembly()),
      model_(assembly_, solver),
      rank_(model_),
      forecast_(assembly_),
      formulation_(formulation),
      formulation_plugin_(formulation_plugin),
      view_(view),
      constraint_limit_(constraint_limit),
      limit_given_(constraint_limit > 0),
      q_(model.q0()),
      v_(model.v0()) {
  const auto n = q_.size(), m = static_cast<std::size_t>(assembly_.rows());
  z_.assign(static_cast<std::size_t>(assembly_.internal_states()), 0.0);
  a_.assign(n, 0.0);
  work_n_.assign(n, 0.0);
  work_n2_.assign(n, 0.0);
  lambda_.assign(m, 0.0);
  work_m_.assign(m, 0.0);
  work_a_ = work_n_, work_z_ = z_;
  if (!start.assemble) refuse_internal_states();
  model_.point().initial_internal(z());
  make_consistent(model_, 0.0, q(), v(), z(), start, initial_);
  if (start.equilibrium) start_at_rest();
  redundant_ = redundant_sets(model_);
  initial_.near_dependence = near_dependence(model_);

  if (formulation_ != nullptr) {
    const FormulationTraits traits = formulation_->traits();
    if (!(constraint_limit_ > 0)) constraint_limit_ = traits.constraint_limit;
    const MemorySize size = formulation_->memory(model_);
    memory_state_.assign(static_cast<std::size_t>(size.state), 0.0);
    memory_backup_ = memory_state_;
    memory_scratch_.assign(static_cast<std::size_t>(size.scratch), 0.0);
    memory_ = {memory_state_.data(), memory_scratch_.data()};
    attempt_observer_ = find_extension<AttemptObserver>(*formulation_);
    tolerance_follower_ = find_extension<ToleranceFollower>(*formulation_);
    chart_change_ = find_extension<ChartChange>(*formulation_);
    formulation_counters_ = find_extension<FormulationCounters>(*formulation_);
    if (view_ == ViewKind::second_order) {
      reduction_ = find_extension<SecondOrderFormulation>(*formulation_);
      second_order_ = std::make_unique<CountedSecondOrder>(*reduction_->bind(model_, memory_), counters,
                                                           implicit_matrix, formulation_plugin_);
    } else {
      ode_ = std::make_unique<OdeView>(*this, formulation_->ode_size(model_));
    }
  } else if (!(constraint_limit_ > 0)) {
    constraint_limit_ = FormulationTraits().constraint_limit;
  }
  observation_.q = q();
  observation_.v = v();
  observation_.z = z();
  observation_.a = {a_.data(), static_cast<Index>(n)};
  observation_.lambda = {lambda_.data(), static_cast<Index>(m)};
  observation_.has_energy = true;
}

ModelPlant::~ModelPlant() = default;

void ModelPlant::start_at_rest() {
  if (const Contacts stops(assembly_); stops.count() > 0) {
    throw Error::parameter("start",
                           fmt::format("'{}' (type '{}') is a rigid stop, which no search for an equilibrium feels; "
                                       "use the compliant force 'stop' in its place, or begin with the given state",
                                       stops.slot(0).name, stops.slot(0).type));
  }
  EquilibriumReport report;
  Status status = find_equilibrium(model_, 0.0, q(), report);
  if (!status) {
    throw Error::parameter(
        "start", fmt::format("no static equilibrium was found: {}{}; the largest acceleration at rest is "
                             "still {:.3g} m/s^2 or rad/s^2 after {} iterations",
                             status.what, *status.what != '\0' ? fmt::format(" {}", status_name(status.code)) : "",
                             report.acceleration, report.iterations));
  }
  ProjectionReport projected;
  status = model_.project_velocities(0.0, q(), v(), ProjectionWeights::mass, projected);
  if (status) status = model_.evaluate(0.0, q(), v(), z(), evaluate_dynamics | evaluate_Phi | evaluate_nu);
  if (status) status = model_.factorize(ProjectionWeights::mass);
  if (!status)
    throw Error::parameter("start", fmt::format("the state of static equilibrium cannot be used: {}", status.what));
  initial_.equilibrium = report;
}

void ModelPlant::refuse_internal_states() const {
  if (view_ == ViewKind::ode) return;
  for (const ForceSlot& slot : assembly_.forces) {
    if (slot.force->internal_states() == 0) continue;
    throw Error(ErrorKind::input,
                fmt::format("force '{}' (type '{}') has an internal state, which this integrator does "
                            "not treat; take one for first-order systems, such as dopri5",
                            slot.name, slot.type));
  }
}

ProblemSize ModelPlant::size() const {
  if (view_ == ViewKind::ode) return {ode_->size(), 0};
  if (view_ == ViewKind::second_order) return {freedoms(), 0};
  return {assembly_.coordinates(), assembly_.rows()};
}

Problem ModelPlant::problem() {
  Problem problem;
  if (view_ == ViewKind::ode) problem.ode = ode_.get();
  if (view_ == ViewKind::second_order) problem.second_order = second_order_.get();
  if (view_ == ViewKind::constrained) problem.constrained = &constrained_;
  return problem;
}

Status ModelPlant::start(const StateView& state) {
  if (model_.point().holds_drivers()) {  // their velocities were those of drivers that move
    ProjectionReport projected;
    const Status held = model_.project_velocities(0.0, q(), v(), ProjectionWeights::identity, projected);
    if (!held) return held;
  }
  Status status;
  if (formulation_ != nullptr) status = start_formulation(state.t);
  if (status) status = embed(state);
  if (status && ode_ != nullptr) ode_->update_mask();
  return status;
}

Status ModelPlant::start_formulation(double t) {
  const Status status = formulation_->start(model_, t, q(), v(), memory_);
  if (status && tolerance_follower_ != nullptr && rtol_ > 0) tolerance_follower_->follow(rtol_, memory_);
  return status;
}

Status ModelPlant::embed(const StateView& state) {
  if (view_ == ViewKind::ode) {
    formulation_->embed(q(), v(), z(), memory_, state.x);
    return Status::success();
  }
  if (view_ == ViewKind::second_order) {
    return reduction_->embed_second_order(model_, state.t, q(), v(), memory_, state.x, state.v);
  }
  state.x.map() = q().map();
  state.v.map() = v().map();
  Status status = model_.evaluate(state.t, q(), v(), z(), evaluate_dynamics);
  if (status) status = model_.factorize(ProjectionWeights::mass);
  if (status) status = model_.solve(model_.Q(), model_.gamma(), state.a, state.lambda);
  return status;
}

void ModelPlant::begin_attempt() { memory_backup_ = memory_state_; }

void ModelPlant::restore_memory() {
  std::copy(memory_backup_.begin(), memory_backup_.end(), memory_state_.begin());
  if (ode_ != nullptr) ode_->update_mask();
}

bool ModelPlant::rollback(const StateView& state) {
  model_.rank().take_closest();  // what a void attempt met is no part of the motion
  restore_memory();
  ++void_attempts_;
  if (attempt_observer_ == nullptr) return false;
  // q and v are those of the last accepted state.
  const bool changed = attempt_observer_->repeated(model_, observation_.t, q(), v(), void_attempts_, memory_);
  if (changed && ode_ != nullptr) ode_->update_mask();
  if (!changed || reduction_ == nullptr) return false;
  return reduction_->embed_second_order(model_, state.t, q(), v(), memory_, state.x, state.v).ok();
}

Correction ModelPlant::correct(const StateView& next, VectorView error) {
  if (view_ == ViewKind::constrained) return {};
  const ElementMark mark(formulation_plugin_.c_str(), "");
  if (view_ == ViewKind::second_order) return reduction_->correct_second_order(model_, next.t, next.x, next.v, memory_);
  const Correction correction = formulation_->correct(model_, next.t, next.x, error, memory_);
  if (correction.mask_changed) ode_->update_mask();
  return correction;
}

void ModelPlant::accepted() {
  void_attempts_ = 0;
  if (formulation_ != nullptr) formulation_->accepted(memory_);
}

Status ModelPlant::correct_output(const StateView& state) {
  if (view_ != ViewKind::ode || !formulation_->traits().corrects_output) return Status::success();
  // Output is no step: what `correct` remembers about steps is put back.
  begin_attempt();
  const Correction correction = formulation_->correct(model_, state.t, state.x, {}, memory_);
  restore_memory();
  return correction.status;
}

Status ModelPlant::lift(const StateView& state, VectorView q, VectorView v, VectorView z) {
  if (view_ == ViewKind::ode) return formulation_->lift(model_, state.t, state.x, memory_, q, v, z);
  if (view_ == ViewKind::second_order)
    return reduction_->lift_second_order(model_, state.t, state.x, state.v, memory_, q, v);
  q.map() = state.x.map();
  v.map() = state.v.map();
  return Status::success();
}

// Only drivers that move need the multipliers for their power.
Status ModelPlant::power(const StateView& state, EnergyBudget& budget) {
  const auto view = [](std::vector<double>& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  const VectorView q = view(work_n_), v = view(work_n2_), z = view(work_z_), lambda = view(work_m_);
  Status status = lift(state, q, v, z);
  if (status) status = model_.evaluate(state.t, q, v, z, model_.rheonomic() ? evaluate_nu : 0u);
  const bool driven = status && model_.rheonomic() && (model_.nu().map().array() != 0).any();
  if (driven) status = model_.evaluate(state.t, q, v, z, evaluate_dynamics);
  if (status && driven) status = model_.factorize(ProjectionWeights::mass);
  if (status && driven) status = model_.solve(model_.Q(), model_.gamma(), view(work_a_), lambda);
  if (status) budget = model_.energy(lambda);
  const bool finite = std::isfinite(budget.dissipation) && std::isfinite(budget.work);
  return !status || finite ? status : Status::failure(StatusCode::not_finite, "state");
}

Status ModelPlant::observe(const StateView& state) {
  const Status status = lift(state, q(), v(), z());
  observation_.t = state.t;
  return status ? observe_point(state.t) : status;
}

Status ModelPlant::observe_at(double t, ConstVectorView q_given, ConstVectorView v_given, ConstVectorView z_given) {
  if (q_given.data != q_.data()) q().map() = q_given.map();
  if (v_given.data != v_.data()) v().map() = v_given.map();
  if (z_given.data != z_.data()) z().map() = z_given.map();
  observation_.t = t;
  return observe_point(t);
}

/// At q_, v_, z_.
Status ModelPlant::observe_point(double t) {
  multipliers_finished_ = false;
  constexpr unsigned everything = evaluate_dynamics | evaluate_Phi | evaluate_nu;
  Status status = model_.evaluate(t, q(), v(), z(), everything);
  if (status) status = model_.factorize(ProjectionWeights::mass);
  if (!status) return status;
  const VectorView a{a_.data(), static_cast<Index>(a_.size())}, n{work_n_.data(), a.size};
  const VectorView lambda{lambda_.data(), static_cast<Index>(lambda_.size())}, m{work_m_.data(), lambda.size};
  status = model_.solve(model_.Q(), model_.gamma(), a, lambda);
  if (!status) return status;
  observation_.constraint_position = model_.Phi().map().norm();
  violation_ = limit_given_ ? observation_.constraint_position : model_.unit().norm_of_rows(model_.Phi());
  model_.apply_jacobian(v(), m);
  observation_.constraint_velocity = (m.map() - model_.nu().map()).norm();
  model_.apply_jacobian(a, m);
  observation_.constraint_acceleration = (m.map() - model_.gamma().map()).norm();
  model_.apply_jacobian_transpose(lambda, n);
  const VectorView Ma{work_n2_.data(), a.size};
  model_.apply_mass(a, Ma);
  observation_.multiplier_residual = (Ma.map() + n.map() - model_.Q().map()).norm();
  observation_.energy = model_.energy(lambda);
  const double check = observation_.energy.kinetic + observation_.energy.potential + observation_.constraint_position +
                       observation_.constraint_velocity + a.map().sum() + lambda.map().sum();
  return std::isfinite(check) ? status : Status::failure(StatusCode::not_finite, "state");
}

std::string ModelPlant::constraint_limit_text() const {
  if (limit_given_ || model_.unit().one()) return fmt::format("{:g}", constraint_limit_);
  return fmt::format("{:g} (in units of {:.3g} m, the size of the model)", constraint_limit_, model_.unit().length());
}

std::vector<std::pair<std::string, long>> ModelPlant::formulation_counts() const {
  std::vector<std::pair<std::string, long>> counts;
  for (Index i = 0; formulation_counters_ != nullptr && i < formulation_counters_->counters(); ++i) {
    counts.emplace_back(formulation_counters_->counter_name(i),
                        std::lround(formulation_counters_->counter(i, memory_)));
  }
  return counts;
}

std::vector<std::string> ModelPlant::notes() const {
  std::vector<std::string> all = rank_.messages();
  const auto* formulation = formulation_ != nullptr ? find_extension<FormulationNotes>(*formulation_) : nullptr;
  if (formulation == nullptr) return all;
  std::array<char, 400> text{};
  formulation->note(model_, memory_, text.data(), static_cast<Index>(text.size()));
  if (text[0] != '\0') all.emplace_back(text.data());
  return all;
}

std::vector<std::string> ModelPlant::independent_coordinates() const {
  if (formulation_ == nullptr) return {};
  std::vector<std::string> names;
  const Index n = assembly_.coordinates();
  if (view_ == ViewKind::second_order) {
    for (Index i = 0; i < freedoms(); ++i) {
      names.emplace_back(model_.coordinate_name(reduction_->coordinate(model_, i, memory_)));
    }
    return names;
  }
  std::vector<double> mask(static_cast<std::size_t>(ode_->size()), 1.0);
  formulation_->mask(model_, memory_, {mask.data(), ode_->size()});
  for (Index i = 0; i < n; ++i) {
    if (mask[static_cast<std::size_t>(i)] != 0) names.emplace_back(model_.coordinate_name(i));
  }
  return static_cast<Index>(names.size()) < n ? names : std::vector<std::string>();
}

void ModelPlant::settle() {
  model_.point().update_angle_references();
  const bool chosen_anew = rank_.step(observation_.t, model_.unit().norm_of_rows(model_.Phi()));
  if (chosen_anew && model_.factorize(ProjectionWeights::mass)) {
    model_.solve(model_.Q(), model_.gamma(), {a_.data(), static_cast<Index>(a_.size())},
                 {lambda_.data(), static_cast<Index>(lambda_.size())});
  }
}

void ModelPlant::finish_multipliers() {
  if (!multipliers_finished_) model_.rank().minimize_multipliers({lambda_.data(), static_cast<Index>(lambda_.size())});
  multipliers_finished_ = true;
}

double ModelPlant::turning_step() const {
  // Half a turn would be the limit of the nearest branch; the rest is for rates that grow within the step.
  constexpr double safe_turn = 0.8 * std::numbers::pi;
  const double rate = fastest_counted_rate(model_.point());
  return rate > 0 ? safe_turn / rate : std::numeric_limits<double>::infinity();
}

double ModelPlant::forecast_step() const { return forecast_.time_ahead(model_); }

// Where states have run away, whatever is evaluated first overflows: that is no fault of its own.
std::string ModelPlant::find_not_finite() {
  return runs_away(model_) ? describe_runaway(model_) : trammel::find_not_finite(model_.point());
}

std::string ModelPlant::worst_constraint() const {
  const ConstVectorView Phi = model_.Phi();
  if (Phi.size == 0) return "";
  Index worst = 0;
  Phi.map().cwiseAbs().maxCoeff(&worst);
  return model_.row_name(worst);
}

std::string ModelPlant::component_name(Index i) const {
  if (view_ == ViewKind::second_order) {
    const Index d = freedoms();
    const std::string name = model_.coordinate_name(reduction_->coordinate(model_, i % d, memory_));
    return i < d ? name : "rate of " + name;
  }
  const Index n = assembly_.coordinates();
  if (i < n) return model_.coordinate_name(i);
  if (i < 2 * n) return std::string("rate of ") + model_.coordinate_name(i - n);
  for (const ForceSlot& slot : assembly_.forces) {
    const Index k = i - 2 * n - slot.first_z;
    if (k >= 0 && k < slot.force->internal_states()) return fmt::format("{}.z.{}", slot.name, k);
  }
  return fmt::format("state {}", i);
}

std::string ModelPlant::component_owner(Index i) const {
  const Index n = assembly_.coordinates();
  if (i >= 2 * n) return "";
  const Index coordinate =
      view_ == ViewKind::second_order ? reduction_->coordinate(model_, i % freedoms(), memory_) : i % n;
  const Index body = coordinate / assembly_.body_coordinates();
  const auto names_of = [&](const auto& slots, const char* before) {
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t found = 0;
    for (const auto& slot : slots) {
      if (std::find(slot.bodies.begin(), slot.bodies.end(), body) == slot.bodies.end() || found++ >= most) continue;
      text += fmt::format("{}'{}'", text.empty() ? before : ", ", slot.name);
    }
    return text + (found > most ? fmt::format(" and {} more", found - most) : std::string());
  };
  return fmt::format(" of body '{}'{}{}", assembly_.body_names[static_cast<std::size_t>(body)],
                     names_of(assembly_.constraints, ", held by "), names_of(assembly_.forces, ", acted on by "));
}

std::string ModelPlant::subject(const Status& status) const {
  if (status.code == StatusCode::out_of_domain || status.code == StatusCode::failed ||
      status.code == StatusCode::unsupported) {
    return failed_element(model_.point());
  }
  if (status.code == StatusCode::not_converged) return where_not_converged(status.subject);
  if (status.subject < 0) return "";
  if (status.code == StatusCode::singular) {
    const Index row = status.subject;
    if (row < assembly_.rows()) return fmt::format("constraint row '{}'", model_.row_name(row));
    return fmt::format(
        "body '{}'",
        assembly_.body_names[static_cast<std::size_t>(std::min(row - assembly_.rows(), assembly_.bodies() - 1))]);
  }
  return fmt::format("'{}'", component_name(status.subject));
}

// Corrections of the kernel and of formulations, whose subjects are no components, and index-3 methods: the constraint
// that is off most at the last evaluation point.
std::string ModelPlant::where_not_converged(Index component) const {
  const std::string name =
      component < 0 ? "" : fmt::format("'{}'{}", component_name(component), component_owner(component));
  if (assembly_.rows() == 0 || (component >= 0 && view_ != ViewKind::constrained)) return name;
  if (model_.Phi().map().lpNorm<Eigen::Infinity>() == 0) return name;
  return fmt::format("{}constraint row '{}', which is off most, by {:.3g}", name.empty() ? "" : name + " and ",
                     worst_constraint(), model_.Phi().map().lpNorm<Eigen::Infinity>());
}

}  // namespace trammel
