// The rank side of a model: which constraint rows are left out, and how near the others are to being dependent.
#include "model/model_rank.h"

#include <algorithm>

namespace trammel {

ModelRank::ModelRank(ModelKkt& kkt) : kkt_(kkt) {}

Index ModelRank::choose_rows(double threshold) {
  redundant_ = kkt_.lend_row_space().select(kkt_.scaled(kkt_.matrix()), threshold, kkt_.dropped().data());
  if (!kkt_.velocity_rows().empty()) prefer_positions(threshold);
  kkt_.forget();
  kkt_.closest() = {};
  return redundant_;
}

Index ModelRank::redundant_positions() const {
  const std::vector<unsigned char>&dropped = kkt_.dropped(), &velocity = kkt_.velocity_rows();
  if (velocity.empty()) return redundant_;
  Index count = 0;
  for (std::size_t r = 0; r < dropped.size(); ++r) count += dropped[r] != 0 && velocity[r] == 0;
  return count;
}

// A row for velocities may repeat what positions demand, never the other way round: without its row, a position would
// drift. Where the order of elimination left a position row out that depends on velocity rows, these are taken in one by
// one, each unless it depends on those before it.
void ModelRank::prefer_positions(double threshold) {
  const KktMatrix& matrix = kkt_.scaled(kkt_.matrix());
  RowSpace& rows = kkt_.lend_row_space();
  std::vector<unsigned char> chosen = kkt_.velocity_rows(), without = chosen;
  const std::vector<unsigned char>& velocity = kkt_.velocity_rows();
  const auto all = static_cast<Index>(std::count(velocity.begin(), velocity.end(), 1));
  Index left_out = rows.select(matrix, threshold, chosen.data(), without.data());
  if (redundant_positions() == left_out - all) {
    rows.select(matrix, threshold, chosen.data());  // as it was
    return;
  }
  for (std::size_t r = 0; r < velocity.size(); ++r) {
    if (velocity[r] == 0) continue;
    without = chosen;
    without[r] = 0;
    std::vector<unsigned char> trial = without;
    if (rows.select(matrix, threshold, trial.data(), without.data()) == left_out - 1) chosen[r] = 0, --left_out;
  }
  without = chosen;
  redundant_ = rows.select(matrix, threshold, kkt_.dropped().data(), without.data());
}

bool ModelRank::exchange_row(Index row, double threshold, double distance, std::vector<unsigned char>& scratch) {
  const std::size_t m = kkt_.dropped().size();
  unsigned char *without = scratch.data(), *chosen = without + m;
  std::fill_n(scratch.begin(), 2 * m, static_cast<unsigned char>(0));
  without[row] = 1;
  RowSpace& rows = kkt_.lend_row_space();
  const Index count = rows.select(kkt_.scaled(kkt_.matrix()), threshold, chosen, without);
  if (!kkt_.velocity_rows().empty()) {  // no position row in place of one for velocities
    Index positions = 0;
    for (std::size_t r = 0; r < m; ++r) positions += chosen[r] != 0 && kkt_.velocity_rows()[r] == 0;
    if (positions != redundant_positions()) return false;
  }
  if (count != redundant_ || !(rows.watch().smallest_kept > distance * distance)) return false;
  std::copy_n(chosen, m, kkt_.dropped().begin());
  kkt_.forget();
  kkt_.closest() = {};
  return true;
}

Index ModelRank::regained_row(double limit) {
  const KktMatrix& matrix = kkt_.kept();
  RowSpace& rows = kkt_.lend_row_space();
  if (!rows.factorize(matrix) || rows.distance_of_dropped(matrix) < 0.5 * limit) return -1;
  for (Index r = 0; r < kkt_.assembly().rows(); ++r) {
    if (is_redundant(r) && rows.distance(matrix, r) > limit) return r;
  }
  return -1;
}

std::vector<DependentSet> ModelRank::dependent_sets() {
  return trammel::dependent_sets(kkt_.scaled(kkt_.matrix()), kkt_.row_space());
}

Status ModelRank::minimize_multipliers(VectorView lambda) {
  if (redundant_ == 0) return Status::success();
  const KktMatrix& matrix = kkt_.kept();
  RowSpace& rows = kkt_.lend_row_space();
  const Status status = rows.factorize(matrix);
  if (!status) return status;
  kkt_.unit().multiply_rows(lambda);
  rows.minimize(matrix, lambda);
  kkt_.unit().divide_rows(lambda);
  return status;
}

DependentRow ModelRank::near_combination(Index row) {
  std::vector<unsigned char> without = kkt_.dropped();
  without[static_cast<std::size_t>(row)] = 1;
  KktMatrix matrix = kkt_.scaled(kkt_.matrix());
  matrix.dropped = without.data();
  RowSpace& rows = kkt_.lend_row_space();
  rows.factorize(matrix);
  return describe_dependence(matrix, rows, row);
}

const RankWatch* ModelRank::watch() {
  if (const RankWatch* watch = kkt_.solver(ProjectionWeights::mass).watch()) return watch;
  return geometric_watch();
}

const RankWatch* ModelRank::geometric_watch() {
  if (!kkt_.refresh(ProjectionWeights::identity)) return nullptr;
  KktSolver& solver = kkt_.solver(ProjectionWeights::identity);
  if (const RankWatch* watch = solver.watch()) return watch;
  if (sparse_watch_ == nullptr) {
    sparse_watch_ = std::make_unique<SparseRankWatch>();
    sparse_watch_->analyse(kkt_.matrix());
  }
  return &sparse_watch_->look(kkt_.scaled(kkt_.matrix()), solver);
}

RankWatch ModelRank::take_closest() {
  const RankWatch closest = kkt_.closest();
  kkt_.closest() = {};
  return closest;
}

void ModelRank::restore(const std::vector<double>& dropped, Index redundant) {
  for (std::size_t r = 0; r < dropped.size(); ++r) kkt_.dropped()[r] = dropped[r] != 0;
  redundant_ = redundant;
  kkt_.forget();
}

void ModelRank::adopt(const ModelRank& other) {
  kkt_.dropped() = other.kkt_.dropped();
  redundant_ = other.redundant_;
  kkt_.forget();
}

}  // namespace trammel
