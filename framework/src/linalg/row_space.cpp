// Rank, dependent rows and minimal-norm multipliers from S = J J^T.
#include "linalg/row_space.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "linalg/kkt_products.h"
#include "linalg/sizes.h"

namespace trammel {
namespace {

Eigen::Map<Eigen::VectorXd> map(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

/// Room to work in. Models without dependent rows never need it: `select` makes it where it finds some.
void make_room(std::initializer_list<std::vector<double>*> list, Index size) {
  for (std::vector<double>* x : list) {
    if (static_cast<Index>(x->size()) != size) x->assign(count(size), 0.0);
  }
}

}  // namespace

void RowSpace::analyse(const KktMatrix& k) {
  std::vector<Index> rows = group_rows(k);
  const auto elements = static_cast<Index>(rows.size());
  std::vector<SchurBlock> blocks;
  full_size_ = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    blocks.push_back({k.blocks[i].element, k.blocks[i].body, k.blocks[i].offset, k.blocks[i].columns});
    full_size_ = std::max(full_size_, k.blocks[i].offset + k.blocks[i].rows * k.coordinates);
  }
  for (Index b = 0, body = 0; b < k.intrinsic_rows; ++b) {
    while (k.first[body] < k.intrinsic_first[b]) ++body;
    rows.push_back(1);
    blocks.push_back({elements + b, body, full_size_ + b * k.coordinates, k.coordinates});
  }
  blocks_.assign(count(full_size_ + k.intrinsic_rows * k.coordinates), 0.0);
  schur_.analyse(rows, blocks, k.bodies, k.intrinsic_rows);
  for (auto* x : {&coordinates_, &rest_, &rows_, &shares_, &z_, &residual_, &direction_, &image_}) *x = {};
}

void RowSpace::copy_blocks(const KktMatrix& k) {
  std::copy(k.Phi_q, k.Phi_q + full_size_, blocks_.begin());
  std::copy(k.intrinsic, k.intrinsic + k.intrinsic_rows * k.coordinates, blocks_.begin() + full_size_);
}

Status RowSpace::factorize(const KktMatrix& k) {
  copy_blocks(k);
  return schur_.factorize(blocks_.data(), k.dropped);
}

Status RowSpace::factorize_dependent(const KktMatrix& k, ConstVectorView independent) {
  copy_blocks(k);
  const Index c = k.coordinates;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      if (independent[block.column + j] != 0)
        std::fill_n(blocks_.begin() + block.offset + j * block.rows, block.rows, 0.0);
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * c; ++i) {
    if (independent[k.intrinsic_first[i / c] + i % c] != 0) blocks_[count(full_size_ + i)] = 0;
  }
  return schur_.factorize(blocks_.data(), k.dropped);
}

KktMatrix RowSpace::as_factorized(const KktMatrix& k) const {
  KktMatrix matrix = k;
  matrix.Phi_q = blocks_.data();
  matrix.intrinsic = blocks_.data() + full_size_;
  return matrix;
}

double RowSpace::squared_length(const KktMatrix& k, const unsigned char* dropped) const {
  double sum = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    const double* value = blocks_.data() + block.offset;
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = block.first_row; r < block.first_row + block.rows; ++r, ++value) {
        if (dropped[r] == 0) sum += *value * *value;
      }
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * k.coordinates; ++i) {
    sum += blocks_[count(full_size_ + i)] * blocks_[count(full_size_ + i)];
  }
  return sum;
}

Index RowSpace::select(const KktMatrix& k, double threshold, unsigned char* dropped, const unsigned char* without) {
  copy_blocks(k);
  schur_.select(blocks_.data(), threshold * threshold, dropped, without);
  // The intrinsic rows come first, and they are orthogonal to each other: none depends on others. Element rows are so
  // judged by what they demand of motions that the intrinsic rows allow.
  const auto left = static_cast<Index>(std::count(dropped, dropped + k.rows, 1));
  if (left == 0) return 0;
  make_room({&coordinates_, &rest_}, k.size());
  make_room({&rows_, &shares_, &z_, &residual_, &direction_, &image_}, schur_.rows());
  return left;
}

void RowSpace::apply(const KktMatrix& k, const double* x, double* out) const {
  const Index c = k.coordinates;
  std::fill(out, out + k.rows + k.intrinsic_rows, 0.0);
  add_block_products(k, k.Phi_q, c, false, x, out);
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    const double* own = x + k.intrinsic_first[b];
    for (Index j = 0; j < c; ++j) out[k.rows + b] += k.intrinsic[b * c + j] * own[j];
  }
}

void RowSpace::apply_transpose(const KktMatrix& k, const double* y, double* out) const {
  const Index c = k.coordinates, n = k.size();
  std::fill(out, out + n, 0.0);
  subtract_block_transpose_products(k, k.Phi_q, c, false, y, out);
  for (Index i = 0; i < n; ++i) out[i] = -out[i];
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    double* own = out + k.intrinsic_first[b];
    for (Index j = 0; j < c; ++j) own[j] += k.intrinsic[b * c + j] * y[k.rows + b];
  }
}

