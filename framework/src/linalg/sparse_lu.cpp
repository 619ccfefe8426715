// Sparse LU through KLU.
#include "linalg/sparse_lu.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trammel/error.h"

namespace trammel {
namespace {

// Pivots of the row-scaled matrix below this fraction of the largest are rounding.
constexpr double smallest_pivot_ratio = 1e-14;
// KLU's reciprocal growth (largest entry of A over that of U) may fall to this fraction of what it was when the pivots
// were chosen: so many digits are lost by keeping them.
constexpr double tolerated_growth = 1e-2;

}  // namespace

struct SparseLu::Handles {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double growth = 1;  ///< reciprocal, when the pivots were chosen

  Handles() { klu_defaults(&common); }
  ~Handles() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

SparseLu::SparseLu() = default;
SparseLu::~SparseLu() = default;

void SparseLu::analyse(Index size, const std::vector<std::pair<Index, Index>>& entries) {
  size_ = size;
  klu_ = std::make_unique<Handles>();
  klu_->common.tol = 0.1;  // of the largest in its column: a diagonal pivot smaller than that is not taken
  klu_->common.btf = 0;  // a mechanism's matrix does not fall apart, and the symmetric ordering fills in less
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t i) { return std::pair(entries[i].second, entries[i].first); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  column_start_.assign(static_cast<std::size_t>(size) + 1, 0);
  row_.clear();
  slots_.assign(entries.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto [row, column] = entries[order[k]];
    if (k == 0 || key(order[k]) != key(order[k - 1])) {
      row_.push_back(row);
      ++column_start_[static_cast<std::size_t>(column) + 1];
    }
    slots_[order[k]] = static_cast<Index>(row_.size()) - 1;
  }
  std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
  values_.assign(row_.size(), 0.0);
  if (size == 0) return;
  klu_->symbolic = klu_analyze(size, column_start_.data(), row_.data(), &klu_->common);
  if (klu_->symbolic == nullptr) throw Error(ErrorKind::compute, "the sparse solver cannot analyse the model's matrix");
}

void SparseLu::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
  next_ = 0;
}

Status SparseLu::choose_pivots() {
  klu_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_factor(column_start_.data(), row_.data(), values_.data(), klu_->symbolic, &klu_->common);
  if (klu_->numeric != nullptr && klu_->common.status == KLU_OK) {
    klu_rgrowth(column_start_.data(), row_.data(), values_.data(), klu_->symbolic, klu_->numeric, &klu_->common);
    klu_->growth = klu_->common.rgrowth;
    return Status::success();
  }
  const bool named = klu_->common.status == KLU_SINGULAR && klu_->common.singular_col < size_;
  klu_free_numeric(&klu_->numeric, &klu_->common);
  return Status::failure(StatusCode::singular, "dependent row", named ? klu_->common.singular_col : 0);
}

Status SparseLu::factorize() {
  if (size_ == 0) return Status::success();
  for (const double value : values_) {
    if (!std::isfinite(value)) return Status::failure(StatusCode::not_finite, "matrix entry", -1, value);
  }
  bool kept = klu_->numeric != nullptr &&
              klu_refactor(column_start_.data(), row_.data(), values_.data(), klu_->symbolic, klu_->numeric,
                           &klu_->common) != 0 && klu_->common.status == KLU_OK;
  if (kept) {
    klu_rgrowth(column_start_.data(), row_.data(), values_.data(), klu_->symbolic, klu_->numeric, &klu_->common);
    kept = klu_->common.rgrowth > tolerated_growth * klu_->growth;
  }
  if (!kept) {
    const Status status = choose_pivots();
    if (!status) return status;
  }
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  if (klu_->common.rcond > smallest_pivot_ratio) return Status::success();
  const double* diagonal = static_cast<const double*>(klu_->numeric->Udiag);
  const auto weakest = std::min_element(diagonal, diagonal + size_, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return Status::failure(StatusCode::singular, "dependent row", klu_->symbolic->Q[weakest - diagonal], klu_->common.rcond);
}

void SparseLu::solve(double* x, Index columns, bool transposed) {
  if (size_ == 0) return;
  (transposed ? klu_tsolve : klu_solve)(klu_->symbolic, klu_->numeric, size_, columns, x, &klu_->common);
}

double SparseLu::work() const { return size_ > 0 ? klu_->symbolic->est_flops : 0; }

}  // namespace trammel
