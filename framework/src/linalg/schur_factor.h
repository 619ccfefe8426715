// Block-sparse factor L D L^T of S = B B^T, where B's rows come in groups (one per element) and its columns in bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/schur_program.h"
#include "trammel/extensions/host_services.h"

namespace trammel {

/// B's block of one row group against one body: rows x width, column-major, at `offset` in the number array. All blocks of
/// a body have its width.
struct SchurBlock {
  Index group;
  Index body;
  Index offset;
  Index width;
};

/// Two groups are coupled where they share a body. Groups are eliminated in a fill-reducing order (approximate minimum
/// degree), so chains, trees and ladders cost O(n). Symbolic work happens once; nothing else allocates.
///
/// Rank: dropped rows have no multiplier (S^-1 is that of the kept rows, with zeros for the others), but their pivots
/// are still computed, which shows when a row becomes independent again. A kept row whose pivot vanishes counts as
/// dropped for that factorization only ("weak"): the solution is then that of the remaining rows.
class SchurFactor {
 public:
  /// `workers`: threads that assemble S, nullptr: the calling one.
  explicit SchurFactor(const BlockKernels& kernels = block_kernels(), const Workers* workers = nullptr)
      : kernels_(kernels), workers_(workers) {}

  /// [setup] `group_rows` has the number of rows of each group. The last `leading`
  /// groups, which meet one body each, are eliminated before all others: all groups of a body are coupled already, so
  /// that this fills nothing in.
  void analyse(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks, Index bodies,
               Index leading = 0);
  /// [hot] S = B B^T and its factor without the rows marked in `dropped` (B's order; nullptr: none).
  /// `not_finite`: subject is the row.
  Status factorize(const double* B, const unsigned char* dropped);
  /// [hot] The same with kept rows left out only where nothing but rounding is left of them.
  Status factorize_to_rounding(const double* B, const unsigned char* dropped);
  /// [step] Factorizes and marks in `dropped` the rows whose relative pivot is below `threshold`, and those marked in
  /// `without` if that is given. Returns their number.
  Index select(const double* B, double threshold, unsigned char* dropped, const unsigned char* without = nullptr);
  /// [hot] x := S^-1 x; `sparse` skips the columns that meet only zeros, for right-hand sides of a few entries.
  void solve(VectorView x, bool sparse = false) const { kernels_.solve(program_, x.data, sparse); }
  const RankWatch& watch() const { return watch_; }
  /// Rows kept nominally but left out by the last factorization, and the dropped ones.
  bool left_out(Index row) const { return inverse_diagonal_[static_cast<std::size_t>(position_of_row_[row])] == 0; }
  Index rows() const { return static_cast<Index>(row_of_position_.size()); }
  /// Multiply-adds of one factorization.
  double work() const { return flops_; }
  /// Blocks that one factorization and one solve touch; for narrow rows their number costs more than the arithmetic.
  double block_operations() const {
    return static_cast<double>(products_.size() + updates_.size() + 3 * entries_.size() + columns_.size());
  }

 private:
  void analyse_products(const std::vector<Index>& group_rows, const std::vector<SchurBlock>& blocks, Index bodies,
                        const std::vector<Index>& position);
  std::int16_t common_rows(const SchurColumn& column) const;
  Index offset_of(Index row, Index column) const;
  Status factorize_columns(const double* B, const unsigned char* dropped, double threshold);

  const BlockKernels& kernels_;
  const Workers* workers_;
  SchurProgram program_;  // points into the arrays below
  std::vector<SchurColumn> columns_;
  std::vector<SchurEntry> entries_;
  std::vector<Index> entry_columns_;  // position of each entry's row group
  std::vector<Index> updates_;
  std::vector<SchurProduct> products_;
  std::vector<Index> row_of_position_;  // elimination row -> row of B
  std::vector<Index> position_of_row_;
  std::vector<double> values_, scale_, inverse_diagonal_, unscaled_;
  RankWatch watch_;
  double flops_ = 0;
};

}  // namespace trammel
