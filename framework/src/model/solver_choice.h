// Which linear solvers a model gets.
#pragma once

#include <memory>

#include "linalg/row_space.h"
#include "model/component.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/kkt_solver.h"

namespace trammel {

class Model;

/// [setup] The solver that the model's run file names, or for "auto" the cheapest of those that were found, declare a
/// cost and take the model; of equal costs the first by name. Analysed and ready. Throws Error: a solver that does not
/// take the model, with key "solver"; none found.
/// `elements`, for solvers that ask for rows one by one, live as long as the solver.
Component choose_mass_solver(const Model& model, const KktMatrix& matrix, const KktElements& elements);
/// [step] As for "auto", without that type and without solvers that ask for rows.
Component choose_other_solver(const Model& model, const KktMatrix& matrix, const std::string& type);
/// [setup] For minimal-norm corrections; `rows` is analysed on the way and must outlive the solver.
std::shared_ptr<KktSolver> choose_identity_solver(const KktMatrix& matrix, RowSpace& rows);

}  // namespace trammel
