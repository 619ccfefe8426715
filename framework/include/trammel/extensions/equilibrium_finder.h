// EquilibriumFinder: the searches for an equilibrium of the kernel, for analyses of plugins.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// Of an AnalysisHost.
class EquilibriumFinder {
 public:
  static constexpr const char* id = "trammel.equilibrium_finder/1";

  /// [setup] Moves q (n), which satisfies the constraints, to an equilibrium with the drivers where they are at t = 0: that of
  /// the least potential energy nearby where forces have one, else along the forces, else by Newton's method
  /// (docs/analyses.md). After a failure (not_converged, singular) q is as it was.
  virtual Status find_equilibrium(VectorView q) = 0;

 protected:
  ~EquilibriumFinder() = default;
};

}  // namespace trammel
