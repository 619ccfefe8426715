// Kinks of forces at a state, by moves forth and back.
#include "analysis/one_sided.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>

#include "model/constrained_model.h"

namespace trammel {
namespace {

constexpr double move = 1e-6;         // of the model's unit of length, and rad
constexpr double uneven = 0.05;       // of the change: what a smooth law leaves is some 1e-6 of its own scale
constexpr double of_rounding = 1e-9;  // of the largest acceleration that acts, in the same unit

}  // namespace

std::string find_one_sided(Plant& plant, const LinearModel& linear) {
  const ConstrainedModel& model = *plant.model();
  const Observation& now = plant.observation();
  const double t = now.t;
  const Eigen::VectorXd q = now.q.map(), v = now.v.map(), z = now.z.map(), a = now.a.map();
  const auto view = [](const Eigen::VectorXd& x) { return ConstVectorView{x.data(), static_cast<Index>(x.size())}; };
  const BodyTable& table = model.assembly().table;
  std::string found;
  for (Eigen::Index k = 0; k < linear.T.cols() && found.empty(); ++k) {
    const Index coordinate = linear.independent[static_cast<std::size_t>(k)];
    const bool own = linear.names.empty();
    const double step = move * (!own || table.displaces(coordinate) ? model.unit().length() : 1);
    Eigen::VectorXd change[2];
    bool known = true;
    for (const int side : {0, 1}) {
      const Eigen::VectorXd moved = q + (side == 0 ? step : -step) * linear.T.col(k);
      known = known && plant.observe_at(t, view(moved), view(v), view(z)).ok();
      if (known) change[side] = plant.observation().a.map() - a;
    }
    if (!known) continue;
    const double bend = (change[0] + change[1]).lpNorm<Eigen::Infinity>();
    const double slope = std::max(change[0].lpNorm<Eigen::Infinity>(), change[1].lpNorm<Eigen::Infinity>());
    const double rounding = of_rounding * std::max(1.0, a.lpNorm<Eigen::Infinity>());
    if (bend > uneven * slope && bend > rounding)
      found = own ? model.coordinate_name(coordinate) : linear.names[static_cast<std::size_t>(k)];
  }
  plant.observe_at(t, view(q), view(v), view(z));
  if (found.empty()) return "";
  return fmt::format(
      "a force has a kink at this state (its slope where '{}' grows differs from that where it falls): the reported "
      "frequencies and stability hold on one side of the kink only",
      found);
}

}  // namespace trammel
