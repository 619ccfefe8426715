// A model with internal states as the rates of further coordinates.
#include "model/extended_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "linalg/sizes.h"

namespace trammel {

ExtendedModel::ExtendedModel(ConstrainedModel& model)
    : model_(model), n_(model.coordinates()), nz_(model.internal_states()) {
  for (const ForceSlot& slot : model.assembly().forces) {
    for (Index k = 0; k < slot.states; ++k) names_.push_back(fmt::format("integral of {}.z.{}", slot.name, k));
  }
  mask_.assign(count(2 * (n_ + nz_)), 1.0);
  std::fill_n(mask_.begin() + n_, nz_, 0.0);
  Q_.assign(count(n_ + nz_), 0.0);
  for (std::vector<double>* x : {&f_, &f_im_}) x->assign(count(n_), 0.0);
  for (std::vector<double>* x : {&r_, &r_im_}) x->assign(count(nz_), 0.0);
}

Status ExtendedModel::evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView, unsigned parts) {
  const Status status = model_.evaluate(t, own(q), own(v), states(v), parts);
  if (status && (parts & evaluate_force) != 0) {
    std::copy_n(model_.Q().data, n_, Q_.begin());
    std::copy_n(model_.z_rate().data, nz_, Q_.begin() + n_);
  }
  return status;
}

void ExtendedModel::apply_jacobian_transpose(ConstVectorView y, VectorView out) const {
  model_.apply_jacobian_transpose(y, own(out));
  states(out).map().setZero();
}

void ExtendedModel::apply_mass(ConstVectorView x, VectorView out) const {
  model_.apply_mass(own(x), own(out));
  states(out).map() = states(x).map();
}

Status ExtendedModel::solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  const Status status = model_.solve(own(f), g, own(x), lambda);
  if (f.size > 0) {
    states(x).map() = states(f).map();
  } else {
    states(x).map().setZero();
  }
  return status;
}

Status ExtendedModel::apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) {
  Status status = model_.derivatives().apply_linearization(own(dq), own(dv), own(f), g);
  if (status)
    status = model_.derivatives().apply_internal_linearization(own(dq), own(dv), states(dv), view(f_), states(f));
  own(f).map() += view(f_).map();
  states(f).map() *= -1;
  return status;
}

Status ExtendedModel::time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) {
  const Status status = model_.derivatives().time_gradients(own(a), own(Q_t), Phi_tt, acceleration_t);
  return status ? model_.derivatives().internal_time_gradient(states(Q_t)) : status;
}

Status ExtendedModel::solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x,
                                     VectorView lambda) {
  const StateElimination<double>& elimination = model_.parts().implicit_factors.real(handle).elimination();
  view(f_).map() = own(f).map();
  view(r_).map() = states(f).map();
  elimination.add_states(view(r_), view(f_));
  const Status status = model_.derivatives().solve_implicit(handle, view(f_), g, own(x), lambda);
  elimination.recover(view(r_), own(x), {}, states(x));
  return status;
}

Status ExtendedModel::solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                             ComplexView lambda) {
  const StateElimination<std::complex<double>>& elimination =
      model_.parts().implicit_factors.complex(handle).elimination();
  const ComplexView force{view(f_), view(f_im_)}, rate{view(r_), view(r_im_)}, own_x{own(x.re), own(x.im)};
  force.re.map() = own(f.re).map(), force.im.map() = own(f.im).map();
  rate.re.map() = states(f.re).map(), rate.im.map() = states(f.im).map();
  elimination.add_states(rate, force);
  const Status status = model_.derivatives().solve_implicit_complex(handle, force, g, own_x, lambda);
  elimination.recover(rate, own_x, {}, {states(x.re), states(x.im)});
  return status;
}

const void* ExtendedModel::extension(const char* id) const {
  if (std::strcmp(id, PartitionSolve::id) == 0) return static_cast<const PartitionSolve*>(&partition_);
  if (std::strcmp(id, PartitionQuality::id) == 0) return static_cast<const PartitionQuality*>(&partition_);
  if (std::strcmp(id, CoordinateSizes::id) == 0) return static_cast<const CoordinateSizes*>(&partition_);
  if (std::strcmp(id, StateSpaceDerivatives::id) == 0) return static_cast<const StateSpaceDerivatives*>(&reduction_);
  if (std::strcmp(id, StateSpaceSolve::id) == 0) return static_cast<const StateSpaceSolve*>(&state_space_);
  if (std::strcmp(id, VelocityLevel::id) == 0) return static_cast<const VelocityLevel*>(&velocity_level_);
  for (const char* same : {RowChoice::id, BodyLayout::id, SystemConstraints::id}) {
    if (std::strcmp(id, same) == 0) return model_.extension(id);
  }
  return nullptr;  // BlockSolve has columns of other lengths
}

}  // namespace trammel
