// Plugin `dense`: the full KKT matrix by LU with full pivoting.
#include "trammel/math/dense_lu.h"
#include "trammel/math/kkt_entries.h"
#include "trammel/sdk/plugin.h"

namespace trammel {
namespace {

/// The reference for all others. It declares no cost, so that `auto` never takes it.
class Dense final : public KktSolver {
 public:
  LinearSolverTraits traits() const override { return {}; }

  Status analyse(const KktMatrix& k) override {
    return sdk::or_fail([&] {
      lu_.resize(kkt_size(k));
      unknowns_.setZero(kkt_size(k));
      return Status::success();
    });
  }
  Status factorize(const KktMatrix& k) override {
    lu_.matrix().setZero();
    each_kkt_entry(k, [&](Index row, Index column, double value) { lu_.matrix()(row, column) += value; });
    return name_unknown(k, lu_.factorize());
  }
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    gather_unknowns(k, f, g, unknowns_.data());
    lu_.solve({unknowns_.data(), static_cast<Index>(unknowns_.size())});
    scatter_unknowns(k, unknowns_.data(), x, lambda);
    return Status::success();
  }

 private:
  DenseLu lu_;
  Eigen::VectorXd unknowns_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("dense", "1.0.0", "BSD-3-Clause",
               component<Dense>(Host::any, "dense",
                                "The full matrix by LU with full pivoting: the reference for others.",
                                "Golub and Van Loan (2013) 3.4"));
