// Factorization with kept pivots.
#include "linalg/kept_pivots.h"

#include <algorithm>

namespace trammel {

void KeptPivots::take(SparseLu& lu, const Entries& entries) {
  lu.copy_factors(copy_);
  if (begun() && lu.choices() == choices_) return;
  choices_ = lu.choices();
  begin(entries);
}

void KeptPivots::begin(const Entries& entries) {
  const FactorCopy& copy = copy_;
  const std::size_t size = copy.row_of.size();
  std::vector<Index> row_place(size), column_place(size);
  for (std::size_t k = 0; k < size; ++k) {
    row_place[static_cast<std::size_t>(copy.row_of[k])] = static_cast<Index>(k);
    column_place[static_cast<std::size_t>(copy.column_of[k])] = static_cast<Index>(k);
  }
  std::vector<std::vector<Placed>> by_column(size);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Index column = column_place[static_cast<std::size_t>(entries[i].second)];
    by_column[static_cast<std::size_t>(column)].push_back(
        {row_place[static_cast<std::size_t>(entries[i].first)], static_cast<Index>(i)});
  }
  columns_.assign(1, 0);
  placed_.clear(), outside_.clear();
  std::vector<std::size_t> seen(size, size);  // rows of the pattern: the column in which they were seen last
  for (std::size_t k = 0; k < size; ++k) {
    const auto see = [&](const std::vector<Index>& begin, const std::vector<Index>& rows) {
      for (Index e = begin[k]; e < begin[k + 1]; ++e)
        seen[static_cast<std::size_t>(rows[static_cast<std::size_t>(e)])] = k;
    };
    seen[k] = k;
    see(copy.L_begin, copy.L_row), see(copy.U_begin, copy.U_row), see(copy.F_begin, copy.F_row);
    for (const Placed& at : by_column[k]) {
      if (seen[static_cast<std::size_t>(at.row)] == k)
        placed_.push_back(at);
      else
        outside_.push_back(at.source);
    }
    columns_.push_back(static_cast<Index>(placed_.size()));
  }
  column_.assign(size, 0.0);
  chosen_.resize(size);
  for (std::size_t k = 0; k < size; ++k) chosen_[k] = 1 / std::abs(copy.inverse_diagonal[k]);
}

// Column k of P A Q stands in `column_`.
void KeptPivots::eliminate(Index k) {
  FactorCopy& copy = copy_;
  constexpr double suspicious_shrinkage = 0.1;  // of a pivot, as in sparse_lu.cpp
  double* const x = column_.data();
  const auto of = [k](const std::vector<Index>& begin) {
    return std::pair(begin[static_cast<std::size_t>(k)], begin[static_cast<std::size_t>(k) + 1]);
  };
  const auto take = [x](Index row) { return std::exchange(x[row], 0.0); };
  const auto [F_from, F_to] = of(copy.F_begin);
  const Index *F_row = copy.F_row.data(), *U_row = copy.U_row.data(), *L_row = copy.L_row.data();
  for (Index e = F_from; e < F_to; ++e) copy.F_value[static_cast<std::size_t>(e)] = take(F_row[e]);
  double* const L = copy.L_value.data();
  const auto [U_from, U_to] = of(copy.U_begin);
  for (Index e = U_from; e < U_to; ++e) {
    const auto j = static_cast<std::size_t>(U_row[e]);
    const double u = take(U_row[e]);
    copy.U_value[static_cast<std::size_t>(e)] = u;
    for (Index i = copy.L_begin[j]; i < copy.L_begin[j + 1]; ++i) x[L_row[i]] -= L[i] * u;
  }
  const double pivot = take(k), size = std::abs(pivot);
  const auto [L_from, L_to] = of(copy.L_begin);
  for (Index e = L_from; e < L_to; ++e) L[e] = take(L_row[e]) / pivot;
  copy.inverse_diagonal[static_cast<std::size_t>(k)] = 1 / pivot;
  all_kept_ = all_kept_ && size >= suspicious_shrinkage * chosen_[static_cast<std::size_t>(k)];
  smallest_ = std::min(smallest_, size), largest_ = std::max(largest_, size);
}

}  // namespace trammel
