// What "auto" rests on: parts of motions whose closed forms are known, and what follows from them.
#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"
#include "run/choice/model_facts.h"
#include "run/choice/motion_spectrum.h"
#include "run/choice/work_estimate.h"

using namespace trammel;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// y' = A y + rate of a first-order problem.
LinearRates first_order(const MatrixXd& A, const VectorXd& rate) {
  LinearRates rates;
  rates.rate = rate;
  rates.any = VectorXd::Ones(rate.size());
  rates.apply = [A](const VectorXd& y, VectorXd& out) {
    out = A * y;
    return true;
  };
  return rates;
}

const MotionPart& part_near(const std::vector<MotionPart>& parts, std::complex<double> lambda) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::abs(parts[i].lambda - lambda) < std::abs(parts[best].lambda - lambda)) best = i;
  }
  return parts[best];
}

// m x'' = -k (x - l) - c x' on a guide, and a heavier, softer one beside it.
const char* const two_sliders = R"("type": "planar",
  "bodies": {
    "fast": {"mass": 2, "inertia": 1, "position": [1.25, 0]},
    "slow": {"mass": 2, "inertia": 1, "position": [1.5, 1]}
  },
  "constraints": {
    "rail": {"type": "translational", "bodies": ["ground", "fast"], "at": [0, 0], "axis": [1, 0]},
    "other": {"type": "translational", "bodies": ["ground", "slow"], "at": [0, 1], "axis": [1, 0]}
  },
  "forces": {
    "stiff": {"type": "tsda", "bodies": ["ground", "fast"], "point_i": [0, 0], "point_j": [0, 0],
              "stiffness": 5000, "damping": 0, "free_length": 1},
    "soft": {"type": "tsda", "bodies": ["ground", "slow"], "point_i": [0, 1], "point_j": [0, 0],
             "stiffness": 50, "free_length": 1}
  })";

MotionDemand demand_of_start(const std::vector<std::string>& sets, double time = 2) {
  LoadedModel loaded(system_file(two_sliders), sets);
  return demand_at(loaded.numbers, 0, loaded.view(loaded.q), loaded.view(loaded.v), loaded.view(loaded.z), time, 1e-6,
                   1e-8);
}

}  // namespace

TEST_CASE("parts of a decaying motion are those of its closed form") {
  // y1 = exp(-t), y2 = 1e-3 exp(-1000 t): rates -1 and -1 at t = 0.
  MatrixXd A(2, 2);
  A << -1, 0, 0, -1000;
  VectorXd rate(2);
  rate << -1, -1;
  const std::vector<MotionPart> parts = motion_parts(first_order(A, rate));
  REQUIRE(parts.size() == 2);
  CHECK(part_near(parts, -1).position == doctest::Approx(1).epsilon(1e-9));
  CHECK(part_near(parts, -1000).position == doctest::Approx(1e-3).epsilon(1e-9));
  CHECK(std::abs(fastest_rate(first_order(A, rate))) == doctest::Approx(1000).epsilon(1e-9));
}

TEST_CASE("what is not part of the motion counts for stability only") {
  MatrixXd A(2, 2);
  A << -1, 0, 0, -1e6;
  VectorXd rate(2);
  rate << -1, 0;
  const MotionDemand demand = demand_of(first_order(A, rate), 3, 1e-6, 1e-8, 1, 0, 0);
  CHECK(std::abs(demand.fastest) == doctest::Approx(1e6).epsilon(1e-9));
  CHECK(demand.radians == doctest::Approx(3).epsilon(1e-6));  // exp(-t) lasts all the time
}

TEST_CASE("a part that dies out is resolved as long as it is larger than the tolerance") {
  MatrixXd A(1, 1);
  A << -100;
  VectorXd rate(1);
  rate << -100;  // amplitude 1, and 1 as size: log(1 / (1e-8 + 1e-6)) time constants
  const MotionDemand demand = demand_of(first_order(A, rate), 10, 1e-6, 1e-8, 1, 0, 0);
  const double share = 100 / (1e-8 + 1e-6 * 100);  // of the rate, which is as large as it gets
  CHECK(demand.radians == doctest::Approx(std::log(std::max(1 / 1.01e-6, share))).epsilon(1e-3));
}

TEST_CASE("masses on springs: frequencies and amplitudes") {
  LoadedModel loaded(system_file(two_sliders));
  const LinearRates rates =
      linear_rates(loaded.numbers, 0, loaded.view(loaded.q), loaded.view(loaded.v), loaded.view(loaded.z));
  REQUIRE(rates.known());
  CHECK(std::abs(fastest_rate(rates)) == doctest::Approx(50).epsilon(1e-6));
  const std::vector<MotionPart> parts = motion_parts(rates);
  // x - l = A cos(omega t) is half in each of exp(+-i omega t).
  CHECK(part_near(parts, {0, 50}).position == doctest::Approx(0.25 / 2).epsilon(1e-6));
  CHECK(part_near(parts, {0, 50}).velocity == doctest::Approx(0.25 / 2 * 50).epsilon(1e-6));
  CHECK(part_near(parts, {0, 5}).position == doctest::Approx(0.5 / 2).epsilon(1e-6));
  const MotionDemand demand = demand_of_start({});
  CHECK(demand.radians == doctest::Approx(50 * 2).epsilon(1e-6));
}

TEST_CASE("a damped fast motion is stiff, an undamped one that moves is not") {
  // 2 x'' = -5000 x - c x' with c = 2e5: roots near -1e5 and -0.025.
  const MotionDemand damped = demand_of_start({"system.forces.stiff.damping=2e5"}, 20);
  CHECK(std::abs(damped.fastest) == doctest::Approx(1e5).epsilon(1e-4));
  CHECK(estimate_work(damped, 20, 1e-6).stiff());
  CHECK(estimate_work(damped, 20, 1e-6).stability_rules);
  CHECK_FALSE(estimate_work(demand_of_start({}, 20), 20, 1e-6).stiff());
  // The same stiff spring at rest: nothing of it is to be seen, but explicit steps have to be stable for it.
  const MotionDemand rest =
      demand_of_start({"system.forces.stiff.stiffness=5e9", "system.bodies.fast.position=[1, 0]"}, 20);
  CHECK(std::abs(rest.fastest) == doctest::Approx(5e4).epsilon(1e-6));
  CHECK(estimate_work(rest, 20, 1e-6).stiff());
}

TEST_CASE("looking at a model leaves no trace in it") {
  LoadedModel looked(system_file(two_sliders)), other(system_file(two_sliders));
  (void)demand_at(looked.numbers, 0, looked.view(looked.q), looked.view(looked.v), looked.view(looked.z), 1, 1e-6,
                  1e-8);
  CHECK_FALSE(looked.numbers.parts().linearization.made());
  CHECK(looked.q == other.q);
  CHECK(looked.v == other.v);
}
