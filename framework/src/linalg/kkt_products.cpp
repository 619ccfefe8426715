// Products with the blocks of a KKT matrix.
#include "linalg/kkt_products.h"

#include "linalg/schur_program.h"

namespace trammel {
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

}  // namespace trammel
