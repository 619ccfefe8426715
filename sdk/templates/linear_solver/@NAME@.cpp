// Plugin `@TYPE@`: a linear solver of the equations of motion. EDIT: which factorization.
//
//   [W Phi_q^T; Phi_q 0] [x; lambda] = [f; g]
//
// Here: the full matrix, dense, by LU with full pivoting.
#include <trammel/math/dense_lu.h>
#include <trammel/math/kkt_entries.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;

class @CLASS@ final : public KktSolver, private LinearSolverCost {
 public:
  const void* extension(const char* id) const override { return sdk::offer_extensions<LinearSolverCost>(id, this); }

  /// EDIT: whether it needs regular inertia, reduced blocks, or bodies that all have the same coordinates.
  LinearSolverTraits traits() const override { return {}; }

  /// EDIT: everything that follows from the structure, and all memory.
  Status analyse(const KktMatrix& k) override {
    return sdk::or_fail([&] {
      size_ = kkt_size(k);
      lu_.resize(size_);
      unknowns_.setZero(size_);
      return Status::success();
    });
  }

  /// EDIT: the numbers. A row that depends on others is told by its number, as name_unknown does.
  Status factorize(const KktMatrix& k) override {
    lu_.matrix().setZero();
    each_kkt_entry(k, [&](Index row, Index column, double value) { lu_.matrix()(row, column) += value; });
    return name_unknown(k, lu_.factorize());
  }

  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    gather_unknowns(k, f, g, unknowns_.data());
    lu_.solve({unknowns_.data(), size_});
    scatter_unknowns(k, unknowns_.data(), x, lambda);
    return Status::success();
  }

 private:
  /// EDIT: ns of one factorization and one solve, from measurements; "auto" compares it with the others'.
  double cost() const override { return 200 + 1.0 * size_ * size_ * size_; }

  Index size_ = 0;
  DenseLu lu_;
  Eigen::VectorXd unknowns_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "The full matrix by dense LU.", ""));
