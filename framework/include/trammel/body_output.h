// BodyOutput: what results and reactions say of a body. A role of BodySystem.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// All of it in the global frame; `state` is that of one body. `a` is the second time derivative of the body's q with all
/// of the system's coordinates, 0 for those that the body does not have. BodyShape says which of the columns a body has.
class BodyOutput {
 public:
  /// [setup] Number of output columns of a body that follow from its state.
  virtual Index column_count() const = 0;
  /// [setup] Name of column k behind "<body>.": "x" ... "wz".
  virtual const char* column_name(Index k) const = 0;
  /// [step] Values of the columns.
  virtual void column_values(const void* state, VectorView out) const = 0;
  /// [step] Position, velocity and (if `a` is not empty) acceleration of a body-fixed point, 3 numbers each.
  virtual void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
                     double* acceleration) const = 0;
  /// [step] Force and torque about the centre of mass that a generalized force on one body, Q as elements write it, stands
  /// for; planar: force[0..1], torque[2], the rest 0.
  virtual void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const = 0;

  /// [setup] Number of output columns of a body that follow from its accelerations, written on request. Default: none,
  /// and a run file that asks for one is refused by name, as for any column that is not there.
  virtual Index acceleration_column_count() const { return 0; }
  /// [setup] Name of acceleration column k: "ax" ... "alphaz".
  virtual const char* acceleration_column_name([[maybe_unused]] Index k) const { return ""; }
  /// [step] Values of the acceleration columns.
  virtual void acceleration_values(const void* state, ConstVectorView a, VectorView out) const {
    (void)state, (void)a, (void)out;
  }

 protected:
  ~BodyOutput() = default;
};

}  // namespace trammel
