// The state-space view without full matrices: products by the equations, implicit solves by preconditioned GMRES.
#include "model/sparse_state_space.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"
#include "model/implicit_factors.h"
#include "model/linearization.h"
#include "model/model_kkt.h"

namespace trammel {
namespace {

constexpr GmresLimits implicit_step{40, 1e-13, 1e-9};

}  // namespace

void SparseStateSpace::make_room() {
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  if (tangent_.freedoms() == freedoms_) return;
  freedoms_ = tangent_.freedoms();
  for (Numbers* x : {&Z_, &S_, &P_, &f_, &reaction_, &x_}) x->assign(count(n), 0.0);
  for (Numbers* x : {&g_, &rows_, &rate_}) x->assign(count(m), 0.0);
  zero_.assign(count(std::max(n, m)), 0.0);
  gmres_.make_room(freedoms_, implicit_step);
}

Status SparseStateSpace::linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda,
                                   VectorView MJt) {
  const Status status = tangent_.keep(independent);
  make_room();
  return status ? time_gradient(a, lambda, MJt) : status;
}

// As in model_reduction.cpp, for one vector.
Status SparseStateSpace::time_gradient(ConstVectorView a, ConstVectorView lambda, VectorView MJt) {
  Status status = linearization_.time_gradients(a, view(f_), view(rows_), view(g_));
  for (double& Q_t : f_) Q_t = -Q_t;
  if (status && kkt_.point().rheonomic()) {
    const std::vector<double>& v = kkt_.point().v();
    Numbers &du = Z_, &dv = S_;
    tangent_.dependent().solve(kkt_.point().nu().data, false, 1, du.data());
    status = linearization_.jacobian_gradient({v.data(), static_cast<Index>(v.size())}, view(du), view(rate_));
    for (std::size_t i = 0; i < rate_.size(); ++i) rows_[i] = -rows_[i] - rate_[i];
    for (std::size_t i = 0; i < v.size(); ++i) dv[i] = du[i] + v[i];
    if (status) status = linearization_.time_jacobian(view(dv), view(rate_));
    for (std::size_t i = 0; i < rate_.size(); ++i) rows_[i] -= rate_[i];
    tangent_.dependent().solve(rows_.data(), false, 1, dv.data());
    if (status) status = linearization_.time_jacobian_transposed(lambda, view(reaction_));
    linearization_.apply(view(du), view(dv), view(P_), view(rows_));
    for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += P_[i] + reaction_[i];
    for (std::size_t i = 0; i < g_.size(); ++i) g_[i] += rows_[i];
  }
  if (status) project_change(MJt);
  return status;
}

void SparseStateSpace::follow_velocities() {
  linearization_.apply(view(zero_).segment(0, static_cast<Index>(Z_.size())), view(Z_), view(f_), view(rows_));
  for (double& x : rows_) x *= -0.5;
  tangent_.dependent().solve(rows_.data(), false, 1, S_.data());
}

void SparseStateSpace::project_change(VectorView out) {
  for (double& x : g_) x = -x;
  tangent_.dependent().solve(g_.data(), false, 1, P_.data());
  tangent_.add_mass(P_, f_);
  tangent_.project(-1, f_, out);
}

void SparseStateSpace::apply_mass(ConstVectorView y, VectorView out) {
  tangent_.form(y, Z_);
  std::fill(f_.begin(), f_.end(), 0.0);
  tangent_.add_mass(Z_, f_);
  tangent_.project(1, f_, out);
}

void SparseStateSpace::apply_J1(ConstVectorView y, VectorView out) {
  tangent_.form(y, Z_);
  follow_velocities();
  linearization_.apply(view(Z_), view(S_), view(f_), view(g_));
  project_change(out);
}

void SparseStateSpace::apply_J2(ConstVectorView y, VectorView out) {
  tangent_.form(y, Z_);
  linearization_.apply(view(zero_).segment(0, static_cast<Index>(Z_.size())), view(Z_), view(f_), view(g_));
  project_change(out);
}

void SparseStateSpace::apply_implicit(Index handle, ConstVectorView y, VectorView out) {
  const double c0 = shifts_[count(handle)].c0, c1 = shifts_[count(handle)].c1;
  follow(y);
  const StateElimination<double>& elimination = factors_.real(handle).elimination();
  std::fill(reaction_.begin(), reaction_.end(), 0.0);
  elimination.add_reaction(view(Z_), view(S_), view(reaction_));
  for (std::size_t i = 0; i < Z_.size(); ++i) {  // dq = c0 Z, dv = c1 Z + c0 S
    S_[i] = c1 * Z_[i] + c0 * S_[i];
    x_[i] = c0 * Z_[i];
  }
  finish_implicit(reaction_, out);
}

void SparseStateSpace::apply_complex(Index handle, ConstVectorView y, VectorView out) {
  const Shift& shift = shifts_[count(handle)];
  const double a0 = shift.c0, b0 = shift.c0_imag, a1 = shift.c1, b1 = shift.c1_imag;
  follow(y.segment(0, freedoms_));
  complex_.Z_re = Z_, complex_.S_re = S_;
  follow(y.segment(freedoms_, freedoms_));
  complex_.Z_im = Z_, complex_.S_im = S_;
  std::fill(reaction_.begin(), reaction_.end(), 0.0);
  std::fill(complex_.f_im.begin(), complex_.f_im.end(), 0.0);
  factors_.complex(handle).elimination().add_reaction({view(complex_.Z_re), view(complex_.Z_im)},
                                                      {view(complex_.S_re), view(complex_.S_im)},
                                                      {view(reaction_), view(complex_.f_im)});
  for (std::size_t i = 0; i < Z_.size(); ++i) {  // the imaginary part, for which Z_ is right
    S_[i] = a1 * complex_.Z_im[i] + b1 * complex_.Z_re[i] + a0 * complex_.S_im[i] + b0 * complex_.S_re[i];
    x_[i] = a0 * complex_.Z_im[i] + b0 * complex_.Z_re[i];
  }
  finish_implicit(complex_.f_im, out.segment(freedoms_, freedoms_));
  for (std::size_t i = 0; i < Z_.size(); ++i) {
    S_[i] = a1 * complex_.Z_re[i] - b1 * complex_.Z_im[i] + a0 * complex_.S_re[i] - b0 * complex_.S_im[i];
    x_[i] = a0 * complex_.Z_re[i] - b0 * complex_.Z_im[i];
  }
  Z_ = complex_.Z_re;
  finish_implicit(reaction_, out.segment(0, freedoms_));
}

