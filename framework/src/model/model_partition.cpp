// Coordinate partitioning of a model.
#include "model/model_partition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/choose_columns.h"
#include "linalg/factor_services.h"
#include "model/model_kkt.h"
#include "trammel/math/kkt_entries.h"

namespace trammel {

KktMatrix ModelPartition::matrix() {
  KktMatrix k = kkt_.matrix();
  dropped_.resize(static_cast<std::size_t>(kkt_.assembly().rows()));
  const unsigned char* left_out = kkt_.dropped(level_);
  for (Index r = 0; r < kkt_.assembly().rows(); ++r) dropped_[static_cast<std::size_t>(r)] = left_out[r] != 0 ? 1 : 0;
  k.dropped = dropped_.data();
  k = kkt_.scaled(k);
  if (!analysed_) {
    rows_.analyse(k);
    work_.assign(dropped_.size(), 0.0);
    coordinates_.assign(static_cast<std::size_t>(kkt_.assembly().coordinates()), 0.0);
    image_ = coordinates_, rows_of_ = work_;
    try_lu_ = try_lu_ || range_space_cost(rows_.factor()) > sparse_cost(kkt_.assembly().rows(), 0);
    analysed_ = true;
  }
  return k;
}

Status ModelPartition::choose_partition(ConstVectorView forced, VectorView independent) {
  return choose_columns(matrix(), {}, forced, independent);
}

Status ModelPartition::factorize_dependent(ConstVectorView independent) {
  ++kkt_.factorizations;
  const KktMatrix k = matrix();
  by_lu_ = try_lu_ && lu_.factorize(k, independent);
  return by_lu_ ? Status::success() : rows_.factorize_dependent(k, independent);
}

void ModelPartition::solve_dependent(ConstVectorView r, VectorView x) { solve_columns(r.data, {}, x.data); }

void ModelPartition::solve_dependent_transpose(ConstVectorView f, VectorView y) {
  solve_columns(f.data, {.transposed = true}, y.data);
}

void ModelPartition::solve_columns(const double* in, const Columns& columns, double* out) {
  const auto [count, stride, transposed] = columns;
  const ModelUnit& unit = kkt_.unit();
  if (by_lu_ && unit.one()) return lu_.solve(in, transposed, stride, out);
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  const VectorView q{coordinates_.data(), n}, rows{work_.data(), m};
  const KktMatrix k = rows_.as_factorized(kkt_.matrix());
  for (Index column = 0; column < count; ++column) {
    for (Index i = 0; i < (transposed ? n : m); ++i) {
      (transposed ? coordinates_ : work_)[static_cast<std::size_t>(i)] = in[i * stride + column];
    }
    if (transposed) unit.multiply_coordinates(q);
    if (!transposed) unit.divide_rows(rows);
    if (by_lu_) {
      lu_.solve(transposed ? q.data : rows.data, transposed, 1, transposed ? rows.data : q.data);
    } else {
      if (transposed) rows_.apply(k, q.data, rows.data);
      rows_.solve(rows);
      if (!transposed) rows_.apply_transpose(k, rows.data, q.data);
    }
    if (transposed) unit.divide_rows(rows);
    if (!transposed) unit.multiply_coordinates(q);
    for (Index i = 0; i < (transposed ? m : n); ++i) {
      out[i * stride + column] = (transposed ? work_ : coordinates_)[static_cast<std::size_t>(i)];
    }
  }
}

double ModelPartition::dependent_condition(VectorView guess) {
  if (guess.size == 0) return 1;
  if (!by_lu_ && rows_.watch().weak > 0) return std::numeric_limits<double>::infinity();
  if (!(guess.map().squaredNorm() > 0)) {
    for (Index r = 0; r < guess.size; ++r) guess[r] = (r % 2 == 0 ? 1.0 : -1.0) + 0.1 * (r % 7);
  }
  constexpr int largest_iteration_count = 12;
  constexpr double settled = 0.02;
  const VectorView image{work_.data(), guess.size};
  double growth = 0;  // Rayleigh quotient of (Phi_u Phi_u^T)^-1: |Phi_u^-1|^2
  for (int i = 0; i < largest_iteration_count; ++i) {
    guess.map() /= guess.map().norm();
    if (by_lu_) {
      lu_.solve(guess.data, false, 1, coordinates_.data());
      lu_.solve(coordinates_.data(), true, 1, image.data);
    } else {
      image.map() = guess.map();
      rows_.solve(image);
    }
    const double before = growth;
    growth = guess.map().dot(image.map());
    guess.map() = image.map();
    if (std::abs(growth - before) <= settled * growth) break;
  }
  guess.map() /= guess.map().norm();
  const double length = by_lu_ ? lu_.squared_length() : rows_.squared_length(kkt_.matrix(), dropped_.data());
  return std::sqrt(length * growth);
}

// Angles determine displacements everywhere, displacements the angles only away from dead points: a turn by one is
// worth the displacement that it causes at a few of the longest levers that rows have, so that angles are independent
// in doubt.
void ModelPartition::scales(VectorView scale) const {
  const KktMatrix& k = kkt_.matrix();
  const BodyTable& table = kkt_.assembly().table;
  constexpr double levers = 3;
  double length = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index r = 0; r < block.rows; ++r) {
      double displaced = 0, turned = 0;
      for (Index j = 0; j < block.columns; ++j) {
        double& largest = table.displaces(block.column + j) ? displaced : turned;
        largest = std::max(largest, std::abs(k.Phi_q[block.offset + j * block.rows + r]));
      }
      if (displaced > 0) length = std::max(length, levers * turned / displaced);
    }
  }
  constexpr double rounding = 1e-9;  // of the model's size: no row measures one by the other
  const double any = kkt_.unit().length();
  if (!(length > rounding * any && std::isfinite(length))) length = any;
  for (Index i = 0; i < scale.size; ++i) scale[i] = table.displaces(i) ? length : 1;
}

