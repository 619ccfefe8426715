// Choice of dependent columns by pivoting.
#include "linalg/choose_columns.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

namespace trammel {
namespace {

// A row whose largest entry left falls below this fraction of its length depends on the rows before it.
constexpr double smallest_pivot = 1e-9;
// Multiply-adds of full pivoting on the dense matrix up to which it is affordable at a re-partition (some 30 ms).
constexpr double dense_work = 3e7;

struct Entry {
  Index column;
  double value;
};

struct SparseRow {
  Index row;
  std::vector<Entry> entries;
};

/// The kept rows without the forced columns: intrinsic rows first, which meet one body each and cause no fill.
std::vector<SparseRow> kept_rows(const KktMatrix& k, ConstVectorView forced) {
  const auto allowed = [&](Index column) { return forced.size == 0 || forced[column] == 0; };
  std::vector<SparseRow> rows(static_cast<std::size_t>(k.intrinsic_rows + k.rows));
  const auto place = [&](Index row) -> SparseRow& {
    return rows[static_cast<std::size_t>(row < k.rows ? k.intrinsic_rows + row : row - k.rows)];
  };
  for (Index r = 0; r < k.rows + k.intrinsic_rows; ++r) place(r).row = r;
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    for (Index j = 0; j < k.coordinates; ++j) {
      const Index column = k.intrinsic_first[b] + j;
      if (allowed(column)) place(k.rows + b).entries.push_back({column, k.intrinsic[b * k.coordinates + j]});
    }
  }
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      const Index column = block.column + j;
      if (!allowed(column)) continue;
      for (Index r = 0; r < block.rows; ++r) {
        const double value = k.Phi_q[block.offset + j * block.rows + r];
        if (value != 0) place(block.first_row + r).entries.push_back({column, value});
      }
    }
  }
  const auto dropped = [&](const SparseRow& row) { return k.dropped != nullptr && k.dropped[row.row] != 0; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), dropped), rows.end());
  return rows;
}

void rescale(std::vector<SparseRow>& rows, ConstVectorView scale) {
  for (SparseRow& row : rows) {
    double length = 0;
    for (Entry& entry : row.entries) {
      entry.value *= scale[entry.column];
      length = std::hypot(length, entry.value);
    }
    if (!(length > 0)) continue;
    for (Entry& entry : row.entries) entry.value /= length;
  }
}

Status rank_lost(Index row, Index rank) {
  return Status::failure(StatusCode::singular, "partition: no pivot", row, static_cast<double>(rank));
}

/// With A = [A_u A_w] in the order of `column` (the m dependent columns first) and B = A_u^-1 A_w: exchanges columns as
/// long as an entry of B exceeds a bound. Each exchange multiplies |det A_u| by it, so that this ends, near the largest
/// determinant, where no independent coordinate moves a dependent one by more than the bound. S. A. Goreinov et al.,
/// How to find a good submatrix, in: Matrix Methods (World Scientific 2010) 247-256.
void exchange_columns(Eigen::MatrixXd& B, std::vector<Index>& column) {
  constexpr double bound = 1.5;
  const Index m = B.rows();
  for (auto work = static_cast<double>(B.size()); work > 0 && work < dense_work;
       work += static_cast<double>(2 * B.size())) {
    Index i = 0, j = 0;
    if (!(B.cwiseAbs().maxCoeff(&i, &j) > bound)) return;
    const double pivot = B(i, j);
    const Eigen::VectorXd leaving = B.col(j);
    B.row(i) /= pivot;
    for (Index k = 0; k < m; ++k) {
      if (k != i) B.row(k) -= leaving[k] * B.row(i);
    }
    B.col(j) = -leaving / pivot;
    B(i, j) = 1 / pivot;
    std::swap(column[static_cast<std::size_t>(i)], column[static_cast<std::size_t>(m + j)]);
  }
}

