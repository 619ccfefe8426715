// Values of a last step that agree with the equations in which they stand.
#include "model/own_last_step.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/sizes.h"

namespace trammel {

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
    change = memory.see(model.point().t(), view(a), view(lambda));
    model.point().invalidate();
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
  model.point().invalidate();
  const Status status = model.evaluate(t, q, v, z, evaluate_force);
  const bool follows = !status || (model.Q().map() - Q).lpNorm<Eigen::Infinity>() > rounding * size;
  memory.seen_a().map() = a, memory.seen_lambda().map() = lambda;
  model.point().invalidate();
  return follows;
}

}  // namespace trammel
