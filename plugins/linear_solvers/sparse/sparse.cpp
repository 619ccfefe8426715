// Plugin `sparse`: the full KKT matrix by sparse LU (KLU), for singular inertia and bodies with very many joints.
#include <vector>

#include "trammel/error.h"
#include "trammel/extensions/factor_services.h"
#include "trammel/extensions/least_solver_cost.h"
#include "trammel/math/kkt_entries.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {
namespace {

/// With the kernel's KLU, which partitions and implicit steps use as well.
class Sparse final : public KktSolver, private LinearSolverCost, private LeastSolverCost {
 public:
  explicit Sparse(const ModelInfo& model) : factors_(find_extension<SparseFactors>(model)) {
    if (factors_ == nullptr) throw Error(ErrorKind::plugin, "this Trammel has no service for sparse factors");
  }
  ~Sparse() { factors_->end_sparse_factor(factor_); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<LinearSolverCost, LeastSolverCost>(id, this, this);
  }
  LinearSolverTraits traits() const override { return {}; }

  Status analyse(const KktMatrix& k) override {
    return sdk::or_fail([&] {
      std::vector<Index> rows, columns;
      each_kkt_entry(k, [&](Index row, Index column, double) { rows.push_back(row), columns.push_back(column); });
      factors_->end_sparse_factor(factor_);
      factor_ = factors_->make_sparse_factor(kkt_size(k), rows.data(), columns.data(), static_cast<Index>(rows.size()),
                                             nullptr);
      if (factor_ == nullptr) return Status::failure(StatusCode::failed, "the sparse factor cannot be made");
      unknowns_.assign(static_cast<std::size_t>(kkt_size(k)), 0.0);
      rows_ = k.rows + k.intrinsic_rows;
      return Status::success();
    });
  }
  Status factorize(const KktMatrix& k) override {
    double* value = factor_->values();
    each_kkt_entry(k, [&](Index, Index, double entry) { *value++ = entry; });
    return name_unknown(k, factor_->factorize());
  }
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    gather_unknowns(k, f, g, unknowns_.data());
    factor_->solve(unknowns_.data());
    scatter_unknowns(k, unknowns_.data(), x, lambda);
    return Status::success();
  }

 private:
  double cost() const override { return sparse_cost(rows_, factor_->work()); }
  double least_cost(const KktMatrix& k) const override { return sparse_cost(k.rows + k.intrinsic_rows, 0); }

  const SparseFactors* factors_;
  SparseFactor* factor_ = nullptr;
  std::vector<double> unknowns_;
  Index rows_ = 0;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("sparse", "1.0.0", "BSD-3-Clause",
               component<Sparse>(Host::any, "sparse", "The full matrix by sparse LU, also with singular inertia.",
                                 "Davis and Palamadai Natarajan (2010), ACM Trans. Math. Softw. 37, 36"));
