// KktSolver: factorizes and solves [W Phi_q^T; Phi_q 0] with the structure of a mechanism.
#pragma once

#include "trammel/body_reduction.h"
#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// One Jacobian block: rows first_row .. first_row + rows - 1 against the coordinates of one body.
struct JacobianBlock {
  Index element;  ///< row group, in row order
  Index body;
  Index first_row;
  Index rows;
  Index offset;                           ///< of the full block in `Phi_q`, column-major, rows x `columns`
  Index reduced_offset;                   ///< of the reduced block in `reduced`, column-major, rows x `reduced_columns`
  Index column;                           ///< first coordinate of the body among all
  Index columns;                          ///< coordinates of the body
  Index reduced_column, reduced_columns;  ///< the same of its reduced coordinates
};

/// Structure fixed in setup, numbers rewritten before every factorization; all memory belongs to the model.
/// Row order: element rows, then the intrinsic rows of the bodies that have one.
struct KktMatrix {
  Index bodies = 0;
  Index coordinates = 0;                 ///< of a body, the most
  Index reduced_coordinates = 0;         ///< of a body, the most; 0 without `reduction`
  bool mixed = false;                    ///< whether some body has fewer, or more than a rigid body
  const Index* first = nullptr;          ///< bodies + 1: where each one's coordinates begin among all
  const Index* reduced_first = nullptr;  ///< the same of its reduced coordinates
  Index rows = 0;                        ///< of elements, intrinsic ones not counted
  Index intrinsic_rows = 0;
  const Index* intrinsic_first = nullptr;  ///< per intrinsic row: where the coordinates of its body begin
  const JacobianBlock* blocks = nullptr;
  Index block_count = 0;
  Index state_bytes = 0;                     ///< of one body in `states`
  const double* Phi_q = nullptr;             ///< full blocks
  const double* reduced = nullptr;           ///< Phi_q W_b; only with `reduction`
  const double* intrinsic = nullptr;         ///< `coordinates` numbers per intrinsic row
  const double* weight = nullptr;            ///< W, a block per body, one behind the other; nullptr: identity
  const unsigned char* dropped = nullptr;    ///< per row: 1 leaves the row out, its multiplier is 0; nullptr: all kept
  const BodyReduction* reduction = nullptr;  ///< nullptr: some body has no W_b
  const void* states = nullptr;              ///< of all bodies, one after another

  /// n, coordinates of all bodies.
  Index size() const { return first[bodies]; }
  /// Reduced coordinates of all bodies.
  Index reduced_size() const { return reduced_first[bodies]; }
  /// Coordinates of one body.
  Index width(Index body) const { return first[body + 1] - first[body]; }
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

/// What a solver needs of a matrix; the same for the whole life of the object.
struct LinearSolverTraits {
  bool regular_inertia;  ///< needs `reduction`: the kernel refuses other models by name
  bool reduced_blocks;   ///< works on `reduced` and `reduction` rather than on `weight`; only what it works
                         ///< on is computed
  bool equal_bodies;     ///< needs bodies that all have the coordinates of a rigid body (`mixed` false)
};

/// A solver serves one matrix: `analyse` once, then `factorize` and `solve` any number of times. Solvers without
/// `reduced_blocks` take matrices without weights (nullptr), W = I, as well; minimal-norm corrections of a run are solved
/// by the kernel's own factors.
class KktSolver : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.linear_solver/1";

  /// [setup] Asked before `analyse`.
  virtual LinearSolverTraits traits() const = 0;
  /// [setup] Symbolic work: ordering, storage. `unsupported`: this matrix is none for it, and `what` says why. The
  /// numbers of the matrix mean nothing here.
  virtual Status analyse(const KktMatrix& matrix) = 0;
  /// [hot] `singular`: subject is the dependent row (or, from the number of rows on, rows + body). Solvers with a rank
  /// watch do not fail on dependent rows: they leave them out. After a failure the next `factorize` starts afresh.
  /// Allocates nothing, except where pivots or a pattern are chosen for the first time or have to change.
  virtual Status factorize(const KktMatrix& matrix) = 0;
  /// [hot] f has all coordinates, g all rows; lambda may be empty; x must not overlap f. Multipliers of rows that are
  /// left out are 0. The matrix is symmetric: this is the transposed solve too. Solvers that work on elements may leave a
  /// part of the factorization to the first solve and say here what `factorize` says. Allocates nothing.
  virtual Status solve(const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x,
                       VectorView lambda) = 0;
  /// [step] Of the last factorization, or nullptr if this solver does not look at rows one by one: then the kernel
  /// learns from a factorization of its own which rows are dependent, where `factorize` says `singular`.
  virtual const RankWatch* watch() const { return nullptr; }

 protected:
  ~KktSolver() = default;
};

/// Solvers that know what they cost, an extension of KktSolver: `auto` chooses among these only.
class LinearSolverCost {
 public:
  static constexpr const char* id = "trammel.linear_solver_cost/1";

  /// [setup] After `analyse`: of one factorization and one solve together, nanoseconds on the machine of
  /// docs/performance.md; >= 0. Must follow from the matrix's structure alone, so that the same model gets the same solver.
  virtual double cost() const = 0;

 protected:
  ~LinearSolverCost() = default;
};

/// Solvers with a rank watch that can keep rows down to rounding, an extension of KktSolver. In the metric of M^-1 a row
/// of light bodies may look dependent that is far from the others by geometry; the kernel asks for it again then.
class KeepsRowsToRounding {
 public:
  static constexpr const char* id = "trammel.keeps_rows_to_rounding/1";

  /// [hot] As KktSolver::factorize, but leaves rows out only where nothing but rounding is left of them.
  virtual Status factorize_to_rounding(const KktMatrix& matrix) = 0;

 protected:
  ~KeepsRowsToRounding() = default;
};

}  // namespace trammel
