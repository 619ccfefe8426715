// Coordinate partitioning of a model.
#include "model/model_partition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/choose_columns.h"
#include "model/constrained_model.h"

namespace trammel {

KktMatrix ModelPartition::matrix() {
  KktMatrix k = model_.kkt();
  dropped_.resize(static_cast<std::size_t>(model_.constraints()));
  for (Index r = 0; r < model_.constraints(); ++r) dropped_[static_cast<std::size_t>(r)] = model_.is_redundant(r) ? 1 : 0;
  k.dropped = dropped_.data();
  if (!analysed_) {
    rows_.analyse(k);
    work_.assign(dropped_.size(), 0.0);
    analysed_ = true;
  }
  return k;
}

Status ModelPartition::choose_partition(ConstVectorView forced, VectorView independent) {
  return choose_columns(matrix(), forced, independent);
}

Status ModelPartition::factorize_dependent(ConstVectorView independent) {
  ++model_.factorizations;
  return rows_.factorize_dependent(matrix(), independent);
}

void ModelPartition::solve_dependent(ConstVectorView r, VectorView x) {
  std::copy(r.data, r.data + r.size, work_.begin());
  rows_.solve({work_.data(), r.size});
  rows_.apply_transpose(rows_.as_factorized(model_.kkt()), work_.data(), x.data);
}

void ModelPartition::solve_dependent_transpose(ConstVectorView f, VectorView y) {
  rows_.apply(rows_.as_factorized(model_.kkt()), f.data, y.data);
  rows_.solve(y);
}

double ModelPartition::dependent_condition(VectorView guess) {
  if (guess.size == 0) return 1;
  if (rows_.watch().weak > 0) return std::numeric_limits<double>::infinity();
  if (!(guess.map().squaredNorm() > 0)) {
    for (Index r = 0; r < guess.size; ++r) guess[r] = (r % 2 == 0 ? 1.0 : -1.0) + 0.1 * (r % 7);
  }
  constexpr int largest_iteration_count = 12;
  constexpr double settled = 0.02;
  const VectorView image{work_.data(), guess.size};
  double growth = 0;  // Rayleigh quotient of (Phi_u Phi_u^T)^-1: |Phi_u^-1|^2
  for (int i = 0; i < largest_iteration_count; ++i) {
    guess.map() /= guess.map().norm();
    image.map() = guess.map();
    rows_.solve(image);
    const double before = growth;
    growth = guess.map().dot(image.map());
    guess.map() = image.map();
    if (std::abs(growth - before) <= settled * growth) break;
  }
  guess.map() /= guess.map().norm();
  return std::sqrt(rows_.squared_length(model_.kkt(), dropped_.data()) * growth);
}

}  // namespace trammel