namespace {

/// Row `row` of J, over all coordinates.
void expand_row(const KktMatrix& k, Index row, std::vector<double>& out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    if (row < block.first_row || row >= block.first_row + block.rows) continue;
    for (Index j = 0; j < block.columns; ++j) {
      out[count(block.column + j)] = k.Phi_q[block.offset + j * block.rows + row - block.first_row];
    }
  }
}

constexpr int sweeps =
    2;  // the normal equations square the condition: a step of refinement on the residual makes up for it

}  // namespace

double RowSpace::combination(const KktMatrix& k, Index row, std::vector<double>& share) const {
  const Index m = k.rows + k.intrinsic_rows;
  share.assign(count(m), 0.0);
  std::vector<double> rest(count(k.size()), 0.0), correction(count(m), 0.0), explained(rest.size());
  expand_row(k, row, rest);
  const double length = map(rest).norm();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    apply(k, rest.data(), correction.data());
    solve({correction.data(), m}, true);
    map(share) += map(correction);
    apply_transpose(k, correction.data(), explained.data());
    map(rest) -= map(explained);
  }
  return length > 0 ? map(rest).norm() / length : 0;
}

double RowSpace::project_rest(const KktMatrix& k) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    apply(k, rest_.data(), rows_.data());
    solve({rows_.data(), k.rows + k.intrinsic_rows}, true);
    apply_transpose(k, rows_.data(), coordinates_.data());
    map(rest_) -= map(coordinates_);
  }
  return map(rest_).norm();
}

double RowSpace::distance(const KktMatrix& k, Index row) {
  make_room({&coordinates_, &rest_}, k.size());
  make_room({&rows_}, schur_.rows());
  expand_row(k, row, rest_);
  const double length = map(rest_).norm();
  return length > 0 ? project_rest(k) / length : 0;
}

double RowSpace::distance_of_dropped(const KktMatrix& k) {
  make_room({&coordinates_, &rest_}, k.size());
  make_room({&rows_, &shares_}, schur_.rows());
  std::fill(shares_.begin(), shares_.end(), 0.0);
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    const double* value = k.Phi_q + block.offset;
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = block.first_row; r < block.first_row + block.rows; ++r, ++value)
        shares_[count(r)] += *value * *value;
    }
  }
  for (Index r = 0; r < k.rows; ++r) {
    double& share = shares_[count(r)];
    share = k.dropped[r] != 0 && share > 0 ? (2 + std::sin(2.4 * static_cast<double>(r))) / std::sqrt(share) : 0;
  }
  apply_transpose(k, shares_.data(), rest_.data());
  return project_rest(k);
}

void RowSpace::apply_shares(const KktMatrix& k, const std::vector<double>& in, std::vector<double>& out) {
  apply_transpose(k, in.data(), coordinates_.data());
  apply(k, coordinates_.data(), out.data());
  solve({out.data(), static_cast<Index>(out.size())});
}

void RowSpace::apply_shares_transposed(const KktMatrix& k, const std::vector<double>& in, std::vector<double>& out) {
  std::copy(in.begin(), in.begin() + k.rows, rows_.begin());
  std::fill(rows_.begin() + k.rows, rows_.end(), 0.0);
  solve({rows_.data(), static_cast<Index>(rows_.size())});
  apply_transpose(k, rows_.data(), coordinates_.data());
  apply(k, coordinates_.data(), out.data());
  for (Index r = 0; r < static_cast<Index>(out.size()); ++r) {
    if (r >= k.rows || k.dropped[r] == 0) out[count(r)] = 0;
  }
}

// Minimizes |lambda + N z|^2 over the element rows by conjugate gradients on (I + W^T P W) z = W^T P lambda_K, P the
// projection onto element rows; the matrix is the identity plus something of low, repetitive spectrum.
void RowSpace::minimize(const KktMatrix& k, VectorView lambda) {
  make_room({&coordinates_}, k.size());
  make_room({&rows_, &shares_, &z_, &residual_, &direction_, &image_}, schur_.rows());
  std::copy(lambda.data, lambda.data + lambda.size, shares_.begin());
  apply_shares_transposed(k, shares_, residual_);
  std::fill(z_.begin(), z_.end(), 0.0);
  direction_ = residual_;
  double squared = map(residual_).squaredNorm();
  const double goal = squared * 1e-28;
  constexpr int largest_iteration_count = 200;
  for (int i = 0; i < largest_iteration_count && squared > goal; ++i) {
    apply_shares(k, direction_, shares_);
    apply_shares_transposed(k, shares_, image_);
    map(image_) += map(direction_);
    const double step = squared / map(direction_).dot(map(image_));
    map(z_) += step * map(direction_);
    map(residual_) -= step * map(image_);
    const double next = map(residual_).squaredNorm();
    map(direction_) = map(residual_) + next / squared * map(direction_);
    squared = next;
  }
  apply_shares(k, z_, shares_);
  for (Index r = 0; r < lambda.size; ++r) {
    const bool dropped = r < k.rows && k.dropped[r] != 0;
    lambda[r] = dropped ? z_[count(r)] : lambda[r] - shares_[count(r)];
  }
}

}  // namespace trammel
