// Block-sparse Cholesky factor of S = B B^T, where B's rows come in groups (one per element) and its columns in bodies.
#pragma once

#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// B's block of one row group against one body: rows x width, column-major, at `offset` in the number array.
struct SchurBlock {
  Index group;
  Index body;
  Index offset;
};

/// Two groups are coupled where they share a body. Groups are eliminated in a fill-reducing order (approximate minimum
/// degree), so chains, trees and ladders cost O(n). Symbolic work happens once; nothing else allocates.
class SchurFactor {
 public:
  /// [setup] `group_rows` has the number of rows of each group; every block has `width` columns.
  void analyse(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks, Index bodies, Index width);
  /// [hot] S = B B^T and its factor. `singular`: subject is the first row (in B's order) that depends on the others,
  /// value the pivot relative to the row's own squared length.
  Status factorize(const double* B);
  /// [hot] x := S^-1 x.
  void solve(VectorView x) const;
  /// Smallest relative pivot of the last factorization.
  double pivot_ratio() const { return pivot_ratio_; }
  Index rows() const { return static_cast<Index>(row_of_position_.size()); }

 private:
  struct Product {  // target += B_left B_right^T
    Index left, right, target;
    Index rows_left, rows_right;
  };
  struct Entry {  // block L(group, column) below the diagonal
    Index group;  // position in elimination order
    Index offset;
  };
  struct Column {
    Index first_row;  // in elimination order
    Index rows;
    Index diagonal;   // offset of the diagonal block
    Index first_entry, end_entry;
    Index first_update;  // offsets of the targets of this column's outer products, row-wise lower triangle
  };

  void assemble(const double* B);
  Status factorize_diagonal(const Column& column);

  Index width_ = 0;
  std::vector<Column> columns_;
  std::vector<Entry> entries_;
  std::vector<Index> updates_;
  std::vector<Product> products_;
  std::vector<Index> row_of_position_;  // elimination row -> row of B
  std::vector<double> diagonal_scale_;  // S_ii before elimination
  std::vector<double> inverse_diagonal_;
  std::vector<double> values_;
  mutable std::vector<double> work_;
  double pivot_ratio_ = 1;
};

}  // namespace trammel
