// Potential energy at rest along independent coordinates against the closed form of a pendulum on a spring.
#include "model/static_energy.h"

#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"

using namespace trammel;

namespace {

constexpr double m = 2, J = 0.3, g = 9.81, k = 40, l0 = 0.8, anchor = 3.5;

/// A pendulum of length `s` about the origin at `angle` from the x axis; a spring from (anchor, 0) to its mass centre.
struct Pendulum {
  Pendulum(double s_, double angle)
      : s(s_),
        loaded(temporary_run_file(R"json({ "trammel": 1, "parameters": { "s": )json" + std::to_string(s_) +
                                  R"json(, "a": )json" + std::to_string(angle) +
                                  R"json( }, "system": { "type": "planar", "gravity": [0, -9.81],
      "bodies": { "arm": { "mass": 2, "inertia": 0.3, "position": ["=s*cos(a)", "=s*sin(a)"], "angle": "=a"
}
}
, "constraints" : {"pin" : {"type" : "revolute", "bodies" : [ "ground", "arm" ], "at" : [ 0, 0 ]}}, "forces" : {
  "spring" : {
    "type" : "tsda",
             "bodies" : [ "ground", "arm" ],
                        "point_i" : [ 3.5, 0 ],
                                    "stiffness" : 40,
                                    "free_length" : 0.8,
                                    "damping" : 3
  }
}
}
, "analysis" : {"type" : "dynamics", "duration" : 1}, "formulation" : {"type" : "direct"}, "integrator" : {
  "type" : "dopri5", "rtol" : 1e-6, "atol" : 1e-6
}
})json")),
        energy(loaded.numbers, 0, LoadedModel::view(loaded.q)) {
    REQUIRE(energy.choose());
    REQUIRE(energy.size() == 1);
  }

  /// At the present point: energy, gradient, tangent and metric in closed form.
  void check() {
    const double a = energy.q()[2], x = s * std::cos(a), y = s * std::sin(a), l = std::hypot(x - anchor, y);
    CHECK(std::abs(energy.q()[0] - x) < 1e-11);
    CHECK(std::abs(energy.q()[1] - y) < 1e-11);
    CHECK(energy.energy() == doctest::Approx(m * g * y + 0.5 * k * (l - l0) * (l - l0)).epsilon(1e-11));
    const double by_angle[] = {-y, x, 1};                            // dq/da
    const double slope = m * g * x + k * (l - l0) * anchor * y / l;  // l dl/da = anchor s sin(a)
    const double dw = by_angle[energy.independent()[0]];
    CHECK(energy.w()[0] == energy.q()[energy.independent()[0]]);
    CHECK(energy.gradient()[0] == doctest::Approx(slope / dw).epsilon(1e-9));
    const Eigen::MatrixXd T = energy.tangent();
    for (Index i = 0; i < 3; ++i) CHECK(std::abs(T(i, 0) - by_angle[i] / dw) < 1e-9);
    CHECK(energy.metric()(0, 0) == doctest::Approx((m * s * s + J) / (dw * dw)).epsilon(1e-9));
  }

  double s;
  LoadedModel loaded;
  StaticEnergy energy;
};

}  // namespace

TEST_CASE("energy, gradient, tangent and metric whatever coordinate is independent") {
  std::vector<Index> met;
  for (const double s : {0.7, 2.0}) {
    for (const double angle : {0.3, 1.4, 2.5, -1.2}) {
      CAPTURE(s);
      CAPTURE(angle);
      Pendulum pendulum(s, angle);
      pendulum.check();
      met.push_back(pendulum.energy.independent()[0]);
    }
  }
  // Short arms leave the angle independent, long ones the displacement along which they move.
  CHECK(met == std::vector<Index>{2, 2, 2, 2, 1, 0, 1, 0});
}

TEST_CASE("along a line the independent coordinate moves as told and the others follow from the constraints") {
  for (const double s : {0.7, 2.0}) {
    CAPTURE(s);
    Pendulum pendulum(s, 0.4);
    StaticEnergy& energy = pendulum.energy;
    const double start = energy.w()[0];
    energy.begin_line(Eigen::VectorXd::Constant(1, -2));
    for (const double alpha : {0.1, 0.02, 0.3}) {  // from the line's start each time
      REQUIRE(energy.move_along(alpha));
      CHECK(energy.w()[0] == doctest::Approx(start - 2 * alpha).epsilon(1e-14));
      pendulum.check();
    }
    energy.begin_line(Eigen::VectorXd::Constant(1, 1));
    REQUIRE(energy.move_along(0.2));
    CHECK(energy.w()[0] == doctest::Approx(start - 0.6 + 0.2).epsilon(1e-13));
    pendulum.check();
  }
}

TEST_CASE("where the constraints have no solution nothing moves") {
  Pendulum pendulum(2, 0.4);
  StaticEnergy& energy = pendulum.energy;
  REQUIRE(energy.independent()[0] == 1);
  const std::vector<double> before(energy.q().data, energy.q().data + 3);
  const double height = energy.w()[0], joules = energy.energy();
  energy.begin_line(Eigen::VectorXd::Constant(1, 1));
  CHECK_FALSE(energy.move_along(2.1 - height));  // higher than the arm is long
  CHECK(std::vector<double>(energy.q().data, energy.q().data + 3) == before);
  CHECK(energy.w()[0] == height);
  CHECK(energy.energy() == joules);
  REQUIRE(energy.move_along(1.5 - height));
  pendulum.check();
}

TEST_CASE("forces without a potential are named: follower forces and dry friction, not springs and dampers") {
  LoadedModel loaded(system_file(R"("type": "planar", "gravity": [0, -9.81],
      "bodies": { "arm": { "mass": 2, "inertia": 0.3, "position": [0.7, 0.1] } },
      "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] } },
      "forces": { "spring": { "type": "tsda", "bodies": ["ground", "arm"], "point_i": [3, 0], "stiffness": 40,
          "free_length": 0.8, "damping": 3 },
        "weight": { "type": "applied_force", "body": "arm", "point": [0.2, 0], "force": [1, 5] },
        "jet": { "type": "applied_force", "body": "arm", "point": [0.2, 0], "force": [1, 5], "frame": "body" },
        "oil": { "type": "joint_friction", "joint": "pin", "damping": [0.1] },
        "rub": { "type": "joint_friction", "joint": "pin", "damping": [0], "friction": [0.2] } })"));
  CHECK(nonconservative_forces(loaded.numbers, 0, LoadedModel::view(loaded.q)) ==
        std::vector<std::string>{"force 'jet' (type 'applied_force')",
                                 "the dry friction of force 'rub' (type 'joint_friction')"});
  CHECK(dry_friction_forces(loaded.numbers) == std::vector<std::string>{"force 'rub' (type 'joint_friction')"});
}
