// Products with the Jacobian blocks of a KKT matrix, and the rows of its elements.
#pragma once

#include <vector>

#include "trammel/kkt_solver.h"

namespace trammel {

/// out += Phi_q x and out -= Phi_q^T y over the element blocks; `width` columns at the given offsets.
void add_block_products(const KktMatrix& matrix, const double* blocks, Index width, bool reduced, const double* x,
                        double* out);
void subtract_block_transpose_products(const KktMatrix& matrix, const double* blocks, Index width, bool reduced,
                                       const double* y, double* out);

/// Number of rows of each element.
std::vector<Index> group_rows(const KktMatrix& matrix);

}  // namespace trammel
