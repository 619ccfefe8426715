// VelocityPartition: independent velocities beside the independent positions, where rows hold for velocities only.
//
//   v = (u', w'),  [Phi_q; B]_u u' = [nu; b] - [Phi_q; B]_w w'                                                      (1)
// There are fewer independent velocities than positions, and which ones need not be among those of the positions. The
// partition is kept and exchanged by the amplification, as partitioned_formulation.h says. Where no partition determines
// the velocities, the smallest change of all of them in the kinetic metric takes the place of (1).
#pragma once

#include "trammel/sdk/formulations/dependent_solve.h"
#include "trammel/sdk/formulations/partition_choice.h"
#include "trammel/sdk/formulations/velocity_level.h"

namespace trammel::sdk {

/// A view of a part of a formulation's memory, for one call. Of systems without such rows that part is empty, and none
/// is made.
class VelocityPartition {
 public:
  /// Whether the system has such rows.
  static bool exists(const ConstrainedLayout& system) {
    const auto* level = find_extension<VelocityLevel>(system);
    return level != nullptr && level->velocity_row_count() > 0;
  }
  /// Both partitions, as a formulation keeps them.
  struct Both {
    Both(MemoryLayout& at, const ConstrainedLayout& system) : Both(at, system, exists(system)) {}
    PartitionMemory positions, velocities;

   private:
    Both(MemoryLayout& at, const ConstrainedLayout& system, bool with_velocities)
        : positions(at, system.coordinates(), system.constraints()),
          velocities(at, with_velocities ? system.coordinates() : 0, with_velocities ? system.constraints() : 0) {}
  };

  /// `memory`: of the formulation, which begins with `Both`. `parameters`: those of the
  /// positions; names there do not count for velocities.
  VelocityPartition(const ConstrainedLayout& system, const Memory& memory, const PartitionParameters& parameters)
      : parameters_(parameters), part_(MemoryLayout::place<Both>(memory, system).velocities) {
    parameters_.independent = {};
    parameters_.criterion = PartitionCriterion::amplification;
  }

  ConstVectorView independent() const { return part_.independent; }

  /// [step] The first one, at the last evaluated Jacobian.
  Status first(ConstrainedSystem& system, double t) {
    part_.forget();
    choice().quality(system).scales(part_.scale);
    return choice().first(system, part_, t);
  }
  /// [step] Another one at the last evaluated Jacobian, if it is better.
  bool choose_again(ConstrainedSystem& system) {
    bool changed = false;
    return choice().choose_again(system, part_, changed).ok() && changed;
  }

  /// [step] (1) at q, in place; v is where it starts. `changed`: another partition is in force.
  Status correct(ConstrainedSystem& system, double t, ConstVectorView q, VectorView v, ConstVectorView z,
                 bool& changed) {
    constexpr double hopeless = 1e4;  // errors of w' that come back so much larger are no velocities
    PartitionSolve& solver = choice().solver(system);
    part_.saved_v.map() = v.map();
    Status status = system.evaluate(t, q, v, z, evaluate_jacobian | evaluate_nu);
    if (status && PartitionChoice::rows_changed(system, part_, PartitionLevel::velocities))
      status = choice().choose_again(system, part_, changed);
    if (status) status = solver.factorize_dependent(part_.independent);
    if (!status) return minimal(system, t, q, v);
    const PartitionChoice::Quality now = choice().measure(system, part_);
    bool exchanged = false;
    status = choice().review(system, part_, t, now, exchanged);
    changed = changed || exchanged;
    if (!status || (!exchanged && !(now.amplification < hopeless))) return minimal(system, t, q, v);
    return DependentSolve{system, solver, part_, t, z, parameters_.tolerance}.velocities(q, v, part_.independent);
  }

 private:
  PartitionChoice choice() const { return {parameters_, false, PartitionLevel::velocities}; }

  Status minimal(ConstrainedSystem& system, double t, ConstVectorView q, VectorView v) {
    ProjectionReport report;
    v.map() = part_.saved_v.map();
    return system.project_velocities(t, q, v, ProjectionWeights::mass, report);
  }

  PartitionParameters parameters_;
  PartitionMemory part_;
};

}  // namespace trammel::sdk
