// What searches of equilibria add to a model: damping by the masses, and drivers that stand still.
#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"
#include "model/held_drivers.h"
#include "model/settling_force.h"

using namespace trammel;

namespace {

const char* const spatial = R"("type": "spatial", "bodies": {
  "a": {"mass": 2, "inertia": [1, 2, 3], "position": [1, 0, 0], "angular_velocity": [1, -2, 0.5]},
  "b": {"mass": 3, "inertia": [0.5, 0.7, 0.9], "position": [0, 1, 0.5], "velocity": [1, 2, 3]}})";

Eigen::VectorXd damping_of(LoadedModel& loaded, SettlingForce& force) {
  REQUIRE(loaded.evaluate(0u));
  Eigen::VectorXd Q = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(loaded.q.size()));
  force.add(loaded.numbers.point(), {Q.data(), static_cast<Index>(Q.size())});
  return Q;
}

}  // namespace

TEST_CASE("settling's force is -c M v, its power twice c times the kinetic energy") {
  LoadedModel loaded(system_file(spatial));
  SettlingForce force(*loaded.model.assembly(), 0.7);
  const Eigen::VectorXd Q = damping_of(loaded, force);
  Eigen::VectorXd Mv = Q;
  loaded.numbers.apply_mass(LoadedModel::view(loaded.v), {Mv.data(), static_cast<Index>(Mv.size())});
  CHECK((Q + 0.7 * Mv).norm() < 1e-14 * Mv.norm());
  // v^T M v/2 = 3*14/2 + w^T J w/2 = 21 + (1 + 8 + 0.75)/2.
  CHECK(force.dissipation(loaded.numbers.point()) == doctest::Approx(2 * 0.7 * (21 + 4.875)).epsilon(1e-12));
}

TEST_CASE("its gradients against differences") {
  LoadedModel loaded(system_file(spatial));
  SettlingForce force(*loaded.model.assembly(), 0.7);
  loaded.disturb(3, 0.1);
  const Index n = static_cast<Index>(loaded.q.size()), c = 7;
  REQUIRE(loaded.evaluate(0u));
  std::vector<double> K(static_cast<std::size_t>(n * c), 0.0), C = K;
  force.add_gradients(loaded.numbers.point(), LoadedModel::view(K), LoadedModel::view(C));
  for (const bool of_v : {false, true}) {
    std::vector<double>& x = of_v ? loaded.v : loaded.q;
    for (Index j = 0; j < n; ++j) {
      constexpr double h = 1e-6;
      const double here = x[static_cast<std::size_t>(j)];
      x[static_cast<std::size_t>(j)] = here + h;
      const Eigen::VectorXd above = damping_of(loaded, force);
      x[static_cast<std::size_t>(j)] = here - h;
      const Eigen::VectorXd below = damping_of(loaded, force);
      x[static_cast<std::size_t>(j)] = here;
      const Index body = j / c;
      for (Index i = 0; i < c; ++i) {
        CAPTURE(of_v);
        CAPTURE(i);
        CAPTURE(j);
        const double difference = -(above[body * c + i] - below[body * c + i]) / (2 * h);
        // Blocks stand row by row or column by column; the mass matrix is symmetric, its gradient is not.
        const std::vector<double>& block = of_v ? C : K;
        const double by_columns = block[static_cast<std::size_t>(body * c * c + (j % c) * c + i)];
        const double by_rows = block[static_cast<std::size_t>(body * c * c + i * c + j % c)];
        const double off = std::min(std::abs(by_columns - difference), std::abs(by_rows - difference));
        CHECK(off < 1e-6);
      }
    }
  }
}

TEST_CASE("held drivers have no rates, at any velocity and time; other rows keep theirs") {
  LoadedModel loaded(system_file(R"("type": "planar", "bodies": {"a": {"mass": 1, "inertia": 1, "position": [1, 0]}},
    "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
      "drive": {"type": "coordinate_driver", "body": "a", "coordinate": "phi",
        "function": {"type": "polynomial", "coefficients": [0, 2, 3]}}})"));
  constexpr unsigned rows = evaluate_nu | evaluate_gamma;
  REQUIRE(loaded.evaluate(rows));
  const Index m = loaded.numbers.constraints();
  CHECK(loaded.numbers.nu()[m - 1] == doctest::Approx(2 + 6 * 0.3));
  CHECK(loaded.numbers.gamma()[m - 1] == doctest::Approx(6));
  CHECK(!loaded.numbers.point().holds_drivers());
  REQUIRE(hold_drivers(loaded.numbers.point(), 0.3, LoadedModel::view(loaded.q)));
  CHECK(loaded.numbers.point().holds_drivers());
  loaded.v = {0, 3, 3};  // the pin's acceleration rows ask for the centripetal one
  REQUIRE(loaded.evaluate(rows));
  CHECK(loaded.numbers.nu()[m - 1] == 0);
  CHECK(loaded.numbers.gamma()[m - 1] == 0);
  CHECK(loaded.numbers.gamma().map().head(2).norm() == doctest::Approx(9));
}
