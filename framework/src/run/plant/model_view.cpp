// The view without a formulation, and what components of most views are.
#include "run/plant/model_view.h"

namespace trammel {

ModelView::Place ModelView::place(Index i) const {
  const Index n = model_.coordinates();
  return i < 2 * n ? Place{i % n, i >= n} : Place{-1, false};
}

ConstrainedView::ConstrainedView(ConstrainedModel& model, PlantCounters& counters, ImplicitMatrix& matrix)
    : ModelView(model), counted_(model, counters, matrix) {}

Status ConstrainedView::lift(const StateView& state, const BodyState& out) {
  out.q.map() = state.x.map();
  out.v.map() = state.v.map();
  return Status::success();
}

Status ConstrainedView::embed(const BodyState& at, const StateView& state) {
  state.x.map() = at.q.map();
  state.v.map() = at.v.map();
  Status status = model_.evaluate(state.t, at.q, at.v, at.z, evaluate_dynamics);
  if (status) status = model_.factorize(ProjectionWeights::mass);
  if (status) status = model_.solve(model_.Q(), model_.gamma(), state.a, state.lambda);
  return status;
}

// Interpolated states are off the constraints by the error of the interpolation; treatments that mind correct theirs.
Status ConstrainedView::before_impact(double t, const BodyState& at) {
  constexpr double tolerance = 1e-12;
  ProjectionReport report;
  return model_.project_positions(t, at.q, ProjectionWeights::mass, tolerance, report);
}

}  // namespace trammel
