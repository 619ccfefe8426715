// Which force drives a motion that runs away: the one whose power is the kinetic energy's growth.
#include "model/runaway.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plugin/breadcrumb.h"

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
  const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
  if (!slot.force->force(model.point().element_state(slot), views.data())) return 0;
  double power = 0;
  for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
    if (slot.bodies[k] < 0) continue;
    const BodyTable& table = model.assembly().table;
    const double* v = model.point().v().data() + table.first(slot.bodies[k]);
    for (Index i = 0; i < table.width(slot.bodies[k]); ++i) power += views[k][i] / speed * (v[i] / speed);
  }
  return power;
}

double size_of_force(const ForceSlot& slot, const ElementState& s, Index c) {
  std::vector<double> forces(static_cast<std::size_t>(c) * slot.bodies.size(), 0.0);
  std::vector<VectorView> views;
  for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
    views.push_back(slot.bodies[k] >= 0 ? VectorView{forces.data() + static_cast<std::size_t>(c) * k, c}
                                        : VectorView{});
  }
  const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
  return slot.force->force(s, views.data()) ? largest(forces) : 0;
}

/// Whether the force grows with the motion: one of time alone, or of the direction of its body, does work on a motion
/// that is fast for other reasons, and is as large where positions and velocities are a half of what they are.
bool feeds_on_motion(const ConstrainedModel& model, const ForceSlot& slot) {
  constexpr double as_large = 0.9;
  const Assembly& assembly = model.assembly();
  const BodySystem& system = assembly.system;
  const Index c = assembly.body_coordinates();
  std::vector<double> q = model.point().q(), v = model.point().v();
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool turns = c == 7 && !assembly.table.displaces(static_cast<Index>(i));  // Euler parameters
    q[i] *= turns ? 1 : 0.5, v[i] *= 0.5;
  }
  const std::size_t bodies = static_cast<std::size_t>(assembly.bodies());
  const std::size_t stride = static_cast<std::size_t>(system.state_bytes() + 7) / 8;
  std::vector<double> states((bodies + 1) * stride, 0.0);
  const auto n = static_cast<Index>(q.size());
  assembly.motion.kinematics({q.data(), n}, {v.data(), n}, states.data());
  system.ground_state(states.data() + bodies * stride);
  std::vector<const void*> of_slot;
  for (const Index b : slot.bodies)
    of_slot.push_back(states.data() + (b < 0 ? bodies : static_cast<std::size_t>(b)) * stride);
  const ElementState here = model.point().element_state(slot);
  const ElementState half{here.t, of_slot.data(), here.angle_references, here.z};
  return size_of_force(slot, half, c) < as_large * size_of_force(slot, here, c);
}

}  // namespace

bool runs_away(const ConstrainedModel& model) {
  const double most = std::max(largest(model.point().q()), largest(model.point().v()));
  return most > beyond_sense;
}

std::string describe_runaway(const ConstrainedModel& model, const std::string& when) {
  const Assembly& assembly = model.assembly();
  const std::vector<double>& v = model.point().v();
  const auto fastest = static_cast<Index>(
      std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) - v.begin());
  const double speed = largest(v);
  std::string text = "the motion runs away";
  if (v.empty() || !(speed > 0)) return text + when;
  const Index body = fastest < assembly.coordinates() ? assembly.table.body_of(fastest) : assembly.bodies();
  text += fmt::format(" ('{}' changes at {:.3g} 1/s", model.coordinate_name(fastest), speed);
  if (body < assembly.bodies()) text += fmt::format("; body '{}'", assembly.body_names[static_cast<std::size_t>(body)]);
  text += ")" + when;
  double most = 0, all = 0;
  const ForceSlot* driver = nullptr;
  for (const ForceSlot& slot : assembly.forces) {
    const double power = scaled_power(model, slot, speed);
    if (!(power > 0)) continue;
    all += power;
    if (power > most) most = power, driver = &slot;
  }
  constexpr double most_of_it = 0.5;
  if (driver == nullptr || most < most_of_it * all || !feeds_on_motion(model, *driver))
    return text + "; no single force feeds it: look at the method and its step";
  return text +
         fmt::format(", driven by force '{}' (type '{}'), whose own power feeds it: look at the signs of its law",
                     driver->name, driver->type);
}

}  // namespace trammel
