// Gradients of the equations of motion in twists: the blocks of implicit matrices that are eliminated body by body.
#pragma once

#include "trammel/constraint.h"

// In place of its coordinates a body has y = (t, s): its twist as in free_directions.h and the number that its intrinsic row
// makes of x, so that x = T y = E t + n s (TwistForm). A block between two bodies is T_i^T A T_j. It is stored column by
// column as wrenches of twists (8 numbers spatial, 4 planar; those that no twist has stay 0). Spatial blocks have 6 such
// columns, then the column E_i^T A n_j, then the row n_i^T A E_j as one more wrench, with n_i^T A n_j as its number 3:
// 64 numbers. Planar blocks are 3 columns, 12 numbers.
namespace trammel {

/// What a body brings into the diagonal block: T^T (M + c1 C + c0 K) T with K = (M a)_q + (mu p)_q - Q_q, C = -Q_v of its
/// own forces and, with the multiplier mu, its intrinsic row p.
struct OwnTwistBlocks {
  ConstVectorView a;   ///< accelerations of all bodies
  ConstVectorView mu;  ///< of the intrinsic rows
  double c0, c1;
  double* out;  ///< blocks of all bodies, written
};

/// A block of coordinates that is added to one of twists: to += T_i^T from T_j.
struct CoordinateBlock {
  Index row_body, column_body;
  const double* from;  ///< c x c, column by column
  double* to;
};

/// Implicit matrices in twists; an extension of systems with TwistForm, asked of ModelInfo. For models of rigid bodies only.
/// [hot] `states` as BodySystem::kinematics writes them.
class ImplicitTwists {
 public:
  static constexpr const char* id = "trammel.implicit_twists/1";

  virtual void own_blocks(const void* states, const OwnTwistBlocks& own) const = 0;
  virtual void add_blocks(const void* states, const CoordinateBlock* blocks, Index count) const = 0;

 protected:
  ~ImplicitTwists() = default;
};

/// Constraints between two bodies that write the gradient of their forces in twists; an extension of Constraint. Others are
/// taken by their `multiplier_gradient`.
class MultiplierTwists {
 public:
  static constexpr const char* id = "trammel.multiplier_twists/1";

  /// [setup] Whether the blocks between the two bodies may differ from zero.
  virtual bool couples() const = 0;
  /// [hot] Adds scale T_i^T (Phi_q^T lambda)_q T_j to blocks[2 i + j]; null: not wanted.
  virtual void add_multiplier_twists(const ElementState& s, ConstVectorView lambda, double scale,
                                     double* const* blocks) const = 0;

 protected:
  ~MultiplierTwists() = default;
};

}  // namespace trammel
