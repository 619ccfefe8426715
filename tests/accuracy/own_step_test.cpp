// Forces that see the last step, where no step precedes: equations and f_y of a state depend on no state before it.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <vector>

#include "process.h"
#include "trammel/error.h"
#include "trammel/host/mechanics.h"

using namespace trammel;

namespace {

Mechanics rubbing_pendulum(const std::string& coefficient, const std::string& speed = "0.2") {
  return Mechanics(TRAMMEL_SOURCE_DIR "/sdk/examples/acme_dynamics/friction/cases/load_friction.json",
                   {{"system.forces.friction.coefficient=" + coefficient, "system.forces.friction.speed=" + speed},
                    {TRAMMEL_BUILD_DIR "/lib/trammel/plugins", TRAMMEL_BUILD_DIR "/tests/accepted_step"}});
}

/// At the angle 0.3 with this angular velocity.
void set(Mechanics& model, double omega) {
  const double c = std::cos(0.3), s = std::sin(0.3), l = 0.5;
  const double q[3] = {l * c, l * s, 0.3}, v[3] = {-l * omega * s, l * omega * c, omega};
  model.set_state(0, {q, 3}, {v, 3}, {});
}

}  // namespace

TEST_CASE("what a force sees is settled by the state's own size, whatever was larger before") {
  Mechanics fresh = rubbing_pendulum("6"), used = rubbing_pendulum("6");
  set(fresh, 0.7);
  set(used, 1e5);
  set(used, 0.7);
  for (Index i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(std::abs(fresh.accelerations()[i] - used.accelerations()[i]) < 1e-10);
  }
}

TEST_CASE("a failed f_y leaves the model at the state that was set, and one that succeeds is exact") {
  Mechanics model = rubbing_pendulum("0.3");
  set(model, 0.7);
  std::vector<double> f_y(36), before(model.accelerations().data, model.accelerations().data + 3);
  model.rate_jacobian({f_y.data(), 6, 6, 6});
  // Of M a = Q - mu R |lambda| tanh(omega / v_s) along phi, over small steps of omega.
  const auto acceleration = [&](double omega) {
    const double q[3] = {model.positions()[0], model.positions()[1], model.positions()[2]};
    const double v[3] = {model.velocities()[0], model.velocities()[1], omega};
    Mechanics other = rubbing_pendulum("0.3");
    other.set_state(0, {q, 3}, {v, 3}, {});
    return other.accelerations()[2];
  };
  const double h = 1e-3;
  const double slope =
      (8 * (acceleration(0.7 + h) - acceleration(0.7 - h)) - acceleration(0.7 + 2 * h) + acceleration(0.7 - 2 * h)) /
      (12 * h);
  CHECK(f_y[5 + 6 * 5] == doctest::Approx(slope).epsilon(1e-7));
  for (Index i = 0; i < 3; ++i) CHECK(model.accelerations()[i] == doctest::Approx(before[static_cast<std::size_t>(i)]));
}

TEST_CASE("where friction jumps there is no f_y, and the state stays as it was set") {
  Mechanics model = rubbing_pendulum("0.3", "1e-9");
  set(model, 0);
  const std::vector<double> before(model.accelerations().data, model.accelerations().data + 3);
  std::vector<double> f_y(36);
  CHECK_THROWS_AS(model.rate_jacobian({f_y.data(), 6, 6, 6}), Error);
  CHECK(model.velocities()[2] == 0);
  for (Index i = 0; i < 3; ++i) CHECK(model.accelerations()[i] == doctest::Approx(before[static_cast<std::size_t>(i)]));
}
