// Sets of dependent rows.
#include "linalg/rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace trammel {
namespace {

constexpr double noticeable_share = 1e-6;

/// Whether the multipliers N (1 at the row, minus its combination) put no reaction on any body through any element.
bool without_reaction(const KktMatrix& k, const DependentRow& dependent) {
  const auto multiplier = [&](Index row) {
    if (row == dependent.row) return 1.0;
    const auto at = std::lower_bound(dependent.others.begin(), dependent.others.end(), row);
    if (at == dependent.others.end() || *at != row) return 0.0;
    return -dependent.combination[static_cast<std::size_t>(at - dependent.others.begin())];
  };
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      double reaction = 0, size = 0;
      for (Index r = 0; r < block.rows; ++r) {
        const double term = multiplier(block.first_row + r) * k.Phi_q[block.offset + j * block.rows + r];
        reaction += term, size += std::abs(term);
      }
      if (std::abs(reaction) > noticeable_share * std::max(1.0, size)) return false;
    }
  }
  return true;
}

}  // namespace

DependentRow describe_dependence(const KktMatrix& k, const RowSpace& space, Index row) {
  std::vector<double> share;
  DependentRow dependent{row, space.combination(k, row, share), {}, {}};
  for (Index r = 0; r < k.rows; ++r) {
    if (std::abs(share[static_cast<std::size_t>(r)]) <= noticeable_share) continue;
    dependent.others.push_back(r);
    dependent.combination.push_back(share[static_cast<std::size_t>(r)]);
  }
  return dependent;
}

std::vector<DependentSet> dependent_sets(const KktMatrix& k, const RowSpace& space) {
  std::vector<DependentRow> all;
  for (Index row = 0; row < k.rows; ++row) {
    if (space.left_out(row)) all.push_back(describe_dependence(k, space, row));
  }
  // Union of dependent rows that share a row.
  std::vector<std::size_t> set_of(all.size());
  std::iota(set_of.begin(), set_of.end(), 0);
  const auto root = [&](std::size_t i) {
    while (set_of[i] != i) i = set_of[i] = set_of[set_of[i]];
    return i;
  };
  std::map<Index, std::size_t> owner;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (Index row : all[i].others) {
      const auto [at, fresh] = owner.emplace(row, i);
      if (!fresh) set_of[root(i)] = root(at->second);
    }
  }
  std::map<std::size_t, DependentSet> sets;
  for (std::size_t i = 0; i < all.size(); ++i) {
    DependentSet& set =
        sets.try_emplace(root(i), DependentSet{.dependent = {}, .rows = {}, .reactions_unique = true}).first->second;
    set.reactions_unique = set.reactions_unique && without_reaction(k, all[i]);
    set.rows.push_back(all[i].row);
    set.rows.insert(set.rows.end(), all[i].others.begin(), all[i].others.end());
    set.dependent.push_back(std::move(all[i]));
  }
  std::vector<DependentSet> result;
  for (auto& [key, set] : sets) {
    std::sort(set.rows.begin(), set.rows.end());
    set.rows.erase(std::unique(set.rows.begin(), set.rows.end()), set.rows.end());
    result.push_back(std::move(set));
  }
  return result;
}

}  // namespace trammel
