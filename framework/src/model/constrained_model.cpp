// A model's constrained view, handed through to the classes that work at its point.
#include "model/constrained_model.h"

#include <cstring>

namespace trammel {

ConstrainedModel::ConstrainedModel(const Assembly& assembly, LinearSolver solver)
    : layout_(assembly), point_(assembly), kkt_(point_, solver) {
  for (Index i = 0; i < assembly.coordinates(); ++i) coordinate_names_.push_back(assembly.coordinate_name(i));
  for (Index i = 0; i < assembly.rows(); ++i) row_names_.push_back(assembly.row_name(i));
}

Status ConstrainedModel::linearize(ConstVectorView a, ConstVectorView lambda) {
  const Status status = linearization_.compute(a, lambda);
  return status ? internal_linearization_.compute(linearization_.differenced()) : status;
}

Status ConstrainedModel::apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) {
  linearization_.apply(dq, dv, f, g);
  return Status::success();
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

Status ConstrainedModel::apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) {
  return linearization_.jacobian_gradient(x, y, out);
}

Status ConstrainedModel::apply_time_jacobian(ConstVectorView y, VectorView out) {
  return linearization_.time_jacobian(y, out);
}

Status ConstrainedModel::time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt,
                                        VectorView acceleration_t) {
  return linearization_.time_gradients(a, Q_t, Phi_tt, acceleration_t);
}

Status ConstrainedModel::prepare(Index first, const Shift* shifts, Index count) {
  kkt_.mass_blocks();
  kkt_.factorizations += count;
  return implicit_factors_.prepare(kkt_.matrix(), first, shifts, count);
}

Status ConstrainedModel::solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x,
                                        VectorView lambda) {
  implicit_factors_.real(handle).solve(kkt_.matrix(), f, g, x, lambda);
  return Status::success();
}

Status ConstrainedModel::solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                                ComplexView lambda) {
  implicit_factors_.complex(handle).solve(kkt_.matrix(), f, g, x, lambda);
  return Status::success();
}

const void* ConstrainedModel::extension(const char* id) const {
  if (std::strcmp(id, RowChoice::id) == 0) return static_cast<const RowChoice*>(&rank_);
  if (std::strcmp(id, BlockSolve::id) == 0) return static_cast<const BlockSolve*>(&block_solve_);
  if (std::strcmp(id, PartitionSolve::id) == 0) return static_cast<const PartitionSolve*>(&partition_);
  if (std::strcmp(id, PartitionQuality::id) == 0) return static_cast<const PartitionQuality*>(&partition_);
  if (std::strcmp(id, StateSpaceSolve::id) == 0) return static_cast<const StateSpaceSolve*>(&sparse_state_space_);
  if (std::strcmp(id, StateSpaceDerivatives::id) == 0) return static_cast<const StateSpaceDerivatives*>(&reduction_);
  if (std::strcmp(id, CoordinateSizes::id) == 0) return static_cast<const CoordinateSizes*>(&kkt_.unit());
  if (std::strcmp(id, BodyLayout::id) == 0) return static_cast<const BodyLayout*>(&layout_);
  return nullptr;
}

void ConstrainedModel::remember(Archive& archive) {
  point_.remember(archive);
  std::vector<double> dropped(kkt_.dropped().begin(), kkt_.dropped().end());
  archive.block("model.dropped_rows", dropped);
  Index redundant = rank_.redundant();
  RankWatch& closest = kkt_.closest();
  archive.values("model", redundant, closest.smallest_kept, closest.smallest_kept_row, closest.largest_dropped,
                 closest.largest_dropped_row, closest.weak, closest.weak_row, kkt_.factorizations, point_.jacobians,
                 projection_.projections);
  if (archive.restores()) rank_.restore(dropped, redundant);
}

}  // namespace trammel
