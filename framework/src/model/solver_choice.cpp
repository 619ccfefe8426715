// Choice of the KKT solver by structure and cost.
#include "model/solver_choice.h"

#include "linalg/dense_kkt.h"
#include "linalg/identity_kkt.h"
#include "linalg/range_space_kkt.h"
#include "linalg/sparse_kkt.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// The sparse solver with the weights of the matrix or, for corrections, none.
class IdentitySparseKkt final : public KktSolver {
 public:
  const char* name() const override { return "sparse_identity"; }
  Status analyse(const KktMatrix& k) override { return inner_.analyse(bare(k)); }
  Status factorize(const KktMatrix& k) override { return inner_.factorize(bare(k)); }
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return inner_.solve(bare(k), f, g, x, lambda);
  }
  double work() { return inner_.work(); }

 private:
  static KktMatrix bare(KktMatrix k) {
    k.weight = nullptr;
    return k;
  }
  SparseKkt inner_;
};

}  // namespace

// Fitted to chains, ladders, trees, nets and hubs from 68 to 17000 rows: the right solver in each, its time to a factor
// of 2.
double range_space_cost(const SchurFactor& factor) {
  return 5 * factor.block_operations() + 0.12 * factor.work() + 30 * factor.rows();
}
// KLU's time hardly depends on the fill-in that its ordering foresees: most entries of the blocks are zero.
double sparse_cost(Index rows, double work) { return 110 * rows + 0.03 * work; }

std::unique_ptr<KktSolver> choose_mass_solver(LinearSolver wanted, const KktMatrix& k) {
  if (wanted == LinearSolver::range_space && !k.system->reducible()) {
    throw Error::parameter("solver", "'range_space' needs bodies of regular inertia; use 'sparse', 'dense' or 'auto'");
  }
  if (wanted == LinearSolver::dense) {
    auto dense = std::make_unique<DenseKkt>();
    dense->analyse(k);
    return dense;
  }
  auto range_space = std::make_unique<RangeSpaceKkt>();
  if (wanted != LinearSolver::sparse && k.system->reducible()) {
    range_space->analyse(k);
    if (wanted == LinearSolver::range_space) return range_space;
  }
  auto sparse = std::make_unique<SparseKkt>();
  sparse->analyse(k);
  if (wanted != LinearSolver::sparse && k.system->reducible() &&
      range_space_cost(range_space->factor()) <= sparse_cost(k.rows + k.intrinsic_rows, sparse->work())) {
    return range_space;
  }
  return sparse;
}

std::unique_ptr<KktSolver> choose_identity_solver(const KktMatrix& k, RowSpace& rows) {
  auto identity = std::make_unique<IdentityKkt>(rows);
  identity->analyse(k);
  auto sparse = std::make_unique<IdentitySparseKkt>();
  sparse->analyse(k);
  if (range_space_cost(rows.factor()) <= sparse_cost(k.rows + k.intrinsic_rows, sparse->work())) return identity;
  return sparse;
}

}  // namespace trammel