/// Gauss elimination with full pivoting, P A Q = L U in place: as Eigen::FullPivLU, whose pivots it chooses, but rows without
/// the pivot's column and columns without its row are left alone. Jacobians have few entries.
class FullPivots {
 public:
  explicit FullPivots(Eigen::MatrixXd& A) : A_(A), row_(A.rows()), column_(A.cols()), largest_(A.cols()) {
    for (Index i = 0; i < A.rows(); ++i) row_[at(i)] = i;
    for (Index j = 0; j < A.cols(); ++j) column_[at(j)] = j, measure(0, j);
    const auto size = static_cast<Index>(std::min(A.rows(), A.cols()));
    for (Index k = 0; k < size && take_pivot(k); ++k) eliminate(k);
  }
  /// Pivots above this fraction of the largest; they come first.
  Index rank(double threshold) const {
    Index rank = 0;
    while (rank < count_ && std::abs(A_(rank, rank)) > threshold * largest_pivot_) ++rank;
    return rank;
  }
  /// Which row and column of A stands at a place of L U.
  Index row(Index i) const { return row_[at(i)]; }
  Index column(Index j) const { return column_[at(j)]; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  void measure(Index k, Index j) {
    largest_[at(j)] = k < A_.rows() ? A_.col(j).tail(A_.rows() - k).cwiseAbs().maxCoeff() : 0;
  }
  bool take_pivot(Index k) {
    Index j = k;
    for (Index other = k + 1; other < A_.cols(); ++other) {
      if (largest_[at(other)] > largest_[at(j)]) j = other;
    }
    if (!(largest_[at(j)] > 0)) return false;
    Index i = k;
    while (std::abs(A_(i, j)) != largest_[at(j)]) ++i;
    largest_pivot_ = std::max(largest_pivot_, largest_[at(j)]);
    if (i != k) A_.row(i).swap(A_.row(k)), std::swap(row_[at(i)], row_[at(k)]);
    if (j != k) A_.col(j).swap(A_.col(k)), std::swap(column_[at(j)], column_[at(k)]);
    std::swap(largest_[at(j)], largest_[at(k)]);
    ++count_;
    return true;
  }
  void eliminate(Index k) {
    met_.clear();
    for (Index i = k + 1; i < A_.rows(); ++i) {
      if (A_(i, k) == 0) continue;
      A_(i, k) /= A_(k, k);
      met_.push_back(i);
    }
    for (Index j = k + 1; j < A_.cols(); ++j) {
      const double factor = A_(k, j);
      if (factor == 0) continue;
      for (const Index i : met_) A_(i, j) -= A_(i, k) * factor;
      measure(k + 1, j);
    }
  }

  Eigen::MatrixXd& A_;
  std::vector<Index> row_, column_, met_;
  std::vector<double> largest_;  ///< of the entries left in each column
  Index count_ = 0;
  double largest_pivot_ = 0;
};

Status pivot_densely(const std::vector<SparseRow>& rows, bool exchange, VectorView independent) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(static_cast<Index>(rows.size()), independent.size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Entry& entry : rows[i].entries) A(static_cast<Index>(i), entry.column) = entry.value;
  }
  const FullPivots lu(A);
  const Index rank = lu.rank(smallest_pivot);
  if (rank < static_cast<Index>(rows.size())) return rank_lost(rows[static_cast<std::size_t>(lu.row(rank))].row, rank);
  std::vector<Index> column(static_cast<std::size_t>(independent.size));
  for (Index i = 0; i < independent.size; ++i) column[static_cast<std::size_t>(i)] = lu.column(i);
  if (exchange) {
    Eigen::MatrixXd B = A.topRightCorner(rank, independent.size - rank);
    A.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(B);
    exchange_columns(B, column);
  }
  independent.map().setOnes();
  for (Index i = 0; i < rank; ++i) independent[column[static_cast<std::size_t>(i)]] = 0;
  return Status::success();
}

/// Row echelon form, one row after another. Pivot rows are stored divided by their pivots, without them.
class SparseElimination {
 public:
  explicit SparseElimination(Index columns)
      : value_(static_cast<std::size_t>(columns), 0.0), met_(value_.size(), 0), step_of_(value_.size(), -1) {}

