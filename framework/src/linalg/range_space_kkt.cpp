// KKT solver through the range space.
#include "linalg/range_space_kkt.h"

#include <algorithm>

namespace trammel {
namespace {

// S squares the condition of Phi_q W: rows this close to the span of the others (squared sine) are solved for twice,
// the second time for what the first left of Phi_q a = g.
constexpr double refined_below = 1e-5;

}  // namespace

namespace {

// Where bodies have different numbers of coordinates, block by block.
template <class Product>
void each_mixed_block(const KktMatrix& k, const double* blocks, bool reduced, const Product& product) {
  for (const JacobianBlock* block = k.blocks; block != k.blocks + k.block_count; ++block) {
    const double* value = blocks + (reduced ? block->reduced_offset : block->offset);
    const Index first = reduced ? block->reduced_column : block->column,
                end = first + (reduced ? block->reduced_columns : block->columns);
    for (Index j = first; j < end; ++j) {
      for (Index r = block->first_row; r < block->first_row + block->rows; ++r) product(*value++, r, j);
    }
  }
}

}  // namespace

void add_block_products(const KktMatrix& k, const double* blocks, Index width, bool reduced, const double* x,
                        double* out) {
  if (k.mixed) {
    return each_mixed_block(k, blocks, reduced,
                            [&](double value, Index row, Index column) { out[row] += value * x[column]; });
  }
  const auto offset = reduced ? &JacobianBlock::reduced_offset : &JacobianBlock::offset;
  block_kernels().add_products(k.blocks, k.block_count, offset, blocks, width, x, out);
}

void subtract_block_transpose_products(const KktMatrix& k, const double* blocks, Index width, bool reduced,
                                       const double* y, double* out) {
  if (k.mixed) {
    return each_mixed_block(k, blocks, reduced,
                            [&](double value, Index row, Index column) { out[column] -= value * y[row]; });
  }
  const auto offset = reduced ? &JacobianBlock::reduced_offset : &JacobianBlock::offset;
  block_kernels().subtract_transposed(k.blocks, k.block_count, offset, blocks, width, y, out);
}

std::vector<Index> group_rows(const KktMatrix& k) {
  std::vector<Index> rows;
  for (Index i = 0; i < k.block_count; ++i) {
    const auto group = static_cast<std::size_t>(k.blocks[i].element);
    if (rows.size() <= group) rows.resize(group + 1, 0);
    rows[group] = k.blocks[i].rows;
  }
  return rows;
}

Status RangeSpaceKkt::analyse(const KktMatrix& k) {
  if (!k.system->reducible()) {
    return Status::failure(StatusCode::unsupported, "a body's inertia is singular");
  }
  std::vector<SchurBlock> blocks;
  for (Index i = 0; i < k.block_count; ++i) {
    blocks.push_back({k.blocks[i].element, k.blocks[i].body, k.blocks[i].reduced_offset, k.blocks[i].reduced_columns});
  }
  schur_.analyse(group_rows(k), blocks, k.bodies);
  w_.assign(static_cast<std::size_t>(k.reduced_size()), 0.0);
  lambda_.assign(static_cast<std::size_t>(k.rows), 0.0);
  residual_ = lambda_;
  unbalanced_.assign(static_cast<std::size_t>(k.size()), 0.0);
  return Status::success();
}

Status RangeSpaceKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  const Index width = k.reduced_coordinates;
  const VectorView w{w_.data(), static_cast<Index>(w_.size())};
  const VectorView multipliers{lambda_.data(), k.rows};
  const ConstVectorView g_intrinsic = g.segment(k.rows, k.intrinsic_rows);
  k.system->reduce_force(k.states, f, w);
  for (Index r = 0; r < k.rows; ++r) lambda_[r] = -g[r];
  const bool nearly_dependent = schur_.watch().smallest_kept < refined_below;
  if (nearly_dependent) {
    residual_ = lambda_;
    if (k.intrinsic_rows > 0) {
      k.system->expand(k.states, {}, g_intrinsic, x);
      add_block_products(k, k.Phi_q, k.coordinates, false, x.data, residual_.data());
    }
  }
  if (k.intrinsic_rows > 0) {
    // x serves as the store of the unconstrained W W^T f + a_0: one product with Phi_q instead of one with Phi_q for
    // a_0 and another with B for W^T f.
    k.system->expand(k.states, w, g_intrinsic, x);
    add_block_products(k, k.Phi_q, k.coordinates, false, x.data, lambda_.data());
  } else {
    add_block_products(k, k.reduced, width, true, w_.data(), lambda_.data());
  }
  schur_.solve(multipliers);
  subtract_block_transpose_products(k, k.reduced, width, true, lambda_.data(), w_.data());
  if (nearly_dependent) {
    add_block_products(k, k.reduced, width, true, w_.data(), residual_.data());
    schur_.solve({residual_.data(), k.rows});
    for (Index r = 0; r < k.rows; ++r) lambda_[r] += residual_[r];
    subtract_block_transpose_products(k, k.reduced, width, true, residual_.data(), w_.data());
  }
  k.system->expand(k.states, w, g_intrinsic, x);
  if (lambda.data != nullptr) {
    std::copy(lambda_.begin(), lambda_.end(), lambda.data);
    if (k.intrinsic_rows > 0) {
      std::copy(f.data, f.data + f.size, unbalanced_.begin());
      subtract_block_transpose_products(k, k.Phi_q, k.coordinates, false, lambda_.data(), unbalanced_.data());
      k.system->intrinsic_multipliers(k.states, {unbalanced_.data(), f.size}, lambda.segment(k.rows, k.intrinsic_rows));
    }
  }
  return Status::success();
}

}  // namespace trammel
