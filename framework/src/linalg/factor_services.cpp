// Block and sparse factors behind interfaces.
#include "linalg/factor_services.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "linalg/kkt_products.h"
#include "linalg/sparse_lu.h"
#include "trammel/parts.h"

namespace trammel {
namespace {

void refuse_factor(Refusal* refusal, const char* text) {
  if (refusal == nullptr || refusal->text == nullptr || refusal->text_capacity < 1) return;
  refusal->kind = ErrorKind::compute;
  const std::size_t size = std::min<std::size_t>(std::strlen(text), refusal->text_capacity - 1);
  std::memcpy(refusal->text, text, size);
  refusal->text[size] = 0;
}

/// What `make` makes, or nullptr and why.
template <class Make>
auto made_or_refused(Refusal* refusal, const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::exception& error) {
    refuse_factor(refusal, error.what());
  }
  return nullptr;
}

class ReducedFactor final : public BlockFactor {
 public:
  ReducedFactor(const KktMatrix& k, const Workers* workers) : schur_(block_kernels(), workers) {
    std::vector<SchurBlock> blocks;
    for (Index i = 0; i < k.block_count; ++i) {
      const JacobianBlock& block = k.blocks[i];
      blocks.push_back({block.element, block.body, block.reduced_offset, block.reduced_columns});
    }
    schur_.analyse(group_rows(k), blocks, k.bodies);
  }
  Status factorize(const KktMatrix& k) override { return schur_.factorize(k.reduced, k.dropped); }
  Status factorize_to_rounding(const KktMatrix& k) override {
    return schur_.factorize_to_rounding(k.reduced, k.dropped);
  }
  void solve(VectorView x) const override { schur_.solve(x); }
  const RankWatch& watch() const override { return schur_.watch(); }
  double cost() const override { return range_space_cost(schur_); }

 private:
  SchurFactor schur_;
};

class KluFactor final : public SparseFactor {
 public:
  KluFactor(Index size, const Index* rows, const Index* columns, Index count) {
    std::vector<std::pair<Index, Index>> entries;
    for (Index i = 0; i < count; ++i) entries.emplace_back(rows[i], columns[i]);
    lu_.analyse(size, std::move(entries));
  }
  double* values() override { return lu_.given(); }
  Status factorize() override {
    try {
      lu_.take_given();
      return lu_.factorize();
    } catch (const std::exception&) {
      return Status::failure(StatusCode::failed, "KLU cannot order the pattern");
    }
  }
  void solve(double* x) override { lu_.solve(x); }
  double work() override {
    try {
      return lu_.work();
    } catch (const std::exception&) {
      return std::numeric_limits<double>::infinity();
    }
  }

 private:
  SparseLu lu_;
};

class KluFactors final : public SparseFactors {
 public:
  SparseFactor* make_sparse_factor(Index size, const Index* rows, const Index* columns, Index entries,
                                   Refusal* refusal) const override {
    return made_or_refused(refusal, [&] { return new KluFactor(size, rows, columns, entries); });
  }
  void end_sparse_factor(SparseFactor* factor) const override { delete static_cast<KluFactor*>(factor); }
};

}  // namespace

// Fitted to chains, ladders, trees, nets and hubs from 68 to 17000 rows: the right solver in each, its time to a factor
// of 2.
double range_space_cost(const SchurFactor& factor) {
  return 5 * factor.block_operations() + 0.12 * factor.work() + 30 * factor.rows();
}

BlockFactor* ReducedFactors::make_block_factor(const KktMatrix& k, Refusal* refusal) const {
  return made_or_refused(refusal, [&] { return new ReducedFactor(k, workers_); });
}

void ReducedFactors::end_block_factor(BlockFactor* factor) const { delete static_cast<ReducedFactor*>(factor); }

// Rows of one element stay in one part: all its blocks add to them.
void ReducedFactors::add_products(const KktMatrix& k, bool reduced, const double* x, double* out) const {
  in_parts(workers_, k.block_count, 1024, [&](Index begin, Index end) {
    const auto element_from = [&](Index block) {
      while (block > 0 && block < k.block_count && k.blocks[block].element == k.blocks[block - 1].element) ++block;
      return block;
    };
    begin = element_from(begin), end = element_from(end);
    KktMatrix part = k;
    part.blocks += begin, part.block_count = end - begin;
    add_block_products(part, reduced ? k.reduced : k.Phi_q, reduced ? k.reduced_coordinates : k.coordinates, reduced, x,
                       out);
  });
}

void ReducedFactors::subtract_transposed(const KktMatrix& k, bool reduced, const double* y, double* out) const {
  subtract_block_transpose_products(k, reduced ? k.reduced : k.Phi_q, reduced ? k.reduced_coordinates : k.coordinates,
                                    reduced, y, out);
}

const SparseFactors& sparse_factors() {
  static const KluFactors klu;
  return klu;
}

}  // namespace trammel
