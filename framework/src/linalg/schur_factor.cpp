// Symbolic and numeric block Cholesky of the range-space matrix.
#include "linalg/schur_factor.h"

#include <algorithm>
#include <set>
#include <utility>

#include "linalg/minimum_degree.h"
#include "trammel/parts.h"

namespace trammel {
namespace {

// A kept row whose squared distance from the span of the others falls below this fraction of its squared length is left
// out: what its multiplier would have to correct is rounding of the constraints (1e-13 or so), and divided by so small
// a sine it would drive the motion. Measured on passages of Bennett's linkage: 1e-13 loses the energy balance in every
// other run, 1e-11 in none.
constexpr double weak_pivot = 1e-11;

std::int16_t narrow(Index rows) { return static_cast<std::int16_t>(rows); }

std::vector<std::set<Index>> coupling(const std::vector<SchurBlock>& blocks, std::size_t groups, Index bodies) {
  std::vector<std::vector<Index>> groups_of_body(static_cast<std::size_t>(bodies));
  for (const SchurBlock& block : blocks) groups_of_body[block.body].push_back(block.group);
  std::vector<std::set<Index>> neighbours(groups);
  for (const std::vector<Index>& clique : groups_of_body) {
    for (Index a : clique) {
      for (Index b : clique) {
        if (a != b) neighbours[a].insert(b);
      }
    }
  }
  return neighbours;
}

/// The last `leading` groups, then the others by approximate minimum degree.
std::vector<Index> elimination_order(const std::vector<std::set<Index>>& neighbours, Index leading) {
  const auto groups = static_cast<Index>(neighbours.size()) - leading;
  std::vector<std::vector<Index>> others;
  for (Index i = 0; i < groups; ++i) {
    others.emplace_back();
    for (const Index j : neighbours[i]) {
      if (j < groups) others.back().push_back(j);
    }
  }
  std::vector<Index> all;
  for (Index i = 0; i < leading; ++i) all.push_back(groups + i);
  const std::vector<Index> order = minimum_degree_order(others);
  all.insert(all.end(), order.begin(), order.end());
  return all;
}

}  // namespace

void SchurFactor::analyse(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks, Index bodies,
                          Index leading) {
  const std::size_t groups = group_rows.size();
  const std::vector<std::set<Index>> neighbours = coupling(blocks, groups, bodies);
  const std::vector<Index> order = elimination_order(neighbours, leading);  // order[position] = group
  std::vector<Index> position(groups), first_row_of_group(groups + 1, 0);
  for (std::size_t p = 0; p < groups; ++p) position[order[p]] = static_cast<Index>(p);
  for (std::size_t g = 0; g < groups; ++g) first_row_of_group[g + 1] = first_row_of_group[g] + group_rows[g];

  // Symbolic factorization: the structure of a column is its coupling plus that of its children, one parent each.
  std::vector<std::set<Index>> structure(groups);
  for (std::size_t p = 0; p < groups; ++p) {
    for (Index neighbour : neighbours[order[p]]) {
      if (position[neighbour] > static_cast<Index>(p)) structure[p].insert(position[neighbour]);
    }
    if (structure[p].empty()) continue;
    const Index parent = *structure[p].begin();
    structure[parent].insert(std::next(structure[p].begin()), structure[p].end());
  }

  columns_.clear();
  entries_.clear();
  entry_columns_.clear();
  row_of_position_.clear();
  flops_ = 0;
  Index size = 0, largest_column = 0;
  std::vector<Index> first_row(groups);
  for (std::size_t p = 0, row = 0; p < groups; row += group_rows[order[p++]]) first_row[p] = static_cast<Index>(row);
  for (std::size_t p = 0; p < groups; ++p) {
    const Index rows = group_rows[order[p]];
    SchurColumn column{first_row_of_group[order[p]],
                       first_row[p],
                       narrow(rows),
                       0,
                       size,
                       static_cast<Index>(entries_.size()),
                       0,
                       0,
                       0,
                       0};
    size += rows * rows;
    double below = 0;
    for (Index row_group : structure[p]) {
      const Index height = group_rows[order[row_group]];
      entries_.push_back({size, first_row_of_group[order[row_group]], height});
      entry_columns_.push_back(row_group);
      size += rows * height;
      below += height;
    }
    column.end_entry = static_cast<Index>(entries_.size());
    column.rows_below = common_rows(column);
    largest_column = std::max(largest_column, rows * static_cast<Index>(below));
    flops_ += rows * (rows * (rows / 6.0 + below / 2.0) + below * below / 2.0);
    for (Index r = 0; r < rows; ++r) row_of_position_.push_back(first_row_of_group[order[p]] + r);
    columns_.push_back(column);
  }
  updates_.clear();
  for (SchurColumn& column : columns_) {
    column.first_update = static_cast<Index>(updates_.size());
    for (Index i = column.first_entry; i < column.end_entry; ++i) {
      for (Index k = column.first_entry; k <= i; ++k)
        updates_.push_back(offset_of(entry_columns_[i], entry_columns_[k]));
    }
  }
  analyse_products(group_rows, blocks, bodies, position);
  position_of_row_.resize(row_of_position_.size());
  for (std::size_t p = 0; p < row_of_position_.size(); ++p)
    position_of_row_[row_of_position_[p]] = static_cast<Index>(p);
  values_.assign(static_cast<std::size_t>(size), 0.0);
  unscaled_.assign(static_cast<std::size_t>(largest_column), 0.0);
  for (auto* x : {&scale_, &inverse_diagonal_}) x->assign(row_of_position_.size(), 0.0);
  program_ = {products_.data(),
              columns_.data(),
              static_cast<Index>(groups),
              entries_.data(),
              updates_.data(),
              row_of_position_.data(),
              rows(),
              values_.data(),
              scale_.data(),
              inverse_diagonal_.data(),
              unscaled_.data()};
}

std::int16_t SchurFactor::common_rows(const SchurColumn& column) const {
  if (column.rows > most_kernel_rows) return 0;
  if (column.first_entry == column.end_entry) return column.rows;  // nothing below: any kernel of these rows will do
  const SchurEntry *first = entries_.data() + column.first_entry, *end = entries_.data() + column.end_entry;
  const Index rows = first->rows;
  const bool same = std::all_of(first, end, [&](const SchurEntry& e) { return e.rows == rows; });
  return same && rows <= most_kernel_rows ? narrow(rows) : std::int16_t{0};
}

Index SchurFactor::offset_of(Index row, Index column) const {  // positions, row >= column
  const SchurColumn& c = columns_[column];
  if (row == column) return c.diagonal;
  const auto begin = entry_columns_.begin() + c.first_entry, end = entry_columns_.begin() + c.end_entry;
  return entries_[std::lower_bound(begin, end, row) - entry_columns_.begin()].offset;
}

// The products in the order of their targets, so that the factor is written once from front to back.
void SchurFactor::analyse_products(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks,
                                   Index bodies, const std::vector<Index>& position) {
  std::vector<std::vector<const SchurBlock*>> of_body(static_cast<std::size_t>(bodies));
  for (const SchurBlock& block : blocks) of_body[block.body].push_back(&block);
  products_.clear();
  for (const auto& list : of_body) {
    for (const SchurBlock* left : list) {
      for (const SchurBlock* right : list) {
        if (position[left->group] < position[right->group]) continue;
        products_.push_back({.left = left->offset,
                             .right = right->offset,
                             .target = offset_of(position[left->group], position[right->group]),
                             .width = left->width,
                             .rows_left = narrow(group_rows[left->group]),
                             .rows_right = narrow(group_rows[right->group]),
                             .diagonal = left == right});
      }
    }
  }
  // Fill-in has no products: an empty one (no width) sets it to zero.
  std::set<Index> targets;
  for (const SchurProduct& p : products_) targets.insert(p.target);
  for (const SchurColumn& column : columns_) {
    for (Index e = column.first_entry; e < column.end_entry; ++e) {
      const SchurEntry& entry = entries_[e];
      if (targets.count(entry.offset) == 0)
        products_.push_back({.target = entry.offset, .rows_left = narrow(entry.rows), .rows_right = column.rows});
    }
  }
  std::sort(products_.begin(), products_.end(), [](const SchurProduct& a, const SchurProduct& b) {
    return std::pair(a.target, a.left) < std::pair(b.target, b.left);
  });
  // An element's blocks lie one behind the other: their diagonal products are one product of larger width.
  std::size_t kept = 0;
  for (const SchurProduct& p : products_) {
    SchurProduct* last = kept > 0 ? &products_[kept - 1] : nullptr;
    if (last != nullptr && p.diagonal && last->target == p.target &&
        last->left + last->rows_left * last->width == p.left) {
      last->width += p.width;
    } else {
      products_[kept++] = p;
    }
  }
  products_.resize(kept);
  for (std::size_t i = 0; i < kept; ++i) {
    SchurProduct& p = products_[i];
    p.first = i == 0 || p.target != products_[i - 1].target;
    p.kernel = narrow(product_kernel(p.rows_left, p.rows_right, p.diagonal));
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    columns_[k].first_product = static_cast<Index>(next);
    while (next < kept && (k + 1 == columns_.size() || products_[next].target < columns_[k + 1].diagonal)) ++next;
    columns_[k].end_product = static_cast<Index>(next);
  }
}

Status SchurFactor::factorize_columns(const double* B, const unsigned char* dropped, double threshold) {
  watch_ = {};
  in_parts(workers_, program_.column_count, 256, [&](Index begin, Index end) {
    SchurProgram part = program_;
    part.columns += begin, part.column_count = end - begin;
    kernels_.assemble(part, B);
  });
  const Index bad = kernels_.factorize(program_, dropped, threshold, watch_);
  return bad < 0 ? Status::success() : Status::failure(StatusCode::not_finite, "constraint Jacobian", bad);
}

Status SchurFactor::factorize(const double* B, const unsigned char* dropped) {
  return factorize_columns(B, dropped, weak_pivot);
}

Status SchurFactor::factorize_to_rounding(const double* B, const unsigned char* dropped) {
  constexpr double rounding = 1e-15;
  return factorize_columns(B, dropped, rounding);
}

Index SchurFactor::select(const double* B, double threshold, unsigned char* dropped, const unsigned char* without) {
  factorize_columns(B, without, threshold);
  Index count = 0;
  for (Index row = 0; row < rows(); ++row) count += dropped[row] = left_out(row) ? 1 : 0;
  return count;
}

}  // namespace trammel
