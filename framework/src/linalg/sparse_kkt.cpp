// KKT solver on the full sparse matrix.
#include "linalg/sparse_kkt.h"

#include <algorithm>

#include "linalg/kkt_entries.h"

namespace trammel {

Status SparseKkt::analyse(const KktMatrix& k) {
  std::vector<std::pair<Index, Index>> entries;
  each_kkt_entry(k, [&](Index row, Index column, double) { entries.emplace_back(row, column); });
  const Index size = k.size() + k.rows + k.intrinsic_rows;
  lu_.analyse(size, std::move(entries));
  unknowns_.assign(static_cast<std::size_t>(size), 0.0);
  return Status::success();
}

Status SparseKkt::factorize(const KktMatrix& k) {
  lu_.fill([&](auto& add) { each_kkt_entry(k, [&](Index, Index, double value) { add(value); }); });
  return name_unknown(k, lu_.factorize());
}

Status SparseKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  gather_unknowns(k, f, g, unknowns_.data());
  lu_.solve(unknowns_.data());
  scatter_unknowns(k, unknowns_.data(), x, lambda);
  return Status::success();
}

void gather_unknowns(const KktMatrix& k, ConstVectorView f, ConstVectorView g, double* unknowns) {
  std::copy(f.data, f.data + f.size, unknowns);
  std::copy(g.data, g.data + g.size, unknowns + f.size);
  for (Index r = 0; k.dropped != nullptr && r < k.rows; ++r) {
    if (k.dropped[r] != 0) unknowns[f.size + r] = 0;
  }
}

void scatter_unknowns(const KktMatrix& k, const double* unknowns, VectorView x, VectorView lambda) {
  std::copy(unknowns, unknowns + x.size, x.data);
  if (lambda.data != nullptr) std::copy(unknowns + x.size, unknowns + x.size + k.rows + k.intrinsic_rows, lambda.data);
}

Status name_unknown(const KktMatrix& k, Status status) {
  if (status.code != StatusCode::singular) return status;
  const Index n = k.size();
  if (status.subject >= n) {
    status.subject -= n;
  } else {
    const Index* behind = std::upper_bound(k.first, k.first + k.bodies + 1, status.subject);
    status.subject = k.rows + k.intrinsic_rows + static_cast<Index>(behind - k.first) - 1;
  }
  return status;
}

}  // namespace trammel
