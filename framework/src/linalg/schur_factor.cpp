// Symbolic and numeric block Cholesky of the range-space matrix.
#include "linalg/schur_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <set>

#include "linalg/block_kernels.h"

namespace trammel {
namespace {

// A kept row whose squared distance from the span of the others falls below this fraction of its squared length is left
// out: pivots carry rounding errors of a few 1e-16, so beyond this the row's multiplier would be noise.
constexpr double weak_pivot = 1e-13;

bool all_zero(const double* x, Index n) {
  return std::all_of(x, x + n, [](double entry) { return entry == 0; });
}

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

std::vector<Index> elimination_order(const std::vector<std::set<Index>>& neighbours) {
  const auto groups = static_cast<Index>(neighbours.size());
  std::vector<Eigen::Triplet<double, Index>> pattern;
  for (Index i = 0; i < groups; ++i) {
    pattern.emplace_back(i, i, 1.0);
    for (Index j : neighbours[i]) pattern.emplace_back(i, j, 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> graph(groups, groups);
  graph.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> order;
  if (groups > 0) Eigen::AMDOrdering<Index>()(graph, order);
  return {order.indices().data(), order.indices().data() + groups};
}

}  // namespace

void SchurFactor::analyse(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks, Index bodies,
                          Index width) {
  width_ = width;
  const std::size_t groups = group_rows.size();
  std::vector<std::set<Index>> neighbours = coupling(blocks, groups, bodies);
  const std::vector<Index> order = elimination_order(neighbours);  // order[position] = group
  std::vector<Index> position(groups);
  for (std::size_t p = 0; p < groups; ++p) position[order[p]] = static_cast<Index>(p);
  std::vector<Index> first_row_of_group(groups + 1, 0);
  for (std::size_t g = 0; g < groups; ++g) first_row_of_group[g + 1] = first_row_of_group[g] + group_rows[g];

  // Symbolic factorization: the structure of a column is its coupling plus that of its children, one parent each.
  std::vector<std::set<Index>> structure(groups);
  for (std::size_t p = 0; p < groups; ++p) {
    for (Index neighbour : neighbours[order[p]]) {
      if (position[neighbour] > static_cast<Index>(p)) structure[p].insert(position[neighbour]);
    }
  }
  for (std::size_t p = 0; p < groups; ++p) {
    if (structure[p].empty()) continue;
    const Index parent = *structure[p].begin();
    structure[parent].insert(std::next(structure[p].begin()), structure[p].end());
  }

  columns_.clear();
  entries_.clear();
  row_of_position_.clear();
  flops_ = 0;
  Index size = 0;
  for (std::size_t p = 0; p < groups; ++p) {
    const Index rows = group_rows[order[p]];
    Column column{static_cast<Index>(row_of_position_.size()), rows, size, static_cast<Index>(entries_.size()), 0, 0};
    size += rows * rows;
    for (Index below : structure[p]) {
      entries_.push_back({below, size});
      size += rows * group_rows[order[below]];
    }
    column.end_entry = static_cast<Index>(entries_.size());
    double below = 0;
    for (Index i = column.first_entry; i < column.end_entry; ++i) below += group_rows[order[entries_[i].group]];
    flops_ += rows * (rows * (rows / 6.0 + below / 2.0) + below * below / 2.0);
    for (Index r = 0; r < rows; ++r) row_of_position_.push_back(first_row_of_group[order[p]] + r);
    columns_.push_back(column);
  }
  const auto offset_of = [&](Index row, Index col) {  // positions, row >= col
    if (row == col) return columns_[col].diagonal;
    const auto begin = entries_.begin() + columns_[col].first_entry, end = entries_.begin() + columns_[col].end_entry;
    return std::lower_bound(begin, end, row, [](const Entry& e, Index r) { return e.group < r; })->offset;
  };
  updates_.clear();
  for (Column& column : columns_) {
    column.first_update = static_cast<Index>(updates_.size());
    for (Index i = column.first_entry; i < column.end_entry; ++i) {
      for (Index k = column.first_entry; k <= i; ++k) {
        updates_.push_back(offset_of(entries_[i].group, entries_[k].group));
      }
    }
  }

  products_.clear();
  std::vector<std::vector<const SchurBlock*>> of_body(static_cast<std::size_t>(bodies));
  for (const SchurBlock& block : blocks) of_body[block.body].push_back(&block);
  for (const auto& list : of_body) {
    for (const SchurBlock* left : list) {
      for (const SchurBlock* right : list) {
        if (position[left->group] < position[right->group]) continue;
        products_.push_back({left->offset, right->offset, offset_of(position[left->group], position[right->group]),
                             group_rows[left->group], group_rows[right->group]});
      }
    }
  }
  position_of_row_.resize(row_of_position_.size());
  for (std::size_t p = 0; p < row_of_position_.size(); ++p) position_of_row_[row_of_position_[p]] = static_cast<Index>(p);
  values_.assign(static_cast<std::size_t>(size), 0.0);
  diagonal_scale_.assign(row_of_position_.size(), 0.0);
  inverse_diagonal_ = diagonal_scale_;
  work_.assign(row_of_position_.size(), 0.0);
}

void SchurFactor::assemble(const double* B) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const Product& product : products_) {
    blocks::with_rows(product.rows_left, [&](auto rows) {
      blocks::add_outer<rows()>(1, B + product.left, B + product.right, product.rows_left, product.rows_right, width_,
                                product.left == product.right, values_.data() + product.target);
    });
  }
  for (const Column& column : columns_) {
    for (Index r = 0; r < column.rows; ++r) {
      diagonal_scale_[column.first_row + r] = values_[column.diagonal + r * (column.rows + 1)];
    }
  }
}

// Dense Cholesky of one diagonal block, lower triangle. A row is left out by an inverse pivot of zero: its column of the
// factor vanishes, and so does its entry of every solution.
Status SchurFactor::factorize_diagonal(const Column& column, const unsigned char* dropped, double threshold) {
  const Index n = column.rows;
  double* L = values_.data() + column.diagonal;
  for (Index j = 0; j < n; ++j) {
    double pivot = L[j + j * n];
    for (Index k = 0; k < j; ++k) pivot -= L[j + k * n] * L[j + k * n];
    const double scale = diagonal_scale_[column.first_row + j], relative = scale > 0 ? pivot / scale : 0;
    const Index row = row_of_position_[column.first_row + j];
    double inverse = 0, root = 1;
    if (dropped != nullptr && dropped[row] != 0) {
      if (relative > watch_.largest_dropped) watch_.largest_dropped = relative, watch_.largest_dropped_row = row;
    } else if (relative > threshold) {
      if (relative < watch_.smallest_kept) watch_.smallest_kept = relative, watch_.smallest_kept_row = row;
      root = std::sqrt(pivot);
      inverse = 1 / root;
    } else if (std::isfinite(relative)) {
      if (watch_.weak++ == 0) watch_.weak_row = row;
    } else {
      return Status::failure(StatusCode::not_finite, "constraint Jacobian", row);
    }
    L[j + j * n] = root;
    inverse_diagonal_[column.first_row + j] = inverse;
    for (Index i = j + 1; i < n; ++i) {
      double sum = L[i + j * n];
      for (Index k = 0; k < j; ++k) sum -= L[i + k * n] * L[j + k * n];
      L[i + j * n] = sum * inverse;
    }
  }
  return Status::success();
}

Status SchurFactor::factorize(const double* B, const unsigned char* dropped) {
  assemble(B);
  return factorize_columns(dropped, weak_pivot);
}

Index SchurFactor::select(const double* B, double threshold, unsigned char* dropped) {
  assemble(B);
  factorize_columns(nullptr, threshold);
  Index count = 0;
  for (Index row = 0; row < rows(); ++row) count += dropped[row] = left_out(row) ? 1 : 0;
  return count;
}

Status SchurFactor::factorize_columns(const unsigned char* dropped, double threshold) {
  watch_ = {};
  for (const Column& column : columns_) {
    const Status status = factorize_diagonal(column, dropped, threshold);
    if (!status) return status;
    const Index n = column.rows;
    const double* L = values_.data() + column.diagonal;
    const double* inverse = inverse_diagonal_.data() + column.first_row;
    for (Index e = column.first_entry; e < column.end_entry; ++e) {  // L_ij = S_ij L_jj^-T
      const Index rows = columns_[entries_[e].group].rows;
      blocks::with_rows(rows, [&](auto known) {
        blocks::solve_right<known()>(L, inverse, n, rows, values_.data() + entries_[e].offset);
      });
    }
    const Index* target_offset = updates_.data() + column.first_update;
    for (Index a = column.first_entry; a < column.end_entry; ++a) {  // S_ik -= L_ij L_kj^T
      const Index rows_a = columns_[entries_[a].group].rows;
      const double* left = values_.data() + entries_[a].offset;
      blocks::with_rows(rows_a, [&](auto known) {
        for (Index b = column.first_entry; b <= a; ++b) {
          blocks::add_outer<known()>(-1, left, values_.data() + entries_[b].offset, rows_a,
                                     columns_[entries_[b].group].rows, n, a == b, values_.data() + *target_offset++);
        }
      });
    }
  }
  return Status::success();
}

void SchurFactor::solve(VectorView x, bool sparse) const {
  double* y = work_.data();
  for (std::size_t p = 0; p < row_of_position_.size(); ++p) y[p] = x[row_of_position_[p]];
  for (const Column& column : columns_) {  // L z = y
    const Index n = column.rows;
    const double* L = values_.data() + column.diagonal;
    double* z = y + column.first_row;
    if (sparse && all_zero(z, n)) continue;
    for (Index j = 0; j < n; ++j) {
      z[j] *= inverse_diagonal_[column.first_row + j];
      for (Index i = j + 1; i < n; ++i) z[i] -= L[i + j * n] * z[j];
    }
    for (Index e = column.first_entry; e < column.end_entry; ++e) {
      const Column& below = columns_[entries_[e].group];
      blocks::with_rows(below.rows, [&](auto known) {
        blocks::add_product<known()>(-1, values_.data() + entries_[e].offset, below.rows, n, z, y + below.first_row);
      });
    }
  }
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {  // L^T x = z
    const Index n = column->rows;
    const double* L = values_.data() + column->diagonal;
    double* z = y + column->first_row;
    for (Index e = column->first_entry; e < column->end_entry; ++e) {
      const Column& below = columns_[entries_[e].group];
      if (sparse && all_zero(y + below.first_row, below.rows)) continue;
      blocks::with_rows(below.rows, [&](auto known) {
        blocks::subtract_transposed<known()>(values_.data() + entries_[e].offset, below.rows, n, y + below.first_row, z);
      });
    }
    for (Index j = n - 1; j >= 0; --j) {
      for (Index i = j + 1; i < n; ++i) z[j] -= L[i + j * n] * z[i];
      z[j] *= inverse_diagonal_[column->first_row + j];
    }
  }
  for (std::size_t p = 0; p < row_of_position_.size(); ++p) x[row_of_position_[p]] = y[p];
}

}  // namespace trammel
