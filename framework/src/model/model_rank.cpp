// The rank side of a model: which constraint rows are left out, and how near the others are to being dependent.
#include <algorithm>

#include "model/constrained_model.h"

namespace trammel {

Index ConstrainedModel::choose_rows(double threshold) {
  redundant_ = row_space_.select(kkt_, threshold, dropped_.data());
  factorized_ = factorized_identity_ = false;
  closest_ = {};
  return redundant_;
}

void ConstrainedModel::leave_out(const ConstraintSlot& slot) {
  for (Index r = slot.first_row; r < slot.first_row + slot.rows; ++r) {
    redundant_ += dropped_[static_cast<std::size_t>(r)] == 0 ? 1 : 0;
    dropped_[static_cast<std::size_t>(r)] = 1;
  }
  factorized_ = factorized_identity_ = false;
}

Status ConstrainedModel::minimize_multipliers(VectorView lambda) {
  if (redundant_ == 0) return Status::success();
  const ProjectionWeights before = factor_;
  kkt_.dropped = dropped_.data();
  const Status status = row_space_.factorize(kkt_);
  factorized_identity_ = false;
  factor_ = before;
  if (status) row_space_.minimize(kkt_, lambda);
  return status;
}

const RankWatch* ConstrainedModel::watch() {
  if (const RankWatch* watch = mass_solver_->watch()) return watch;
  const ProjectionWeights before = factor_;
  const bool known = factorize(ProjectionWeights::identity).ok();
  factor_ = before;
  if (!known) return nullptr;
  if (const RankWatch* watch = identity_solver_->watch()) return watch;
  return &sparse_watch_.look(kkt_, *identity_solver_);
}

void ConstrainedModel::remember(Archive& archive) {
  std::vector<double> dropped(dropped_.begin(), dropped_.end());
  archive.block("model.angles", angle_references_);
  archive.block("model.dropped_rows", dropped);
  archive.values("model", redundant_, closest_.smallest_kept, closest_.smallest_kept_row, closest_.largest_dropped,
                 closest_.largest_dropped_row, closest_.weak, closest_.weak_row, factorizations, jacobians, projections);
  if (!archive.restores()) return;
  for (std::size_t r = 0; r < dropped.size(); ++r) dropped_[r] = dropped[r] != 0;
  factorized_ = factorized_identity_ = false;
  invalidate();
}

RankWatch ConstrainedModel::take_closest() {
  const RankWatch closest = closest_;
  closest_ = {};
  return closest;
}

DependentRow ConstrainedModel::near_combination(Index row) {
  std::vector<unsigned char> without = dropped_;
  without[static_cast<std::size_t>(row)] = 1;
  KktMatrix matrix = kkt_;
  matrix.dropped = without.data();
  factorized_identity_ = false;
  row_space_.factorize(matrix);
  return describe_dependence(matrix, row_space_, row);
}

}  // namespace trammel
