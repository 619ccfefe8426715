// Every shipped element: it has cases, it reports, its reactions balance, and ideal joints do no work.
#include "element_point.h"
#include "trammel/extensions/contact.h"
#include "trammel/extensions/element_extensions.h"
#include "wrench.h"

namespace conformance {
namespace {

using trammel::shipped_elements;
using trammel::ShippedElement;

TEST_CASE("every element has a case for each of its hosts") {
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    CHECK(!element.cases.empty());
  }
}

TEST_CASE("every joint reports its reaction, every driver its effort, every element between bodies its channels") {
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    for_each_use(element, [](const LoadedModel&, const auto& slot, auto) {
      CAPTURE(slot.name);
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
        if (slot.rows == 0) {  // a one-sided contact: no reaction, its gap
          CHECK(trammel::find_extension<trammel::UnilateralContact>(*slot.constraint) != nullptr);
          CHECK(slot.channels != nullptr);
          return;
        }
        // Force and torque at a point, or, between coordinates of joints, the effort along one of them.
        CHECK((slot.reaction != nullptr || slot.effort != nullptr));
        if (slot.constraint->rheonomic() || slot.reaction == nullptr) CHECK(slot.effort != nullptr);
        if (slot.effort != nullptr && slot.reaction != nullptr) CHECK(slot.constraint->rheonomic());
        const bool joint = !slot.constraint->rheonomic() && slot.bodies.size() >= 2;
        if (joint) CHECK((slot.reaction != nullptr || slot.type == "coupler"));
        if (slot.effort != nullptr) CHECK(slot.channels != nullptr);
        if (slot.angles != nullptr) CHECK(slot.channels != nullptr);
      } else if (slot.bodies.size() >= 2 && slot.type != "gravity") {
        CHECK(slot.channels != nullptr);
      }
    });
  }
}

/// Finite values, names and units, each rate the derivative of the channel before it.
template <class State, class Slot>
void check_channels(const LoadedModel& loaded, const Slot& slot) {
  const trammel::ElementChannels& channels = *slot.channels;
  const Index n = channels.channel_count();
  REQUIRE(n > 0);
  Random random(7);
  ElementPoint<State> point(loaded, slot);
  point.disturb(random, 0.02, 1);
  const auto values = [&](double dt) {
    point.move(dt * point.velocity(), point.zero(), 0, Eigen::VectorXd::Zero(point.internal_states()));
    Eigen::VectorXd out = Eigen::VectorXd::Constant(n, NAN);
    REQUIRE(channels.channel_values(point.at(), {out.data(), n}).ok());
    CHECK(out.allFinite());
    return out;
  };
  const Eigen::VectorXd here = values(0);
  for (Index k = 0; k < n; ++k) {
    const std::string name = channels.channel_name(k), unit = channels.channel_unit(k);
    CAPTURE(name);
    CHECK(!name.empty());
    CHECK(!unit.empty());
    const bool rate = name.find("rate") != std::string::npos || name.find("speed") != std::string::npos;
    if (!rate || k == 0) continue;
    CHECK(unit == std::string(channels.channel_unit(k - 1)) + "/s");
    const double h = 1e-4;  // fourth-order difference: 1e-16 / h + h^4 leaves 1e-11
    const double difference =
        (8 * (values(h)[k - 1] - values(-h)[k - 1]) - values(2 * h)[k - 1] + values(-2 * h)[k - 1]) / (12 * h);
    CHECK(here[k] == doctest::Approx(difference).epsilon(1e-8));
  }
}

TEST_CASE("channels are finite, and rates are the derivatives of what they follow") {
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    for_each_use(element, [](const LoadedModel& loaded, const auto& slot, auto state) {
      CAPTURE(slot.name);
      // A driver's rate follows its own time, which the difference above holds fixed.
      if (slot.channels != nullptr) check_channels<decltype(state)>(loaded, slot);
    });
  }
}

/// Rows of a constraint over two and more bodies: forces and moments on all its bodies, ground included, cancel.
template <class State>
void check_balance(const LoadedModel& loaded, const ConstraintSlot& slot) {
  Random random(11);
  for (int sample = 0; sample < 3; ++sample) {
    ElementPoint<State> point(loaded, slot);
    if (sample > 0) point.move_rigidly(random);
    const Index m = slot.rows;
    Blocks Phi_q(m, State::coordinates, std::vector<bool>(slot.bodies.size(), true), 0);
    std::vector<double> Phi(static_cast<std::size_t>(m), 1), nu(static_cast<std::size_t>(m), 1);
    ConstraintOutput out;
    out.Phi = {Phi.data(), m}, out.Phi_q = Phi_q.views(), out.nu = {nu.data(), m};
    REQUIRE(slot.constraint->evaluate(point.at(), out).ok());
    for (Index row = 0; row < m; ++row) {
      CHECK(std::abs(Phi[static_cast<std::size_t>(row)]) < 1e-13);  // assembled, and invariant under rigid motions
      Wrench sum{{0, 0, 0}, {0, 0, 0}};
      for (Index b = 0; b < point.bodies(); ++b) sum = sum + wrench(point.state(b), Phi_q.views()[b], row);
      CHECK(sdk::norm(sum.force) < 1e-12);  // rounding of entries of size 1 to 10
      CHECK(sdk::norm(sum.moment) < 1e-12);
      // The power of a reaction is lambda^T Phi_q v = lambda^T nu along every motion that the rows allow.
      if (!slot.constraint->rheonomic()) CHECK(nu[static_cast<std::size_t>(row)] == 0);
    }
  }
}

TEST_CASE("action equals reaction in every constraint between bodies, and reactions that do not drive do no work") {
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    for_each_use(element, [](const LoadedModel& loaded, const auto& slot, auto state) {
      CAPTURE(slot.name);
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
        if (slot.bodies.size() >= 2) check_balance<decltype(state)>(loaded, slot);
      }
    });
  }
}

}  // namespace
}  // namespace conformance
