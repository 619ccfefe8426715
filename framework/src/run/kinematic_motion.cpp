// Kinematic analysis, step by step.
#include "run/kinematic_motion.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double position_tolerance = 1e-9;  // last change of a coordinate, m or rad; the next one is its square
// What a converged position leaves of rows that are not left out for good, m or rad.
constexpr double satisfied = 1e-11;
// Predictions of second order are much nearer than this to where Newton ends, unless it left the branch.
constexpr double largest_share = 0.3;  // of the step's length
constexpr double always_near = 1e-3;   // m or rad; a motion from rest has no length to compare with
constexpr Index most_iterations = 8;
constexpr double growth = 2;

}  // namespace

IntegratorTraits KinematicMotion::traits() const {
  IntegratorTraits traits;
  traits.view = ViewKind::constrained;
  traits.self_controlled = true;
  traits.interpolation_order = 5;
  return traits;
}

Status KinematicMotion::start(const Problem&, const StateView&, const Memory&) const { return Status::success(); }

Status KinematicMotion::solve(const StateView& out, ProjectionReport& report) const {
  const std::vector<double>& z = model_.point_z();
  Status status = model_.project_positions(out.t, out.x, ProjectionWeights::identity, position_tolerance, report);
  if (status && report.iterations > most_iterations) {
    return Status::failure(StatusCode::not_converged, "position analysis", -1, report.correction);
  }
  ProjectionReport velocities;
  if (status) status = model_.project_velocities(out.t, out.x, out.v, ProjectionWeights::identity, velocities);
  if (status) {
    status = model_.evaluate(out.t, out.x, out.v, {z.data(), static_cast<Index>(z.size())},
                             evaluate_Phi | evaluate_jacobian | evaluate_gamma);
  }
  // A row that is nearly dependent may have been left out on the way.
  for (Index r = 0; status && r < model_.constraints(); ++r) {
    if (model_.is_redundant(r) || std::abs(model_.Phi()[r]) <= satisfied) continue;
    return Status::failure(StatusCode::not_converged, "position analysis", -1, model_.Phi()[r]);
  }
  if (status) status = model_.factorize(ProjectionWeights::identity);
  // The least change of what `a` holds already, where rows are left out at a singular position.
  std::copy(out.a.data, out.a.data + out.a.size, wish_.begin());
  if (status) status = model_.solve({wish_.data(), out.a.size}, model_.gamma(), out.a, out.lambda);
  return status;
}

bool KinematicMotion::continues(const StateView& state, double h, const StateView& next) const {
  const ConstVectorView predicted{predicted_.data(), next.x.size};
  const auto step = next.x.map() - state.x.map();
  const double length = step.lpNorm<Eigen::Infinity>();
  const double missed = (next.x.map() - predicted.map()).lpNorm<Eigen::Infinity>();
  const double turned = (step - 0.5 * h * (state.v.map() + next.v.map())).lpNorm<Eigen::Infinity>();
  return std::max(missed, turned) <= std::max(always_near, largest_share * length);
}

StepResult KinematicMotion::attempt(const Problem&, const StateView& state, double h, const StateView& next, VectorView,
                                    const Memory&) const {
  StepResult result;
  const double rest = grid_ * (std::floor(state.t / grid_ + 1e-9) + 1) - state.t;
  // Roundings of t do not add up; the few by which a step ends before a break point are left alone.
  const bool to_grid = rest < h * (1 + 1e-9) && std::abs(rest - h) > 8 * 2.3e-16 * std::max(1.0, state.t);
  result.h = to_grid ? rest : h;
  result.h_next = std::min(growth * h, grid_);
  StateView reached = next;
  reached.t = state.t + result.h;
  next.x.map() = state.x.map() + result.h * (state.v.map() + 0.5 * result.h * state.a.map());
  next.v.map() = state.v.map() + result.h * state.a.map();
  next.a.map() = state.a.map();
  std::copy(next.x.data, next.x.data + next.x.size, predicted_.begin());
  ProjectionReport report;
  result.status = solve(reached, report);
  result.newton_iterations = report.iterations;
  if (result.status && !continues(state, result.h, next)) {
    result.status = Status::failure(StatusCode::not_converged, "continuation of the motion");
  }
  return result;
}

Status KinematicMotion::interpolate(const Problem&, const StateView& from, const StateView& to, double t,
                                    const StateView& out, const Memory&) const {
  const double h = to.t - from.t, s = (t - from.t) / h;
  const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  out.x.map() = h00 * from.x.map() + h10 * h * from.v.map() + h01 * to.x.map() + h11 * h * to.v.map();
  out.v.map() = h00 * from.v.map() + h10 * h * from.a.map() + h01 * to.v.map() + h11 * h * to.a.map();
  out.a.map() = (1 - s) * from.a.map() + s * to.a.map();
  StateView at = out;
  at.t = t;
  ProjectionReport report;
  return solve(at, report);
}

}  // namespace trammel
