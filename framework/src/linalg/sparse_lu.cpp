// Sparse LU through KLU.
#include "linalg/sparse_lu.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "trammel/error.h"

namespace trammel {
namespace {

// Pivots of the row-scaled matrix below this fraction of the largest are rounding.
constexpr double least_pivot_of_sparse = SmallLu<double>::least_pivot;
// KLU's reciprocal growth (largest entry of A over that of U) may fall to this fraction of what it was when the pivots
// were chosen: so many digits are lost by keeping them.
constexpr double tolerated_growth = 1e-2;
// A diagonal pivot is taken unless it is smaller than this fraction of the largest in its column. The first keeps the
// fill-in of the ordering (a chain stays linear, with the second it would not) and is tried first; the second is for
// matrices where the first lets entries grow.
constexpr double pivot_tolerances[] = {1e-3, 0.1};
constexpr double acceptable_growth = 1e-3;
// In block triangular form, where nothing prefers the diagonal, pivots whose smallest is below this fraction of the largest
// may be badly chosen rather than those of a nearly singular matrix.
constexpr double doubtful_ratio = 1e-6;
// Entries can only grow where kept pivots have become smaller than they were when they were chosen, by such a factor.
constexpr double suspicious_shrinkage = 0.1;

// KLU's functions for each scalar; complex numbers stand as pairs of doubles there.
template <class Scalar>
struct Klu;
template <>
struct Klu<double> {
  static constexpr auto factor = klu_factor;
  static constexpr auto refactor = klu_refactor;
  static constexpr auto growth = klu_rgrowth;
  static constexpr auto condition = klu_rcond;
  static constexpr auto solve = klu_solve;
  static int solve_transposed(klu_symbolic* symbolic, klu_numeric* numeric, int size, int columns, double* x,
                              klu_common* common) {
    return klu_tsolve(symbolic, numeric, size, columns, x, common);
  }
  static constexpr auto free = klu_free_numeric;
};
template <>
struct Klu<std::complex<double>> {
  static constexpr auto factor = klu_z_factor;
  static constexpr auto refactor = klu_z_refactor;
  static constexpr auto growth = klu_z_rgrowth;
  static constexpr auto condition = klu_z_rcond;
  static constexpr auto solve = klu_z_solve;
  static int solve_transposed(klu_symbolic* symbolic, klu_numeric* numeric, int size, int columns, double* x,
                              klu_common* common) {
    return klu_z_tsolve(symbolic, numeric, size, columns, x, 0, common);  // not conjugated
  }
  static constexpr auto free = klu_z_free_numeric;
};

template <class Scalar>
bool doubtful(klu_symbolic* symbolic, klu_numeric* numeric, klu_common& common) {
  if (common.btf == 0) return false;
  Klu<Scalar>::condition(symbolic, numeric, &common);
  return common.rcond < doubtful_ratio;
}

double* doubles(double* x) { return x; }
double* doubles(std::complex<double>* x) { return reinterpret_cast<double*>(x); }  // [complex.numbers.general]
bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(const std::complex<double>& x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

}  // namespace

template <class Scalar>
struct BasicSparseLu<Scalar>::Handles {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double growth = 1;  ///< reciprocal, when the pivots were chosen

