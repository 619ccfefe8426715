// Where acme.joints keeps its numbers, and the walk along the tree: from joint coordinates to bodies, for positions,
// velocities and accelerations alike.
#pragma once

#include <trammel/constrained_equations.h>
#include <trammel/sdk/math/lu.h>
#include <trammel/sdk/state_layout.h>

#include "tree.h"

namespace acme::joints {

using trammel::ConstrainedEquations;
using trammel::ConstVectorView;
using trammel::Memory;
using trammel::Status;
using trammel::VectorView;
using Layout = trammel::sdk::MemoryLayout;
using Matrix = trammel::sdk::StateLayout::Matrix;
using Vector = trammel::sdk::StateLayout::Map;

/// A link's rows, those that it carries by itself and its coordinates make one square system for its coordinates,
///   L_b x_b + P_b x_parent = r_b,                                                                        (1)
/// with L_b, P_b the derivatives of these rows with respect to body and parent. Equations are numbered in joints.cpp.
class Walk {
 public:
  Walk(Layout& at, const Tree& tree);

  /// state_theta before the first start: the branches that the run file asks for.
  void begin_angles();
  /// L_b, P_b and their factors at the last evaluation point, with angles near `near`; `now` holds theta then.
  Status prepare(double t, ConstVectorView near);
  /// (2): q of these joint coordinates, from `state_q`; the last evaluation is then at q, of `parts`.
  Status place(ConstrainedEquations& system, double t, ConstVectorView theta, unsigned parts);
  /// (3): v of these rates, after `place` or `prepare`.
  void move(ConstVectorView rates);
  /// (4): c, the accelerations of the bodies without joint accelerations, at an evaluation with v.
  void accelerate(const ConstrainedEquations& system, double t);
  /// (5): B, M B, B^T M B and the rows of cuts Phi_C B.
  void reduce(const ConstrainedEquations& system);
  /// As many cuts as are independent of each other, by Gram-Schmidt with pivoting.
  Status choose(Index count);
  /// Factorizes [B^T M B, (Phi_C B)^T; Phi_C B, 0] with the chosen cuts.
  Status factorize();
  /// Solves with it in place: `top` has one number for each joint coordinate, `cut` one for each cut.
  void solve(VectorView top, const Vector& cut);
  /// out = x at the cuts.
  void at_cuts(ConstVectorView x, Vector& out) const;
  /// dtheta of a change of all coordinates that the joints allow.
  void rates(ConstVectorView v, VectorView rates) const;

  double& begun;
  Vector state_q, state_theta, chosen;
  Vector q, v, c, now, top, rows, cut;
  Matrix B, MB, hat_M, hat_Phi;

 private:
  static Index cut_count(const Tree& tree) { return static_cast<Index>(tree.cuts.size()); }
  struct Measured {
    double value, gamma;
    double child[7], parent[7];
  };
  static void evaluate(const Coordinate& coordinate, double t, double near, Index columns, Measured& out);
  void sweep(double* x);
  Matrix parent_block(std::size_t link) const;
  trammel::sdk::Lu factor(std::size_t link) const;

  const Tree& tree_;
  Matrix work_;
  trammel::sdk::StateLayout::Vectors factors_, parents_;  ///< a column for each link
  double *saddle_, *right_;
  Index kept_ = 0;
};

}  // namespace acme::joints
