// VelocityLevel: which rows of a model hold for velocities only, for methods that have to know.
#pragma once

#include "trammel/extensions/system_extensions.h"

namespace trammel {

/// Of a ConstrainedSystem: which rows hold for velocities only, and positions without them.
class VelocityLevel {
 public:
  static constexpr const char* id = "trammel.velocity_level/1";

  /// [setup] Number of such rows; 0: all of the following is as without this extension.
  virtual Index velocity_row_count() const = 0;
  /// [hot] Whether 0 <= row < m is one.
  virtual bool is_velocity_row(Index row) const = 0;
  /// [hot] As RowChoice::redundant, of position rows only: the others have coordinates() - (constraints() -
  /// velocity_row_count() - redundant_positions()) freedoms.
  virtual Index redundant_positions() const = 0;
  /// [step] As ConstrainedSystem::project_tangent, for a change of positions, with the weights of the last
  /// factorization, which becomes that of the position rows: `factorize` before the next solve.
  virtual Status project_position_tangent(VectorView dq) = 0;
  /// [setup] The partition of positions: as that of the system, with the velocity rows left out.
  virtual PartitionSolve& position_partition() = 0;
  virtual PartitionQuality& position_partition_quality() = 0;

 protected:
  ~VelocityLevel() = default;
};

}  // namespace trammel
