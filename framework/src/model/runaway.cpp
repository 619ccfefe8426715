// Which force drives a motion that runs away: the one whose power is the kinetic energy's growth.
#include "model/runaway.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trammel {
namespace {

// Squares of coordinates and speeds beyond it are too large to tell anything.
constexpr double beyond_sense = 1e30;

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

/// Q.v of one force, divided by the square of the largest speed so that it does not overflow first.
double scaled_power(const ConstrainedModel& model, const ForceSlot& slot, double speed) {
  const Index c = model.assembly().body_coordinates();
  std::vector<double> forces(static_cast<std::size_t>(c) * slot.bodies.size(), 0.0);
  std::vector<VectorView> views;
  for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
    views.push_back(slot.bodies[k] >= 0 ? VectorView{forces.data() + static_cast<std::size_t>(c) * k, c}
                                        : VectorView{});
  }
  if (!slot.force->force(model.element_state(slot), views.data())) return 0;
  double power = 0;
  for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
    if (slot.bodies[k] < 0) continue;
    const double* v = model.point_v().data() + slot.bodies[k] * c;
    for (Index i = 0; i < c; ++i) power += views[k][i] / speed * (v[i] / speed);
  }
  return power;
}

}  // namespace

bool runs_away(const ConstrainedModel& model) {
  const double most = std::max(largest(model.point_q()), largest(model.point_v()));
  return most > beyond_sense;
}

std::string describe_runaway(const ConstrainedModel& model) {
  const Assembly& assembly = model.assembly();
  const std::vector<double>& v = model.point_v();
  const auto fastest = static_cast<Index>(
      std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) - v.begin());
  const double speed = largest(v);
  std::string text = "the motion runs away";
  if (v.empty() || !(speed > 0)) return text;
  const Index body = fastest / assembly.body_coordinates();
  text += fmt::format(" ('{}' changes at {:.3g} 1/s", model.coordinate_name(fastest), speed);
  if (body < assembly.bodies()) text += fmt::format("; body '{}'", assembly.body_names[static_cast<std::size_t>(body)]);
  text += ")";
  double most = 0, all = 0;
  const ForceSlot* driver = nullptr;
  for (const ForceSlot& slot : assembly.forces) {
    const double power = scaled_power(model, slot, speed);
    if (!(power > 0)) continue;
    all += power;
    if (power > most) most = power, driver = &slot;
  }
  constexpr double most_of_it = 0.5;
  if (driver == nullptr || most < most_of_it * all) return text + "; no single force drives it: the method or its step";
  return text + fmt::format(", driven by force '{}' (type '{}'), whose own power feeds it", driver->name, driver->type);
}

}  // namespace trammel
