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

void SparseStateSpace::make_room(ConstVectorView independent) {
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  independent_.clear();
  for (Index i = 0; i < n; ++i) {
    if (independent[i] != 0) independent_.push_back(i);
  }
  const auto freedoms = static_cast<Index>(independent_.size());
  if (freedoms == freedoms_) return;
  freedoms_ = freedoms;
  for (Numbers* x : {&Z_, &S_, &P_, &f_, &reaction_, &zero_, &x_}) x->assign(count(n), 0.0);
  for (Numbers* x : {&g_, &rows_, &rate_, &zero_rows_, &mu_}) x->assign(count(m), 0.0);
  dropped_.assign(count(m), 0);
  gmres_.make_room(freedoms, implicit_step);
}

void SparseStateSpace::keep_matrices() {
  const KktMatrix& k = kkt_.matrix();
  const Index m = kkt_.assembly().rows(), c = k.coordinates;
  const double* M = kkt_.mass_blocks();
  M_.assign(M, M + kkt_.assembly().table.square(k.bodies));
  Phi_q_.assign(k.Phi_q, k.Phi_q + kkt_.assembly().full_block_size());
  intrinsic_.assign(k.intrinsic, k.intrinsic + k.intrinsic_rows * c);
  for (Index r = 0; r < m; ++r) dropped_[count(r)] = kkt_.dropped()[count(r)] != 0 ? 1 : 0;
  kept_matrix_ = k;
  kept_matrix_.weight = M_.data(), kept_matrix_.Phi_q = Phi_q_.data(), kept_matrix_.intrinsic = intrinsic_.data();
  kept_matrix_.dropped = dropped_.data();
}

Status SparseStateSpace::linearize(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda,
                                   VectorView MJt) {
  make_room(independent);
  keep_matrices();
  if (!dependent_.factorize(kept_matrix_, independent)) {
    return Status::failure(StatusCode::singular, "Jacobian of the dependent coordinates");
  }
  return time_gradient(a, lambda, MJt);
}

// As in model_reduction.cpp, for one vector.
Status SparseStateSpace::time_gradient(ConstVectorView a, ConstVectorView lambda, VectorView MJt) {
  Status status = linearization_.time_gradients(a, view(f_), view(rows_), view(g_));
  for (double& Q_t : f_) Q_t = -Q_t;
  if (status && kkt_.point().rheonomic()) {
    const std::vector<double>& v = kkt_.point().v();
    Numbers &du = Z_, &dv = S_;
    dependent_.solve(kkt_.point().nu().data, false, 1, du.data());
    status = linearization_.jacobian_gradient({v.data(), static_cast<Index>(v.size())}, view(du), view(rate_));
    for (std::size_t i = 0; i < rate_.size(); ++i) rows_[i] = -rows_[i] - rate_[i];
    for (std::size_t i = 0; i < v.size(); ++i) dv[i] = du[i] + v[i];
    if (status) status = linearization_.time_jacobian(view(dv), view(rate_));
    for (std::size_t i = 0; i < rate_.size(); ++i) rows_[i] -= rate_[i];
    dependent_.solve(rows_.data(), false, 1, dv.data());
    if (status) status = linearization_.time_jacobian_transposed(lambda, view(reaction_));
    linearization_.apply(view(du), view(dv), view(P_), view(rows_));
    for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += P_[i] + reaction_[i];
    for (std::size_t i = 0; i < g_.size(); ++i) g_[i] += rows_[i];
  }
  if (status) project_change(MJt);
  return status;
}

void SparseStateSpace::form_tangent(ConstVectorView y) {
  std::fill(P_.begin(), P_.end(), 0.0);
  for (std::size_t k = 0; k < independent_.size(); ++k) P_[count(independent_[k])] = y[static_cast<Index>(k)];
  kkt_.row_space().apply(kept_matrix_, P_.data(), rows_.data());
  for (double& x : rows_) x = -x;
  dependent_.solve(rows_.data(), false, 1, Z_.data());
  for (std::size_t k = 0; k < independent_.size(); ++k) Z_[count(independent_[k])] = y[static_cast<Index>(k)];
}

void SparseStateSpace::follow_velocities() {
  linearization_.apply(view(zero_), view(Z_), view(f_), view(rows_));
  for (double& x : rows_) x *= -0.5;
  dependent_.solve(rows_.data(), false, 1, S_.data());
}

void SparseStateSpace::multiply_mass(const Numbers& x) {
  const double* numbers = M_.data();
  for (Index b = 0; b < kept_matrix_.bodies; ++b) {
    const Index c = kept_matrix_.width(b), first = kept_matrix_.first[b];
    const Eigen::Map<const Eigen::MatrixXd> M(numbers, c, c);
    Eigen::Map<Eigen::VectorXd>(f_.data() + first, c).noalias() +=
        M * Eigen::Map<const Eigen::VectorXd>(x.data() + first, c);
    numbers += c * c;
  }
}

void SparseStateSpace::project_change(VectorView out) {
  for (double& x : g_) x = -x;
  dependent_.solve(g_.data(), false, 1, P_.data());
  multiply_mass(P_);
  project(-1, out);
}

