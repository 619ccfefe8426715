// System: what is simulated. Either a host of bodies (BodySystem) or a problem that offers an equation view itself.
#pragma once

#include "trammel/constraint.h"
#include "trammel/ode_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

/// One Jacobian block as the range-space solve wants it: `reduced` (rows x width of W_b) = `full` (rows x c_b) * W_b,
/// both column by column without gaps. M_b^+ = W_b W_b^T is the inverse of the body's mass on the tangent space of its
/// intrinsic constraint.
struct ReductionBlock {
  Index body;
  Index rows;
  const double* full;
  double* reduced;
};

enum class BodyKind : std::int32_t { rigid, point_mass };

/// What one body has of what bodies of its system can have. The kernel presets what `coordinates()`,
/// `reduced_coordinates()`, `intrinsic()` and the column counts say: a rigid body with all of it.
struct BodyShape {
  BodyKind kind;
  Index coordinates;          ///< its own are so many of the system's, the first ones
  Index reduced_coordinates;  ///< width of W_b
  bool intrinsic;             ///< whether it carries the intrinsic row; only with all coordinates
  /// Its output columns, as numbers among the system's, rising; nullptr: all of them. They live as long as the system.
  const Index* columns;
  Index column_count;
  const Index* acceleration_columns;
  Index acceleration_column_count;
};

/// Bodies to which elements attach. Body b has c_b of the system's `coordinates()`, the first ones (`describe`); the
/// states of bodies (PlanarBodyState or SpatialBodyState, a point mass with the rotation 1 that never changes) lie one
/// after another, body 0 first. [hot] methods are const, re-entrant, do not allocate. Vectors over all bodies have c_b
/// entries for each, one body behind the other; block arrays c_b^2 (column-major). Elements read and write `coordinates()`
/// columns for every body: the kernel cuts off those that a body does not have, and refuses elements that need them.
class BodySystem {
 public:
  /// [setup] Most coordinates of a body: 3 planar, 7 spatial.
  virtual Index coordinates() const = 0;
  /// [setup] Largest width of W_b: 3 planar, 6 spatial.
  virtual Index reduced_coordinates() const = 0;
  /// [setup] Name of coordinate k of a body, as in the columns of results.csv ("x", "e0", "phi").
  virtual const char* coordinate_name(Index k) const = 0;
  /// [setup] SI unit of coordinate k ("m", "1", "rad"). "m" makes it a displacement, which scales with the model.
  virtual const char* coordinate_unit(Index k) const = 0;
  /// [setup] The constraint every body carries by itself (Euler-parameter normalisation), over one body, or nullptr.
  virtual const Constraint* intrinsic() const = 0;
  /// [setup] Changes what this body has less than others.
  virtual void describe(Index body, BodyShape& shape) const { (void)body, (void)shape; }
  /// [setup] kg.
  virtual double mass(Index body) const = 0;
  /// [setup] Start values from the body parameters.
  virtual void initial(Index body, VectorView q, VectorView v) const = 0;
  /// [setup] sizeof the body state.
  virtual Index state_bytes() const = 0;
  /// [setup] State of ground.
  virtual void ground_state(void* state) const = 0;
  /// [setup] False if some body's inertia is singular: no W_b exists and the range-space solve is not available.
  virtual bool reducible() const = 0;

  /// [hot] States of all bodies.
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

  /// [hot] Fills the reduced blocks.
  virtual void reduce(const void* states, const ReductionBlock* blocks, Index count) const = 0;
  /// [hot] w_b = W_b^T Q_b for all bodies.
  virtual void reduce_force(const void* states, ConstVectorView Q, VectorView w) const = 0;
  /// [hot] x_b = W_b w_b + (the part along the intrinsic direction that makes the intrinsic row equal g_b; g has one
  /// entry per body that has that row, empty where there is none). An empty w is zero; then g is not empty.
  virtual void expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const = 0;
  /// [hot] Multipliers of the intrinsic rows from the unbalanced force R = Q - Phi_q^T lambda (elements' rows only).
  virtual void intrinsic_multipliers(const void* states, ConstVectorView R, VectorView mu) const = 0;

  /// [step] J, all bodies.
  virtual double kinetic_energy(const void* states) const = 0;
  /// [step] J, of the system's own forces; the gravity of the system is zero at the origin.
  virtual double potential_energy(double t, const void* states) const = 0;
  /// [step] Force and torque about the centre of mass, global frame, that a generalized force on one body, Q as elements
  /// write it, stands for;
  /// planar: force[0..1], torque[2], the rest 0.
  virtual void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const = 0;

  /// [setup] Number of output columns of a body that follow from its state; BodyShape says which of them one has.
  virtual Index column_count() const = 0;
  /// [setup] Name of column k behind "<body>.": "x" ... "wz".
  virtual const char* column_name(Index k) const = 0;
  /// [setup] Number of output columns of a body that follow from its accelerations; written on request.
  virtual Index acceleration_column_count() const = 0;
  /// [setup] Name of acceleration column k: "ax" ... "alphaz".
  virtual const char* acceleration_column_name(Index k) const = 0;
  /// [step] Values of the columns, global frame.
  virtual void column_values(const void* state, VectorView out) const = 0;
  /// [step] Values of the acceleration columns, global frame; `a` is the second time derivative of the body's q,
  /// here and below with all of the system's coordinates, 0 for those that the body does not have.
  virtual void acceleration_values(const void* state, ConstVectorView a, VectorView out) const = 0;
  /// [step] Position, velocity and (if `a` is not empty) acceleration of a body-fixed point, 3 numbers each.
  virtual void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
                     double* acceleration) const = 0;

 protected:
  ~BodySystem() = default;
};

/// What a system plugin creates. Exactly one of the three accessors returns non-null.
class System : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.system/1";

  /// [setup] The host of bodies, or nullptr. Lives as long as the system, as do the next two.
  virtual const BodySystem* bodies() const { return nullptr; }
  /// [setup] A first-order problem y' = f(t, y); the start values come from `initial`.
  virtual OdeSystem* ode() { return nullptr; }
  /// [setup] A second-order problem M x'' = Q; the kernel derives its first-order view with y = (x, x').
  virtual SecondOrderSystem* second_order() { return nullptr; }

  /// [setup] Problems only: name of coordinate i; columns `<name>` and `<name>_dot` of results.csv.
  virtual const char* coordinate_name([[maybe_unused]] Index i) const { return ""; }
  /// [setup] Problems only: SI unit of coordinate i.
  virtual const char* coordinate_unit([[maybe_unused]] Index i) const { return "1"; }
  /// [setup] Problems only: start values; first-order problems leave x_dot alone.
  virtual void initial(VectorView x, VectorView x_dot) const { (void)x, (void)x_dot; }

  /// [step] Problems only, optional: false if the problem has no energy.
  virtual bool energy(double t, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const {
    (void)t, (void)x, (void)x_dot, (void)kinetic, (void)potential;
    return false;
  }

 protected:
  ~System() = default;
};

}  // namespace trammel
