// Contractions and implicit solves of a model, handed through to the classes that work at its point.
#include "model/model_derivatives.h"

#include "model/model_parts.h"

namespace trammel {

Status ModelDerivatives::linearize(ConstVectorView a, ConstVectorView lambda) {
  const Status status = parts_.linearization.compute(a, lambda);
  return status ? parts_.internal_linearization.compute(parts_.linearization.differenced()) : status;
}

Status ModelDerivatives::apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) {
  return parts_.linearization.apply(dq, dv, f, g);
}

Status ModelDerivatives::apply_internal_linearization(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz,
                                                      VectorView f, VectorView r) {
  parts_.internal_linearization.apply(dq, dv, dz, f, r);
  return Status::success();
}

Status ModelDerivatives::internal_time_gradient(VectorView r) {
  parts_.internal_linearization.time_gradient(r);
  return Status::success();
}

Status ModelDerivatives::apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) {
  return parts_.linearization.jacobian_gradient(x, y, out);
}

Status ModelDerivatives::apply_time_jacobian(ConstVectorView y, VectorView out) {
  return parts_.linearization.time_jacobian(y, out);
}

Status ModelDerivatives::time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt,
                                        VectorView acceleration_t) {
  return parts_.linearization.time_gradients(a, Q_t, Phi_tt, acceleration_t);
}

Status ModelDerivatives::prepare(Index first, const Shift* shifts, Index count) {
  parts_.kkt.factorizations += count;
  return parts_.implicit_factors.prepare(parts_.kkt, first, shifts, count);
}

Status ModelDerivatives::solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x,
                                        VectorView lambda) {
  parts_.implicit_factors.real(handle).solve(parts_.kkt.all_rows_on_demand(), f, g, x, lambda);
  return Status::success();
}

Status ModelDerivatives::solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                                ComplexView lambda) {
  parts_.implicit_factors.complex(handle).solve(parts_.kkt.matrix_of_all_rows(), f, g, x, lambda);
  return Status::success();
}

}  // namespace trammel
