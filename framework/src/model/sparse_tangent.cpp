// What moves with the independent coordinates, by products and solves with sparse matrices.
#include "model/sparse_tangent.h"

#include <Eigen/Core>
#include <algorithm>

#include "linalg/sizes.h"
#include "model/model_kkt.h"

namespace trammel {

Status SparseTangent::keep(ConstVectorView independent) {
  const KktMatrix& k = kkt_.matrix();
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows(), c = k.coordinates;
  independent_.clear();
  for (Index i = 0; i < n; ++i) {
    if (independent[i] != 0) independent_.push_back(i);
  }
  columns_.resize(count(n)), rows_.resize(count(m)), dropped_.resize(count(m));
  const double* M = kkt_.mass_blocks();
  M_.assign(M, M + kkt_.assembly().table.square(k.bodies));
  Phi_q_.assign(k.Phi_q, k.Phi_q + kkt_.assembly().full_block_size());
  intrinsic_.assign(k.intrinsic, k.intrinsic + k.intrinsic_rows * c);
  for (Index r = 0; r < m; ++r) dropped_[count(r)] = kkt_.dropped()[count(r)] != 0 ? 1 : 0;
  matrix_ = k;
  matrix_.weight = M_.data(), matrix_.Phi_q = Phi_q_.data(), matrix_.intrinsic = intrinsic_.data();
  matrix_.dropped = dropped_.data();
  if (dependent_.factorize(matrix_, independent)) return Status::success();
  return Status::failure(StatusCode::singular, "Jacobian of the dependent coordinates");
}

void SparseTangent::form(ConstVectorView y, std::vector<double>& Z) {
  std::fill(columns_.begin(), columns_.end(), 0.0);
  for (std::size_t k = 0; k < independent_.size(); ++k) columns_[count(independent_[k])] = y[static_cast<Index>(k)];
  kkt_.row_space().apply(matrix_, columns_.data(), rows_.data());
  for (double& x : rows_) x = -x;
  dependent_.solve(rows_.data(), false, 1, Z.data());
  for (std::size_t k = 0; k < independent_.size(); ++k) Z[count(independent_[k])] = y[static_cast<Index>(k)];
}

// T^T f = (f - Phi_q^T y)_w with Phi_u^T y = f_u.
void SparseTangent::project(double factor, const std::vector<double>& f, VectorView out) {
  dependent_.solve(f.data(), true, 1, rows_.data());
  kkt_.row_space().apply_transpose(matrix_, rows_.data(), columns_.data());
  for (std::size_t k = 0; k < independent_.size(); ++k) {
    const std::size_t i = count(independent_[k]);
    out[static_cast<Index>(k)] = factor * (f[i] - columns_[i]);
  }
}

void SparseTangent::add_mass(const std::vector<double>& x, std::vector<double>& f) const {
  const double* numbers = M_.data();
  for (Index b = 0; b < matrix_.bodies; ++b) {
    const Index c = matrix_.width(b), first = matrix_.first[b];
    const Eigen::Map<const Eigen::MatrixXd> M(numbers, c, c);
    Eigen::Map<Eigen::VectorXd>(f.data() + first, c).noalias() +=
        M * Eigen::Map<const Eigen::VectorXd>(x.data() + first, c);
    numbers += c * c;
  }
}

}  // namespace trammel
