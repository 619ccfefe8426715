// The state-space view of models with many degrees of freedom: products and implicit solves without any full matrix.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/gmres.h"
#include "model/sparse_tangent.h"
#include "trammel/extensions/state_space_solve.h"

namespace trammel {

class ImplicitFactors;
class Linearization;
class ModelKkt;

/// (M^ - c1 M^J2 - c0 M^J1) z = r by GMRES (linalg/gmres.h). A product costs three solves with Phi_u: with Z = T y, the
/// velocities S that follow it (sdk/formulations/state_space.h, Eq. 2) and the particular solution P (Eq. 6), all of length n,
///   (M^ - c1 M^J2 - c0 M^J1) y = T^T ((M + c1 C + c0 K) Z + c0 C S + M P)
///   Phi_u S_u = -((Phi_q v)_q + Phi_tq) Z = -G_v Z / 2,   Phi_u P_u = -(c1 G_v + c0 G_q) Z - c0 G_v S,   S_w = P_w = 0
/// The preconditioner is T^T (M + c1 C + c0 K) T, by the index-3 matrix [M + c1 C + c0 K, Phi_q^T; Phi_q, 0]: what it
/// leaves out is of order c1 times the velocities, so that few iterations suffice. A chain costs O(n) per iteration.
/// Complex systems are real ones of twice the size, (re, im).
class SparseStateSpace final : public StateSpaceSolve {
 public:
  SparseStateSpace(ModelKkt& kkt, Linearization& linearization, ImplicitFactors& factors)
      : kkt_(kkt), linearization_(linearization), factors_(factors), tangent_(kkt) {}

  Status linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, VectorView MJt) override;
  void apply_mass(ConstVectorView y, VectorView out) override;
  void apply_J1(ConstVectorView y, VectorView out) override;
  void apply_J2(ConstVectorView y, VectorView out) override;
  Status prepare(Index first, const Shift* shifts, Index count) override;
  Status solve(Index handle, ConstVectorView r, VectorView z) override;
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override;

  /// [step] As before the first `linearize`: pivots depend on those before, and are in no checkpoint.
  void forget() { tangent_.dependent().forget(); }
  /// What y moves: T y and the velocities that follow it, after `apply_J1`; T y alone after `apply_J2`. After
  /// `linearize` of a model whose constraints depend on time: the coordinates and velocities that time alone moves.
  /// n entries.
  ConstVectorView moved() const { return {Z_.data(), static_cast<Index>(Z_.size())}; }
  ConstVectorView followed() const { return {S_.data(), static_cast<Index>(S_.size())}; }
  /// [hot] Both for this y.
  void follow(ConstVectorView y) {
    tangent_.form(y, Z_);
    follow_velocities();
  }
  /// [hot] out = T^T f.
  void project(ConstVectorView f, VectorView out) {
    std::copy(f.data, f.data + f.size, f_.begin());
    tangent_.project(1, f_, out);
  }

 private:
  using Numbers = std::vector<double>;

  void make_room();
  Status time_gradient(ConstVectorView a, ConstVectorView lambda, VectorView MJt);

  void follow_velocities();  ///< S_: Phi_u S_u = -G_v Z / 2
  /// out = -T^T (f + M p), f_ and g_ being those of (5): Phi_u p_u = -g.
  void project_change(VectorView out);
  void apply_implicit(Index handle, ConstVectorView y, VectorView out);
  void apply_complex(Index handle, ConstVectorView y, VectorView out);
  void precondition(Index handle, ConstVectorView r, VectorView z);
  void precondition_complex(Index handle, ConstVectorView r, VectorView z);
  /// out = T^T (M Z + f + M P), f and g those of (dq, dv) = (x_, S_), `states` added to f: what eliminated internal
  /// states do, or nothing.
  void finish_implicit(const Numbers& states, VectorView out);

  ModelKkt& kkt_;
  Linearization& linearization_;
  ImplicitFactors& factors_;
  SparseTangent tangent_;
  Gmres gmres_;
  Index freedoms_ = -1;                   ///< there is room for
  std::vector<Shift> shifts_;             ///< by handle
  Numbers Z_, S_, P_, f_, reaction_, x_;  // n
  Numbers g_, rows_, rate_;               // m
  Numbers zero_;                          // the larger of both
  /// Of complex systems: the tangents and velocities of both parts, their changes; right-hand side and solution (2 d).
  struct Complex {
    Gmres gmres;
    Numbers Z_re, S_re, Z_im, S_im, f_im, x_im, both, solution;
  };
  Complex complex_;
};

}  // namespace trammel
