// What is computed at a state that a run shows.
#include "run/plant/model_observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/finite.h"
#include "model/held_drivers.h"
#include "trammel/error.h"

namespace trammel {
namespace {

VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// Every accepted step asks for these: a few numbers of a small model in one loop each.
double distance(ConstVectorView x, ConstVectorView y) {
  double sum = 0;
  for (Index i = 0; i < x.size; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

struct Balance {
  double residual = 0, terms = 0;
};

/// Of x + y - z: its norm, and the sum of theirs.
Balance balance(ConstVectorView x, ConstVectorView y, ConstVectorView z) {
  double rest = 0, sum[3] = {0, 0, 0};
  for (Index i = 0; i < x.size; ++i) {
    const double r = x[i] + y[i] - z[i];
    rest += r * r;
    sum[0] += x[i] * x[i], sum[1] += y[i] * y[i], sum[2] += z[i] * z[i];
  }
  return {std::sqrt(rest), std::sqrt(sum[0]) + std::sqrt(sum[1]) + std::sqrt(sum[2])};
}

}  // namespace

ModelObserver::ModelObserver(ConstrainedModel& model, BodyBuffer start, double limit, double default_limit)
    : model_(model),
      point_(std::move(start)),
      a_(point_.q.size(), 0.0),
      lambda_(static_cast<std::size_t>(model.constraints()), 0.0),
      work_n_(a_),
      work_n2_(a_),
      work_m_(lambda_),
      slow_(a_),
      limit_(limit > 0 ? limit : default_limit),
      limit_given_(limit > 0) {
  const BodyState at = point_.view();
  observation_.q = at.q;
  observation_.v = at.v;
  observation_.z = at.z;
  observation_.a = view(a_);
  observation_.lambda = view(lambda_);
  observation_.has_energy = true;
}

Status ModelObserver::observe(ConstVectorView lambda) {
  if (!still_) return observe_as_it_moves();
  const BodyState at = point_.view();
  ModelPoint& point = model_.point();
  EnergyBudget path;
  const bool moves = lambda.size == model_.constraints() && (at.v.map().array() != 0).any();
  Status status = moves ? power_of_path(observation_.t, at, lambda, path) : Status::success();
  at.v.map().setZero();
  if (status) status = hold_drivers(point, observation_.t, at.q);
  if (status) status = observe_as_it_moves();
  point.hold(nullptr);
  if (moves) observation_.energy.work = path.work, observation_.energy.dissipation = path.dissipation;
  return status;
}

// A path through states at rest has no speed: power is what is linear in the velocity, per time of the run. What dampers
// take out is of second order. Potentials that change with time do work that no velocity tells.
Status ModelObserver::power_of_path(double t, const BodyState& at, ConstVectorView lambda, EnergyBudget& budget) {
  constexpr double slow = 1e-6;
  const VectorView v = view(slow_);
  double work[2] = {0, 0};
  for (const int way : {0, 1}) {
    v.map() = (way == 0 ? slow : -slow) * at.v.map();
    const Status status = model_.evaluate(t, at.q, v, at.z, model_.rheonomic() ? evaluate_nu : 0u);
    if (!status) return status;
    work[way] = model_.parts().energy.budget({}).work;
  }
  budget = {};
  budget.work = 0.5 * (work[0] + work[1]) + 0.5 * (work[0] - work[1]) / slow;
  if (model_.rheonomic()) budget.work += model_.parts().energy.work_of_drivers(lambda);
  return std::isfinite(budget.work) ? Status::success() : Status::failure(StatusCode::not_finite, "state");
}

void ModelObserver::observe_rows() {
  observation_.constraint_position = model_.Phi().map().norm();
  violation_ = limit_given_ ? observation_.constraint_position : model_.unit().norm_of_rows(model_.Phi());
}

Status ModelObserver::glance() {
  if (still_) return observe();
  const BodyState at = point_.view();
  const Status status = model_.evaluate(observation_.t, at.q, at.v, at.z, evaluate_Phi);
  if (!status) return status;
  complete_ = multipliers_finished_ = false;
  observe_rows();
  Observation& o = observation_;
  o.constraint_velocity = o.constraint_acceleration = o.multiplier_residual = 0;
  o.energy = model_.parts().energy.budget({});
  const bool finite = std::isfinite(o.energy.kinetic + o.energy.potential + o.constraint_position);
  return finite ? status : Status::failure(StatusCode::not_finite, "state");
}

Status ModelObserver::complete() {
  if (complete_) return Status::success();
  const Status status = observe_as_it_moves();
  if (status) return status;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  observation_.constraint_velocity = observation_.constraint_acceleration = observation_.multiplier_residual = none;
  for (auto* x : {&a_, &lambda_}) std::fill(x->begin(), x->end(), none);
  return status;
}

Status ModelObserver::observe_as_it_moves() {
  multipliers_finished_ = false;
  complete_ = true;
  constexpr unsigned everything = evaluate_dynamics | evaluate_jacobian | evaluate_Phi | evaluate_nu;
  const BodyState at = point_.view();
  Status status = model_.evaluate(observation_.t, at.q, at.v, at.z, everything);
  if (status) status = model_.factorize(ProjectionWeights::mass);
  if (!status) return status;
  const VectorView a = view(a_), lambda = view(lambda_), m = view(work_m_), n = view(work_n_), Ma = view(work_n2_);
  status = model_.solve(model_.Q(), model_.gamma(), a, lambda);
  if (!status) return status;
  Observation& o = observation_;
  observe_rows();
  model_.apply_jacobian(at.v, m);
  o.constraint_velocity = distance(m, model_.nu());
  model_.apply_jacobian(a, m);
  o.constraint_acceleration = distance(m, model_.gamma());
  model_.apply_jacobian_transpose(lambda, n);
  model_.apply_mass(a, Ma);
  const Balance forces = balance(Ma, n, model_.Q());
  o.multiplier_residual = forces.residual;
  require_solved(forces.residual, forces.terms);
  o.energy = model_.parts().energy.budget(lambda);
  const double check = o.energy.kinetic + o.energy.potential + o.constraint_position + o.constraint_velocity;
  return std::isfinite(check) && all_finite(a) && all_finite(lambda) ? status
                                                                     : Status::failure(StatusCode::not_finite, "state");
}

// A solver that says that it solved what it did not: whatever rows it leaves out, M a + Phi_q^T lambda = Q.
void ModelObserver::require_solved(double residual, double size) const {
  constexpr double too_far = 1e-3;  // no rounding, whatever the condition
  if (!(residual > too_far * size)) return;
  const Component& solver = model_.parts().kkt.mass_solver();
  throw Error(
      ErrorKind::compute,
      fmt::format("plugin '{}': linear solver '{}' gives accelerations and multipliers at t = {:.9g} that do not "
                  "solve the equations of motion: a residual of {:.3g} beside terms of {:.3g}; either numbers of "
                  "the model are too far apart in size, or the solver or the host of bodies is wrong",
                  solver.plugin_id(), solver.type(), observation_.t, residual, size));
}

// Only drivers that move need the multipliers for their power.
Status ModelObserver::power(double t, const BodyState& at, ConstVectorView on_path, EnergyBudget& budget) {
  if (still_) return power_of_path(t, at, on_path, budget);
  const VectorView lambda = view(work_m_);
  Status status = model_.evaluate(t, at.q, at.v, at.z, model_.rheonomic() ? evaluate_nu : 0u);
  const bool driven = status && model_.rheonomic() && (model_.nu().map().array() != 0).any();
  if (driven) status = model_.evaluate(t, at.q, at.v, at.z, evaluate_dynamics);
  if (status && driven) status = model_.factorize(ProjectionWeights::mass);
  if (status && driven) status = model_.solve(model_.Q(), model_.gamma(), view(work_n_), lambda);
  if (status) budget = model_.parts().energy.budget(lambda);
  const bool finite = std::isfinite(budget.dissipation) && std::isfinite(budget.work);
  return !status || finite ? status : Status::failure(StatusCode::not_finite, "state");
}

void ModelObserver::rows_changed() {
  if (model_.factorize(ProjectionWeights::mass)) model_.solve(model_.Q(), model_.gamma(), view(a_), view(lambda_));
}

void ModelObserver::finish_multipliers() {
  if (!multipliers_finished_) model_.rank().minimize_multipliers(view(lambda_));
  multipliers_finished_ = true;
}

std::string ModelObserver::limit_text() const {
  if (limit_given_ || model_.unit().one()) return fmt::format("{:g}", limit_);
  return fmt::format("{:g} (in units of {:.3g} m, the size of the model)", limit_, model_.unit().length());
}

std::string ModelObserver::worst_constraint() const {
  const ConstVectorView Phi = model_.Phi();
  if (Phi.size == 0) return "";
  Index worst = 0;
  Phi.map().cwiseAbs().maxCoeff(&worst);
  return model_.row_name(worst);
}

}  // namespace trammel
