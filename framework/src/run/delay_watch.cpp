// Looks at the delays of a model after each step.
#include "run/delay_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "signals/signal_force.h"

namespace trammel {
namespace {

constexpr double lost_share = 0.003;  // of the half range: about 2e-5 for smooth values, 1 % at kinks
constexpr double least_value = 1e-8;  // what never was larger is noise of the tolerances

}  // namespace

void DelayWatch::start(const ConstrainedModel& model) {
  delays_.clear();
  const std::vector<ForceSlot>& forces = model.assembly().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const auto* carrier = find_extension<SignalCarrier>(*forces[i].force);
    if (carrier == nullptr) continue;
    const std::vector<SignalBlock>& blocks = carrier->network().blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto* delay = std::get_if<DelayBlock>(&blocks[b].law);
      if (delay == nullptr) continue;
      const std::string& name = blocks[b].name;
      const bool known = std::any_of(delays_.begin(), delays_.end(), [&](const Delay& d) { return d.name == name; });
      if (!known) delays_.push_back({name, i, b, delay->time, static_cast<double>(delay->points.size())});
    }
  }
}

void DelayWatch::look(const ConstrainedModel& model, double t) {
  for (Delay& delay : delays_) {
    const ForceSlot& slot = model.assembly().forces[delay.slot];
    const auto* carrier = find_extension<SignalCarrier>(*slot.force);
    if (carrier == nullptr || delay.block >= carrier->network().blocks().size())
      continue;  // an event changed the force
    const SignalBlock& block = carrier->network().blocks()[delay.block];
    const auto* law = std::get_if<DelayBlock>(&block.law);
    const ElementState s = model.point().element_state(slot);
    SignalNetwork::Slots<double> slots;
    if (law == nullptr || !carrier->look(s, slots)) continue;
    const double* z = s.z + carrier->first_state() + block.first_state;
    const double u = slots[block.inputs[0]];
    double last = 0, half_range = 0;
    law->resolution(u, z, last, half_range);
    if (last > delay.worst) delay.worst = last, delay.when = t;
    delay.range = std::max(delay.range, half_range);
    const auto [low, high] = std::minmax_element(z, z + block.states);
    delay.least = std::min({delay.seen ? delay.least : u, u, *low});
    delay.most = std::max({delay.seen ? delay.most : u, u, *high});
    delay.seen = true;
  }
}

std::vector<std::string> DelayWatch::warnings() const {
  std::vector<std::string> found;
  for (const Delay& delay : delays_) {
    const double range = (delay.most - delay.least) / 2;
    const double share = delay.worst / delay.range;
    if (delay.worst <= lost_share * delay.range || range <= least_value) continue;
    found.push_back(
        fmt::format("the delay '{}' does not follow its input: of {:g} states along {:g} s the last coefficient is "
                    "{:.2g} of the half "
                    "range near t = {:.6g}. Values delayed by it are off by about {:.2g} of the half range at a jump "
                    "or a kink of the input "
                    "or at the start, by {:.2g} where oscillations are faster than {:.3g} Hz; give a larger 'order', "
                    "smooth the input, "
                    "or begin with an 'initial' that goes over into it",
                    delay.name, delay.order, delay.time, share, delay.when, std::min(1.0, 2.5 * share),
                    2 * share * share, std::max(1.0, delay.order - 3) / (4 * delay.time)));
  }
  return found;
}

void DelayWatch::remember(Archive& archive) {
  for (Delay& delay : delays_)
    archive.values("delay_watch." + delay.name, delay.worst, delay.when, delay.range, delay.least, delay.most,
                   delay.seen);
}

}  // namespace trammel
