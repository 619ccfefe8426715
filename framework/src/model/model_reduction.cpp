// State-space Jacobians of a model.
#include "model/model_reduction.h"

#include <algorithm>

#include "linalg/column_program.h"
#include "linalg/sizes.h"
#include "model/linearization.h"
#include "model/model_kkt.h"
#include "model/model_partition.h"

namespace trammel {
void ModelReduction::make_room(Index d) {
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  d_ = d, stride_ = column_stride(d);
  partition_.expect_columns();
  for (Numbers* x : {&T_, &MT_, &A_q_, &A_v_, &V_}) x->assign(count(n * stride_), 0.0);
  for (Numbers* x : {&Y_, &rows_}) x->assign(count(m * stride_), 0.0);
  for (Numbers* x : {&Q_t_, &reaction_t_, &du_, &dv_}) x->assign(count(n), 0.0);
  for (Numbers* x : {&Phi_tt_, &acceleration_t_, &rate_}) x->assign(count(m), 0.0);
  gram_.assign(count(stride_ * stride_), 0.0);
}

Status ModelReduction::reduce(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, MatrixView M,
                              MatrixView MJ1, MatrixView MJ2, VectorView MJt) {
  form_tangent(independent);
  multiply_mass();
  partition_.solve_columns(MT_.data(), {.count = d_, .stride = stride_, .transposed = true}, Y_.data());
  gram(T_, MT_, 1, M);  // (3)
  for (double& y : Y_) y = -y;
  std::fill(A_q_.begin(), A_q_.end(), 0.0);
  std::fill(A_v_.begin(), A_v_.end(), 0.0);
  linearization_.add_transposed(T_.data(), Y_.data(), stride_, A_q_.data(), A_v_.data());  // (1)
  std::fill(rows_.begin(), rows_.end(), 0.0);
  linearization_.add_velocity_rows(T_.data(), stride_, rows_.data());
  for (double& x : rows_) x *= -0.5;
  partition_.solve_columns(rows_.data(), {.count = d_, .stride = stride_}, V_.data());  // (2)
  gram(A_v_, T_, -1, MJ2);
  gram(A_q_, T_, -1, MJ1);
  std::fill(gram_.begin(), gram_.end(), 0.0);
  column_kernels().add_gram(A_v_.data(), V_.data(), kkt_.assembly().coordinates(), stride_, gram_.data());
  for (Index k = 0; k < d_; ++k) {
    for (Index i = 0; i < d_; ++i) MJ1(i, k) -= gram_[count(k * stride_ + i)];
  }
  return time_gradient(a, lambda, MJt);
}

void ModelReduction::column(Index k, VectorView dq, VectorView dv) const {
  for (Index i = 0; i < dq.size; ++i) dq[i] = T_[count(i * stride_ + k)], dv[i] = V_[count(i * stride_ + k)];
}

// Columns of T: T_w = I, Phi_u T_u = -Phi_w.
void ModelReduction::form_tangent(ConstVectorView independent) {
  const KktMatrix& k = kkt_.matrix();
  const Index c = k.coordinates, n = independent.size;
  std::fill(rows_.begin(), rows_.end(), 0.0);
  Numbers& place = du_;  // which column a coordinate is
  for (Index i = 0, column = 0; i < n; ++i) place[count(i)] = independent[i] != 0 ? column++ : -1;
  const auto column_of = [&](Index coordinate) { return static_cast<Index>(place[count(coordinate)]); };
  for (Index b = 0; b < k.block_count; ++b) {
    const JacobianBlock& block = k.blocks[b];
    for (Index j = 0; j < block.columns; ++j) {
      const Index column = column_of(block.column + j);
      if (column < 0) continue;
      const double* value = k.Phi_q + block.offset + j * block.rows;
      for (Index r = 0; r < block.rows; ++r) rows_[count((block.first_row + r) * stride_ + column)] = -value[r];
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * c; ++i) {
    if (const Index column = column_of(k.intrinsic_first[i / c] + i % c); column >= 0)
      rows_[count((k.rows + i / c) * stride_ + column)] = -k.intrinsic[i];
  }
  partition_.solve_columns(rows_.data(), {.count = d_, .stride = stride_}, T_.data());
  for (Index i = 0; i < n; ++i) {
    if (const Index column = column_of(i); column >= 0) T_[count(i * stride_ + column)] = 1;
  }
}

void ModelReduction::multiply_mass() {
  const KktMatrix& k = kkt_.matrix();
  const double* M = kkt_.mass_blocks();
  std::fill(MT_.begin(), MT_.end(), 0.0);
  for (Index b = 0; b < k.bodies; ++b) {
    const Index c = k.width(b), at = k.first[b] * stride_;
    column_kernels().add_columns({M, c, c, c, 1}, T_.data() + at, stride_, MT_.data() + at);
    M += c * c;
  }
}

// The motion that time alone causes, dw = dw' = 0: Phi_u du = nu, Phi_u du' = -(Phi_q v)_q du - Phi_tq (du + v) -
// Phi_tt.
Status ModelReduction::time_gradient(ConstVectorView a, ConstVectorView lambda, VectorView MJt) {
  Status status = linearization_.time_gradients(a, view(Q_t_), view(Phi_tt_), view(acceleration_t_));
  MJt.map().setZero();
  add_product(T_, view(Q_t_), 1, MJt);
  if (!status || !kkt_.point().rheonomic()) return status;
  const Index n = kkt_.assembly().coordinates();
  const std::vector<double>& v = kkt_.point().v();
  const ConstVectorView velocity{v.data(), n}, nu = kkt_.point().nu();
  // Drivers that rest, as most do most of the time, move nothing.
  const bool rests = (nu.map().array() == 0).all();
  std::fill(du_.begin(), du_.end(), 0.0);
  std::fill(rate_.begin(), rate_.end(), 0.0);
  if (!rests) {
    partition_.solve_dependent(nu, view(du_));
    status = linearization_.jacobian_gradient(velocity, view(du_), view(rate_));
  }
  for (std::size_t i = 0; i < rate_.size(); ++i) Phi_tt_[i] = -Phi_tt_[i] - rate_[i];
  for (std::size_t i = 0; i < v.size(); ++i) dv_[i] = du_[i] + v[i];
  if (status) status = linearization_.time_jacobian(view(dv_), view(rate_));
  for (std::size_t i = 0; i < rate_.size(); ++i) Phi_tt_[i] -= rate_[i];
  if (std::all_of(Phi_tt_.begin(), Phi_tt_.end(), [](double x) { return x == 0; }))
    std::fill(dv_.begin(), dv_.end(), 0.0);
  else
    partition_.solve_dependent(view(Phi_tt_), view(dv_));
  if (status) status = linearization_.time_jacobian_transposed(lambda, view(reaction_t_));
  add_product(A_q_, view(du_), -1, MJt);
  add_product(A_v_, view(dv_), -1, MJt);
  add_product(Y_, view(acceleration_t_), -1, MJt);  // Y_ holds -Y
  add_product(T_, view(reaction_t_), -1, MJt);
  return status;
}

void ModelReduction::add_product(const Numbers& X, ConstVectorView x, double factor, VectorView out) const {
  const double* row = X.data();
  for (Index i = 0; i < x.size; ++i, row += stride_) {
    const double weight = factor * x[i];
    if (weight == 0) continue;
    for (Index k = 0; k < d_; ++k) out[k] += weight * row[k];
  }
}

void ModelReduction::gram(const Numbers& X, const Numbers& Y, double factor, MatrixView out) {
  std::fill(gram_.begin(), gram_.end(), 0.0);
  column_kernels().add_gram(X.data(), Y.data(), kkt_.assembly().coordinates(), stride_, gram_.data());
  for (Index k = 0; k < d_; ++k) {
    for (Index i = 0; i < d_; ++i) out(i, k) = factor * gram_[count(k * stride_ + i)];
  }
}

}  // namespace trammel
