// Linearization: all contractions of a model at one point, stored by element, and the implicit KKT matrix from them.
#pragma once

#include <vector>

#include "linalg/frontal_lu.h"
#include "linalg/sparse_lu.h"
#include "model/assembly.h"
#include "trammel/kkt_solver.h"

namespace trammel {

class ModelPoint;

/// K = (M a)_q + (Phi_q^T lambda)_q - Q_q and C = -Q_v on the coordinates, (Phi_q a - gamma)_q and _v on the rows. A
/// client of the point, whose states and elements it reads.
class Linearization {
 public:
  /// [setup]
  explicit Linearization(ModelPoint& point);
  /// [step] At the last evaluation point.
  Status compute(ConstVectorView a, ConstVectorView lambda);
  void apply(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) const;
  /// [step] Factorizes [M + c1 C + c0 K, Phi_q^T; Phi_q, 0], sparse.
  Status prepare(const KktMatrix& kkt, double c0, double c1);
  /// [hot] `unknowns`: columns of (x, lambda), n + m long, right-hand sides on entry.
  void solve(const KktMatrix& kkt, double* unknowns, Index columns, bool transposed);
  /// [hot] One right-hand side.
  void solve(const KktMatrix& kkt, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda);
  /// [hot] Formed on demand at the last evaluation point; see ConstrainedSystem.
  Status jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out);
  Status time_jacobian(ConstVectorView y, VectorView out);
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t);
  /// [hot] For many columns at once, stored as column_program.h says: A_q += T K - Y G_q and A_v += T C - Y G_v, where
  /// T has the numbers of one coordinate in all columns together, and `minus_Y` = -Y those of one row.
  void add_transposed(const double* T, const double* minus_Y, Index stride, double* A_q, double* A_v);
  /// [hot] out += G_v T: one row in all columns together.
  void add_velocity_rows(const double* T, Index stride, double* out) const;
  /// [hot] out (n) = Phi_tq^T lambda at the last evaluation point.
  Status time_jacobian_transposed(ConstVectorView lambda, VectorView out);
  /// How the last `prepare` factorized: "fronts" or "sparse".
  const char* solver() const { return route_ == Route::sparse ? "sparse" : "fronts"; }
  /// Forces whose gradients were taken by differences.
  std::vector<Index>& differenced() { return differenced_; }

 private:
  /// A c x c block of K and of C, or the gradient of one row group against one body.
  struct PairBlock {
    Index row_body, column_body;
    Index offset;
  };
  struct RowBlock {
    Index first_row, rows, body;
    Index offset;
  };
  /// All blocks of K between two bodies.
  struct MergedPair {
    Index row_body, column_body;
    std::vector<Index> offsets;
  };
  /// Where a block goes in the fronts: the block, and its transpose for rows.
  struct Target {
    FrontStructure::Place plain{}, transposed{};
  };
  /// How the implicit matrix is factorized: by fronts, by fronts with rows late, or by KLU, which pivots freely.
  enum class Route { undecided, fronts, late_fronts, sparse };
  void merge_pairs();
  MechanismPattern pattern() const;
  void set_up_fronts(const KktMatrix& kkt);
  void fill_fronts(const KktMatrix& kkt, double c0, double c1);
  void analyse_sparse(const KktMatrix& kkt);
  Status prepare_sparse(const KktMatrix& kkt, double c0, double c1);
  void solve_factorized(double* unknowns, Index columns, bool transposed);
  /// f += K x, g += G x; c coordinates per body.
  template <int c>
  void add_products(const double* K, const double* G, ConstVectorView x, VectorView f, VectorView g) const;
  Status force_gradients(std::size_t force);
  void bind_rows(const ConstraintSlot& slot, ConstVectorView x);
  void add_rows(const ConstraintSlot& slot, ConstVectorView y, VectorView out) const;
  Status force_differences(const ForceSlot& slot, const MatrixView* Q_q, const MatrixView* Q_v);

  ModelPoint& point_;
  const Assembly& assembly_;
  Index c_;
  std::vector<PairBlock> pairs_;  // diagonal blocks of all bodies first
  std::vector<double> K_, C_;
  std::vector<MergedPair> merged_;
  std::vector<RowBlock> row_blocks_;  // element rows, then intrinsic ones
  std::vector<double> G_q_, G_v_;
  std::vector<std::size_t> first_pair_of_constraint_, first_pair_of_force_;
  std::vector<Index> differenced_;
  Route route_ = Route::undecided;
  FrontalLu fronts_;
  std::vector<Target> pair_targets_, block_targets_, intrinsic_targets_;
  std::vector<FrontStructure::Place> row_targets_;  // of the diagonal entries of rows
  SparseLu lu_;
  std::vector<double> scratch_, unknowns_, zero_;
  std::vector<MatrixView> views_, views2_;
  std::vector<ConstVectorView> locals_;
  std::vector<VectorView> force_locals_;
};

}  // namespace trammel
