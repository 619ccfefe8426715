// EquilibriumFinder: the searches for an equilibrium of the kernel, for analyses of plugins.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// Of an AnalysisHost.
class EquilibriumFinder {
 public:
  static constexpr const char* id = "trammel.equilibrium_finder/1";

  /// [setup] Moves q (n), which satisfies the constraints, to an equilibrium near it with the drivers where they are at
  /// t = 0: that of the least potential energy where forces have one, else along the forces, else by Newton's method
  /// (docs/analyses.md). After a failure (not_converged) q is as it was; the kernel says why where the analysis
  /// fails then.
  virtual Status find_equilibrium(VectorView q) = 0;

 protected:
  ~EquilibriumFinder() = default;
};

}  // namespace trammel
