// Values of a last step that agree with the equations in which they stand.
#include "model/own_last_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/sizes.h"

namespace trammel {

namespace {

/// How much changes as forces see (a, lambda) in place of what they saw, of the largest force or torque at this state:
/// rows are scaled to metres or radians, and so multipliers are forces and torques as M a is. What was at other states,
/// however large, says nothing here.
double share_of_change(const ConstrainedModel& model, ElementMemory& memory, const std::vector<double>& a,
                       const std::vector<double>& lambda) {
  const BodyTable& table = model.assembly().table;
  const ConstVectorView seen_a = memory.seen_a(), seen_lambda = memory.seen_lambda();
  Eigen::VectorXd da(model.coordinates()), Mda(da), Ma(da);
  for (Index b = 0; b < table.bodies(); ++b) {
    for (Index k = 0; k < table.width(b); ++k)  // elements see all columns
      da[table.first(b) + k] = a[count(table.first(b) + k)] - seen_a[b * table.local() + k];
  }
  const Eigen::Map<const Eigen::VectorXd> multipliers(lambda.data(), seen_lambda.size);
  const Eigen::VectorXd dlambda = multipliers - seen_lambda.map();
  model.apply_mass(view(da), view(Mda));
  model.apply_mass({a.data(), static_cast<Index>(a.size())}, view(Ma));
  if (!Mda.allFinite() || !dlambda.allFinite()) return std::numeric_limits<double>::infinity();
  const auto largest = [](const auto& x) { return x.size() > 0 ? x.template lpNorm<Eigen::Infinity>() : 0.0; };
  const double change = std::max(largest(Mda), largest(dlambda));
  return change > 0 ? change / std::max({largest(model.Q().map()), largest(Ma), largest(multipliers), change}) : 0;
}

}  // namespace

Status see_own_step(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  constexpr int most_looks = 100;
  constexpr double settled = 1e-12;
  ElementMemory& memory = model.point().memory();
  if (!memory.sees_last_step()) return Status::success();
  std::vector<double> a(count(model.coordinates())), lambda(count(model.constraints()));
  Status status;
  double change = 1;
  for (int look = 0; status && change > settled && look < most_looks; ++look) {
    status = model.evaluate(t, q, v, z, evaluate_dynamics);
    if (status) status = model.factorize(ProjectionWeights::mass);
    if (status) status = model.solve(model.Q(), model.gamma(), view(a), view(lambda));
    if (!status) break;
    model.rank().minimize_multipliers(view(lambda));
    change = share_of_change(model, memory, a, lambda);
    memory.see(model.point().t(), view(a), view(lambda));
    model.point().invalidate(evaluate_force);
  }
  if (status && !(change <= settled)) {
    return Status::failure(StatusCode::not_converged,
                           "accelerations and multipliers, which a force depends on where no step precedes", -1,
                           change);
  }
  return status;
}

bool follows_last_step(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  constexpr double share = 1e-3, rounding = 1e-12;
  ElementMemory& memory = model.point().memory();
  if (!memory.sees_last_step() || !model.evaluate(t, q, v, z, evaluate_force)) return false;
  const Eigen::VectorXd Q = model.Q().map(), a = memory.seen_a().map(), lambda = memory.seen_lambda().map();
  const double size = std::max(1.0, Q.lpNorm<Eigen::Infinity>());
  const auto disturb = [](VectorView seen) {
    const double by = share * std::max(1.0, seen.size > 0 ? seen.map().lpNorm<Eigen::Infinity>() : 0);
    for (Index i = 0; i < seen.size; ++i) seen[i] += by * std::cos(static_cast<double>(i));  // no two alike
  };
  disturb(memory.seen_a()), disturb(memory.seen_lambda());
  model.point().invalidate(evaluate_force);
  const Status status = model.evaluate(t, q, v, z, evaluate_force);
  const bool follows = !status || (model.Q().map() - Q).lpNorm<Eigen::Infinity>() > rounding * size;
  memory.seen_a().map() = a, memory.seen_lambda().map() = lambda;
  model.point().invalidate(evaluate_force);
  return follows;
}

}  // namespace trammel
