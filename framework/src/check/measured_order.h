// The order of a method, measured through whole runs on problems with known or independently computed ends.
#pragma once

#include <string>
#include <vector>

#include "check/cases.h"
#include "check/order_windows.h"

namespace trammel::conformance {

struct OrderProblem {
  const char* name;
  std::string system;       ///< JSON
  std::vector<double> end;  ///< x and v at t = 1 in closed form; empty: computed by dopri853 at tight tolerances
};

/// Four problems for the view.
std::vector<OrderProblem> order_problems(bool second_order, bool constrained);

/// By halving fixed steps; see order_windows.h.
MeasuredOrder measure_order(const Subject& subject, const MethodCase& method, const OrderProblem& problem);

/// "errors 1.2e-03 with 10 steps, 3.1e-04 with 20, ...", for messages.
std::string errors_text(const MeasuredOrder& order);

/// Error at t = 1 with the tolerance, or with the largest step, for methods that choose their own steps.
double error_at_tolerance(const Subject& subject, const MethodCase& method, const OrderProblem& problem, double rtol);
double error_at_largest_step(const Subject& subject, const MethodCase& method, const OrderProblem& problem,
                             double max_step);

}  // namespace trammel::conformance
