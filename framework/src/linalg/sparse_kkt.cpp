// KKT solver for minimal-norm corrections, on the full sparse matrix.
#include "linalg/sparse_kkt.h"

#include "trammel/math/kkt_entries.h"

namespace trammel {
namespace {

KktMatrix without_weights(KktMatrix k) {
  k.weight = nullptr;
  return k;
}

}  // namespace

Status SparseKkt::analyse(const KktMatrix& k) {
  std::vector<std::pair<Index, Index>> entries;
  each_kkt_entry(without_weights(k), [&](Index row, Index column, double) { entries.emplace_back(row, column); });
  lu_.analyse(kkt_size(k), std::move(entries));
  unknowns_.assign(static_cast<std::size_t>(kkt_size(k)), 0.0);
  return Status::success();
}

Status SparseKkt::factorize(const KktMatrix& k) {
  const KktMatrix bare = without_weights(k);
  lu_.fill([&](auto& add) { each_kkt_entry(bare, [&](Index, Index, double value) { add(value); }); });
  return name_unknown(k, lu_.factorize());
}

Status SparseKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  gather_unknowns(k, f, g, unknowns_.data());
  lu_.solve(unknowns_.data());
  scatter_unknowns(k, unknowns_.data(), x, lambda);
  return Status::success();
}

}  // namespace trammel
