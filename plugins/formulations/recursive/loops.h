// Loops: the rows of the cuts in joint coordinates, C = Phi_C,q B, and which thetas they determine.
//
// theta = (u, w), as many dependent u as C has independent rows r; these rows alone are used:
//   C_r,u du = -Phi_r        Newton's method for u                                                                (1)
//   C_r,u u' = nu - C_r,w w'                                                                                      (2)
// Errors of w come back in u multiplied by up to |C_u^-1 C_w|, columns scaled as PartitionQuality has it: exchanged until no
// entry of it exceeds 1.5 (R. A. Wehage, E. J. Haug, J. Mech. Des. 104 (1982) 247-255).
#pragma once

#include <Eigen/LU>
#include <vector>

#include "joint_space.h"

namespace trammel::recursive {

/// Where thetas stand in one partition: 1 for dependent.
class Loops {
 public:
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;

  /// [setup] `count`: how many thetas the cuts determine.
  void bind(const JointSpace& space, Index count);
  Index count() const { return count_; }
  bool none() const { return count_ == 0; }
  const std::vector<Index>& dependent() const { return u_; }
  const std::vector<Index>& independent() const { return w_; }
  /// Of the system, in the order of `solve`: 0 <= i < count().
  Index row(Index i) const { return space_->tree.cuts[static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)])]; }
  const Vector& scale() const { return scale_; }

  /// [hot] C at the system's last evaluation and the motion's point, both of the same q. All cuts.
  void evaluate(const ConstrainedEquations& system);
  /// [step] Rows and dependent thetas from C, written as flags; displacements count in `length`. `singular`: C has lower
  /// rank.
  Status choose(const ConstrainedEquations& system, double length, VectorView rows, VectorView dependent);
  /// [hot] Goes by these flags from now on; displacements count in `length`.
  void use(ConstVectorView rows, ConstVectorView dependent, double length);
  /// [step] The length of the model that PartitionQuality counts in, at the last evaluated Jacobian.
  double length_of(const ConstrainedLayout& system);
  /// [hot] Of C_r,u at the last C.
  Status factorize();
  /// [hot] x := C_r,u^-1 x.
  void solve(Vector& x) {
    solved_ = factor_.permutationP() * x;
    factor_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(solved_);
    factor_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(solved_);
    x = solved_;
  }
  /// [hot] out = x at the dependent thetas, 0 elsewhere.
  template <class Values>
  void scatter(const Values& x, Vector& out) const {
    out.setZero();
    Eigen::Index k = 0;
    for (const Index i : u_) out[i] = x[k++];
  }
  /// [step] Z = [-C_u^-1 C_w; I].
  void spread_independent(Matrix& Z);
  /// [step] The largest factor by which errors of w come back, at the last factorization.
  double amplification();

 private:
  static constexpr double dependent_row = 1e-9;  // beside what a row and the motions could make together
  static constexpr double exchange_beyond = 1.5;

  void set_length(double length);
  /// of_u_ = C_u^-1 C_k.
  void solve_column(Index k);
  Matrix scaled_rows(const ConstrainedEquations& system);
  const JointSpace* space_ = nullptr;
  Index count_ = 0;
  double length_ = 0;
  Matrix C_, C_u_;
  Eigen::PartialPivLU<Matrix> factor_;
  Vector scale_, unit_, column_, product_, solved_, of_u_, motions_;
  std::vector<Index> u_, w_, rows_;
};

}  // namespace trammel::recursive
