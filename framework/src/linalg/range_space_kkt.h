// KKT solver through the range space: S = Phi_q M^+ Phi_q^T, block-sparse in the joint graph, O(n) for trees.
#pragma once

#include <vector>

#include "linalg/schur_factor.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// W = M. With W_b W_b^T = M_b^+ and B = Phi_q W (reduced blocks), and a_0(g) the part of a along the intrinsic
/// directions that satisfies the intrinsic rows:
///   S lambda = B W^T f - (g - Phi_q a_0),   S = B B^T
///   a = W (W^T f - B^T lambda) + a_0.
class RangeSpaceKkt final : public KktSolver {
 public:
  const char* name() const override { return "range_space"; }
  bool uses_reduced() const override { return true; }
  /// `unsupported` where some body's inertia is singular.
  Status analyse(const KktMatrix& matrix) override;
  Status factorize(const KktMatrix& matrix) override { return schur_.factorize(matrix.reduced, matrix.dropped); }
  /// [hot] As `factorize`, but leaves rows out only where nothing but rounding is left of them.
  Status factorize_to_rounding(const KktMatrix& matrix) {
    return schur_.factorize_to_rounding(matrix.reduced, matrix.dropped);
  }
  Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  const RankWatch* watch() const override { return &schur_.watch(); }
  const SchurFactor& factor() const { return schur_; }

 private:
  SchurFactor schur_;
  std::vector<double> w_, lambda_, residual_, unbalanced_;
};

/// out += Phi_q x and out -= Phi_q^T y over the element blocks; `width` columns at the given offsets.
void add_block_products(const KktMatrix& matrix, const double* blocks, Index width, bool reduced, const double* x,
                        double* out);
void subtract_block_transpose_products(const KktMatrix& matrix, const double* blocks, Index width, bool reduced,
                                       const double* y, double* out);

/// Number of rows of each element.
std::vector<Index> group_rows(const KktMatrix& matrix);

}  // namespace trammel
