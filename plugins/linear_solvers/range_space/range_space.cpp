// Plugin `range_space`: S = Phi_q M^+ Phi_q^T, block-sparse in the joint graph, O(n) for trees.
#include <algorithm>
#include <vector>

#include "trammel/error.h"
#include "trammel/extensions/factor_services.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {
namespace {

// S squares the condition of Phi_q W: rows this close to the span of the others (squared sine) are solved for twice,
// the second time for what the first left of Phi_q a = g.
constexpr double refined_below = 1e-5;

/// W = M. With W_b W_b^T = M_b^+ and B = Phi_q W (reduced blocks), and a_0(g) the part of a along the intrinsic
/// directions that satisfies the intrinsic rows:
///   S lambda = B W^T f - (g - Phi_q a_0),   S = B B^T
///   a = W (W^T f - B^T lambda) + a_0.
/// S is factorized by the kernel's block factor, which its own looks at the rank use as well.
class RangeSpace final : public KktSolver, private LinearSolverCost, private KeepsRowsToRounding {
 public:
  explicit RangeSpace(const ModelInfo& model) : factors_(find_extension<BlockFactors>(model)) {
    if (factors_ == nullptr) throw Error(ErrorKind::plugin, "this Trammel has no service for block factors");
  }
  ~RangeSpace() { factors_->end_block_factor(schur_); }
  RangeSpace(const RangeSpace&) = delete;
  RangeSpace& operator=(const RangeSpace&) = delete;

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<LinearSolverCost, KeepsRowsToRounding>(id, this, this);
  }
  LinearSolverTraits traits() const override {
    return {.regular_inertia = true, .reduced_blocks = true, .equal_bodies = false};
  }

  Status analyse(const KktMatrix& k) override {
    return sdk::or_fail([&] {
      factors_->end_block_factor(schur_);
      schur_ = factors_->make_block_factor(k, nullptr);
      if (schur_ == nullptr) return Status::failure(StatusCode::failed, "the block factor cannot be made");
      w_.assign(static_cast<std::size_t>(k.reduced_size()), 0.0);
      lambda_.assign(static_cast<std::size_t>(k.rows), 0.0);
      residual_ = lambda_;
      unbalanced_.assign(static_cast<std::size_t>(k.size()), 0.0);
      return Status::success();
    });
  }
  Status factorize(const KktMatrix& k) override { return schur_->factorize(k); }
  const RankWatch* watch() const override { return &schur_->watch(); }

  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    const VectorView w{w_.data(), static_cast<Index>(w_.size())};
    const VectorView multipliers{lambda_.data(), k.rows};
    const ConstVectorView g_intrinsic = g.segment(k.rows, k.intrinsic_rows);
    k.reduction->reduce_force(k.states, f, w);
    for (Index r = 0; r < k.rows; ++r) lambda_[r] = -g[r];
    const bool nearly_dependent = schur_->watch().smallest_kept < refined_below;
    if (nearly_dependent) {
      residual_ = lambda_;
      if (k.intrinsic_rows > 0) {
        k.reduction->expand(k.states, {}, g_intrinsic, x);
        factors_->add_products(k, false, x.data, residual_.data());
      }
    }
    if (k.intrinsic_rows > 0) {
      // x serves as the store of the unconstrained W W^T f + a_0: one product with Phi_q instead of one with Phi_q for
      // a_0 and another with B for W^T f.
      k.reduction->expand(k.states, w, g_intrinsic, x);
      factors_->add_products(k, false, x.data, lambda_.data());
    } else {
      factors_->add_products(k, true, w_.data(), lambda_.data());
    }
    schur_->solve(multipliers);
    factors_->subtract_transposed(k, true, lambda_.data(), w_.data());
    if (nearly_dependent) {
      factors_->add_products(k, true, w_.data(), residual_.data());
      schur_->solve({residual_.data(), k.rows});
      for (Index r = 0; r < k.rows; ++r) lambda_[r] += residual_[r];
      factors_->subtract_transposed(k, true, residual_.data(), w_.data());
    }
    k.reduction->expand(k.states, w, g_intrinsic, x);
    if (lambda.data != nullptr) write_multipliers(k, f, lambda);
    return Status::success();
  }

 private:
  void write_multipliers(const KktMatrix& k, ConstVectorView f, VectorView lambda) {
    std::copy(lambda_.begin(), lambda_.end(), lambda.data);
    if (k.intrinsic_rows == 0) return;
    std::copy(f.data, f.data + f.size, unbalanced_.begin());
    factors_->subtract_transposed(k, false, lambda_.data(), unbalanced_.data());
    k.reduction->intrinsic_multipliers(k.states, {unbalanced_.data(), f.size},
                                       lambda.segment(k.rows, k.intrinsic_rows));
  }
  double cost() const override { return schur_->cost(); }
  Status factorize_to_rounding(const KktMatrix& k) override { return schur_->factorize_to_rounding(k); }

  const BlockFactors* factors_;
  BlockFactor* schur_ = nullptr;
  std::vector<double> w_, lambda_, residual_, unbalanced_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("range_space", "1.0.0", "BSD-3-Clause",
               component<RangeSpace>(Host::any, "range_space",
                                     "Block-sparse factor of Phi_q M^+ Phi_q^T, for bodies of regular inertia.",
                                     "Haug (1989) 6.3; Golub and Van Loan (2013) 4.1"));
