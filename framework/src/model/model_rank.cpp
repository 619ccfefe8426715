// The rank side of a model: which constraint rows are left out, and how near the others are to being dependent.
#include <algorithm>

#include "linalg/range_space_kkt.h"
#include "model/constrained_model.h"

namespace trammel {

Index ConstrainedModel::choose_rows(double threshold) {
  redundant_ = row_space_.select(row_space_.unit().scaled(kkt_), threshold, dropped_.data());
  factorized_ = factorized_identity_ = false;
  closest_ = {};
  return redundant_;
}

bool ConstrainedModel::exchange_row(Index row, double threshold, double distance, std::vector<unsigned char>& scratch) {
  const auto m = static_cast<std::size_t>(constraints());
  unsigned char *without = scratch.data(), *chosen = without + m;
  std::fill_n(scratch.begin(), 2 * m, static_cast<unsigned char>(0));
  without[row] = 1;
  factorized_identity_ = false;
  const Index count = row_space_.select(row_space_.unit().scaled(kkt_), threshold, chosen, without);
  if (count != redundant_ || !(row_space_.watch().smallest_kept > distance * distance)) return false;
  std::copy_n(chosen, m, dropped_.begin());
  factorized_ = false;
  closest_ = {};
  return true;
}

Index ConstrainedModel::regained_row(double limit) {
  kkt_.dropped = dropped_.data();
  const KktMatrix& matrix = row_space_.unit().scaled(kkt_);
  factorized_identity_ = false;
  if (!row_space_.factorize(matrix) || row_space_.distance_of_dropped(matrix) < 0.5 * limit) return -1;
  for (Index r = 0; r < constraints(); ++r) {
    if (is_redundant(r) && row_space_.distance(matrix, r) > limit) return r;
  }
  return -1;
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
  ModelUnit& unit = row_space_.unit();
  const KktMatrix& matrix = unit.scaled(kkt_);
  const Status status = row_space_.factorize(matrix);
  factorized_identity_ = false;
  factor_ = before;
  if (!status) return status;
  unit.multiply_rows(lambda);
  row_space_.minimize(matrix, lambda);
  unit.divide_rows(lambda);
  return status;
}

const RankWatch* ConstrainedModel::watch() {
  if (const RankWatch* watch = mass_solver_->watch()) return watch;
  return geometric_watch();
}

const RankWatch* ConstrainedModel::geometric_watch() {
  const ProjectionWeights before = factor_;
  const bool known = factorize(ProjectionWeights::identity).ok();
  factor_ = before;
  if (!known) return nullptr;
  if (const RankWatch* watch = identity_solver_->watch()) return watch;
  return &sparse_watch_.look(row_space_.unit().scaled(kkt_), *identity_solver_);
}

void ConstrainedModel::remember(Archive& archive) {
  std::vector<double> dropped(dropped_.begin(), dropped_.end());
  archive.block("model.angles", angle_references_);
  archive.block("model.dropped_rows", dropped);
  archive.values("model", redundant_, closest_.smallest_kept, closest_.smallest_kept_row, closest_.largest_dropped,
                 closest_.largest_dropped_row, closest_.weak, closest_.weak_row, factorizations, jacobians,
                 projections);
  if (!archive.restores()) return;
  for (std::size_t r = 0; r < dropped.size(); ++r) dropped_[r] = dropped[r] != 0;
  factorized_ = factorized_identity_ = false;
  invalidate();
}

// Between masses of 1e-6 and 1e3 kg a row is near the others in the metric of M^-1 that is far from them by geometry.
void ConstrainedModel::keep_rows_of_light_bodies() {
  auto* range_space = dynamic_cast<RangeSpaceKkt*>(mass_solver_.get());
  if (range_space == nullptr || range_space->watch()->weak == 0) return;
  factorized_identity_ = false;
  const KktMatrix& matrix = row_space_.unit().scaled(kkt_);
  if (row_space_.factorize(matrix) && row_space_.watch().weak == 0) range_space->factorize_to_rounding(kkt_);
}

RankWatch ConstrainedModel::take_closest() {
  const RankWatch closest = closest_;
  closest_ = {};
  return closest;
}

DependentRow ConstrainedModel::near_combination(Index row) {
  std::vector<unsigned char> without = dropped_;
  without[static_cast<std::size_t>(row)] = 1;
  KktMatrix matrix = row_space_.unit().scaled(kkt_);
  matrix.dropped = without.data();
  factorized_identity_ = false;
  row_space_.factorize(matrix);
  return describe_dependence(matrix, row_space_, row);
}

}  // namespace trammel
