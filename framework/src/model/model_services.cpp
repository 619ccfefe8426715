// Kernel services of a model at its last evaluation point: projections, energy balance, reactions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/constrained_model.h"

namespace trammel {
namespace {
constexpr Index most_correction_iterations = 25;
// Rounding of rows of size 1 to 100, of the model's unit or rad: near a singular configuration Newton's method does not
// get the changes of coordinates below its tolerance, though nothing is left to correct.
constexpr double row_rounding = 1e-13;
}  // namespace

Status ConstrainedModel::project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                                           ProjectionReport& report) {
  report = {};
  ++projections;
  const Index n = coordinates(), m = constraints();
  if (m == 0) return Status::success();
  const VectorView g{work_m_.data(), m}, dq{work_n_.data(), n};
  std::vector<double>& before = work_n2_;
  std::copy(q.data, q.data + n, before.begin());
  double change = 0;
  const auto done = [&] {
    for (Index i = 0; i < n; ++i) {
      report.correction =
          std::max(report.correction, std::abs(q[i] - before[static_cast<std::size_t>(i)]) / unit().column(i));
    }
    return Status::success();
  };
  for (report.iterations = 1; report.iterations <= most_correction_iterations; ++report.iterations) {
    Status status = evaluate(t, q, {}, view(z_), evaluate_Phi | evaluate_jacobian);
    if (status) status = factorize(weights);
    if (!status) return status;
    if (report.iterations == 1) report.violation = Phi().map().norm();
    if (report.iterations > 4 && unit().largest_row(Phi()) <= row_rounding) return done();
    g.map() = -Phi().map();
    status = solve(view(zero_n_), g, dq, {});
    if (!status) return status;
    q.map() += dq.map();
    change = unit().largest_coordinate(dq);
    if (!std::isfinite(change)) break;
    if (change <= tolerance) return done();
  }
  return Status::failure(StatusCode::not_converged, "position correction", -1, change);
}

Status ConstrainedModel::project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                                            ProjectionReport& report) {
  report = {};
  ++projections;
  const Index n = coordinates(), m = constraints();
  if (m == 0) return Status::success();
  Status status = evaluate(t, q, v, view(z_), evaluate_jacobian | evaluate_nu);
  if (status) status = factorize(weights);
  if (!status) return status;
  const VectorView g{work_m_.data(), m}, dv{work_n_.data(), n};
  apply_jacobian(v, g);
  g.map() = nu().map() - g.map();
  report.violation = g.map().norm();
  status = solve(view(zero_n_), g, dv, {});
  if (!status) return status;
  v.map() += dv.map();
  report.iterations = 1;
  report.correction = n > 0 ? dv.map().lpNorm<Eigen::Infinity>() : 0;
  return std::isfinite(report.correction) ? Status::success()
                                          : Status::failure(StatusCode::not_finite, "velocity correction");
}

Status ConstrainedModel::project_tangent(VectorView dq) {
  const Index n = coordinates(), m = constraints();
  const VectorView f{work_n_.data(), n}, g{work_m_.data(), m};
  g.map().setZero();
  if (factor_ == ProjectionWeights::mass) {
    apply_mass(dq, f);
  } else {
    unit().weigh(dq, f);
  }
  return solve(f, g, dq, {});
}

EnergyBudget ConstrainedModel::energy(ConstVectorView lambda) const {
  EnergyBudget budget;
  budget.kinetic = assembly_.system.kinetic_energy(states_.data());
  budget.potential = assembly_.system.potential_energy(t_, states_.data());
  budget.dissipation = 2 * settling_damping_ * budget.kinetic;
  const Index c = assembly_.body_coordinates();
  std::size_t first_view = 0, next_view = 0;
  for (const ForceSlot& slot : assembly_.forces) {
    first_view = next_view;
    next_view += slot.bodies.size();
    const ElementState s = element_state(slot);
    ForceEnergy energy;
    if (slot.force->energy(s, energy)) {
      budget.potential += energy.potential;
      budget.dissipation += energy.dissipation;
      budget.work += energy.work;
      continue;
    }
    // No split: all of Q.v is work. The element adds into its own part of a scratch vector.
    const VectorView* local = power_views_.data() + first_view;
    const std::size_t bodies = slot.bodies.size();
    for (std::size_t k = 0; k < bodies; ++k) {
      if (slot.bodies[k] >= 0) local[k].map().setZero();
    }
    if (!slot.force->force(s, local)) continue;
    for (std::size_t k = 0; k < bodies; ++k) {
      if (slot.bodies[k] >= 0) budget.work += local[k].map().dot(view(v_).segment(slot.bodies[k] * c, c).map());
    }
  }
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (!slot.constraint->rheonomic()) continue;
    // Power of the reaction -Phi_q^T lambda on admissible velocities, Phi_q v = nu.
    for (Index r = 0; r < slot.rows; ++r) budget.work -= lambda[slot.first_row + r] * nu()[slot.first_row + r];
  }
  return budget;
}

