// KKT solver for minimal-norm corrections.
#include "linalg/identity_kkt.h"

#include <algorithm>

namespace trammel {

Status IdentityKkt::analyse(const KktMatrix& k) {
  rows_.analyse(k);
  lambda_.assign(static_cast<std::size_t>(k.rows + k.intrinsic_rows), 0.0);
  return Status::success();
}

Status IdentityKkt::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  rows_.apply(k, f.data, lambda_.data());
  for (Index r = 0; r < g.size; ++r) lambda_[static_cast<std::size_t>(r)] -= g[r];
  rows_.solve({lambda_.data(), g.size});
  rows_.apply_transpose(k, lambda_.data(), x.data);
  for (Index i = 0; i < f.size; ++i) x[i] = f[i] - x[i];
  if (lambda.data != nullptr) std::copy(lambda_.begin(), lambda_.end(), lambda.data);
  return Status::success();
}

}  // namespace trammel
