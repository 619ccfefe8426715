// The linearization side of the model's constrained view.
#include <algorithm>
#include <cstring>

#include "model/constrained_model.h"

namespace trammel {

Status ConstrainedModel::linearize(ConstVectorView a, ConstVectorView lambda) {
  const Status status = linearization_.compute(*this, a, lambda);
  return status ? internal_linearization_.compute(*this, linearization_.differenced()) : status;
}

Status ConstrainedModel::apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz,
                                                      VectorView f, VectorView r) {
  internal_linearization_.apply(dq, dv, dz, f, r);
  return Status::success();
}

Status ConstrainedModel::internal_time_gradient(VectorView r) {
  internal_linearization_.time_gradient(r);
  return Status::success();
}

Status ConstrainedModel::apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) {
  linearization_.apply(dq, dv, f, g);
  return Status::success();
}

Status ConstrainedModel::apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) {
  return linearization_.jacobian_gradient(*this, x, y, out);
}

Status ConstrainedModel::apply_time_jacobian(ConstVectorView y, VectorView out) {
  return linearization_.time_jacobian(*this, y, out);
}

Status ConstrainedModel::time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt,
                                        VectorView acceleration_t) {
  return linearization_.time_gradients(*this, a, Q_t, Phi_tt, acceleration_t);
}

Status ConstrainedModel::prepare(double c0, double c1) {
  mass_blocks();
  ++factorizations;
  return linearization_.prepare(kkt_, c0, c1);
}

Status ConstrainedModel::solve_implicit(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  linearization_.solve(kkt_, f, g, x, lambda);
  return Status::success();
}

void ConstrainedModel::solve_implicit_block(double* unknowns, Index columns, bool transposed) {
  linearization_.solve(kkt_, unknowns, columns, transposed);
}

void ConstrainedModel::solve_block(double* unknowns, Index columns) {
  const Index n = coordinates(), m = constraints();
  for (Index column = 0; column < columns; ++column, unknowns += n + m) {
    std::copy(unknowns, unknowns + n, work_n2_.begin());
    std::copy(unknowns + n, unknowns + n + m, work_m_.begin());
    solve(view(work_n2_), view(work_m_), {unknowns, n}, {unknowns + n, m});
  }
}

const void* ConstrainedModel::extension(const char* id) const {
  if (std::strcmp(id, RowChoice::id) == 0) return static_cast<const RowChoice*>(this);
  if (std::strcmp(id, BlockSolve::id) == 0) return static_cast<const BlockSolve*>(this);
  if (std::strcmp(id, PartitionSolve::id) == 0) return static_cast<const PartitionSolve*>(&partition_);
  if (std::strcmp(id, PartitionQuality::id) == 0) return static_cast<const PartitionQuality*>(&partition_);
  if (std::strcmp(id, StateSpaceSolve::id) == 0) return static_cast<const StateSpaceSolve*>(&sparse_state_space_);
  if (std::strcmp(id, StateSpaceDerivatives::id) == 0) return static_cast<const StateSpaceDerivatives*>(&reduction_);
  if (std::strcmp(id, CoordinateSizes::id) == 0) return static_cast<const CoordinateSizes*>(&row_space_.unit());
  return nullptr;
}

}  // namespace trammel
