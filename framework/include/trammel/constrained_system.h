// View of a model as the index-3 system M a + Phi_q^T lambda = Q, Phi(t, q) = 0; implemented by the kernel.
#pragma once

#include "trammel/constrained_linearization.h"
#include "trammel/constrained_solve.h"
#include "trammel/implicit_solve.h"

namespace trammel {

/// What a projection did.
struct ProjectionReport {
  Index iterations = 0;
  /// Largest change of a coordinate (or velocity); of positions in the units of CoordinateSizes
  double correction = 0;
  double violation = 0;  ///< 2-norm of the residual before
};

/// Its roles build on each other: ConstrainedLayout (sizes, names), ConstrainedEquations (values at a point) and
/// ConstrainedSolve (linear solves there). Code that needs one of them takes that. Here are the kernel's projections,
/// and the roles for implicit methods. Owns its workspace; no [hot] method allocates.
/// Integrators, and formulations of second order, never see internal states: there nz = 0, and the last coordinates s
/// are those whose velocities are the states, s' = z, with mass 1 and the force z' (Q). Nothing depends on s.
class ConstrainedSystem : public ConstrainedSolve {
 public:
  /// [step] Newton to Phi(t, q) = 0 along the weighted minimal correction, until the largest change of a coordinate is
  /// below `tolerance`. q is moved in place; after a failure (not_converged, singular) it is somewhere on the way.
  virtual Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                                   ProjectionReport& report) = 0;
  /// [step] One linear solve that makes Phi_q v = nu by the weighted minimal change of v, in place.
  virtual Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                                    ProjectionReport& report) = 0;
  /// [step] Removes from dq (n) its part off the tangent space of the constraints at the last factorization.
  virtual Status project_tangent(VectorView dq) = 0;

  /// [hot] The optional roles; the same object for the whole run. The views that the kernel hands to integrators and
  /// analyses have the first two; formulations answer `unsupported` where a system has not what they need.
  virtual ConstrainedLinearization* linearization() { return nullptr; }
  virtual ImplicitSolve* implicit_solve() { return nullptr; }
  /// [hot] Of the kernel's views with internal states.
  virtual InternalStateLinearization* internal_linearization() { return nullptr; }

 protected:
  ~ConstrainedSystem() = default;
};

}  // namespace trammel
