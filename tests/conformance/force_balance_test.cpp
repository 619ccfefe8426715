// Every shipped force between two bodies: action equals reaction, and rigid motions of both change no energy.
#include "element_point.h"
#include "wrench.h"

namespace conformance {
namespace {

using trammel::shipped_elements;
using trammel::ShippedElement;

template <class State>
void check_force_balance(const LoadedModel& loaded, const ForceSlot& slot) {
  constexpr Index c = State::coordinates;
  Random random(23);
  for (int sample = 0; sample < 3; ++sample) {
    ElementPoint<State> point(loaded, slot);
    point.disturb(random, 0.02, 1);
    double potential = 0;
    for (int moved = 0; moved < 2; ++moved) {
      if (moved == 1) point.move_rigidly(random);
      Blocks Q(1, c, {true, true}, 0);
      std::vector<std::vector<double>> entries(2, std::vector<double>(static_cast<std::size_t>(c), 0.0));
      const VectorView views[2] = {{entries[0].data(), c}, {entries[1].data(), c}};
      REQUIRE(slot.force->force(point.at(), views).ok());
      double scale = 1;
      Wrench sum{{0, 0, 0}, {0, 0, 0}};
      for (Index b = 0; b < 2; ++b) {
        for (Index k = 0; k < c; ++k) {
          Q.views()[b](0, k) = entries[static_cast<std::size_t>(b)][static_cast<std::size_t>(k)];
          scale = std::max(scale, std::abs(Q.views()[b](0, k)));
        }
        sum = sum + wrench(point.state(b), Q.views()[b], 0);
      }
      CHECK(sdk::norm(sum.force) < 1e-12 * scale);
      CHECK(sdk::norm(sum.moment) < 1e-11 * scale);  // arms of up to 10 m
      trammel::ForceEnergy energy;
      if (!slot.force->energy(point.at(), energy)) continue;
      if (moved == 1) CHECK(std::abs(energy.potential - potential) < 1e-10 * (scale + std::abs(potential)));
      potential = energy.potential;
    }
  }
}

TEST_CASE("forces between two bodies") {
  int checked = 0;
  for (const ShippedElement& element : shipped_elements()) {
    if (element.kind != trammel::ComponentKind::force || element.type == "gravity") continue;
    CAPTURE(element.name());
    for_each_use(element, [&](const LoadedModel& loaded, const auto& slot, auto state) {
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ForceSlot>) {
        CAPTURE(slot.name);
        if (slot.bodies.size() != 2) return;
        check_force_balance<decltype(state)>(loaded, slot);
        ++checked;
      }
    });
  }
  CHECK(checked >= 6);  // tsda, rsda, bushing in both hosts
}

}  // namespace
}  // namespace conformance
