// What DDEABM remembers, in engine-owned memory: the grid, the differences phi_j(n), and the plan for the next step.
#pragma once

#include "trammel/integrator.h"
#include "trammel/sdk/methods/divided_differences.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::ddeabm {

using Coefficients = sdk::DifferenceCoefficients;
using Grid = sdk::StepGrid;
inline constexpr int columns = sdk::difference_columns;

using Layout = sdk::StateLayout;

struct Record {
  explicit Record(Layout& at)
      : k(at.number()),
        h(at.number()),
        starting(at.number()),
        equal_steps(at.number()),
        failures(at.number()),
        points(at.number()),
        fresh(at.number()),
        last_h(at.number()),
        last_k(at.number()),
        pending(at.number()),
        error_k(at.number()),
        error_below(at.number()),
        lower(at.number()),
        h_before(at.number()),
        evidence(at.number()),
        stiff(at.number()),
        error(at.number()),
        last_g(at.number()) {}

  /// The plan: order k and step |h| of the next attempt, whether order and step still rise without being asked, number
  /// of steps of the same size, attempts in a row that were too inaccurate.
  double &k, &h, &starting, &equal_steps, &failures;
  double& points;  ///< of the grid
  /// A start was asked for; the history is dropped at the next attempt (until then dense output needs it).
  double& fresh;
  /// Of the last attempt: signed step, order, whether it was accepted, estimates at orders k and k - 1, and whether the
  /// estimates speak for a lower order.
  double &last_h, &last_k, &pending, &error_k, &error_below, &lower;
  double& h_before;  ///< signed size of the step before, for `equal_steps`
  double& evidence;  ///< of stiffness
  double& stiff;     ///< it sufficed
  double& error;     ///< estimate of the last attempt, in the norm of the run
  double& last_g;    ///< g_k of the last attempt
};

/// Between `attempt` and the next one the differences are those of the step's start, so that a rejected step has nothing
/// to take back and dense output finds what the step was made of; `pending` says that the step was accepted and enters
/// the history as soon as f is known at its end.
class History : public Record {
 public:
  using Map = Layout::Map;

  History(Layout& at, Index n)
      : Record(at),
        span(at.numbers(columns)),
        phi_(at.vectors(n, columns)),
        predicted_(at.vector(n)),
        carry_(at.vector(n)),
        carry_attempted_(at.vector(n)) {}

  Grid grid() const { return {span, static_cast<int>(points)}; }
  /// phi_j(n)
  Map phi(int j) const { return phi_[j]; }
  /// phi_k of the attempt, with f at the predicted state.
  Map predicted() const { return predicted_.map(); }
  /// Rounding errors of y: committed, and of the attempt.
  Map carry() const { return carry_.map(); }
  Map carry_attempted() const { return carry_attempted_.map(); }

  /// (1) at the end of the last attempt, where f = `rate`, which is overwritten: phi_0 ... phi_{k+1}.
  void push(Map& rate) const {
    const int k = static_cast<int>(last_k);
    const Coefficients beta = grid().beta(last_h, std::min(k + 1, static_cast<int>(points)));
    for (int j = 0; j <= k; ++j) {
      Map column = phi(j);
      const double factor = beta[Grid::at(j)];
      column.swap(rate);              // the new phi_j comes in, the old one goes out,
      rate = column - factor * rate;  // and their difference is the new phi_{j+1}
    }
    phi(k + 1) = rate;
    Grid moved = grid();
    moved.push(last_h);
    points = moved.points;
  }

  double* const span;

 private:
  Layout::Vectors phi_;
  VectorView predicted_, carry_, carry_attempted_;
};

}  // namespace trammel::ddeabm
