// Demands of a motion from its parts.
#include "run/choice/model_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/contacts.h"

namespace trammel {
namespace {

double largest_entry(ConstVectorView x) { return x.size > 0 ? x.map().cwiseAbs().maxCoeff() : 0; }

/// rad/s: planar bodies by their angle, spatial ones by |omega| = 2 |p'|.
double fastest_turning(const ConstrainedModel& model, ConstVectorView v) {
  const BodyTable& table = model.assembly().table;
  double fastest = 0;
  for (Index b = 0; b < table.bodies(); ++b) {
    double sum = 0;
    Index count = 0;
    for (Index i = table.first(b); i < table.first(b + 1) && table.within(i) < table.frame_columns(); ++i) {
      if (!table.displaces(i)) sum += v[i] * v[i], ++count;
    }
    fastest = std::max(fastest, (count > 1 ? 2 : 1) * std::sqrt(sum));
  }
  return fastest;
}

}  // namespace

MotionDemand demand_of(const LinearRates& rates, double time, double rtol, double atol, double size, double speed,
                       double turning) {
  MotionDemand demand;
  demand.known = rates.known();
  demand.radians = turning * time;
  if (!demand.known) return demand;
  demand.fastest = fastest_rate(rates);
  const std::vector<MotionPart> parts = motion_parts(rates);
  for (const MotionPart& part : parts) {
    if (std::abs(part.lambda) > std::abs(demand.fastest)) demand.fastest = part.lambda;
    size = std::max(size, part.position), speed = std::max(speed, part.velocity);
  }
  for (const MotionPart& part : parts) {
    const double share = std::max(part.position / (atol + rtol * size), part.velocity / (atol + rtol * speed));
    if (!(share > 1) || !std::isfinite(share)) continue;
    const double decay = -part.lambda.real();
    const double lasts = decay > 0 ? std::min(time, std::log(share) / decay) : time;
    const double radians = std::abs(part.lambda) * lasts;
    if (radians > demand.radians) demand.radians = radians;
    demand.largest = std::max(demand.largest, share);
  }
  return demand;
}

MotionDemand demand_at(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                       double time, double rtol, double atol) {
  Linearization& linearization = model.parts().linearization;
  const bool made = linearization.made();
  const std::vector<Index> differenced = linearization.differenced();
  const MotionDemand demand = demand_of(linear_rates(model, t, q, v, z), time, rtol, atol, largest_entry(q),
                                        largest_entry(v), fastest_turning(model, v));
  if (!made) linearization.forget();  // the run itself may need no derivatives
  linearization.differenced() = differenced;
  return demand;
}

MotionDemand demand_of_problem(System& system, double t, ConstVectorView x, ConstVectorView x_dot, double time,
                               double rtol, double atol) {
  SecondOrderSystem* second = system.second_order();
  const LinearRates rates = second != nullptr ? linear_rates(*second, t, x, x_dot) : linear_rates(*system.ode(), t, x);
  return demand_of(rates, time, rtol, atol, largest_entry(x), second != nullptr ? largest_entry(x_dot) : 0, 0);
}

ModelFacts sizes_of(const Model& model) {
  ModelFacts facts;
  facts.second_order = model.system().second_order() != nullptr;
  const Assembly* assembly = model.assembly();
  facts.bodies = assembly != nullptr;
  if (!facts.bodies) return facts;
  facts.coordinates = assembly->coordinates();
  facts.freedom = assembly->coordinates() - assembly->rows();
  facts.velocity_rows = assembly->velocity_rows();
  facts.internal_states = assembly->internal_states();
  facts.impacts = Contacts(*assembly).count() > 0;
  return facts;
}

std::string fastest_text(const MotionDemand& demand) {
  const std::complex<double> lambda = demand.fastest;
  const double modulus = std::abs(lambda);
  constexpr double oblique = 0.1;  // below this share of it the real part leaves a vibration one
  if (lambda.real() > oblique * modulus) return fmt::format("a motion that grows at {:.2g} 1/s", modulus);
  if (lambda.real() < -oblique * modulus) return fmt::format("a motion that dies out at {:.2g} 1/s", modulus);
  return fmt::format("a vibration of {:.2g} rad/s", modulus);
}

std::string one_digit(double factor) {
  const double unit = std::pow(10, std::floor(std::log10(factor)));
  return fmt::format("{:.0f}", unit * std::round(factor / unit));
}

}  // namespace trammel
