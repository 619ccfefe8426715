// ModelRank: which constraint rows of a model are left out, and how near the others are to being dependent.
#pragma once

#include <memory>
#include <vector>

#include "linalg/rank.h"
#include "linalg/sparse_rank.h"
#include "model/model_kkt.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

/// A client of the KKT matrix, for which it chooses the rows. The choice is kept until the next `choose_rows`.
class ModelRank final : public RowChoice {
 public:
  /// [setup]
  explicit ModelRank(ModelKkt& kkt);

  Index redundant() const override { return redundant_; }
  bool is_redundant(Index row) const override { return kkt_.dropped()[static_cast<std::size_t>(row)] != 0; }

  /// [step] Chooses at the last evaluation point, which must have the Jacobian. A row is dependent if the sine of its
  /// angle to the span of the others is below `threshold`. Returns the number of rows left out.
  Index choose_rows(double threshold);
  /// Rows of positions left out; the others hold for velocities only.
  Index redundant_positions() const;
  /// [step] Leaves `row` out in place of one that is left out now, if as many rows then depend on others by `threshold`
  /// and all others are farther from them than `distance` (sines of angles). False: the choice stays as it is.
  /// `scratch`: 2 m flags.
  bool exchange_row(Index row, double threshold, double distance, std::vector<unsigned char>& scratch);
  /// [step] A row left out that is farther than `limit` (sine of an angle) from the span of all that are kept, or -1.
  Index regained_row(double limit);
  /// [step] What the rows left out depend on, at the last point of `choose_rows`.
  std::vector<DependentSet> dependent_sets();
  /// [step] Multipliers of the same reactions with the smallest sum of squares; at the last evaluation point.
  Status minimize_multipliers(VectorView lambda);
  /// [step] What row `row` nearly is a combination of, at the last evaluation point.
  DependentRow near_combination(Index row);

  /// [step] The rank as the factorizations saw it, at the last evaluation point, and worst since the last call.
  const RankWatch* watch();
  RankWatch take_closest();
  /// [step] The same by the rows alone, where masses have no say; at the last evaluation point.
  const RankWatch* geometric_watch();

  /// [step] The choice that `dropped` marks, as a checkpoint has it.
  void restore(const std::vector<double>& dropped, Index redundant);
  /// [setup] The choice of a model with the same rows.
  void adopt(const ModelRank& other);

 private:
  void prefer_positions(double threshold);

  ModelKkt& kkt_;
  Index redundant_ = 0;
  std::unique_ptr<SparseRankWatch> sparse_watch_;  ///< where both solvers are sparse, made when it is first needed
};

}  // namespace trammel
