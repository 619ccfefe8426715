// ImplicitKkt: a real KKT matrix of implicit steps, from the blocks of a linearization, factorized and solved with.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "linalg/frontal_lu.h"
#include "linalg/sparse_lu.h"
#include "model/any_twist_kkt.h"
#include "model/linearization.h"
#include "model/state_elimination.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// [M + c1 C + c0 K, Phi_q^T; Phi_q, 0]: K and C are those of the linearization, M (the weight), Phi_q and which rows
/// are left out those of a KktMatrix; internal states are eliminated from it (state_elimination.h). A client of the
/// linearizations, which outlive it and whose blocks it reads. The factors are a copy: the linearizations and the
/// KktMatrix may change between `prepare` and `solve`.
class ImplicitKkt {
 public:
  /// [setup]
  ImplicitKkt(Linearization& linearization, const InternalLinearization& internal);
  /// [step] Factorizes, sparse. The structure of `kkt` is the same at every call.
  Status prepare(const KktMatrix& kkt, double c0, double c1);
  /// [step] The same in twists, at the point of `kkt`, none of whose rows is left out. `unsupported`, `singular`: not this
  /// way.
  Status prepare_twists(const ModelKkt& model, const KktMatrix& kkt, double c0, double c1);
  /// [hot] `unknowns`: columns of (x, lambda), n + m long, right-hand sides on entry.
  void solve(const KktMatrix& kkt, double* unknowns, Index columns, bool transposed);
  /// [hot] One right-hand side.
  void solve(const KktMatrix& kkt, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda);
  const StateElimination<double>& elimination() const { return elimination_; }
  /// How the last `prepare` factorized: "twists", "fronts", "sparse" or, of few unknowns, "full".
  const char* solver() const {
    if (by_twists_) return "twists";
    if (route_ != Route::sparse) return "fronts";
    return is_small(assembly_) ? "full" : "sparse";
  }
  /// Whether a full matrix is cheaper than what knows of bodies.
  static bool is_small(const Assembly& assembly) {
    return assembly.coordinates() + assembly.rows() <= SmallLu<double>::most_unknowns;
  }

 private:
  /// Where a block goes in the fronts: the block, and its transpose for rows.
  struct Target {
    FrontStructure::Place plain{}, transposed{};
  };
  /// How the matrix is factorized: by fronts, by fronts with rows late, or by KLU, which pivots freely.
  enum class Route { undecided, fronts, late_fronts, sparse };
  MechanismPattern pattern() const;
  void set_up_fronts(const KktMatrix& kkt);
  void fill_fronts(const KktMatrix& kkt, double c0, double c1, double* numbers) const;
  Route choose_route(const KktMatrix& kkt);
  void analyse_sparse(const KktMatrix& kkt);
  Status prepare_sparse(const KktMatrix& kkt, double c0, double c1);
  void solve_factorized(double* unknowns, Index columns, bool transposed);

  Linearization& linearization_;
  StateElimination<double> elimination_;
  const Assembly& assembly_;
  Index c_;
  Route route_ = Route::undecided;
  FrontalLu fronts_;
  std::vector<Target> pair_targets_, block_targets_, intrinsic_targets_;
  std::vector<FrontStructure::Place> row_targets_;  // of the diagonal entries of rows
  std::optional<SparseLu> lu_;                      ///< where it is used, or has to be compared
  std::unique_ptr<AnyTwistKkt> twists_;
  bool by_twists_ = false;  // the last `prepare`
  std::vector<double> unknowns_;
};

}  // namespace trammel
