// KktSolver: factorizes and solves [W Phi_q^T; Phi_q 0] with the structure of a mechanism. A kernel service.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"
#include "trammel/system.h"

namespace trammel {

/// One Jacobian block: rows first_row .. first_row + rows - 1 against the coordinates of one body.
struct JacobianBlock {
  Index element;  ///< row group, in row order
  Index body;
  Index first_row;
  Index rows;
  Index offset;          ///< of the full block in `Phi_q`, column-major, rows x c
  Index reduced_offset;  ///< of the reduced block in `reduced`, column-major, rows x reduced width
};

/// Structure fixed in setup, numbers rewritten before every factorization; all memory belongs to the model.
/// Row order: element rows, then one intrinsic row per body where the system has them.
struct KktMatrix {
  Index bodies = 0;
  Index coordinates = 0;          ///< per body
  Index reduced_coordinates = 0;  ///< per body
  Index rows = 0;                 ///< of elements, intrinsic ones not counted
  Index intrinsic_rows = 0;
  const JacobianBlock* blocks = nullptr;
  Index block_count = 0;
  const double* Phi_q = nullptr;           ///< full blocks
  const double* reduced = nullptr;         ///< Phi_q W_b; only where `system->reducible()`
  const double* intrinsic = nullptr;       ///< one row (c numbers) per body
  const double* weight = nullptr;          ///< W, blocks c x c per body; nullptr: identity
  const unsigned char* dropped = nullptr;  ///< per row: 1 leaves the row out, its multiplier is 0; nullptr: all kept
  const BodySystem* system = nullptr;
  const void* states = nullptr;
};

/// What a factorization saw of the rank. Pivots are relative to the row's own squared length: the squared sine of the
/// row's angle to the span of the rows eliminated before it.
struct RankWatch {
  double smallest_kept = 1;
  Index smallest_kept_row = -1;
  double largest_dropped = 0;
  Index largest_dropped_row = -1;
  Index weak = 0;       ///< kept rows that this factorization had to leave out
  Index weak_row = -1;  ///< the first of them
};

class KktSolver : public Extensible {
 public:
  /// [setup] Word for summary.json: "dense", "range_space", "sparse".
  virtual const char* name() const = 0;
  /// [setup] Whether it works on the reduced blocks, rather than on `weight`; only what it works on is computed.
  virtual bool uses_reduced() const { return false; }
  /// [setup] Symbolic work: ordering, storage.
  virtual Status analyse(const KktMatrix& matrix) = 0;
  /// [hot] `singular`: subject is the dependent row (or, from the number of rows on, rows + body). Solvers with a rank
  /// watch do not fail on dependent rows: they leave them out.
  virtual Status factorize(const KktMatrix& matrix) = 0;
  /// [hot] f has all coordinates, g all rows; lambda may be empty; x must not overlap f. The matrix is symmetric: this
  /// is the transposed solve too.
  virtual Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x,
                       VectorView lambda) = 0;
  /// [step] Of the last factorization, or nullptr if this solver does not look at rows one by one.
  virtual const RankWatch* watch() const { return nullptr; }

  virtual ~KktSolver() = default;
};

}  // namespace trammel