  Handles() { klu_defaults(&common); }
  ~Handles() {
    Klu<Scalar>::free(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

template <class Scalar>
BasicSparseLu<Scalar>::BasicSparseLu(bool block_triangular) : block_triangular_(block_triangular) {}
template <class Scalar>
BasicSparseLu<Scalar>::~BasicSparseLu() = default;

template <class Scalar>
void BasicSparseLu<Scalar>::analyse(Index size, std::vector<std::pair<Index, Index>> entries) {
  size_ = size;
  klu_.reset();
  entries_ = std::move(entries);
  by_column_.resize(entries_.size());
  std::iota(by_column_.begin(), by_column_.end(), 0);
  const auto key = [&](std::size_t i) { return std::pair(entries_[i].second, entries_[i].first); };
  std::sort(by_column_.begin(), by_column_.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  used_.assign(entries_.size(), 0);
  given_.assign(entries_.size(), Scalar(0));
  unused_.resize(entries_.size());
  std::iota(unused_.begin(), unused_.end(), 0);
  placed_.clear();
  if (is_small()) place_small();
}

// A full matrix has a place for every entry.
template <class Scalar>
void BasicSparseLu<Scalar>::place_small() {
  small_.begin(size_);
  unused_.clear();
  for (std::size_t e = 0; e < entries_.size(); ++e)
    placed_.push_back({static_cast<Index>(e), entries_[e].second * small_.stride() + entries_[e].first});
}

// Adds the given values up where they belong; entries that were zero until now enlarge the pattern.
template <class Scalar>
void BasicSparseLu<Scalar>::place() {
  if (is_small()) {
    const Scalar* given = given_.data();
    Scalar* numbers = small_.clear();
    for (const Placed& p : placed_) numbers[p.slot] += given[p.entry];
    return;
  }
  bool missed = klu_ == nullptr;
  for (const Index entry : unused_) {
    if (given_[static_cast<std::size_t>(entry)] == Scalar(0)) continue;
    used_[static_cast<std::size_t>(entry)] = 1;
    missed = true;
  }
  if (missed) order();
  std::fill(values_.begin(), values_.end(), Scalar(0));
  const Scalar* given = given_.data();
  Scalar* values = values_.data();
  for (const Placed& p : placed_) values[p.slot] += given[p.entry];
}

// Places the used entries in compressed columns and orders them.
template <class Scalar>
void BasicSparseLu<Scalar>::order() {
  klu_ = std::make_unique<Handles>();
  // A mechanism's KKT matrix does not fall apart, and the symmetric ordering fills in less.
  klu_->common.btf = block_triangular_ ? 1 : 0;
  if (block_triangular_) klu_->common.scale = -1;  // rows of a Jacobian are of one size already
  column_start_.assign(static_cast<std::size_t>(size_) + 1, 0);
  row_.clear();
  placed_.clear();
  unused_.clear();
  const std::pair<Index, Index>* last = nullptr;
  for (const std::size_t entry : by_column_) {
    if (used_[entry] == 0) {
      unused_.push_back(static_cast<Index>(entry));
      continue;
    }
    if (last == nullptr || *last != entries_[entry]) {
      row_.push_back(entries_[entry].first);
      ++column_start_[static_cast<std::size_t>(entries_[entry].second) + 1];
    }
    last = &entries_[entry];
    placed_.push_back({static_cast<Index>(entry), static_cast<Index>(row_.size()) - 1});
  }
  const auto by_entry = [](const Placed& a, const Placed& b) { return a.entry < b.entry; };
  std::sort(placed_.begin(), placed_.end(), by_entry);  // read and written nearly in order
  std::sort(unused_.begin(), unused_.end());
  std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
  values_.assign(row_.size(), Scalar(0));
  column_scale_.clear();
  if (size_ == 0) return;
  klu_->symbolic = klu_analyze(size_, column_start_.data(), row_.data(), &klu_->common);
  if (klu_->symbolic == nullptr) throw Error(ErrorKind::compute, "the sparse solver cannot analyse the model's matrix");
}

template <class Scalar>
double BasicSparseLu<Scalar>::work() {
  if (size_ <= 0) return 0;
  std::fill(used_.begin(), used_.end(), 1);
  order();
  const double work = klu_->symbolic->est_flops;
  analyse(size_, std::move(entries_));
  return work;
}

template <class Scalar>
Status BasicSparseLu<Scalar>::choose_pivots() {
  klu_common& common = klu_->common;
  ++choices_;
  for (const double tolerance : pivot_tolerances) {
    Klu<Scalar>::free(&klu_->numeric, &common);
    common.tol = tolerance;
    klu_->numeric =
        Klu<Scalar>::factor(column_start_.data(), row_.data(), doubles(values_.data()), klu_->symbolic, &common);
    if (klu_->numeric == nullptr || common.status != KLU_OK) break;
    Klu<Scalar>::growth(column_start_.data(), row_.data(), doubles(values_.data()), klu_->symbolic, klu_->numeric,
                        &common);
    klu_->growth = common.rgrowth;
    if (klu_->growth >= acceptable_growth && !doubtful<Scalar>(klu_->symbolic, klu_->numeric, common)) break;
  }
  if (klu_->numeric != nullptr && common.status == KLU_OK) {
    const auto* diagonal = static_cast<const Scalar*>(klu_->numeric->Udiag);
    chosen_pivots_.assign(diagonal, diagonal + size_);
    return Status::success();
  }
  const bool named = klu_->common.status == KLU_SINGULAR && klu_->common.singular_col < size_;
  Klu<Scalar>::free(&klu_->numeric, &klu_->common);
  return Status::failure(StatusCode::singular, "dependent row", named ? klu_->common.singular_col : 0);
}

template <class Scalar>
bool BasicSparseLu<Scalar>::pivots_shrank() const {
  const auto* diagonal = static_cast<const Scalar*>(klu_->numeric->Udiag);
  for (std::size_t i = 0; i < chosen_pivots_.size(); ++i) {
    if (!(std::abs(diagonal[i]) >= suspicious_shrinkage * std::abs(chosen_pivots_[i]))) return true;
  }
  return false;
}

// Powers of two, so that nothing is rounded.
template <class Scalar>
void BasicSparseLu<Scalar>::balance_columns() {
  std::vector<double> largest(static_cast<std::size_t>(size_), 0.0);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    double& row = largest[static_cast<std::size_t>(row_[i])];
    row = std::max(row, std::abs(values_[i]));
  }
  column_scale_.assign(static_cast<std::size_t>(size_), 1.0);
  for (std::size_t j = 0; j < column_scale_.size(); ++j) {
    double size = 0;
    for (auto i = static_cast<std::size_t>(column_start_[j]); i < static_cast<std::size_t>(column_start_[j + 1]); ++i) {
      const double row = largest[static_cast<std::size_t>(row_[i])];
      if (row > 0) size = std::max(size, std::abs(values_[i]) / row);
    }
    if (size > 0) column_scale_[j] = std::exp2(-std::round(std::log2(size)));
  }
}

template <class Scalar>
void BasicSparseLu<Scalar>::scale_columns() {
  for (std::size_t j = 0; j < column_scale_.size(); ++j) {
    for (auto i = static_cast<std::size_t>(column_start_[j]); i < static_cast<std::size_t>(column_start_[j + 1]); ++i) {
      values_[i] *= column_scale_[j];
    }
  }
}

template <class Scalar>
Status BasicSparseLu<Scalar>::factorize() {
  if (size_ == 0) return Status::success();
  if (is_small()) return small_.factorize();
  for (const Scalar& value : values_) {
    if (!is_finite(value)) return Status::failure(StatusCode::not_finite, "matrix entry", -1, std::abs(value));
  }
  scale_columns();
  const Status status = factorize_scaled();
  if (status.code != StatusCode::singular || block_triangular_ || !column_scale_.empty()) return status;
  balance_columns();
  scale_columns();
  Klu<Scalar>::free(&klu_->numeric, &klu_->common);
  if (const Status balanced = factorize_scaled()) return balanced;
  column_scale_.clear();
  Klu<Scalar>::free(&klu_->numeric, &klu_->common);
  return status;
}

template <class Scalar>
Status BasicSparseLu<Scalar>::factorize_scaled() {
  bool kept = klu_->numeric != nullptr &&
              Klu<Scalar>::refactor(column_start_.data(), row_.data(), doubles(values_.data()), klu_->symbolic,
                                    klu_->numeric, &klu_->common) != 0 &&
              klu_->common.status == KLU_OK;
  if (kept && pivots_shrank()) {
    Klu<Scalar>::growth(column_start_.data(), row_.data(), doubles(values_.data()), klu_->symbolic, klu_->numeric,
                        &klu_->common);
    kept = klu_->common.rgrowth > tolerated_growth * klu_->growth;
  }
  kept = kept && !doubtful<Scalar>(klu_->symbolic, klu_->numeric, klu_->common);
  if (!kept) {
    const Status status = choose_pivots();
    if (!status) return status;
  }
  Klu<Scalar>::condition(klu_->symbolic, klu_->numeric, &klu_->common);
  if (klu_->common.rcond > least_pivot_of_sparse) return Status::success();
  const auto* diagonal = static_cast<const Scalar*>(klu_->numeric->Udiag);
  const auto weakest = std::min_element(diagonal, diagonal + size_,
                                        [](const Scalar& a, const Scalar& b) { return std::abs(a) < std::abs(b); });
  return Status::failure(StatusCode::singular, "dependent row", klu_->symbolic->Q[weakest - diagonal],
                         klu_->common.rcond);
}

template <class Scalar>
double BasicSparseLu<Scalar>::pivot_ratio() const {
  if (size_ == 0) return 1;
  return is_small() ? small_.pivot_ratio() : klu_->common.rcond;
}

template <>
void BasicSparseLu<double>::copy_factors(FactorCopy& copy) {
  if (size_ == 0) return;
  const auto n = static_cast<std::size_t>(size_);
  const klu_numeric& numeric = *klu_->numeric;
  for (auto* x : {&copy.row_of, &copy.column_of}) x->resize(n);
  for (auto* x : {&copy.block_begin, &copy.L_begin, &copy.U_begin, &copy.F_begin}) x->resize(n + 1);
  copy.L_row.resize(static_cast<std::size_t>(numeric.lnz)), copy.L_value.resize(copy.L_row.size());
  copy.U_row.resize(static_cast<std::size_t>(numeric.unz)), copy.U_value.resize(copy.U_row.size());
  copy.F_row.resize(static_cast<std::size_t>(numeric.nzoff)), copy.F_value.resize(copy.F_row.size());
  copy.inverse_diagonal.resize(n);
  klu_extract(klu_->numeric, klu_->symbolic, copy.L_begin.data(), copy.L_row.data(), copy.L_value.data(),
              copy.U_begin.data(), copy.U_row.data(), copy.U_value.data(), copy.F_begin.data(), copy.F_row.data(),
              copy.F_value.data(), copy.row_of.data(), copy.column_of.data(), nullptr, copy.block_begin.data(),
              &klu_->common);
  // Diagonals go: L's is 1 and first, U's last in its column.
  Index at_L = 0, at_U = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Index L_from = copy.L_begin[k] + 1, L_to = copy.L_begin[k + 1], U_from = copy.U_begin[k],
                U_to = copy.U_begin[k + 1] - 1;
    copy.L_begin[k] = at_L, copy.U_begin[k] = at_U;
    copy.inverse_diagonal[k] = 1 / copy.U_value[static_cast<std::size_t>(U_to)];
    for (Index e = L_from; e < L_to; ++e, ++at_L) {
      copy.L_row[static_cast<std::size_t>(at_L)] = copy.L_row[static_cast<std::size_t>(e)];
      copy.L_value[static_cast<std::size_t>(at_L)] = copy.L_value[static_cast<std::size_t>(e)];
    }
    for (Index e = U_from; e < U_to; ++e, ++at_U) {
      copy.U_row[static_cast<std::size_t>(at_U)] = copy.U_row[static_cast<std::size_t>(e)];
      copy.U_value[static_cast<std::size_t>(at_U)] = copy.U_value[static_cast<std::size_t>(e)];
    }
  }
  copy.L_begin[n] = at_L, copy.U_begin[n] = at_U;
  BlockTriangularFactors& f = copy.factors;
  f.blocks = klu_->symbolic->nblocks;
  f.block_begin = copy.block_begin.data();
  f.L = {copy.L_begin.data(), copy.L_row.data(), copy.L_value.data()};
  f.U = {copy.U_begin.data(), copy.U_row.data(), copy.U_value.data()};
  f.F = {copy.F_begin.data(), copy.F_row.data(), copy.F_value.data()};
  f.inverse_diagonal = copy.inverse_diagonal.data();
}

template <class Scalar>
void BasicSparseLu<Scalar>::solve(Scalar* x, Index columns, bool transposed) {
  if (size_ == 0) return;
  if (is_small()) {
    for (Index k = 0; k < columns; ++k) small_.solve(x + static_cast<std::size_t>(k * size_), transposed);
    return;
  }
  const auto scale = [&] {
    for (Index k = 0; k < columns; ++k) {
      for (std::size_t j = 0; j < column_scale_.size(); ++j)
        x[static_cast<std::size_t>(k * size_) + j] *= column_scale_[j];
    }
  };
  if (transposed) scale();  // with columns scaled by C: (A C)^T x = C b, and A C y = b with x = C y
  (transposed ? Klu<Scalar>::solve_transposed : Klu<Scalar>::solve)(klu_->symbolic, klu_->numeric, size_, columns,
                                                                    doubles(x), &klu_->common);
  if (!transposed) scale();
}

template class BasicSparseLu<double>;
template class BasicSparseLu<std::complex<double>>;

}  // namespace trammel
