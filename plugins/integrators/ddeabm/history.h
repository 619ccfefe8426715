// What DDEABM remembers, in engine-owned memory: the grid, the differences phi_j(n), and the plan for the next step.
#pragma once

#include "trammel/integrator.h"
#include "trammel/sdk/methods/divided_differences.h"

namespace trammel::ddeabm {

using Coefficients = sdk::DifferenceCoefficients;
using Grid = sdk::StepGrid;
inline constexpr int columns = sdk::difference_columns;

/// A view of memory.state. Between `attempt` and the next one the differences are those of the step's start, so that a
/// rejected step has nothing to take back and dense output finds what the step was made of; `pending` says that the
/// step was accepted and enters the history as soon as f is known at its end.
class History {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;

  History(const Memory& memory, Index n)
      : span(memory.state + scalars), data_(span + columns), n_(n), s_(memory.state) {}

  static Index size(Index n) { return scalars + columns + (columns + 3) * n; }

  /// The plan: order k and step |h| of the next attempt, whether order and step still rise without being asked, number
  /// of steps of the same size, attempts in a row that were too inaccurate.
  double& k() const { return s_[0]; }
  double& h() const { return s_[1]; }
  double& starting() const { return s_[2]; }
  double& equal_steps() const { return s_[3]; }
  double& failures() const { return s_[4]; }
  double& points() const { return s_[5]; }
  /// A start was asked for; the history is dropped at the next attempt (until then dense output needs it).
  double& fresh() const { return s_[6]; }
  /// Of the last attempt: signed step, order, whether it was accepted, estimates at orders k and k - 1, and whether the
  /// estimates speak for a lower order.
  double& last_h() const { return s_[7]; }
  double& last_k() const { return s_[8]; }
  double& pending() const { return s_[9]; }
  double& error_k() const { return s_[10]; }
  double& error_below() const { return s_[11]; }
  double& lower() const { return s_[12]; }
  /// Signed size of the step before, for `equal_steps`.
  double& h_before() const { return s_[13]; }
  /// Evidence for stiffness, and the time at which it sufficed (valid if stiff() != 0).
  double& evidence() const { return s_[14]; }
  double& stiff() const { return s_[15]; }
  /// Estimate of the last attempt, in the norm of the run.
  double& error() const { return s_[16]; }
  /// g_k of the last attempt.
  double& last_g() const { return s_[17]; }

  Grid grid() const { return {span, static_cast<int>(points())}; }
  /// phi_j(n)
  Map phi(int j) const { return Map(data_ + j * n_, n_); }
  /// phi_k of the attempt, with f at the predicted state.
  Map predicted() const { return phi(columns); }
  /// Rounding errors of y: committed, and of the attempt.
  Map carry() const { return phi(columns + 1); }
  Map carry_attempted() const { return phi(columns + 2); }

  /// (1) at the end of the last attempt, where f = `rate`, which is overwritten: phi_0 ... phi_{k+1}.
  void push(Map& rate) const {
    const int k = static_cast<int>(last_k());
    const Coefficients beta = grid().beta(last_h(), std::min(k + 1, static_cast<int>(points())));
    for (int j = 0; j <= k; ++j) {
      Map column = phi(j);
      const double factor = beta[Grid::at(j)];
      column.swap(rate);              // the new phi_j comes in, the old one goes out,
      rate = column - factor * rate;  // and their difference is the new phi_{j+1}
    }
    phi(k + 1) = rate;
    Grid moved = grid();
    moved.push(last_h());
    points() = moved.points;
  }

  double* const span;

 private:
  static constexpr Index scalars = 18;
  double* const data_;
  const Index n_;
  double* const s_;
};

}  // namespace trammel::ddeabm
