// The state-space equations of a model with internal states, as those of (w, s) with s' = z.
#pragma once

#include <vector>

#include "trammel/extensions/state_space_solve.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

class ConstrainedModel;

/// Under M^ w'' = Q^(w, w', z) stand 1 s'' = g. With T of state_space.h, V the velocities that follow dq = T y, and dq_t,
/// dv_t those that time alone moves,
///   M^ = diag(M^, 1),  M^ J1 = [M^ J1, 0; g_q T + g_v V, 0],  M^ J2 = [M^ J2, T^T Q_z; g_v T, g_z],
///   M^ d/dt = (M^ d/dt, g_t + g_q dq_t + g_v dv_t).                                                               (1)
class ExtendedReduction final : public StateSpaceDerivatives {
 public:
  explicit ExtendedReduction(ConstrainedModel& model);
  void make_room(Index d) override;
  Status reduce(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, MatrixView M, MatrixView MJ1,
                MatrixView MJ2, VectorView MJt) override;

 private:
  ConstrainedModel& model_;
  std::vector<double> dq_, dv_, f_, w_;  ///< n; d
  std::vector<double> unit_, rate_;      ///< nz
};

/// The same as products and solves.
class ExtendedStateSpace final : public StateSpaceSolve {
 public:
  explicit ExtendedStateSpace(ConstrainedModel& model);
  Status linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, VectorView MJt) override;
  void apply_mass(ConstVectorView y, VectorView out) override;
  void apply_J1(ConstVectorView y, VectorView out) override;
  void apply_J2(ConstVectorView y, VectorView out) override;
  Status prepare(Index first, const Shift* shifts, Index count) override;
  Status solve(Index handle, ConstVectorView r, VectorView z) override;
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override;

 private:
  /// The part of w, and of s.
  template <class View>
  View own(View x) const {
    return x.segment(0, x.size - nz_);
  }
  template <class View>
  View states(View x) const {
    return x.segment(x.size - nz_, nz_);
  }

  ConstrainedModel& model_;
  Index nz_;
  std::vector<double> f_, zero_;                   ///< n; as long as the longer of n and nz
  std::vector<double> w_;                          ///< as long as w
  std::vector<double> f_im_, w_im_, x_re_, u_re_;  ///< scratch of complex solves
};

}  // namespace trammel
