// Newton's method for the dependent coordinates of a partition q = (u, w), and the linear solve for their rates.
//
//   Phi_u du = -Phi, u := u + du                 Newton-Raphson, Phi_u kept while it contracts                     (1)
//   Phi_u u' = nu - Phi_w w'                     linear, refined to rounding                                       (2)
//
// Haug 7.2 (Newton-Raphson) and 7.3.2 (generalized coordinate partitioning).
#pragma once

#include <algorithm>
#include <limits>

#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/formulations/coordinate_sizes.h"
#include "trammel/sdk/formulations/partition_memory.h"

namespace trammel::sdk {

/// Solves with the system at t and the internal states z; `residual` (m) and `change` (n) of `part` are scratch.
struct DependentSolve {
  ConstrainedEquations& system;
  PartitionSolve& solver;  ///< of the system
  PartitionMemory& part;
  double t;
  ConstVectorView z;
  double tolerance;  ///< of the last change of any coordinate (m, rad, 1)

  /// [hot] (1). q is moved in place. `factorized`: Phi_u of this partition is, somewhere near.
  Status positions(VectorView q, ConstVectorView independent, bool factorized = false) const {
    constexpr int largest_iteration_count = 20;
    constexpr double contraction = 0.1;  // worse than this and Phi_u is evaluated again
    double before = std::numeric_limits<double>::infinity(), change = 0;
    for (int i = 0; i < largest_iteration_count; ++i) {
      const bool fresh = i == 0 ? !factorized : change > contraction * before;
      if (i > 0) before = change;
      Status status = system.evaluate(t, q, {}, z, evaluate_Phi | (fresh ? evaluate_jacobian : 0u));
      if (status && fresh) status = solver.factorize_dependent(independent);
      if (!status) return status;
      part.residual.map() = -system.Phi().map();
      solver.solve_dependent(part.residual, part.change);
      q.map() += part.change.map();
      change = largest_change(system, part.change);
      if (!(change < 1e10)) break;
      // With the same Phi_u the iteration converges linearly, so that what is left to go is known; a tenth, to be safe.
      const double rate = i == 0 || fresh ? 1 : change / before;
      if (change <= tolerance || (rate < 0.5 && rate / (1 - rate) * change <= 0.1 * tolerance))
        return Status::success();
    }
    return Status::failure(StatusCode::not_converged, "dependent coordinates", -1, change);
  }

  /// [hot] (2). v is moved in place. The residual is exact, so Phi_u of the last Newton step serves as long as it
  /// contracts.
  Status velocities(ConstVectorView q, VectorView v, ConstVectorView independent) const {
    constexpr int most_sweeps = 12;
    constexpr double rounding = 1e-14, contraction = 0.03;  // a factorization costs about as much as three sweeps
    Status status = system.evaluate(t, q, {}, z, evaluate_jacobian | evaluate_nu);
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; status && i < most_sweeps; ++i) {
      system.apply_jacobian(v, part.residual);
      part.residual.map() = system.nu().map() - part.residual.map();
      solver.solve_dependent(part.residual, part.change);
      v.map() += part.change.map();
      const double change = largest_change(system, part.change);
      const double rate = i > 0 ? std::min(change / before, 1.0) : 1;  // what the next sweep would leave of it
      if (rate * change <= rounding * (1 + largest_change(system, v))) break;
      if (change > contraction * before) status = solver.factorize_dependent(independent);
      before = change;
    }
    return status;
  }

  /// [hot] (1) and (2), in place.
  Status both(VectorView q, VectorView v, ConstVectorView independent, bool factorized = false) const {
    const Status status = positions(q, independent, factorized);
    return status ? velocities(q, v, independent) : status;
  }
};

}  // namespace trammel::sdk