Status ModelPartition::choose_scaled(ConstVectorView scale, ConstVectorView forced, VectorView independent) {
  const KktMatrix k = matrix();
  if (kkt_.unit().one()) return choose_columns(k, scale, forced, independent);
  for (Index i = 0; i < scale.size; ++i) image_[static_cast<std::size_t>(i)] = scale[i] / kkt_.unit().column(i);
  return choose_columns(k, {image_.data(), scale.size}, forced, independent);
}

double ModelPartition::amplification(ConstVectorView scale, ConstVectorView independent, VectorView probe) {
  const Index n = probe.size, m = kkt_.assembly().rows();
  if (m == 0) return 0;
  if (!by_lu_ && rows_.watch().weak > 0) return std::numeric_limits<double>::infinity();
  constexpr int largest_iteration_count = 12;
  constexpr double settled = 0.02, fresh = 0.1;  // something of every direction is always there to grow
  if (!probe.map().allFinite()) probe.map().setZero();
  const double size = probe.map().norm(), share = size > 0 ? fresh * size : 1;
  double freedoms = 0;
  for (Index i = 0; i < n; ++i) freedoms += independent[i] != 0;
  if (!(freedoms > 0)) return 0;
  for (Index i = 0; i < n; ++i) {
    const double pattern = ((i % 2 == 0 ? 1.0 : -1.0) + 0.1 * static_cast<double>(i % 7)) / std::sqrt(freedoms);
    probe[i] = independent[i] != 0 ? probe[i] + share * pattern : 0;
  }
  const VectorView image{image_.data(), n}, rows{rows_of_.data(), m};
  double growth = 0;  // Rayleigh quotient of A^T A, A being the matrix of (1)
  for (int i = 0; i < largest_iteration_count; ++i) {
    probe.map() /= probe.map().norm();
    image.map() = probe.map().cwiseProduct(scale.map());
    kkt_.apply_jacobian(image, rows);
    solve_dependent(rows, image);
    image.map().array() /= scale.map().array();
    const double before = growth;
    growth = image.map().squaredNorm();
    if (!std::isfinite(growth)) return std::numeric_limits<double>::infinity();
    if (!(growth > 0) || freedoms == 1 || std::abs(growth - before) <= settled * growth) break;
    image.map().array() /= scale.map().array();
    solve_dependent_transpose(image, rows);
    kkt_.apply_jacobian_transpose(rows, image);
    for (Index j = 0; j < n; ++j) probe[j] = independent[j] != 0 ? scale[j] * image[j] : 0;
  }
  return std::sqrt(growth);
}

}  // namespace trammel
