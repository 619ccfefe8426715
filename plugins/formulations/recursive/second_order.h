// The second-order view of `recursive`: M^ w'' = Q^ in independent joint coordinates w, with exact derivatives.
//
// In joint coordinates, with R = B^T (M a + Phi_q^T lambda - Q) = 0 and S = Phi_C,q a - gamma_C = 0, a = B theta'' + c, and
// dq, dv, p the derivatives of q, v, a at fixed theta'' (motion.h):
//   K = R_theta, D = R_theta':  B^T (f + M p),   S_theta, S_theta':  g_C + Phi_C,q p                              (1)
// f, g as ConstrainedLinearization has them; (Phi_C,q v - nu)_theta = S_theta' / 2. Balls add m x h / x.x to R with a mass m
// (turns.h, (3)). With theta = (u, w), Z = [-C_u^-1 C_w; I]:
//   M^ = Z^T B^T M B Z
//   M^ J1 y = -Z^T (K dtheta + D dtheta' + B^T M B dtheta''),   dtheta = Z y,  C_u du' = -S_theta' dtheta / 2,
//             C_u du'' = -(S_theta dtheta + S_theta' dtheta'),  dw' = dw'' = 0                                    (2)
//   M^ J2 y:  dtheta = 0,  dtheta' = Z y,  du'' as in (2)                                                         (3)
//   d/dt:     C_u du = nu,  C_u du' = -(S_theta' dtheta / 2 + Phi_tq v + Phi_tt),
//             and the explicit parts -Q_t + Phi_tq^T lambda of f, (Phi_q a - gamma)_t of g                        (4)
// (Haug 7.2.14; A. Sandu et al. (2001), Eqs. (26) to (35), here over joint coordinates.)
#pragma once

#include <optional>

#include "linearize.h"
#include "trammel/extensions/second_order_formulation.h"
#include "trammel/sdk/math/shifted_factors.h"

namespace trammel::recursive {

/// Behind Kept in memory.state.
struct KeptReduced {
  KeptReduced(Layout& at, const Tree& tree)
      : kept(at, tree),
        work(at, tree),
        chosen(at.state.number()),
        partitions(at.state.number()),
        least(at.state.number()),
        length(at.state.number()),
        kept_at(at.state.number()),
        kept_at_0(at.state.number()),
        changed_at(at.state.number()),
        freedoms(at.state.number()),
        theta1(at.state.vector(tree.thetas)),
        theta_0(at.state.vector(tree.thetas)),
        theta1_0(at.state.vector(tree.thetas)),
        dependent(at.state.vector(tree.thetas)),
        before(at.state.vector(tree.thetas)),
        rows(at.state.vector(static_cast<Index>(tree.cuts.size()))),
        rows_before(at.state.vector(static_cast<Index>(tree.cuts.size()))) {}
  Kept kept;
  Work work;
  double &chosen, &partitions;
  double& least;   ///< the smallest amplification since the last choice
  double& length;  ///< that displacements count in
  double &kept_at, &kept_at_0, &changed_at;
  double& freedoms;                      ///< of the system at the last choice
  VectorView theta1, theta_0, theta1_0;  ///< at the end of the last step, and one step before
  VectorView dependent, before;          ///< flags; rows of output before `changed_at` were integrated under `before`
  VectorView rows, rows_before;
};

class Reduced final : public SecondOrderFormulation, SecondOrderSystem {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

 public:
  explicit Reduced(double tolerance) : tolerance_(tolerance) {}

  /// [setup] The space lives as long as the view.
  void use(const JointSpace& space) const { space_ = &space, placed_.reset(); }
  MemorySize memory(const Tree& tree) const { return Layout::size<KeptReduced>(tree); }
  /// [step] Nothing is known from before.
  void start(const Kept& kept, const Memory& memory) const;
  double partitions(const Memory& memory) const;
  /// [setup] Whether the loops of the view that was bound are too many for it.
  bool too_large() const { return too_large_; }

  SecondOrderSystem* bind(ConstrainedSystem& system, const Memory& memory) const override;
  Index coordinate(const ConstrainedLayout& system, Index k, const Memory& memory) const override;
  Status embed_second_order(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                            const Memory& memory, VectorView w, VectorView w_dot) const override;
  Status lift_second_order(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot,
                           const Memory& memory, VectorView q, VectorView v) const override;
  Correction correct_second_order(ConstrainedSystem& system, double t, VectorView w, VectorView w_dot,
                                  const Memory& memory) const override;

  Index size() const override { return size_; }
  Status acceleration(double t, ConstVectorView w, ConstVectorView w_dot, VectorView a) override;
  Status apply_mass(ConstVectorView y, VectorView out) override { return product(matrices_.M, y, out); }
  Status linearize(double t, ConstVectorView w, ConstVectorView w_dot) override;
  Status apply_J1(ConstVectorView y, VectorView out) override { return product(matrices_.MJ1, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return product(matrices_.MJ2, y, out); }
  Status time_gradient(VectorView out) override {
    out.map() = matrices_.MJt;
    return Status::success();
  }
  using SecondOrderSystem::prepare, SecondOrderSystem::solve;
  Status prepare(Index first, const Shift* shifts, Index count) override;
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    factors_.solve(handle, r, z);
    return Status::success();
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    factors_.solve_complex(handle, r, z);
    return Status::success();
  }
  ConstVectorView mask() const override { return {mask_.data(), static_cast<Index>(mask_.size())}; }

 private:
  static Status product(const Matrix& A, ConstVectorView y, VectorView out) {
    out.map().noalias() = A * y.map();
    return Status::success();
  }
  static Index freedoms(ConstrainedLayout& system);
  const KeptReduced& placed(const Memory& memory) const;

  // lift.cpp
  Status lift(double t, ConstVectorView w, ConstVectorView w_dot, bool looking_back) const;
  void predict(const KeptReduced& at, double t, ConstVectorView w, ConstVectorView w_dot) const;
  Status close_positions(double t) const;
  Status close_rates(double t) const;
  Status renew(double t) const;
  bool continues(const KeptReduced& at, double t, double far, double close, double turned) const;
  Status choose(ConstrainedSystem& system, double t, const KeptReduced& at) const;
  void pick(ConstVectorView x, VectorView out) const;
  Status accelerate(double t, ConstVectorView w, ConstVectorView w_dot) const;

  static constexpr double most_numbers = 5e7;  ///< of a matrix: 0.4 GB

  double tolerance_;
  mutable const JointSpace* space_ = nullptr;
  mutable ConstrainedSystem* system_ = nullptr;
  mutable std::optional<KeptReduced> placed_;
  mutable Loops loops_;
  mutable Index size_ = 0;
  mutable bool too_large_ = false;
  mutable bool factorized_ = false;                    ///< C_u of the partition in use is, somewhere near
  mutable bool lifted_ = false, accelerated_ = false;  ///< at t_, w_, w_dot_, under the partition of today
  mutable double t_ = 0, slack_ = 0;
  mutable Vector w_, w_dot_;
  mutable Vector theta_, theta1_, theta2_, predicted_;  // N
  mutable Vector correction_;                           // of u
  mutable Vector mask_;                                 // 2 d
  ReducedMatrices matrices_;
  sdk::ShiftedFactors<Eigen::Dynamic> factors_;
};

}  // namespace trammel::recursive
