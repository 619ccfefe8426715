// Choice of the KKT solver by structure and cost.
#include "model/solver_choice.h"

#include "linalg/dense_kkt.h"
#include "linalg/identity_kkt.h"
#include "linalg/range_space_kkt.h"
#include "linalg/sparse_kkt.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// The range space is cheaper while its multiply-adds stay below this fraction of those that KLU would need if no entry
// were zero; most are. Measured (docs/performance.md): 0.07 and 0.08 on chain and ladder, where the range space is 2.5 to 3
// times faster, 0.16 on a net of rods, where it is 1.6 times slower, 180 on a hub, where it is 58 times slower.
constexpr double range_space_share = 0.12;
// For corrections without mass the sparse matrix has no zeros in its diagonal blocks: multiply-adds of KLU's scalar loops
// against those of the block kernels. Below the small size nothing is worth comparing.
constexpr double scalar_penalty = 6;
constexpr double small_work = 2e4;

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
    if (wanted == LinearSolver::range_space || range_space->work() < small_work) return range_space;
  }
  auto sparse = std::make_unique<SparseKkt>();
  sparse->analyse(k);
  const bool cheaper = range_space->work() > 0 && range_space->work() <= range_space_share * sparse->work();
  if (wanted != LinearSolver::sparse && k.system->reducible() && cheaper) return range_space;
  return sparse;
}

std::unique_ptr<KktSolver> choose_identity_solver(const KktMatrix& k, RowSpace& rows) {
  auto identity = std::make_unique<IdentityKkt>(rows);
  identity->analyse(k);
  if (rows.work() < small_work) return identity;
  auto sparse = std::make_unique<IdentitySparseKkt>();
  sparse->analyse(k);
  if (rows.work() <= scalar_penalty * sparse->work()) return identity;
  return sparse;
}

}  // namespace trammel
