// Linear solvers with one mistake each, for the test that every check of `trammel check` can fail.
#include <cmath>
#include <limits>
#include <vector>

#include "trammel/extensions/free_directions.h"
#include "trammel/math/dense_lu.h"
#include "trammel/math/kkt_entries.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {
namespace {

enum class Bug {
  none,
  cost,
  written,
  repeatable,
  not_finite,
  allocation,
  solution,
  mixed,
  dropped,
  identity,
  refactor,
  singular,
  costs,
  joints,
  elements
};

template <Bug bug>
class Planted final : public KktSolver, private LinearSolverCost, private WorksOnElements {
 public:
  const void* extension(const char* id) const override {
    if (bug == Bug::cost || bug == Bug::costs) return sdk::offer_extensions<LinearSolverCost>(id, this);
    return bug == Bug::elements ? sdk::offer_extensions<WorksOnElements>(id, this) : nullptr;
  }
  LinearSolverTraits traits() const override { return {}; }
  Status analyse(const KktMatrix& k) override {
    lu_.resize(kkt_size(k));
    unknowns_.resize(static_cast<std::size_t>(kkt_size(k)));
    return Status::success();
  }
  Status factorize(const KktMatrix& k) override {
    if (attached_ && k.rows == 0) return Status::success();  // the kernel has no mass for it then
    if (bug == Bug::refactor && factorized_) return Status::success();
    ++factorizations_;
    lu_.matrix().setZero();
    each_kkt_entry(k, [&](Index row, Index column, double value) {
      const bool weight = row < k.size() && column < k.size();
      if (bug == Bug::not_finite && std::isnan(value)) value = 1;
      if (bug == Bug::identity && k.weight == nullptr && weight) value = 2;
      lu_.matrix()(row, column) += value;
    });
    const Status status = name_unknown(k, lu_.factorize());
    factorized_ = status.ok();
    if (bug == Bug::singular && status.code == StatusCode::singular && std::isfinite(status.value))
      return Status::success();
    return status;
  }
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    gather_unknowns(k, f, g, unknowns_.data());
    if (!attached_ || k.rows > 0) {
      lu_.solve({unknowns_.data(), static_cast<Index>(unknowns_.size())});
    } else {
      for (double& x : unknowns_) x /= 2;  // the mass of the test's free body
    }
    if (bug == Bug::allocation) unknowns_ = std::vector<double>(unknowns_.begin(), unknowns_.end());
    if (bug == Bug::written && lambda.size > 0) --lambda.size;
    for (Index i = 0; i < x.size; ++i) x[i] = unknowns_[static_cast<std::size_t>(i)];
    for (Index r = 0; r < lambda.size; ++r) {
      lambda[r] = unknowns_[static_cast<std::size_t>(x.size + r)];
      if (bug == Bug::dropped && r < k.rows && k.dropped[r] != 0) lambda[r] = 1;
      if (bug == Bug::solution) lambda[r] = -lambda[r];
    }
    if (bug == Bug::repeatable) x[0] += 1e-12 * factorizations_;
    if (bug == Bug::mixed && k.mixed) x[0] *= 2;
    if (bug == Bug::elements && attached_ && k.rows > 0) x[0] *= 2;
    for (Index b = 0; bug == Bug::joints && b < k.block_count; ++b) {
      if (k.blocks[b].rows > 3) x[0] *= 2;
    }
    return Status::success();
  }

 private:
  double cost() const override { return bug == Bug::costs ? 100 : std::numeric_limits<double>::quiet_NaN(); }
  void attach(const KktElements&) override { attached_ = true; }

  DenseLu lu_;
  std::vector<double> unknowns_;
  bool factorized_ = false, attached_ = false;
  int factorizations_ = 0;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "A linear solver with a mistake.");
}

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("planted_linear_solvers", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"),
               planted<Bug::cost>("bad_cost"), planted<Bug::written>("bad_written"),
               planted<Bug::repeatable>("bad_repeatable"), planted<Bug::not_finite>("bad_not_finite"),
               planted<Bug::allocation>("bad_allocation"), planted<Bug::solution>("bad_solution"),
               planted<Bug::mixed>("bad_mixed"), planted<Bug::dropped>("bad_dropped"),
               planted<Bug::identity>("bad_identity"), planted<Bug::refactor>("bad_refactor"),
               planted<Bug::singular>("bad_singular"), planted<Bug::costs>("bad_costs"),
               planted<Bug::joints>("bad_joints"), planted<Bug::elements>("bad_elements"));
