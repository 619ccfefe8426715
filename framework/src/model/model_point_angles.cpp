// Counted angles of a model, and how fast they turn.
#include <algorithm>
#include <cmath>

#include "model/model_point.h"
#include "trammel/body_state.h"

namespace trammel {

void ModelPoint::initial_internal(VectorView z) {
  for (const ForceSlot& slot : assembly_.forces) {
    if (const Index size = slot.states; size > 0) {
      slot.force->initial_internal_states(z.segment(slot.first_z, size));
    }
    if (slot.angles != nullptr)
      slot.angles->initial_angles(angle_references().segment(slot.first_angle, slot.angles->angle_count()));
  }
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (slot.angles != nullptr)
      slot.angles->initial_angles(angle_references().segment(slot.first_angle, slot.angles->angle_count()));
  }
  invalidate();
}

void ModelPoint::update_angle_references() {
  // Unwrapped values are the same against the old and the new references, so what was computed here stays valid; what is
  // kept of another point may be far from here.
  kept_.forget();
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (slot.angles == nullptr) continue;
    slot.angles->angles(element_state(slot), angle_references().segment(slot.first_angle, slot.angles->angle_count()));
  }
  for (const ForceSlot& slot : assembly_.forces) {
    if (slot.angles == nullptr) continue;
    slot.angles->angles(element_state(slot), angle_references().segment(slot.first_angle, slot.angles->angle_count()));
  }
}

void ModelPoint::remember(Archive& archive) {
  archive.block("model.angles", angle_references_);
  memory_.remember(archive);
  if (archive.restores()) invalidate();
}

double fastest_counted_rate(const ModelPoint& point) {
  const Assembly& assembly = point.assembly();
  const bool planar = assembly.table.frame_columns() == PlanarBodyState::coordinates;
  const auto speed = [&](Index body) {
    if (body < 0) return 0.0;
    if (planar) return std::abs(static_cast<const PlanarBodyState*>(point.body_state(body))->omega);
    const double* pdot = static_cast<const SpatialBodyState*>(point.body_state(body))->pdot;  // |omega| = 2 |pdot|
    return 2 * std::sqrt(pdot[0] * pdot[0] + pdot[1] * pdot[1] + pdot[2] * pdot[2] + pdot[3] * pdot[3]);
  };
  double fastest = 0;
  const auto visit = [&](const ElementSlot& slot) {
    if (slot.angles == nullptr) return;
    double rate = 0;
    for (Index body : slot.bodies) rate += speed(body);
    fastest = std::max(fastest, rate);
  };
  for (const ConstraintSlot& slot : assembly.constraints) visit(slot);
  for (const ForceSlot& slot : assembly.forces) visit(slot);
  return fastest;
}

}  // namespace trammel
