// What formulations ask about rows that hold for velocities only; systems without such rows answer as before.
#pragma once

#include "trammel/constrained_system.h"
#include "trammel/extensions/velocity_level.h"

namespace trammel::sdk {

/// Of a system with such rows, else nullptr.
inline VelocityLevel* velocity_level(ConstrainedLayout& system) {
  auto* level = find_extension<VelocityLevel>(system);
  return level != nullptr && level->velocity_row_count() > 0 ? level : nullptr;
}

/// [step] Leaves the parts of errors of positions and velocities that the constraints allow, with the weights of the
/// last factorization, which has all rows; `velocities` may be empty. Errors of positions are free along the rows that
/// hold for velocities only: nothing corrects them there. `factorize` before the next solve.
inline Status keep_to_tangent(ConstrainedSystem& system, VectorView positions, VectorView velocities) {
  VelocityLevel* level = velocity_level(system);
  Status status;
  if (level == nullptr) {
    status = system.project_tangent(positions);
    return status && velocities.size > 0 ? system.project_tangent(velocities) : status;
  }
  if (velocities.size > 0) status = system.project_tangent(velocities);
  return status ? level->project_position_tangent(positions) : status;
}

}  // namespace trammel::sdk
