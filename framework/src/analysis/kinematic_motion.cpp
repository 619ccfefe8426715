// Kinematic analysis, step by step.
#include "analysis/kinematic_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dependence.h"
#include "linalg/illinois.h"
#include "trammel/math/cubic.h"

namespace trammel {
namespace {

constexpr double position_tolerance =
    1e-9;  // last change of a coordinate, in the model's unit or rad; the next one is its square
// What a converged position leaves of rows that are not left out for good, in the model's unit or rad.
constexpr double satisfied = 1e-11;
// Predictions of second order are much nearer than this to where Newton ends, unless it left the branch.
constexpr double largest_share = 0.05;  // of the step's length; a turn by half a radian
constexpr double always_near = 1e-3;    // of the unit or rad; a motion from rest has no length to compare with
constexpr Index most_newton_iterations = 8;
constexpr double growth = 2;

constexpr double rounding = std::numeric_limits<double>::epsilon();

}  // namespace

struct KinematicMotion::Blocks {
  static constexpr Index state = 3, scratch_vectors = 3;

  Blocks(const Memory& memory, Index n)
      : last_t(memory.state[0]),
        last_sign(memory.state[1]),
        last_logarithm(memory.state[2]),
        predicted{memory.scratch, n},
        wish{memory.scratch + n, n},
        between{memory.scratch + 2 * n, n} {}

  DependentLu::Determinant last() const { return {static_cast<int>(last_sign), last_logarithm}; }
  void remember(double t, const DependentLu::Determinant& d) const {
    last_t = t, last_sign = d.sign, last_logarithm = d.logarithm;
  }

