// BodyMotion: how the bodies of a system move - states from coordinates, own forces, inertia, energy. A role of BodySystem.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// Vectors and block arrays over all bodies, and `states`, are those of BodySystem. The equations of a body alone are
/// M a = Q.
class BodyMotion {
 public:
  /// [hot] States of all bodies; v may be empty: at rest.
  virtual void kinematics(ConstVectorView q, ConstVectorView v, void* states) const = 0;
  /// [hot] Own forces (quadratic velocity terms, the gravity of the system), all of Q written.
  virtual Status force(double t, const void* states, VectorView Q) const = 0;
  /// [hot] Gradients of the own forces: a block per body, written.
  virtual Status force_gradients(double t, const void* states, double* Q_q, double* Q_v) const = 0;
  /// [hot] Mass, a block per body.
  virtual void mass_blocks(const void* states, double* M) const = 0;
  /// [hot] out = M x.
  virtual void apply_mass(const void* states, ConstVectorView x, VectorView out) const = 0;
  /// [hot] (M x)_q for a fixed x: a block per body.
  virtual void mass_gradient(const void* states, ConstVectorView x, double* out) const = 0;
  /// [step] J, all bodies.
  virtual double kinetic_energy(const void* states) const = 0;
  /// [step] J, of the system's own forces; the gravity of the system is zero at the origin.
  virtual double potential_energy(double t, const void* states) const = 0;

 protected:
  ~BodyMotion() = default;
};

}  // namespace trammel
