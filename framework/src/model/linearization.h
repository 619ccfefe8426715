// Linearization: all contractions of a model at one point, stored by element.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "model/linearized_place.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// K = (M a)_q + (Phi_q^T lambda)_q - Q_q and C = -Q_v on the coordinates, (Phi_q a - gamma)_q and _v on the rows. A
/// client of the point, whose states and elements it reads.
class Linearization {
 public:
  /// Where a block of K and of C lies, column-major, the coordinates of one body by those of another. Several may belong
  /// to the same two bodies: add them up.
  struct PairBlock {
    Index row_body, column_body;
    Index row, column;    ///< the first coordinates of these bodies
    Index rows, columns;  ///< their numbers
    Index offset;
    bool damped;  ///< false: the block of C is zero, constraints have no part in it

    Index size() const { return rows * columns; }
  };

  /// [setup]
  explicit Linearization(ModelPoint& point);
  /// Whether anybody has asked: room (about 6 kB per body of a spatial chain) is made then, so that methods that
  /// need no derivatives do without.
  bool made() const { return made_; }
  /// [setup] Gives that room back.
  void forget();
  const Assembly& assembly() const { return assembly_; }
  /// [step] At the last evaluation point. Blocks are formed when somebody asks for them, if nobody did last time and
  /// `defer` says so.
  Status compute(ConstVectorView a, ConstVectorView lambda);
  /// [step] From now on: for a client that needs a and lambda only.
  void defer();
  /// [step] Forms the blocks of the last `compute`, at its point, unless that is done. Before `pairs` numbers are read.
  Status settle();
  /// [step] Only those of forces, which `K` and `C` have then.
  Status compute_forces();
  const ModelPoint& point() const { return point_; }
  ConstVectorView a() const { return {at_.a.data(), static_cast<Index>(at_.a.size())}; }
  ConstVectorView lambda() const { return {at_.lambda.data(), static_cast<Index>(at_.lambda.size())}; }
  Status apply(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g);
  /// [hot] Formed on demand at the last evaluation point; see ConstrainedSystem.
  Status jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out);
  Status time_jacobian(ConstVectorView y, VectorView out);
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t);
  /// [hot] For many columns at once, stored as column_program.h says: A_q += T K - Y G_q and A_v += T C - Y G_v, where
  /// T has the numbers of one coordinate in all columns together, and `minus_Y` = -Y those of one row.
  Status add_transposed(const double* T, const double* minus_Y, Index stride, double* A_q, double* A_v);
  /// [hot] out += G_v T: one row in all columns together.
  void add_velocity_rows(const double* T, Index stride, double* out);
  /// [hot] out (n) = Phi_tq^T lambda at the last evaluation point.
  Status time_jacobian_transposed(ConstVectorView lambda, VectorView out);
  /// Blocks of K and C: diagonal ones of all bodies first; their offsets rise without gaps.
  const std::vector<PairBlock>& pairs() const {
    if (!made_) make_room();
    return pairs_;
  }
  /// Where the blocks of a force begin in `pairs()`, its bodies' by rows, without ground.
  std::size_t first_pair(std::size_t force) const {
    if (!made_) make_room();
    return first_pair_of_force_[force];
  }
  /// Their numbers, those of the last `compute`.
  const std::vector<double>& K() const {
    if (!made_) make_room();
    return K_;
  }
  const std::vector<double>& C() const {
    if (!made_) make_room();
    return C_;
  }
  /// Forces whose gradients were taken by differences.
  std::vector<Index>& differenced() { return differenced_; }

 private:
  /// The gradient of one row group against one body.
  struct RowBlock {
    Index first_row, rows;
    Index column, columns;  ///< the body's coordinates
    Index offset;
  };
  /// All blocks of K between two bodies.
  struct MergedPair {
    PairBlock first;
    std::vector<Index> offsets;
  };
  void make_room() const;
  Status form_blocks();
  Status form_elements();
  void merge_pairs();
  /// f += K x, g += G x; c coordinates per body.
  template <int c>
  void add_products(const double* K, const double* G, ConstVectorView x, VectorView f, VectorView g) const;
  Status force_gradients(std::size_t force);
  void bind_rows(const ConstraintSlot& slot, ConstVectorView x);
  void add_rows(const ConstraintSlot& slot, ConstVectorView y, VectorView out) const;
  Status force_differences(const ForceSlot& slot, const MatrixView* Q_q, const MatrixView* Q_v);
  PairBlock pair_of(Index row_body, Index column_body, Index offset, bool damped) const;
  /// Number `i` of an element's views: the block itself or, of bodies with fewer coordinates than elements write, room
  /// for a wide one.
  MatrixView wide_view(const PairBlock& pair, std::vector<double>& numbers, std::vector<double>& wide, std::size_t i);
  void cut(const PairBlock& pair, std::vector<double>& numbers, const MatrixView& view) const;

  ModelPoint& point_;
  const Assembly& assembly_;
  Index c_;
  LinearizedPlace at_;
  bool deferring_ = false, formed_ = true, asked_ = true;  ///< asked: for the blocks of the last `compute`
  // Made on demand.
  mutable bool made_ = false;
  mutable std::vector<PairBlock> pairs_;
  mutable std::vector<double> K_, C_;
  std::vector<MergedPair> merged_;
  mutable std::vector<RowBlock> row_blocks_;  // element rows, then intrinsic ones
  mutable std::vector<double> G_q_, G_v_;
  mutable std::vector<std::size_t> first_pair_of_constraint_, first_pair_of_force_;
  std::vector<Index> differenced_;
  mutable std::vector<double> scratch_, zero_;
  mutable std::vector<double> wide_, wide2_, wide_locals_;  // of elements on bodies with fewer coordinates
  mutable std::vector<MatrixView> views_, views2_;
  mutable std::vector<ConstVectorView> locals_;
  mutable std::vector<VectorView> force_locals_;
};

}  // namespace trammel
