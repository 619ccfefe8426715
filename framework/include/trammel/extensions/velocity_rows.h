// Rows B(t, q) v = b(t, q) that hold for velocities only (rolling, skates): the part of a constraint that has them.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/status.h"

// For the kernel's views such rows are rows like all others, behind the position rows of their constraint, with
//   Phi = 0,  Phi_q = B,  nu = b,  gamma as below,  Phi_tq = -b_q,
// so that solves for accelerations, multipliers, velocities and impulses need to know nothing. What differs: no position
// meets or misses them, projections of positions and partitions of positions leave them out, and there are fewer
// freedoms of velocity than of position. Methods that know the difference say so by CarriesVelocityRows; under all
// others a model with such rows is refused. Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972), chapter I.
namespace trammel {

/// What one evaluation is asked for; an empty view or null pointer means "not wanted". m rows, k attached bodies with c
/// local columns each.
struct VelocityRowOutput {
  const MatrixView* B = nullptr;  ///< k blocks m x c; the block of ground is empty
  VectorView b;                   ///< m, in the rows' unit per second
  VectorView gamma;               ///< m: B a = gamma := b_t + b_q v - B_t v - (B v)_q v
};

/// For rows with b or an explicit time. Empty views: not wanted.
struct VelocityRowTimeDerivatives {
  const MatrixView* b_q = nullptr;  ///< k blocks m x c
  VectorView drift;                 ///< m: B_t v + b_q v - b_t
  VectorView acceleration_t;        ///< m: partial d/dt of (B a - gamma) at fixed q, v, a
};

/// Of a Constraint with rows that hold for velocities only, in addition to its own rows() of positions, which may be
/// none. Rows are scaled to metres or radians (per second). At most `most_bodies` attached bodies. All [hot] methods are
/// const, re-entrant and do not allocate; each writes all of every wanted output.
class VelocityRows {
 public:
  static constexpr const char* id = "trammel.velocity_rows/1";
  static constexpr Index most_bodies = 4;

  /// [setup] Number of rows m >= 1, fixed.
  virtual Index velocity_row_count() const = 0;
  /// [setup] Whether b is not zero everywhere, or B or b depend on t explicitly; if not, b is not asked for and
  /// velocity_time_derivatives is not called.
  virtual bool velocity_rows_driven() const { return false; }

  /// [hot] B, b and the right-hand side of the accelerations, whichever are wanted.
  virtual Status velocity_rows(const ElementState& s, const VelocityRowOutput& out) const = 0;
  /// [hot] (B x)_q for a fixed x: k blocks m x c. `x` has one local vector per attached body (ground's is zero).
  virtual Status velocity_row_gradient(const ElementState& s, const ConstVectorView* x,
                                       const MatrixView* out) const = 0;
  /// [hot] (B^T lambda)_q for a fixed lambda: k*k blocks c x c, out[i*k + j] = d(rows of body i)/d(q of body j); blocks
  /// with ground are empty.
  virtual Status velocity_multiplier_gradient(const ElementState& s, ConstVectorView lambda,
                                              const MatrixView* out) const = 0;
  /// [hot] Gradients of B a - gamma with respect to q and v for a fixed a: k blocks m x c each.
  virtual Status velocity_acceleration_gradient(const ElementState& s, const ConstVectorView* a,
                                                const MatrixView* out_q, const MatrixView* out_v) const = 0;
  /// [hot] Only driven rows override this. `unsupported`: a Function lacks a derivative.
  virtual Status velocity_time_derivatives(const ElementState& s, const ConstVectorView* a,
                                           const VelocityRowTimeDerivatives& out) const {
    (void)s, (void)a, (void)out;
    return Status::failure(StatusCode::unsupported, "time derivatives of rows that hold for velocities");
  }

 protected:
  ~VelocityRows() = default;
};

}  // namespace trammel