  /// False: no pivot left in the row.
  bool eliminate(const SparseRow& row) {
    columns_.clear();
    double length = 0;
    for (const Entry& entry : row.entries) {
      add(entry.column, entry.value);
      length = std::hypot(length, entry.value);
    }
    while (!steps_.empty()) {
      const auto step = static_cast<std::size_t>(steps_.top());
      steps_.pop();
      const double factor = value_[static_cast<std::size_t>(pivot_of_[step])];
      if (factor == 0) continue;
      for (const Entry& entry : pivot_rows_[step]) add(entry.column, -factor * entry.value);
    }
    Index pivot = -1;
    double largest = 0;
    for (Index column : columns_) {
      const double size = std::abs(value_[static_cast<std::size_t>(column)]);
      if (step_of_[static_cast<std::size_t>(column)] < 0 && size > largest) pivot = column, largest = size;
    }
    const bool found = largest > smallest_pivot * length;
    if (found) store(pivot);
    for (Index column : columns_) {
      value_[static_cast<std::size_t>(column)] = 0;
      met_[static_cast<std::size_t>(column)] = 0;
    }
    return found;
  }
  /// B of `exchange_columns` with its columns: the pivots by step, then the others.
  Eigen::MatrixXd reduce(std::vector<Index>& column) const {
    const auto m = static_cast<Index>(pivot_of_.size()), n = static_cast<Index>(step_of_.size());
    std::vector<Index> place(step_of_.size(), 0);
    column = pivot_of_;
    for (Index c = 0; c < n; ++c) {
      if (is_pivot(c)) continue;
      place[static_cast<std::size_t>(c)] = static_cast<Index>(column.size()) - m;
      column.push_back(c);
    }
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(m, n - m);
    for (Index step = m - 1; step >= 0; --step) {
      for (const Entry& entry : pivot_rows_[static_cast<std::size_t>(step)]) {
        const auto c = static_cast<std::size_t>(entry.column);
        if (step_of_[c] >= 0)
          B.row(step) -= entry.value * B.row(step_of_[c]);
        else
          B(step, place[c]) += entry.value;
      }
    }
    return B;
  }
  bool is_pivot(Index column) const { return step_of_[static_cast<std::size_t>(column)] >= 0; }

 private:
  void add(Index column, double value) {
    const auto c = static_cast<std::size_t>(column);
    if (!met_[c]) {
      met_[c] = 1;
      columns_.push_back(column);
      if (step_of_[c] >= 0) steps_.push(step_of_[c]);
    }
    value_[c] += value;
  }
  void store(Index pivot) {
    std::vector<Entry>& rest = pivot_rows_.emplace_back();
    const double scale = 1 / value_[static_cast<std::size_t>(pivot)];
    for (Index column : columns_) {
      const auto c = static_cast<std::size_t>(column);
      if (column != pivot && step_of_[c] < 0 && value_[c] != 0) rest.push_back({column, value_[c] * scale});
    }
    step_of_[static_cast<std::size_t>(pivot)] = static_cast<Index>(pivot_of_.size());
    pivot_of_.push_back(pivot);
  }

  std::vector<double> value_;       // the row under work, dense
  std::vector<unsigned char> met_;  // its pattern
  std::vector<Index> columns_;      // the same as a list
  std::vector<Index> step_of_;      // per column: number of its pivot row, or -1
  std::vector<Index> pivot_of_;     // per pivot row
  std::vector<std::vector<Entry>> pivot_rows_;
  std::priority_queue<Index, std::vector<Index>, std::greater<>> steps_;  // pivot rows still to be subtracted
};

Status pivot_sparsely(const std::vector<SparseRow>& rows, bool exchange, VectorView independent) {
  SparseElimination elimination(independent.size);
  Index rank = 0, without = -1;
  for (const SparseRow& row : rows) {
    if (elimination.eliminate(row))
      ++rank;
    else if (without < 0)
      without = row.row;
  }
  if (without >= 0) return rank_lost(without, rank);
  for (Index i = 0; i < independent.size; ++i) independent[i] = elimination.is_pivot(i) ? 0 : 1;
  const double size = static_cast<double>(rank) * static_cast<double>(independent.size - rank);
  if (!exchange || size > 0.1 * dense_work) return Status::success();
  std::vector<Index> column;
  Eigen::MatrixXd B = elimination.reduce(column);
  exchange_columns(B, column);
  independent.map().setOnes();
  for (Index i = 0; i < rank; ++i) independent[column[static_cast<std::size_t>(i)]] = 0;
  return Status::success();
}

}  // namespace

Status choose_columns(const KktMatrix& k, ConstVectorView scale, ConstVectorView forced, VectorView independent) {
  std::vector<SparseRow> rows = kept_rows(k, forced);
  if (scale.size > 0) rescale(rows, scale);
  if (rows.empty()) {
    independent.map().setOnes();
    return Status::success();
  }
  for (const SparseRow& row : rows) {
    for (const Entry& entry : row.entries) {
      if (!std::isfinite(entry.value)) return Status::failure(StatusCode::not_finite, "constraint Jacobian", row.row);
    }
  }
  const auto m = static_cast<double>(rows.size());
  if (m * m * independent.size > dense_work) return pivot_sparsely(rows, scale.size > 0, independent);
  return pivot_densely(rows, scale.size > 0, independent);
}

}  // namespace trammel
