// State-space equations with internal states.
#include "model/extended_state_space.h"

#include <algorithm>

#include "linalg/sizes.h"
#include "model/constrained_model.h"

namespace trammel {
namespace {

// (1), what time alone moves; s has nothing of it where the constraints do not depend on time.
void add_time_gradient(ConstrainedModel& model, ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView out,
                       VectorView rate) {
  model.parts().internal_linearization.time_gradient(out);
  if (!model.rheonomic()) return;
  const std::vector<double> none(count(out.size), 0.0);
  model.parts().internal_linearization.apply(dq, dv, {none.data(), out.size}, f, rate);
  out.map() += rate.map();
}

}  // namespace

ExtendedReduction::ExtendedReduction(ConstrainedModel& model) : model_(model) {}

void ExtendedReduction::make_room(Index d) {
  const Index n = model_.coordinates(), nz = model_.internal_states();
  for (std::vector<double>* x : {&dq_, &dv_, &f_}) x->assign(count(n), 0.0);
  w_.assign(count(d - nz), 0.0);
  unit_.assign(count(nz), 0.0);
  rate_.assign(count(nz), 0.0);
  model_.parts().reduction.make_room(d - nz);
}

Status ExtendedReduction::reduce(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, MatrixView M,
                                 MatrixView MJ1, MatrixView MJ2, VectorView MJt) {
  const Index n = model_.coordinates(), nz = model_.internal_states(), d = MJt.size - nz;
  const InternalLinearization& internal = model_.parts().internal_linearization;
  const auto corner = [&](MatrixView A) {
    A.map().setZero();
    return MatrixView{A.data, d, d, A.stride};
  };
  ModelReduction& bodies = model_.parts().reduction;
  const Status status = bodies.reduce(independent.segment(0, n), a.segment(0, n), lambda, corner(M), corner(MJ1),
                                      corner(MJ2), MJt.segment(0, d));
  if (!status) return status;
  for (Index i = 0; i < nz; ++i) M(d + i, d + i) = 1;
  std::fill(unit_.begin(), unit_.end(), 0.0);
  for (Index k = 0; k < d; ++k) {
    bodies.column(k, view(dq_), view(dv_));
    internal.apply(view(dq_), view(dv_), view(unit_), view(f_), view(rate_));
    for (Index i = 0; i < nz; ++i) MJ1(d + i, k) = rate_[count(i)];
    std::fill(dv_.begin(), dv_.end(), 0.0);
    internal.apply(view(dv_), view(dq_), view(unit_), view(f_), view(rate_));
    for (Index i = 0; i < nz; ++i) MJ2(d + i, k) = rate_[count(i)];
  }
  std::fill(dv_.begin(), dv_.end(), 0.0);
  for (Index k = 0; k < nz; ++k) {
    unit_[count(k)] = 1;
    internal.apply(view(dv_), view(dv_), view(unit_), view(f_), view(rate_));
    unit_[count(k)] = 0;
    bodies.project(view(f_), view(w_));
    for (Index i = 0; i < d; ++i) MJ2(i, d + k) = -w_[count(i)];
    for (Index i = 0; i < nz; ++i) MJ2(d + i, d + k) = rate_[count(i)];
  }
  add_time_gradient(model_, bodies.moved(), bodies.followed(), view(f_), MJt.segment(d, nz), view(rate_));
  return status;
}

ExtendedStateSpace::ExtendedStateSpace(ConstrainedModel& model) : model_(model), nz_(model.internal_states()) {}

Status ExtendedStateSpace::linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda,
                                     VectorView MJt) {
  const Index n = model_.coordinates();
  f_.assign(count(n), 0.0);
  zero_.assign(count(std::max(n, nz_)), 0.0);
  w_.assign(count(MJt.size - nz_), 0.0);
  SparseStateSpace& bodies = model_.parts().sparse_state_space;
  const Status status = bodies.linearize(independent.segment(0, n), a.segment(0, n), lambda, own(MJt));
  if (!status) return status;
  std::vector<double> rate(count(nz_));
  add_time_gradient(model_, bodies.moved(), bodies.followed(), view(f_), states(MJt), view(rate));
  return status;
}

void ExtendedStateSpace::apply_mass(ConstVectorView y, VectorView out) {
  model_.parts().sparse_state_space.apply_mass(own(y), own(out));
  states(out).map() = states(y).map();
}

void ExtendedStateSpace::apply_J1(ConstVectorView y, VectorView out) {
  SparseStateSpace& bodies = model_.parts().sparse_state_space;
  bodies.apply_J1(own(y), own(out));
  model_.parts().internal_linearization.apply(bodies.moved(), bodies.followed(), {zero_.data(), nz_}, view(f_),
                                              states(out));
}

void ExtendedStateSpace::apply_J2(ConstVectorView y, VectorView out) {
  const Index n = model_.coordinates();
  SparseStateSpace& bodies = model_.parts().sparse_state_space;
  bodies.apply_J2(own(y), own(out));
  model_.parts().internal_linearization.apply({zero_.data(), n}, bodies.moved(), states(y), view(f_), states(out));
  bodies.project(view(f_), view(w_));
  own(out).map() -= view(w_).map();
}

Status ExtendedStateSpace::prepare(Index first, const Shift* shifts, Index count) {
  return model_.parts().sparse_state_space.prepare(first, shifts, count);
}

Status ExtendedStateSpace::solve(Index handle, ConstVectorView r, VectorView z) {
  SparseStateSpace& bodies = model_.parts().sparse_state_space;
  const StateElimination<double>& elimination = model_.parts().implicit_factors.real(handle).elimination();
  std::fill(f_.begin(), f_.end(), 0.0);
  elimination.add_states(states(r), view(f_));
  bodies.project(view(f_), view(w_));
  view(w_).map() += own(r).map();
  const Status status = bodies.solve(handle, view(w_), own(z));
  if (!status) return status;
  bodies.follow(own(z));
  elimination.recover(states(r), bodies.moved(), bodies.followed(), states(z));
  return status;
}

Status ExtendedStateSpace::solve_complex(Index handle, ConstComplexView r, ComplexView z) {
  SparseStateSpace& bodies = model_.parts().sparse_state_space;
  const StateElimination<std::complex<double>>& elimination =
      model_.parts().implicit_factors.complex(handle).elimination();
  const ConstComplexView of_states{states(r.re), states(r.im)};
  f_im_.assign(f_.size(), 0.0), w_im_.assign(w_.size(), 0.0);
  std::fill(f_.begin(), f_.end(), 0.0);
  elimination.add_states(of_states, {view(f_), view(f_im_)});
  bodies.project(view(f_), view(w_));
  bodies.project(view(f_im_), view(w_im_));
  view(w_).map() += own(r.re).map(), view(w_im_).map() += own(r.im).map();
  const ComplexView own_z{own(z.re), own(z.im)};
  const Status status = bodies.solve_complex(handle, {view(w_), view(w_im_)}, own_z);
  if (!status) return status;
  bodies.follow(own_z.re);
  const ConstVectorView moved = bodies.moved(), followed = bodies.followed();
  x_re_.assign(moved.data, moved.data + moved.size), u_re_.assign(followed.data, followed.data + followed.size);
  bodies.follow(own_z.im);
  elimination.recover(of_states, {view(x_re_), bodies.moved()}, {view(u_re_), bodies.followed()},
                      {states(z.re), states(z.im)});
  return status;
}

}  // namespace trammel
