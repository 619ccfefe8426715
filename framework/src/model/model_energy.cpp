// Energies and powers of a model, and the reactions of its constraints.
#include "model/model_energy.h"

#include "linalg/sizes.h"
#include "plugin/marked.h"

namespace trammel {

ModelEnergy::ModelEnergy(const ModelPoint& point)
    : point_(point), power_(count(point.assembly().bodies() * point.assembly().body_coordinates()), 0.0) {
  const Index c = point.assembly().body_coordinates();
  for (const ForceSlot& slot : point.assembly().forces) {
    for (Index body : slot.bodies) {
      power_views_.push_back(body >= 0 ? view(power_).segment(body * c, c) : VectorView{});
    }
  }
}

EnergyBudget ModelEnergy::budget(ConstVectorView lambda) const {
  EnergyBudget budget;
  const Assembly& assembly = point_.assembly();
  const void* states = point_.body_state(0);
  const ConstVectorView v{point_.v().data(), assembly.coordinates()};
  budget.kinetic = assembly.motion.kinetic_energy(states);
  budget.potential = assembly.motion.potential_energy(point_.t(), states);
  if (const ExtraForce* extra = point_.extra_force()) budget.dissipation = extra->dissipation(point_);
  std::size_t first_view = 0, next_view = 0;
  for (const ForceSlot& slot : assembly.forces) {
    first_view = next_view;
    next_view += slot.bodies.size();
    const ElementState s = point_.element_state(slot);
    ForceEnergy energy;
    const auto by_element = [&](const auto& call) { return marked(slot.plugin.c_str(), slot.name.c_str(), call); };
    if (by_element([&] { return slot.force->energy(s, energy); })) {
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
    if (!by_element([&] { return slot.force->force(s, local); })) continue;
    for (std::size_t k = 0; k < bodies; ++k) {
      if (slot.bodies[k] < 0) continue;
      const Index first = assembly.table.first(slot.bodies[k]), width = assembly.table.width(slot.bodies[k]);
      budget.work += local[k].map().head(width).dot(v.segment(first, width).map());
    }
  }
  if (lambda.size > 0) budget.work += work_of_drivers(lambda);
  return budget;
}

// Power of the reaction -Phi_q^T lambda on admissible velocities, Phi_q v = nu.
double ModelEnergy::work_of_drivers(ConstVectorView lambda) const {
  const ConstVectorView nu = point_.nu();
  double work = 0;
  for (const ConstraintSlot& slot : point_.assembly().constraints) {
    if (!slot.constraint->rheonomic()) continue;
    for (Index r = 0; r < slot.rows; ++r) work -= lambda[slot.first_row + r] * nu[slot.first_row + r];
  }
  return work;
}

void reaction(const ModelPoint& point, const ConstraintSlot& slot, Index attached, ConstVectorView lambda,
              VectorView force) {
  force.map().setZero();
  const MatrixView& Phi_q = point.jacobian_block(slot, attached);
  if (!Phi_q) return;
  force.map().noalias() -= Phi_q.map().transpose() * lambda.segment(slot.first_row, slot.rows).map();
}

}  // namespace trammel
