// Rank, dependent rows and minimal-norm multipliers from S = J J^T.
#include "linalg/row_space.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/range_space_kkt.h"

namespace trammel {
namespace {

std::size_t count(Index n) { return static_cast<std::size_t>(n); }

Eigen::Map<Eigen::VectorXd> map(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

}  // namespace

void RowSpace::analyse(const KktMatrix& k) {
  std::vector<Index> rows = group_rows(k);
  const auto elements = static_cast<Index>(rows.size());
  std::vector<SchurBlock> blocks;
  full_size_ = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    blocks.push_back({k.blocks[i].element, k.blocks[i].body, k.blocks[i].offset});
    full_size_ = std::max(full_size_, k.blocks[i].offset + k.blocks[i].rows * k.coordinates);
  }
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    rows.push_back(1);
    blocks.push_back({elements + b, b, full_size_ + b * k.coordinates});
  }
  blocks_.assign(count(full_size_ + k.intrinsic_rows * k.coordinates), 0.0);
  schur_.analyse(rows, blocks, k.bodies, k.coordinates);
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
    for (Index j = 0; j < c; ++j) {
      if (independent[block.body * c + j] != 0) std::fill_n(blocks_.begin() + block.offset + j * block.rows, block.rows, 0.0);
    }
  }
  for (Index i = 0; i < k.intrinsic_rows * c; ++i) {
    if (independent[i] != 0) blocks_[count(full_size_ + i)] = 0;
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
    for (Index j = 0; j < k.coordinates; ++j) {
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

Index RowSpace::select(const KktMatrix& k, double threshold, unsigned char* dropped) {
  copy_blocks(k);
  schur_.select(blocks_.data(), threshold * threshold, dropped);
  // Which of a dependent set is left out depends on the order of elimination; a body's normalisation always stays.
  const bool intrinsic_lost = std::any_of(dropped + k.rows, dropped + k.rows + k.intrinsic_rows, [](auto d) { return d != 0; });
  std::fill(dropped + k.rows, dropped + k.rows + k.intrinsic_rows, static_cast<unsigned char>(0));
  if (intrinsic_lost) schur_.factorize(blocks_.data(), dropped);
  return static_cast<Index>(std::count(dropped, dropped + k.rows, 1));
}

void RowSpace::apply(const KktMatrix& k, const double* x, double* out) const {
  const Index c = k.coordinates;
  std::fill(out, out + k.rows + k.intrinsic_rows, 0.0);
  add_block_products(k, k.Phi_q, c, false, x, out);
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    for (Index j = 0; j < c; ++j) out[k.rows + b] += k.intrinsic[b * c + j] * x[b * c + j];
  }
}

void RowSpace::apply_transpose(const KktMatrix& k, const double* y, double* out) const {
  const Index c = k.coordinates, n = k.bodies * c;
  std::fill(out, out + n, 0.0);
  subtract_block_transpose_products(k, k.Phi_q, c, false, y, out);
  for (Index i = 0; i < n; ++i) out[i] = -out[i];
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    for (Index j = 0; j < c; ++j) out[b * c + j] += k.intrinsic[b * c + j] * y[k.rows + b];
  }
}

double RowSpace::combination(const KktMatrix& k, Index row, std::vector<double>& share) const {
  const Index m = k.rows + k.intrinsic_rows, c = k.coordinates;
  share.assign(count(m), 0.0);
  std::vector<double> rest(count(k.bodies * c), 0.0), correction(count(m), 0.0);
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    if (row < block.first_row || row >= block.first_row + block.rows) continue;
    for (Index j = 0; j < c; ++j) {
      rest[count(block.body * c + j)] = k.Phi_q[block.offset + j * block.rows + row - block.first_row];
    }
  }
  const double length = map(rest).norm();
  // The normal equations square the condition: one step of refinement on the residual makes up for it.
  for (int sweep = 0; sweep < 2; ++sweep) {
    apply(k, rest.data(), correction.data());
    solve({correction.data(), m}, true);
    map(share) += map(correction);
    std::vector<double> explained(rest.size());
    apply_transpose(k, correction.data(), explained.data());
    map(rest) -= map(explained);
  }
  return length > 0 ? map(rest).norm() / length : 0;
}

void RowSpace::apply_shares(const KktMatrix& k, const std::vector<double>& z, std::vector<double>& u) const {
  std::vector<double> x(count(k.bodies * k.coordinates));
  apply_transpose(k, z.data(), x.data());
  apply(k, x.data(), u.data());
  solve({u.data(), static_cast<Index>(u.size())});
}

// Minimizes |lambda + N z|^2 over the element rows by conjugate gradients on (I + W^T P W) z = W^T P lambda_K, P the
// projection onto element rows; the matrix is the identity plus something of low, repetitive spectrum.
void RowSpace::minimize(const KktMatrix& k, VectorView lambda) const {
  const Index m = k.rows + k.intrinsic_rows;
  const auto is_dropped = [&](Index r) { return r < k.rows && k.dropped[r] != 0; };
  std::vector<double> u(count(m)), z(count(m), 0.0), residual(count(m), 0.0), direction, image(count(m));
  // out (dropped rows) = W^T P in = J_D J_K^T S^-1 P in.
  const auto apply_shares_transposed = [&](std::vector<double> in, std::vector<double>& out) {
    for (Index r = k.rows; r < m; ++r) in[count(r)] = 0;
    solve({in.data(), m});
    std::vector<double> x(count(k.bodies * k.coordinates));
    apply_transpose(k, in.data(), x.data());
    apply(k, x.data(), out.data());
    for (Index r = 0; r < m; ++r) {
      if (!is_dropped(r)) out[count(r)] = 0;
    }
  };
  apply_shares_transposed({lambda.data, lambda.data + m}, residual);
  direction = residual;
  double squared = map(residual).squaredNorm();
  const double goal = squared * 1e-28;
  constexpr int largest_iteration_count = 200;
  for (int i = 0; i < largest_iteration_count && squared > goal; ++i) {
    apply_shares(k, direction, u);
    apply_shares_transposed(u, image);
    map(image) += map(direction);
    const double step = squared / map(direction).dot(map(image));
    map(z) += step * map(direction);
    map(residual) -= step * map(image);
    const double next = map(residual).squaredNorm();
    map(direction) = map(residual) + next / squared * map(direction);
    squared = next;
  }
  apply_shares(k, z, u);
  for (Index r = 0; r < m; ++r) lambda[r] = is_dropped(r) ? z[count(r)] : lambda[r] - u[count(r)];
}

}  // namespace trammel
