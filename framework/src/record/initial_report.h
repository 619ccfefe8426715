// InitialReport: the corrections that made the initial state consistent.
#pragma once

#include <string>

#include "record/assembly_report.h"
#include "trammel/constrained_system.h"

namespace trammel {

struct InitialReport {
  ProjectionReport positions, velocities;
  std::string position_coordinate, velocity_coordinate;  ///< where the largest correction fell
  double position_change = 0, velocity_change = 0;       ///< those corrections in the model's unit of length
  AssemblyReport assembly;                               ///< where the start was assembled
};

}  // namespace trammel
