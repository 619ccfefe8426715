// Derivatives of a component with respect to its own numbers: rows, forces, masses and energies, for gradients.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/status.h"

// All three interfaces name a number p as the run file does, below the component's section: a key of its parameter
// table, "stiffness", with the place in a list or vector behind it, "point_i.0". Derivatives are partial ones, at fixed
// t, q, v and z, and take along what the component makes of p: rows between points given by `at` move with both bodies'
// points. Of a direction p is an entry of the vector of length 1 before it is made of length 1 again; of a Function p
// is a number added to its value. [hot] methods are const, re-entrant, do not allocate, and write all of every wanted
// output; an empty view or null pointer means "not wanted".
namespace trammel {

/// m rows over k bodies of c local columns.
struct RowDerivatives {
  VectorView Phi;                     ///< m: Phi_p
  VectorView velocity;                ///< m: (Phi_q v - nu)_p
  VectorView acceleration;            ///< m: (Phi_q a - gamma)_p
  const VectorView* force = nullptr;  ///< k vectors of length c: (Phi_q^T lambda)_p; that of ground is empty
};

/// Of a Constraint.
class ConstraintParameterDerivatives {
 public:
  static constexpr const char* id = "trammel.constraint_parameter_derivatives/1";

  /// [setup] Numbers with derivatives, and their names.
  virtual Index parameter_count() const = 0;
  virtual const char* parameter_name(Index i) const = 0;
  /// [hot] Of number i, for fixed a (one local vector per body, ground's empty) and lambda (m).
  virtual Status parameter_derivatives(Index i, const ElementState& s, const ConstVectorView* a, ConstVectorView lambda,
                                       const RowDerivatives& out) const = 0;

 protected:
  ~ConstraintParameterDerivatives() = default;
};

/// k bodies of c local columns, nz internal states.
struct ForceDerivatives {
  const VectorView* Q = nullptr;  ///< k vectors of length c: Q_p; that of ground is empty
  VectorView z_rate;              ///< nz: (z')_p
  double* potential = nullptr;    ///< V_p, J per unit of p; NaN: not known
};

/// Of a ForceElement.
class ForceParameterDerivatives {
 public:
  static constexpr const char* id = "trammel.force_parameter_derivatives/1";

  /// [setup] Numbers with derivatives, and their names.
  virtual Index parameter_count() const = 0;
  virtual const char* parameter_name(Index i) const = 0;
  /// [hot] Of number i.
  virtual Status parameter_derivatives(Index i, const ElementState& s, const ForceDerivatives& out) const = 0;

 protected:
  ~ForceParameterDerivatives() = default;
};

/// One body of c coordinates, its own ones (BodySystem::describe).
struct BodyDerivatives {
  VectorView residual;          ///< c: (M a - Q)_p, Q the body's own force
  double* kinetic = nullptr;    ///< T_p, J per unit of p
  double* potential = nullptr;  ///< V_p of the body's own force
};

/// Of a System that hosts bodies: with respect to masses and inertias, body by body.
class BodyParameterDerivatives {
 public:
  static constexpr const char* id = "trammel.body_parameter_derivatives/1";

  /// [setup] Numbers with derivatives of body b, and their names below its section.
  virtual Index parameter_count(Index body) const = 0;
  virtual const char* parameter_name(Index body, Index i) const = 0;
  /// [hot] Of number i of a body at `state` with second derivatives `a` of its coordinates (c).
  virtual Status parameter_derivatives(Index body, Index i, double t, const void* state, ConstVectorView a,
                                       const BodyDerivatives& out) const = 0;

 protected:
  ~BodyParameterDerivatives() = default;
};

}  // namespace trammel
