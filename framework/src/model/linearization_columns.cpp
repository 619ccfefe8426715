// The linearization applied from the left to many columns at once, for state-space Jacobians.
#include <algorithm>
#include <map>
#include <utility>

#include "linalg/column_program.h"
#include "model/linearization.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {

void Linearization::merge_pairs() {
  std::map<std::pair<Index, Index>, std::size_t> known;
  for (const PairBlock& pair : pairs_) {
    const auto [at, is_new] = known.emplace(std::pair(pair.row_body, pair.column_body), merged_.size());
    if (is_new) merged_.push_back({pair, {}});
    merged_[at->second].offsets.push_back(pair.offset);
  }
}

Status Linearization::add_transposed(const double* T, const double* minus_Y, Index stride, double* A_q, double* A_v) {
  const Status status = settle();
  const ColumnKernels& kernels = column_kernels();
  if (merged_.empty()) merge_pairs();
  for (const MergedPair& pair : merged_) {
    const double* K = K_.data() + pair.offsets.front();
    const auto [rows, columns] = std::pair(pair.first.rows, pair.first.columns);
    const Index square = rows * columns;
    if (pair.offsets.size() > 1) {
      std::copy(K, K + square, scratch_.data());
      for (std::size_t k = 1; k < pair.offsets.size(); ++k) {
        const double* more = K_.data() + pair.offsets[k];
        for (Index i = 0; i < square; ++i) scratch_[static_cast<std::size_t>(i)] += more[i];
      }
      K = scratch_.data();
    }
    kernels.add_columns({K, rows, columns, 1, rows}, T + pair.first.row * stride, stride,
                        A_q + pair.first.column * stride);
  }
  for (const PairBlock& pair : pairs_) {
    if (!pair.damped) continue;
    kernels.add_columns({C_.data() + pair.offset, pair.rows, pair.columns, 1, pair.rows}, T + pair.row * stride, stride,
                        A_v + pair.column * stride);
  }
  for (const RowBlock& rows : row_blocks_) {
    const double* Y = minus_Y + rows.first_row * stride;
    const Index c = rows.columns, at = rows.column * stride;
    kernels.add_columns({G_q_.data() + rows.offset, rows.rows, c, 1, rows.rows}, Y, stride, A_q + at);
    kernels.add_columns({G_v_.data() + rows.offset, rows.rows, c, 1, rows.rows}, Y, stride, A_v + at);
  }
  return status;
}

// After `add_transposed`.
void Linearization::add_velocity_rows(const double* T, Index stride, double* out) {
  const ColumnKernels& kernels = column_kernels();
  for (const RowBlock& rows : row_blocks_) {
    kernels.add_columns({G_v_.data() + rows.offset, rows.columns, rows.rows, rows.rows, 1}, T + rows.column * stride,
                        stride, out + rows.first_row * stride);
  }
}

Status Linearization::time_jacobian_transposed(ConstVectorView lambda, VectorView out) {
  make_room();
  out.map().setZero();
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (!slot.constraint->rheonomic()) continue;
    bind_rows(slot, {zero_.data(), out.size});
    ConstraintTimeDerivatives wanted;
    wanted.Phi_tq = views_.data();
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.constraint->time_derivatives(point_.element_state(slot), locals_.data(), wanted);
    if (!status) {
      point_.fail(slot);
      return status;
    }
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      if (slot.bodies[i] < 0) continue;
      const Index first = assembly_.table.first(slot.bodies[i]), width = assembly_.table.width(slot.bodies[i]);
      out.segment(first, width).map().noalias() +=
          views_[i].map().leftCols(width).transpose() * lambda.segment(slot.first_row, slot.rows).map();
    }
  }
  return Status::success();
}

}  // namespace trammel
