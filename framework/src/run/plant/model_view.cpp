// The view without a formulation, and what components of most views are.
#include "run/plant/model_view.h"

namespace trammel {

ModelView::Place ModelView::place(Index i) const {
  const Index n = model_.coordinates();
  return i < 2 * n ? Place{i % n, i >= n} : Place{-1, false, i - 2 * n};
}

ModelView::Place ModelView::place_of(Index i, bool rate) const {
  const Index n = model_.coordinates();
  return i < n ? Place{i, rate} : Place{-1, !rate, i - n};
}

ConstrainedView::ConstrainedView(ConstrainedModel& model, InternalStates states, PlantCounters& counters,
                                 ImplicitMatrix& matrix)
    : ModelView(model), whole_(model, states == InternalStates::move), counted_(whole_.system(), counters, matrix) {}

Status ConstrainedView::lift(const ConstStateView& state, const BodyState& out) {
  const WholeModel::Point to = whole_.room(out);
  to.q.map() = state.x.map();
  to.v.map() = state.v.map();
  whole_.split(out);
  return Status::success();
}

Status ConstrainedView::embed(const BodyState& at, const StateView& state) {
  const WholeModel::Point from = whole_.joined(at);
  state.x.map() = from.q.map();
  state.v.map() = from.v.map();
  ConstrainedSystem& system = whole_.system();
  const ConstVectorView z = whole_.states() > 0 ? ConstVectorView() : ConstVectorView(at.z);
  Status status = system.evaluate(state.t, state.x, state.v, z, evaluate_dynamics);
  if (status) status = system.factorize(ProjectionWeights::mass);
  if (status) status = system.solve(system.Q(), system.gamma(), state.a, state.lambda);
  return status;
}

ModelView::Place ConstrainedView::place(Index i) const {
  const Index n = whole_.system().coordinates();
  return place_of(i % n, i >= n);
}

// Interpolated states are off the constraints by the error of the interpolation; treatments that mind correct theirs.
Status ConstrainedView::before_impact(double t, const BodyState& at) {
  constexpr double tolerance = 1e-12;
  ProjectionReport report;
  return model_.project_positions(t, at.q, ProjectionWeights::mass, tolerance, report);
}

}  // namespace trammel
