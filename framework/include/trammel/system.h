// System: what is simulated. Either a host of bodies (BodySystem) or a problem that offers an equation view itself.
#pragma once

#include "trammel/body_motion.h"
#include "trammel/body_output.h"
#include "trammel/body_reduction.h"
#include "trammel/constraint.h"
#include "trammel/ode_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

enum class BodyKind : std::int32_t { rigid, point_mass };

/// What one body has of what bodies of its system can have. The kernel presets what `coordinates()`, `intrinsic()` and
/// the system's roles say: a rigid body with all of it.
struct BodyShape {
  BodyKind kind;
  Index coordinates;          ///< its own are so many of the system's, the first ones
  Index reduced_coordinates;  ///< width of W_b; means nothing without `reduction()`
  bool intrinsic;             ///< whether it carries the intrinsic row; only with all coordinates
  /// Its output columns, as numbers among the system's, rising; nullptr: all of them. They live as long as the system.
  const Index* columns;
  Index column_count;
  const Index* acceleration_columns;
  Index acceleration_column_count;
};

/// Bodies to which elements attach: which coordinates they have, and who says the rest. Body b has c_b of the system's
/// `coordinates()`, the first ones (`describe`); the states of bodies (PlanarBodyState or SpatialBodyState, a point mass
/// with the rotation 1 that never changes) lie one after another, body 0 first. [hot] methods of the roles are const,
/// re-entrant, do not allocate. Vectors over all bodies have c_b entries for each, one body behind the other; block
/// arrays c_b^2 (column-major). Elements read and write `coordinates()` columns for every body: the kernel cuts off those
/// that a body does not have, and refuses elements that need them.
class BodySystem {
 public:
  /// [setup] Most coordinates of a body: those of a frame, 3 planar and 7 spatial. Planar bodies that deform have up to
  /// 3 more, behind these (extensions/body_frames.h).
  virtual Index coordinates() const = 0;
  /// [setup] Name of coordinate k of a body, as in the columns of results.csv ("x", "e0", "phi").
  virtual const char* coordinate_name(Index k) const = 0;
  /// [setup] SI unit of coordinate k ("m", "1", "rad"). "m" makes it a displacement, which scales with the model.
  virtual const char* coordinate_unit(Index k) const = 0;
  /// [setup] The constraint every body carries by itself (Euler-parameter normalisation), over one body. Default: none.
  virtual const Constraint* intrinsic() const { return nullptr; }
  /// [setup] Changes what this body has less than others. Default: nothing.
  virtual void describe(Index body, BodyShape& shape) const { (void)body, (void)shape; }
  /// [setup] kg.
  virtual double mass(Index body) const = 0;
  /// [setup] Start values from the body parameters.
  virtual void initial(Index body, VectorView q, VectorView v) const = 0;
  /// [setup] sizeof the body state.
  virtual Index state_bytes() const = 0;
  /// [setup] State of ground.
  virtual void ground_state(void* state) const = 0;

  /// [setup] The roles. The kernel asks for each once; they live as long as the system, which may be all of them itself.
  virtual const BodyMotion& motion() const = 0;
  virtual const BodyOutput& output() const = 0;
  /// [setup] Default: nullptr, no W_b exists, because some body's inertia is singular or because nobody wrote it. The
  /// range-space solve is then not available: `auto` takes another solver, and solvers that need it are refused by name.
  virtual const BodyReduction* reduction() const { return nullptr; }

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
