// Which columns of a constraint Jacobian are dependent: generalized coordinate partitioning.
#pragma once

#include "trammel/kkt_solver.h"
#include "trammel/status.h"

namespace trammel {

/// [step] As PartitionSolve::choose_partition, for the rows that `matrix.dropped` does not mark. Small matrices by
/// Gauss elimination with full pivoting, large ones row by row with sparse rows, the pivot being the largest entry left
/// of the row: what one row costs then grows with the free coordinates it meets, not with the square of the model.
/// `scale` (n, or empty): columns are multiplied by it and rows divided by their lengths before.
Status choose_columns(const KktMatrix& matrix, ConstVectorView scale, ConstVectorView forced, VectorView independent);

}  // namespace trammel