void SparseStateSpace::finish_implicit(const Numbers& states, VectorView out) {
  linearization_.apply(view(x_), view(S_), view(f_), view(g_));
  for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += states[i];
  tangent_.add_mass(Z_, f_);
  for (double& x : g_) x = -x;
  tangent_.dependent().solve(g_.data(), false, 1, P_.data());
  tangent_.add_mass(P_, f_);
  tangent_.project(1, f_, out);
}

Status SparseStateSpace::prepare(Index first, const Shift* shifts, Index number) {
  if (count(first + number) > shifts_.size()) shifts_.resize(count(first + number));
  std::copy(shifts, shifts + number, shifts_.begin() + first);
  const bool all_real = std::all_of(shifts, shifts + number, [](const Shift& s) { return s.real(); });
  if (!all_real && complex_.both.size() != count(2 * freedoms_)) {
    for (Numbers* x : {&complex_.Z_re, &complex_.S_re, &complex_.Z_im, &complex_.S_im, &complex_.f_im, &complex_.x_im})
      x->assign(Z_.size(), 0.0);
    for (Numbers* x : {&complex_.both, &complex_.solution}) x->assign(count(2 * freedoms_), 0.0);
    complex_.gmres.make_room(2 * freedoms_, implicit_step);
  }
  return factors_.prepare(tangent_.matrix(), first, shifts, number);
}

void SparseStateSpace::precondition(Index handle, ConstVectorView r, VectorView z) {
  std::fill(f_.begin(), f_.end(), 0.0);
  for (std::size_t k = 0; k < tangent_.independent().size(); ++k)
    f_[count(tangent_.independent()[k])] = r[static_cast<Index>(k)];
  factors_.real(handle).solve(tangent_.matrix(), view(f_), view(zero_).segment(0, static_cast<Index>(rows_.size())),
                              view(x_), view(rows_));
  for (std::size_t k = 0; k < tangent_.independent().size(); ++k)
    z[static_cast<Index>(k)] = x_[count(tangent_.independent()[k])];
}

void SparseStateSpace::precondition_complex(Index handle, ConstVectorView r, VectorView z) {
  const Index d = freedoms_;
  std::fill(f_.begin(), f_.end(), 0.0);
  std::fill(complex_.f_im.begin(), complex_.f_im.end(), 0.0);
  for (Index k = 0; k < d; ++k) {
    const std::size_t i = count(tangent_.independent()[count(k)]);
    f_[i] = r[k], complex_.f_im[i] = r[d + k];
  }
  const ConstVectorView no_rows = view(zero_).segment(0, static_cast<Index>(rows_.size()));
  factors_.complex(handle).solve(tangent_.matrix(), {view(f_), view(complex_.f_im)}, {no_rows, no_rows},
                                 {view(x_), view(complex_.x_im)}, {});
  for (Index k = 0; k < d; ++k) {
    const std::size_t i = count(tangent_.independent()[count(k)]);
    z[k] = x_[i], z[d + k] = complex_.x_im[i];
  }
}

namespace {

// Messages name what users know. With this preconditioner, a matrix that needs more iterations is nearly singular.
Status in_words(Status status, bool finite_right_side) {
  switch (status.code) {
    case StatusCode::singular: status.what = "matrix of the implicit step"; break;
    case StatusCode::not_converged:
      status.code = StatusCode::singular;
      status.what = "matrix of the implicit step: GMRES leaves";
      break;
    case StatusCode::not_finite:
      if (finite_right_side) status.what = "solution of the implicit step";
      break;
    default: break;
  }
  return status;
}

}  // namespace

Status SparseStateSpace::solve(Index handle, ConstVectorView r, VectorView z) {
  const auto multiply = [&](ConstVectorView y, VectorView out) { apply_implicit(handle, y, out); };
  const auto approximate = [&](ConstVectorView y, VectorView out) { precondition(handle, y, out); };
  const Status status = gmres_.solve(r, z, multiply, approximate);
  return status ? status : in_words(status, std::isfinite(r.map().norm()));
}

Status SparseStateSpace::solve_complex(Index handle, ConstComplexView r, ComplexView z) {
  const auto multiply = [&](ConstVectorView y, VectorView out) { apply_complex(handle, y, out); };
  const auto approximate = [&](ConstVectorView y, VectorView out) { precondition_complex(handle, y, out); };
  const VectorView both = view(complex_.both), solution = view(complex_.solution);
  both.segment(0, freedoms_).map() = r.re.map();
  both.segment(freedoms_, freedoms_).map() = r.im.map();
  const Status status = complex_.gmres.solve(both, solution, multiply, approximate);
  z.re.map() = solution.segment(0, freedoms_).map();
  z.im.map() = solution.segment(freedoms_, freedoms_).map();
  return status ? status : in_words(status, std::isfinite(both.map().norm()));
}

}  // namespace trammel