double ConstrainedModel::fastest_counted_rate() const {
  const bool planar = assembly_.body_coordinates() == PlanarBodyState::coordinates;
  const auto speed = [&](Index body) {
    if (body < 0) return 0.0;
    if (planar) return std::abs(static_cast<const PlanarBodyState*>(body_state(body))->omega);
    const double* pdot = static_cast<const SpatialBodyState*>(body_state(body))->pdot;  // |omega| = 2 |pdot|
    return 2 * std::sqrt(pdot[0] * pdot[0] + pdot[1] * pdot[1] + pdot[2] * pdot[2] + pdot[3] * pdot[3]);
  };
  double fastest = 0;
  const auto visit = [&](const ElementSlot& slot) {
    if (slot.angles == nullptr) return;
    double rate = 0;
    for (Index body : slot.bodies) rate += speed(body);
    fastest = std::max(fastest, rate);
  };
  for (const ConstraintSlot& slot : assembly_.constraints) visit(slot);
  for (const ForceSlot& slot : assembly_.forces) visit(slot);
  return fastest;
}

std::string ConstrainedModel::failed_element() const {
  if (failed_ == nullptr) return "";
  return fmt::format("'{}' (type '{}')", failed_->name, failed_->type);
}

std::string ConstrainedModel::failed_element_key() const {
  if (failed_ == nullptr) return "";
  for (const ForceSlot& slot : assembly_.forces) {
    if (&slot == failed_) return "forces/" + slot.name;
  }
  return "constraints/" + failed_->name;
}

std::string ConstrainedModel::find_not_finite() {
  const auto finite = [](const std::vector<double>& x) { return view(x).map().allFinite(); };
  if (!finite(q_) || !finite(v_) || !finite(z_)) return "";
  const auto culprit = [](const ElementSlot& slot, const char* what) {
    return fmt::format("{} '{}' (type '{}', plugin '{}') returned a number that is not finite", what, slot.name,
                       slot.type, slot.plugin);
  };
  for (const ConstraintSlot& slot : assembly_.constraints) {
    const auto in_rows = [&](const std::vector<double>& x) {
      return view(x).segment(slot.first_row, slot.rows).map().allFinite();
    };
    bool good = in_rows(Phi_) && in_rows(nu_) && in_rows(gamma_);
    const auto index = static_cast<std::size_t>(&slot - assembly_.constraints.data());
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      const MatrixView& block = block_views_[static_cast<std::size_t>(attached_of_constraint_[index]) + k];
      if (block) good = good && block.map().allFinite();
    }
    if (!good) return culprit(slot, "constraint");
  }
  std::size_t first_view = 0;
  for (const ForceSlot& slot : assembly_.forces) {
    bool good = true;
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      if (slot.bodies[k] >= 0) power_views_[first_view + k].map().setZero();
    }
    slot.force->force(element_state(slot), power_views_.data() + first_view);
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      if (slot.bodies[k] >= 0) good = good && power_views_[first_view + k].map().allFinite();
    }
    if (!good) return culprit(slot, "force");
    first_view += slot.bodies.size();
  }
  return "";
}

void ConstrainedModel::reaction(const ConstraintSlot& slot, Index attached, ConstVectorView lambda,
                                VectorView force) const {
  force.map().setZero();
  const auto index = static_cast<std::size_t>(&slot - assembly_.constraints.data());
  const MatrixView& Phi_q = block_views_[static_cast<std::size_t>(attached_of_constraint_[index] + attached)];
  if (!Phi_q) return;
  force.map().noalias() -= Phi_q.map().transpose() * lambda.segment(slot.first_row, slot.rows).map();
}

}  // namespace trammel
