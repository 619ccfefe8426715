// BodyReduction: the inverse of every body's mass as W_b W_b^T, for range-space solves. An optional role of BodySystem.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// One Jacobian block as the range-space solve wants it: `reduced` (rows x width of W_b) = `full` (rows x c_b) * W_b,
/// both column by column without gaps.
struct ReductionBlock {
  Index body;
  Index rows;
  const double* full;
  double* reduced;
};

/// M_b^+ = W_b W_b^T is the inverse of the body's mass on the tangent space of its intrinsic constraint. Vectors over all
/// bodies and `states` are those of BodySystem; w has as many entries for a body as its W_b has columns.
class BodyReduction {
 public:
  /// [setup] Largest width of W_b: 3 planar, 6 spatial; 3 or more where planar bodies deform.
  virtual Index reduced_coordinates() const = 0;
  /// [hot] Fills the reduced blocks.
  virtual void reduce(const void* states, const ReductionBlock* blocks, Index count) const = 0;
  /// [hot] w_b = W_b^T Q_b for all bodies.
  virtual void reduce_force(const void* states, ConstVectorView Q, VectorView w) const = 0;
  /// [hot] x_b = W_b w_b + (the part along the intrinsic direction that makes the intrinsic row equal g_b; g has one
  /// entry per body that has that row, empty where there is none). An empty w is zero; then g is not empty.
  virtual void expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const = 0;
  /// [hot] Multipliers of the intrinsic rows from the unbalanced force R = Q - Phi_q^T lambda (elements' rows only).
  /// Called only where some body has such a row; default: nothing.
  virtual void intrinsic_multipliers(const void* states, ConstVectorView R, VectorView mu) const {
    (void)states, (void)R, (void)mu;
  }

 protected:
  ~BodyReduction() = default;
};

}  // namespace trammel