  double& last_t;  // the end of the last attempt, where the next one mostly begins; det Phi_q there
  double &last_sign, &last_logarithm;
  VectorView predicted, wish, between;  // scratch
};

IntegratorTraits KinematicMotion::traits() const {
  IntegratorTraits traits;
  traits.view = ViewKind::constrained;
  traits.self_controlled = true;
  traits.interpolation_order = 5;
  return traits;
}

MemorySize KinematicMotion::memory(const ProblemSize& size) const {
  return {Blocks::state, Blocks::scratch_vectors * size.n};
}

Status KinematicMotion::start(const Problem&, const ConstStateView& state, const Memory& memory) const {
  Blocks(memory, state.x.size).last_t = -1;
  return Status::success();
}

Status KinematicMotion::solve(const Blocks& blocks, const StateView& out, ProjectionReport& report) const {
  const std::vector<double>& z = model_.point().z();
  Status status = model_.project_positions(out.t, out.x, ProjectionWeights::identity, position_tolerance, report);
  if (status && report.iterations > most_newton_iterations) {
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
    if (model_.rank().is_redundant(r) || std::abs(model_.Phi()[r]) <= satisfied * model_.unit().row(r)) continue;
    return Status::failure(StatusCode::not_converged, "position analysis", -1, model_.Phi()[r]);
  }
  if (status) status = model_.factorize(ProjectionWeights::identity);
  // The least change of what `a` holds already, where rows are left out at a singular position.
  model_.unit().weigh(out.a, blocks.wish);
  if (status) status = model_.solve(blocks.wish, model_.gamma(), out.a, out.lambda);
  return status;
}

double KinematicMotion::departure(ConstVectorView predicted, const ConstStateView& state, double h,
                                  const StateView& next) const {
  double length = 0, missed = 0, turned = 0;
  for (Index i = 0; i < next.x.size; ++i) {
    const double size = model_.unit().column(i), step = next.x[i] - state.x[i];
    length = std::max(length, std::abs(step) / size);
    missed = std::max(missed, std::abs(next.x[i] - predicted[i]) / size);
    turned = std::max(turned, std::abs(step - 0.5 * h * (state.v[i] + next.v[i])) / size);
  }
  return std::max(missed, turned) / std::max(always_near, largest_share * length);
}

Status KinematicMotion::choose_rows_again(double t, ConstVectorView q) const {
  if (model_.rank().redundant() <= redundant_) return Status::success();
  const std::vector<double>& z = model_.point().z();
  const Status status = model_.evaluate(t, q, {}, {z.data(), static_cast<Index>(z.size())}, evaluate_jacobian);
  if (status) model_.rank().choose_rows(dependence_threshold);
  return status;
}

DependentLu::Determinant KinematicMotion::determinant(double t, ConstVectorView q) const {
  const std::vector<double>& z = model_.point().z();
  const Status status = model_.evaluate(t, q, {}, {z.data(), static_cast<Index>(z.size())}, evaluate_jacobian);
  if (!status) return {};
  jacobian_.factorize(model_.parts().kkt.matrix(), {none_.data(), static_cast<Index>(none_.size())});
  return jacobian_.determinant();
}

// The zero of the determinant. Positions between come from Newton,
// which starts from the Hermite polynomial.
void KinematicMotion::look_for_branches(const Blocks& blocks, const ConstStateView& from,
                                        const ConstStateView& to) const {
  constexpr double resolution = 1e-9;  // of the step
  const DependentLu::Determinant before = from.t == blocks.last_t ? blocks.last() : determinant(from.t, from.x);
  const DependentLu::Determinant after = determinant(to.t, to.x);
  blocks.remember(to.t, after);
  if (before.sign * after.sign >= 0) return;
  const auto relative = [&](const DependentLu::Determinant& d) {
    return d.sign * std::exp(d.logarithm - before.logarithm);
  };
  IllinoisSearch search(from.t, relative(before), to.t, relative(after));
  double nearest = to.t;
  const double h = to.t - from.t;
  const VectorView x = blocks.between;
  while (search.tries() < 60 && search.width() > resolution * h) {
    const double t = search.trial();
    nearest = t;
    cubic({from.x, from.v}, {to.x, to.v}, h, (t - from.t) / h, x);
    ProjectionReport report;
    if (!model_.project_positions(t, x, ProjectionWeights::identity, position_tolerance, report)) break;
    const DependentLu::Determinant d = determinant(t, x);
    if (d.sign == 0) break;
    search.take(t, relative(d), d.sign == before.sign);
  }
  model_.factorize(ProjectionWeights::identity);
  const RankWatch closest = model_.rank().take_closest();
  monitor_.locate(nearest, closest.weak > 0 ? closest.weak_row : closest.smallest_kept_row);
}

StepResult KinematicMotion::attempt(const Problem&, const ConstStateView& state, double h, const StateView& next,
                                    VectorView, const Memory& memory) const {
  const Blocks blocks(memory, next.x.size);
  StepResult result;
  const double rest = grid_ * (std::floor(state.t / grid_ + 1e-9) + 1) - state.t;
  // Roundings of t do not add up; the few by which a step ends before a break point are left alone.
  const bool to_grid = rest < h * (1 + 1e-9) && std::abs(rest - h) > 8 * rounding * std::max(1.0, state.t);
  result.h = to_grid ? rest : h;
  result.h_next = std::min(growth * h, grid_);
  StateView reached = next;
  reached.t = state.t + result.h;
  next.x.map() = state.x.map() + result.h * (state.v.map() + 0.5 * result.h * state.a.map());
  next.v.map() = state.v.map() + result.h * state.a.map();
  next.a.map() = state.a.map();
  blocks.predicted.map() = next.x.map();
  ProjectionReport report;
  result.status = choose_rows_again(reached.t, next.x);
  if (result.status) result.status = solve(blocks, reached, report);
  result.newton_iterations = report.iterations;
  if (!result.status) return result;
  const double departed = departure(blocks.predicted, state, result.h, next);
  // Departures grow with the third power of the step, the length with the first.
  if (departed > 0) result.h_next = std::min(result.h_next, 0.9 * result.h / std::sqrt(departed));
  if (departed > 1) {
    result.status = Status::failure(StatusCode::not_converged, "continuation of the motion");
  } else {
    look_for_branches(blocks, state, reached);
  }
  return result;
}

Status KinematicMotion::interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                                    const StateView& out, const Memory& memory) const {
  const double h = to.t - from.t, s = (t - from.t) / h;
  cubic({from.x, from.v}, {to.x, to.v}, h, s, out.x);
  cubic({from.v, from.a}, {to.v, to.a}, h, s, out.v);
  out.a.map() = (1 - s) * from.a.map() + s * to.a.map();
  StateView at = out;
  at.t = t;
  ProjectionReport report;
  return solve(Blocks(memory, out.x.size), at, report);
}

}  // namespace trammel
