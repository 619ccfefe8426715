// Plugin `coordinate_partitioning`: generalized coordinate partitioning, E. J. Haug, 7.3.2, steps 1 to 7.
//
// Accelerations of all coordinates come from the index-1 system; after every step the dependent positions and velocities
// are solved from the constraints. See partitioned_formulation.h for the equations and for when the partition changes.
#include "trammel/sdk/partitioned_formulation.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class CoordinatePartitioning final : public sdk::PartitionedFormulation {
 public:
  struct Parameters : sdk::PartitionParameters {};
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_PARTITION_FIELDS(Parameters));

  explicit CoordinatePartitioning(const Parameters& p) : PartitionedFormulation(p) {}

  FormulationTraits traits() const override { return {1e-6, true}; }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView,
                     const Memory& memory) const override {
    return correct_dependent(system, t, y, memory);
  }
};

}  // namespace trammel

TRAMMEL_PLUGIN("coordinate_partitioning", "1.0.0", "BSD-3-Clause",
               component<CoordinatePartitioning>(
                   Host::any, "coordinate_partitioning",
                   "Independent coordinates under error control; dependent ones solved from the constraints after each step.",
                   "Haug, Computer Aided Kinematics and Dynamics, 7.3.2; Wehage and Haug, J. Mech. Des. 104 (1982) 247-255"));
