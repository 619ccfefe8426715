// Sparse LU of Phi_u.
#include "linalg/dependent_lu.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

// Below this the rank is in doubt, and the row space looks at rows one by one.
constexpr double least_pivot_of_dependents = 1e-7;

}  // namespace

bool DependentLu::same_structure(const KktMatrix& k, ConstVectorView independent) const {
  if (static_cast<Index>(independent_.size()) != independent.size) return false;
  for (Index i = 0; i < independent.size; ++i) {
    if ((independent[i] != 0) != (independent_[static_cast<std::size_t>(i)] != 0)) return false;
  }
  return std::equal(dropped_.begin(), dropped_.end(), k.dropped);
}

void DependentLu::analyse(const KktMatrix& k, ConstVectorView independent) {
  const Index m = k.rows + k.intrinsic_rows, c = k.coordinates;
  independent_.assign(static_cast<std::size_t>(independent.size), 0);
  for (Index i = 0; i < independent.size; ++i) independent_[static_cast<std::size_t>(i)] = independent[i] != 0 ? 1 : 0;
  dropped_.assign(k.dropped, k.dropped + m);
  for (auto* list : {&rows_, &columns_, &sources_, &idle_rows_, &idle_columns_}) list->clear();
  std::vector<Index> row_place(static_cast<std::size_t>(m), -1), column_place(independent_.size(), -1);
  for (Index r = 0; r < m; ++r) {
    if (k.dropped[r] != 0) {
      idle_rows_.push_back(r);
      continue;
    }
    row_place[static_cast<std::size_t>(r)] = static_cast<Index>(rows_.size());
    rows_.push_back(r);
  }
  for (Index i = 0; i < independent.size; ++i) {
    if (independent[i] != 0) {
      idle_columns_.push_back(i);
      continue;
    }
    column_place[static_cast<std::size_t>(i)] = static_cast<Index>(columns_.size());
    columns_.push_back(i);
  }
  square_ = rows_.size() == columns_.size();
  kept_.forget();
  entries_.clear();
  if (!square_) return;
  const auto place = [&](Index row, Index column, Index source) {
    const Index i = row_place[static_cast<std::size_t>(row)], j = column_place[static_cast<std::size_t>(column)];
    if (i < 0 || j < 0) return;
    entries_.emplace_back(i, j);
    sources_.push_back(source);
  };
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = 0; r < block.rows; ++r) {
        place(block.first_row + r, block.column + j, block.offset + j * block.rows + r);
      }
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * c; ++i) place(k.rows + i / c, k.intrinsic_first[i / c] + i % c, ~i);
  lu_.analyse(static_cast<Index>(rows_.size()), entries_);
}

// KLU chooses the pivots; as long as they serve, its factors are computed where they are used.
bool DependentLu::factorize(const KktMatrix& k, ConstVectorView independent) {
  if (!same_structure(k, independent)) analyse(k, independent);
  factorized_ = false;
  if (!square_) return false;
  if (kept_.begun() && kept_.factorize([&](Index i) { return number(k, i); }) &&
      kept_.pivot_ratio() > least_pivot_of_dependents) {
    squared_length_ = kept_.squared_length(), pivot_ratio_ = kept_.pivot_ratio();
    factorized_ = true;
  } else {
    factorized_ = by_klu(k);
  }
  return factorized_ && pivot_ratio_ > least_pivot_of_dependents;
}

bool DependentLu::by_klu(const KktMatrix& k) {
  double sum = 0;
  lu_.fill([&](auto& add) {
    sum = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const double value = number(k, static_cast<Index>(i));
      add(value);
      sum += value * value;
    }
  });
  squared_length_ = sum;
  if (!lu_.factorize()) return false;
  kept_.take(lu_, entries_);
  pivot_ratio_ = lu_.pivot_ratio();
  const FactorCopy& factors = kept_.factors();
  row_at_.resize(rows_.size()), column_at_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    row_at_[k] = rows_[static_cast<std::size_t>(factors.row_of[k])];
    column_at_[k] = columns_[static_cast<std::size_t>(factors.column_of[k])];
  }
  return true;
}

// P A Q = L U with a unit diagonal in L: det A = det P det Q u_1 ... u_n.
DependentLu::Determinant DependentLu::determinant() {
  if (!factorized_) return {};
  Determinant result{1, 0};
  for (const double inverse : kept_.factors().inverse_diagonal) {
    if (inverse < 0) result.sign = -result.sign;
    result.logarithm -= std::log(std::abs(inverse));
  }
  for (const std::vector<Index>* permutation : {&kept_.factors().row_of, &kept_.factors().column_of}) {
    passed_.assign(permutation->size(), 0);
    for (std::size_t first = 0; first < passed_.size(); ++first) {
      // A cycle of n elements is n - 1 exchanges.
      for (std::size_t k = first; passed_[k] == 0; k = static_cast<std::size_t>((*permutation)[k])) {
        passed_[k] = 1;
        if (k != first) result.sign = -result.sign;
      }
    }
  }
  return result;
}

void DependentLu::solve(const double* in, bool transposed, Index stride, double* out) {
  const std::size_t size = rows_.size(), width = static_cast<std::size_t>(stride);
  const std::vector<Index>&from = transposed ? column_at_ : row_at_, &to = transposed ? row_at_ : column_at_;
  if (work_.size() < size * width) work_.resize(size * width);
  double* y = work_.data();
  const auto each = [&](const auto& copy) {
    for (std::size_t k = 0; k < size; ++k, y += width) copy(k);
    y = work_.data();
  };
  if (stride == 1) {
    const Index* source = from.data();
    for (std::size_t k = 0; k < size; ++k) y[k] = in[source[k]];
  } else {
    each([&](std::size_t k) { std::copy_n(in + from[k] * stride, width, y); });
  }
  if (size > 0) column_kernels().solve(kept_.factors().factors, transposed, stride, y);
  for (const Index i : transposed ? idle_rows_ : idle_columns_) std::fill_n(out + i * stride, width, 0.0);
  if (stride == 1) {
    const Index* target = to.data();
    for (std::size_t k = 0; k < size; ++k) out[target[k]] = y[k];
  } else {
    each([&](std::size_t k) { std::copy_n(y, width, out + to[k] * stride); });
  }
}

}  // namespace trammel
