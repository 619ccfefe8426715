// Which KKT solver a model gets.
#pragma once

#include <memory>

#include "config/run_file.h"
#include "linalg/row_space.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// [setup] Analysed and ready. `automatic` takes the range space where all inertia is regular and its factor costs no
/// more than the sparse one's. Throws Error(input) with key "solver" if `range_space` cannot be used.
std::unique_ptr<KktSolver> choose_mass_solver(LinearSolver wanted, const KktMatrix& matrix);
/// [setup] For minimal-norm corrections; `rows` is analysed on the way and must outlive the solver.
std::unique_ptr<KktSolver> choose_identity_solver(const KktMatrix& matrix, RowSpace& rows);

/// Nanoseconds of one factorization and one solve on the machine of docs/performance.md; only their ratio matters.
double range_space_cost(const SchurFactor& factor);
/// `work`: multiply-adds that the ordering foresees, of which fill-in that stays zero is the largest part.
double sparse_cost(Index rows, double work);

}  // namespace trammel