// T^T f = (f - Phi_q^T y)_w with Phi_u^T y = f_u.
void SparseStateSpace::project(double factor, VectorView out) {
  dependent_.solve(f_.data(), true, 1, rows_.data());
  kkt_.row_space().apply_transpose(kept_matrix_, rows_.data(), P_.data());
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    const std::size_t i = count(independent_[k]);
    out[static_cast<Index>(k)] = factor * (f_[i] - P_[i]);
  }
}

void SparseStateSpace::apply_mass(ConstVectorView y, VectorView out) {
  form_tangent(y);
  std::fill(f_.begin(), f_.end(), 0.0);
  multiply_mass(Z_);
  project(1, out);
}

void SparseStateSpace::apply_J1(ConstVectorView y, VectorView out) {
  form_tangent(y);
  follow_velocities();
  linearization_.apply(view(Z_), view(S_), view(f_), view(g_));
  project_change(out);
}

void SparseStateSpace::apply_J2(ConstVectorView y, VectorView out) {
  form_tangent(y);
  linearization_.apply(view(zero_), view(Z_), view(f_), view(g_));
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
  Z_re_ = Z_, S_re_ = S_;
  follow(y.segment(freedoms_, freedoms_));
  Z_im_ = Z_, S_im_ = S_;
  std::fill(reaction_.begin(), reaction_.end(), 0.0);
  std::fill(f_im_.begin(), f_im_.end(), 0.0);
  factors_.complex(handle).elimination().add_reaction({view(Z_re_), view(Z_im_)}, {view(S_re_), view(S_im_)},
                                                      {view(reaction_), view(f_im_)});
  for (std::size_t i = 0; i < Z_.size(); ++i) {  // the imaginary part, for which Z_ is right
    S_[i] = a1 * Z_im_[i] + b1 * Z_re_[i] + a0 * S_im_[i] + b0 * S_re_[i];
    x_[i] = a0 * Z_im_[i] + b0 * Z_re_[i];
  }
  finish_implicit(f_im_, out.segment(freedoms_, freedoms_));
  for (std::size_t i = 0; i < Z_.size(); ++i) {
    S_[i] = a1 * Z_re_[i] - b1 * Z_im_[i] + a0 * S_re_[i] - b0 * S_im_[i];
    x_[i] = a0 * Z_re_[i] - b0 * Z_im_[i];
  }
  Z_ = Z_re_;
  finish_implicit(reaction_, out.segment(0, freedoms_));
}

void SparseStateSpace::finish_implicit(const Numbers& states, VectorView out) {
  linearization_.apply(view(x_), view(S_), view(f_), view(g_));
  for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += states[i];
  multiply_mass(Z_);
  for (double& x : g_) x = -x;
  dependent_.solve(g_.data(), false, 1, P_.data());
  multiply_mass(P_);
  project(1, out);
}

Status SparseStateSpace::prepare(Index first, const Shift* shifts, Index number) {
  if (count(first + number) > shifts_.size()) shifts_.resize(count(first + number));
  std::copy(shifts, shifts + number, shifts_.begin() + first);
  const bool all_real = std::all_of(shifts, shifts + number, [](const Shift& s) { return s.real(); });
  if (!all_real && both_.size() != count(2 * freedoms_)) {
    for (Numbers* x : {&Z_re_, &S_re_, &Z_im_, &S_im_, &f_im_, &x_im_}) x->assign(Z_.size(), 0.0);
    for (Numbers* x : {&both_, &solution_}) x->assign(count(2 * freedoms_), 0.0);
    complex_gmres_.make_room(2 * freedoms_, implicit_step);
  }
  return factors_.prepare(kept_matrix_, first, shifts, number);
}

void SparseStateSpace::precondition(Index handle, ConstVectorView r, VectorView z) {
  std::fill(f_.begin(), f_.end(), 0.0);
  for (std::size_t k = 0; k < independent_.size(); ++k) f_[count(independent_[k])] = r[static_cast<Index>(k)];
  factors_.real(handle).solve(kept_matrix_, view(f_), view(zero_rows_), view(x_), view(mu_));
  for (std::size_t k = 0; k < independent_.size(); ++k) z[static_cast<Index>(k)] = x_[count(independent_[k])];
}

void SparseStateSpace::precondition_complex(Index handle, ConstVectorView r, VectorView z) {
  const Index d = freedoms_;
  std::fill(f_.begin(), f_.end(), 0.0);
  std::fill(f_im_.begin(), f_im_.end(), 0.0);
  for (Index k = 0; k < d; ++k) {
    const std::size_t i = count(independent_[count(k)]);
    f_[i] = r[k], f_im_[i] = r[d + k];
  }
  const ConstVectorView no_rows = view(zero_rows_);
  factors_.complex(handle).solve(kept_matrix_, {view(f_), view(f_im_)}, {no_rows, no_rows}, {view(x_), view(x_im_)},
                                 {});
  for (Index k = 0; k < d; ++k) {
    const std::size_t i = count(independent_[count(k)]);
    z[k] = x_[i], z[d + k] = x_im_[i];
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
  const VectorView both = view(both_), solution = view(solution_);
  both.segment(0, freedoms_).map() = r.re.map();
  both.segment(freedoms_, freedoms_).map() = r.im.map();
  const Status status = complex_gmres_.solve(both, solution, multiply, approximate);
  z.re.map() = solution.segment(0, freedoms_).map();
  z.im.map() = solution.segment(freedoms_, freedoms_).map();
  return status ? status : in_words(status, std::isfinite(both.map().norm()));
}

}  // namespace trammel
