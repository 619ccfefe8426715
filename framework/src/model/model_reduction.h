// The kernel's StateSpaceDerivatives: a model's state-space Jacobians by products of element blocks with all columns at
// once.
#pragma once

#include <vector>

#include "trammel/extensions/system_extensions.h"

namespace trammel {

class Linearization;
class ModelKkt;
class ModelPartition;

/// From the left: with Phi_u^T Y = (M T)_u, the particular solution p of Phi_u p_u = -g, p_w = 0 has T^T M p = -Y^T g,
/// so that
///   M^ dw'' = -T^T (f + M p) = -(A_q dq + A_v dv),  A_q = T^T K - Y^T G_q,  A_v = T^T C - Y^T G_v                    (1)
/// for all directions: one product with the blocks of the linearization and two sets of d solves take the place of a
/// product and a solve per direction. The third set is that of the velocities that follow dq = T y,
///   Phi_u V_u = -((Phi_q v)_q + Phi_tq) T = -G_v T / 2,                                                             (2)
/// since (Phi_q x)_q y is symmetric in x and y and gamma = -(Phi_q v)_q v - 2 Phi_tq v - Phi_tt. Then
///   M^ = T^T M T,   M^ J1 = -(A_q T + A_v V),   M^ J2 = -A_v T.                                                     (3)
class ModelReduction final : public StateSpaceDerivatives {
 public:
  ModelReduction(ModelKkt& kkt, ModelPartition& partition, Linearization& linearization)
      : kkt_(kkt), partition_(partition), linearization_(linearization) {}

  void make_room(Index d) override;
  Status reduce(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, MatrixView M, MatrixView MJ1,
                MatrixView MJ2, VectorView MJt) override;

  /// Column k of T, and of the velocities V that follow it, after `reduce`; n entries.
  void column(Index k, VectorView dq, VectorView dv) const;
  /// Coordinates and velocities that time alone moves, after `reduce` of a model whose constraints depend on time.
  ConstVectorView moved() const { return {du_.data(), static_cast<Index>(du_.size())}; }
  ConstVectorView followed() const { return {dv_.data(), static_cast<Index>(dv_.size())}; }
  /// out = T^T f.
  void project(ConstVectorView f, VectorView out) const {
    out.map().setZero();
    add_product(T_, f, 1, out);
  }

 private:
  using Numbers = std::vector<double>;
  void form_tangent(ConstVectorView independent);
  void multiply_mass();
  Status time_gradient(ConstVectorView a, ConstVectorView lambda, VectorView MJt);
  /// out += factor X^T x, x one number per row of X.
  void add_product(const Numbers& X, ConstVectorView x, double factor, VectorView out) const;
  /// out = factor X^T Y
  void gram(const Numbers& X, const Numbers& Y, double factor, MatrixView out);

  ModelKkt& kkt_;
  ModelPartition& partition_;
  Linearization& linearization_;
  Index d_ = 0, stride_ = 0;
  Numbers T_, MT_, A_q_, A_v_, V_;          // n x stride
  Numbers Y_, rows_;                        // m x stride
  Numbers gram_;                            // stride x stride
  Numbers Q_t_, reaction_t_, du_, dv_;      // n
  Numbers Phi_tt_, acceleration_t_, rate_;  // m
};

}  // namespace trammel
