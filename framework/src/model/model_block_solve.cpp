// Solves with several right-hand sides at once.
#include "model/model_block_solve.h"

#include <algorithm>

#include "linalg/sizes.h"

namespace trammel {

ModelBlockSolve::ModelBlockSolve(ModelKkt& kkt)
    : kkt_(kkt), f_(count(kkt.assembly().coordinates()), 0.0), g_(count(kkt.assembly().rows()), 0.0) {}

void ModelBlockSolve::solve_block(double* unknowns, Index columns) {
  const VectorView f = view(f_), g = view(g_);
  const Index n = f.size, m = g.size;
  for (Index column = 0; column < columns; ++column, unknowns += n + m) {
    std::copy(unknowns, unknowns + n, f_.begin());
    std::copy(unknowns + n, unknowns + n + m, g_.begin());
    kkt_.solve(f, g, {unknowns, n}, {unknowns + n, m});
  }
}

}  // namespace trammel
