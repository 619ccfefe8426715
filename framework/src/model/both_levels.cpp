// Position rows and velocity rows of one constraint, side by side.
#include "model/both_levels.h"

#include <algorithm>
#include <array>

namespace trammel {
namespace {

constexpr Index most = VelocityRows::most_bodies, widest = SpatialBodyState::coordinates;

/// Rows of the blocks of all bodies; null stays null.
class BlockRows {
 public:
  BlockRows(const MatrixView* blocks, Index bodies, Index first, Index rows) : wanted_(blocks != nullptr) {
    for (Index i = 0; wanted_ && i < bodies; ++i) {
      const MatrixView& block = blocks[i];
      if (block) views_[static_cast<std::size_t>(i)] = {block.data + first, rows, block.cols, block.stride};
    }
  }
  const MatrixView* views() const { return wanted_ ? views_.data() : nullptr; }

 private:
  std::array<MatrixView, most> views_{};
  bool wanted_;
};

VectorView rows_of(VectorView x, Index first, Index rows) {
  return x.data != nullptr ? x.segment(first, rows) : VectorView{};
}

}  // namespace

Status BothLevels::evaluate(const ElementState& s, const ConstraintOutput& out) const {
  const Index first = position_rows_;
  if (position_rows_ > 0) {
    const BlockRows Phi_q(out.Phi_q, bodies_, 0, position_rows_);
    const Status status = constraint_.evaluate(
        s, {rows_of(out.Phi, 0, first), Phi_q.views(), rows_of(out.nu, 0, first), rows_of(out.gamma, 0, first)});
    if (!status) return status;
  }
  if (out.Phi.data != nullptr) rows_of(out.Phi, first, velocity_rows_).map().setZero();
  VectorView b = rows_of(out.nu, first, velocity_rows_);
  if (b.data != nullptr && !velocity_.velocity_rows_driven()) {
    b.map().setZero();
    b = {};
  }
  if (out.Phi_q == nullptr && b.data == nullptr && out.gamma.data == nullptr) return Status::success();
  const BlockRows B(out.Phi_q, bodies_, first, velocity_rows_);
  return velocity_.velocity_rows(s, {B.views(), b, rows_of(out.gamma, first, velocity_rows_)});
}

Status BothLevels::jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const {
  const BlockRows positions(out, bodies_, 0, position_rows_), velocities(out, bodies_, position_rows_, velocity_rows_);
  const Status status = position_rows_ > 0 ? constraint_.jacobian_gradient(s, x, positions.views()) : Status::success();
  return status ? velocity_.velocity_row_gradient(s, x, velocities.views()) : status;
}

// Both write their sums over rows into the same blocks: the second set is added.
Status BothLevels::multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const {
  const ConstVectorView of_velocities = lambda.segment(position_rows_, velocity_rows_);
  if (position_rows_ == 0) return velocity_.velocity_multiplier_gradient(s, of_velocities, out);
  Status status = constraint_.multiplier_gradient(s, lambda.segment(0, position_rows_), out);
  if (!status) return status;
  std::array<double, static_cast<std::size_t>(most) * most * widest * widest> numbers;
  std::array<MatrixView, static_cast<std::size_t>(most) * most> views{};
  for (Index i = 0; i < bodies_ * bodies_; ++i) {
    const Index c = out[i].rows;
    if (out[i]) views[static_cast<std::size_t>(i)] = {numbers.data() + i * widest * widest, c, c, c};
  }
  status = velocity_.velocity_multiplier_gradient(s, of_velocities, views.data());
  for (Index i = 0; status && i < bodies_ * bodies_; ++i) {
    if (out[i]) out[i].map() += views[static_cast<std::size_t>(i)].map();
  }
  return status;
}

Status BothLevels::acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                                         const MatrixView* out_v) const {
  if (position_rows_ > 0) {
    const BlockRows q(out_q, bodies_, 0, position_rows_), v(out_v, bodies_, 0, position_rows_);
    const Status status = constraint_.acceleration_gradient(s, a, q.views(), v.views());
    if (!status) return status;
  }
  const BlockRows q(out_q, bodies_, position_rows_, velocity_rows_), v(out_v, bodies_, position_rows_, velocity_rows_);
  return velocity_.velocity_acceleration_gradient(s, a, q.views(), v.views());
}

Status BothLevels::time_derivatives(const ElementState& s, const ConstVectorView* a,
                                    const ConstraintTimeDerivatives& out) const {
  const Index first = position_rows_;
  const BlockRows positions(out.Phi_tq, bodies_, 0, first), velocities(out.Phi_tq, bodies_, first, velocity_rows_);
  const VectorView drift = rows_of(out.Phi_tt, first, velocity_rows_),
                   acceleration_t = rows_of(out.acceleration_t, first, velocity_rows_);
  if (position_rows_ > 0) {
    const Status status = constraint_.time_derivatives(
        s, a, {positions.views(), rows_of(out.Phi_tt, 0, first), rows_of(out.acceleration_t, 0, first)});
    if (!status) return status;
  }
  const bool driven = velocity_.velocity_rows_driven();
  if (driven) {
    const Status status = velocity_.velocity_time_derivatives(s, a, {velocities.views(), drift, acceleration_t});
    if (!status) return status;
  }
  for (Index i = 0; out.Phi_tq != nullptr && i < bodies_; ++i) {
    const MatrixView& block = velocities.views()[i];
    if (block && driven) block.map() *= -1.0;
    if (block && !driven) block.map().setZero();
  }
  if (!driven && drift.data != nullptr) drift.map().setZero();
  if (!driven && acceleration_t.data != nullptr) acceleration_t.map().setZero();
  return Status::success();
}

}  // namespace trammel
