// Motions under point gravity, drag, joint friction, six-component force and actuator against closed forms.
#include <doctest/doctest.h>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

const std::string tight = R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.01})";

Table load_case(const std::string& type, const std::string& name = "") {
  return results(plugin_case("forces/" + type, name.empty() ? type : name), {tight, "output.channels=all"});
}

/// max |total + dissipated - work - initial|.
double open_balance(const Table& run) {
  double worst = 0;
  const auto balance = [&](std::size_t i) {
    return run["energy.total"][i] + run["energy.dissipated"][i] - run["energy.work"][i];
  };
  for (std::size_t i = 0; i < run.rows(); ++i) worst = std::max(worst, std::abs(balance(i) - balance(0)));
  return worst;
}

/// Kepler's ellipse: mu = 4, a = 2, e = 0.5, at the periapsis (1, 0) at t = 0.
struct Kepler {
  double x, y;
  explicit Kepler(double t) {
    const double a = 2, e = 0.5, M = std::sqrt(4 / (a * a * a)) * t;
    double E = M;
    for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - M) / (1 - e * std::cos(E));
    x = a * (std::cos(E) - e), y = a * std::sqrt(1 - e * e) * std::sin(E);
  }
};

/// Free decay of x'' + 2 delta x' + w0^2 x = 0 from x = 1 at rest.
double decay(double t, double delta, double w0) {
  const double w = std::sqrt(w0 * w0 - delta * delta);
  return std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t));
}

}  // namespace

// Bounds: runs of a few seconds at tolerance 1e-12 keep 1e-9 where nothing amplifies errors. The orbit drifts along
// its path with the error of its period.

TEST_CASE("vertical tyre on a washboard: forced vibration in closed form") {
  // m z'' = k (R + A sin(w t) - z) + c (A w cos(w t) - z') - m g, started on its periodic solution; w = 3 pi.
  const double m = 50, k = 2e4, c = 300, R = 0.4, A = 0.02, w = 3 * M_PI, D = k - m * w * w;
  const double in_phase = (k * D + c * c * w * w) / (D * D + c * c * w * w),
               behind = -m * c * w * w * w / (D * D + c * c * w * w);
  const auto height = [&](double t) {
    return R - m * 9.81 / k + A * (in_phase * std::sin(w * t) + behind * std::cos(w * t));
  };
  const Table spatial = load_case("tyre_vertical");
  CHECK(noted("spatial tyre_vertical", "washboard road, closed form", difference(spatial, "wheel.z", height)) < 1e-10);
  CHECK(difference(spatial, "tyre.force", [&](double t) {
          return m * 9.81 - m * w * w * A * (in_phase * std::sin(w * t) + behind * std::cos(w * t));
        }) < 1e-7);
  // Between steps the accounts of energy are interpolated by cubics.
  const Table steps = results(plugin_case("forces/tyre_vertical", "tyre_vertical"),
                              {tight, R"(output={"at": "steps", "channels": "all"})"});
  CHECK(open_balance(steps) < 1e-9);
  const Table planar = load_case("tyre_vertical", "tyre_vertical_planar");
  CHECK(noted("planar tyre_vertical", "washboard road, closed form", difference(planar, "wheel.y", height)) < 1e-10);
}

TEST_CASE("point gravity: Kepler's ellipses, tilted about both bodies, and about a fixed centre") {
  const Table two = load_case("point_gravity");
  const double c = std::cos(0.5), s = std::sin(0.5);
  CHECK(difference(two, "planet.x", [](double t) { return 0.75 * Kepler(t).x; }) < 1e-9);
  CHECK(noted("spatial point_gravity", "tilted Kepler orbit: the position",
              difference(two, "planet.y", [&](double t) { return 0.75 * c * Kepler(t).y; })) < 1e-9);
  CHECK(difference(two, "planet.z", [&](double t) { return 0.75 * s * Kepler(t).y; }) < 1e-9);
  CHECK(difference(two, "star.z", [&](double t) { return -0.25 * s * Kepler(t).y; }) < 1e-9);
  CHECK(difference(two, "pull.distance", [](double t) { return std::hypot(Kepler(t).x, Kepler(t).y); }) < 1e-9);
  // Total energy -G m_1 m_2 / (2 a).
  CHECK(difference(two, "energy.total", [](double) { return -3.0 / 4; }) < 1e-10);
  const Table one = load_case("point_gravity", "point_gravity_planar");
  CHECK(noted("planar point_gravity", "Kepler orbit: the position",
              difference(one, "satellite.x", [](double t) { return Kepler(t).x; })) < 1e-9);
  CHECK(difference(one, "satellite.y", [](double t) { return Kepler(t).y; }) < 1e-9);
  CHECK(difference(one, "energy.total", [](double) { return -0.5 * 4 / 4; }) < 1e-10);
}

TEST_CASE("aerodynamic drag: fall towards the terminal speed in an updraft") {
  const Table run = load_case("aerodynamic_drag");
  const double g = 9.81, V = std::sqrt(0.2 * g / (0.5 * 1.225 * 0.47 * 0.0113)), A = std::atanh(6 / V);
  CHECK(difference(run, "ball.vz", [&](double t) { return 6 - V * std::tanh(g * t / V + A); }) < 1e-9);
  CHECK(noted("spatial aerodynamic_drag", "fall in an updraft, closed form", difference(run, "ball.z", [&](double t) {
                return 100 + 6 * t - V * V / g * std::log(std::cosh(g * t / V + A) / std::cosh(A));
              })) < 1e-9);
  CHECK(difference(run, "air.speed", [&](double t) { return V * std::tanh(g * t / V + A); }) < 1e-9);
  // The updraft does work against the fall of 100 J: the balance closes with the loss in the air.
  CHECK(largest(run["energy.work"]) > 5);
  CHECK(largest(run["energy.dissipated"]) > 50);
  CHECK(open_balance(run) < 1e-8);
}

TEST_CASE("aerodynamic drag: linear drag in a wind that grows with time") {
  const Table run = load_case("aerodynamic_drag", "aerodynamic_drag_planar");
  const double b = 0.2 / 0.1, C = 2 + 1.5 / b, D = 3 + 9.81 / b;
  CHECK(difference(run, "mote.vx", [&](double t) { return C * std::exp(-b * t) + 1.5 * t - 1.5 / b; }) < 1e-10);
  CHECK(noted("planar aerodynamic_drag", "linear drag in a rising wind, closed form",
              difference(run, "mote.x", [&](double t) {
                return C / b * (1 - std::exp(-b * t)) + 0.75 * t * t - 1.5 / b * t;
              })) < 1e-10);
  CHECK(difference(run, "mote.y", [&](double t) { return D / b * (1 - std::exp(-b * t)) - 9.81 / b * t; }) < 1e-10);
  CHECK(open_balance(run) < 1e-8);
}

TEST_CASE("joint friction: exponential decay of a turn and a slide, and of the way to a terminal speed") {
  const Table sleeve = load_case("joint_friction");
  CHECK(difference(sleeve, "shaft.speed", [](double t) { return 1.5 * std::exp(-1.5 * t); }) < 1e-10);
  CHECK(noted("spatial joint_friction", "decay of turn and slide, closed form",
              difference(sleeve, "shaft.displacement", [](double t) { return 1 - std::exp(-1.5 * t); })) < 1e-10);
  CHECK(difference(sleeve, "shaft.rate", [](double t) { return 40 * std::exp(-2 * t); }) < 1e-9);
  CHECK(difference(sleeve, "shaft.angle", [](double t) { return 20 * (1 - std::exp(-2 * t)); }) < 1e-9);
  CHECK(difference(sleeve, "oil.torque", [](double t) { return -0.8 * std::exp(-2 * t); }) < 1e-10);
  CHECK(difference(sleeve, "oil.force", [](double t) { return -4.5 * std::exp(-1.5 * t); }) < 1e-10);
  // All of it is dissipation.
  CHECK(largest(sleeve["energy.work"]) == 0);
  CHECK(difference(sleeve, "energy.dissipated",
                   [](double t) { return 2.25 * (1 - std::exp(-3 * t)) + 8 * (1 - std::exp(-4 * t)); }) < 1e-7);
  const Table slider = load_case("joint_friction", "joint_friction_planar");
  const double V = 2 * 9.81 * 0.5 / 4;
  CHECK(difference(slider, "incline.speed", [&](double t) { return V * (1 - std::exp(-2 * t)); }) < 1e-10);
  CHECK(noted("planar joint_friction", "slider on an incline, closed form",
              difference(slider, "incline.displacement",
                         [&](double t) { return V * (t - (1 - std::exp(-2 * t)) / 2); })) < 1e-10);
  CHECK(open_balance(slider) < 1e-8);
}

TEST_CASE("six-component force: linear oscillators in every direction") {
  const Table run = load_case("six_component_force");
  CHECK(difference(run, "block.x", [](double t) { return 0.1 * decay(t, 1, 10); }) < 1e-10);
  CHECK(difference(run, "block.y", [](double t) { return -0.05 * std::cos(std::sqrt(200) * t); }) < 1e-10);
  CHECK(noted("spatial six_component_force", "forced oscillator, closed form", difference(run, "block.z", [](double t) {
                return 0.2 * std::sin(5 * t) - 0.1 * std::sin(10 * t);
              })) < 1e-10);
  CHECK(difference(run, "mount.rz", [](double t) { return 0.8 * decay(t, 0.6, 10); }) < 1e-10);
  CHECK(difference(run, "mount.torque.x", [](double) { return 0.0; }) < 1e-12);
  CHECK(open_balance(run) < 1e-5);  // Simpson's rule, 0.01 s, of powers of 30 W at 28 rad/s
  const Table planar = load_case("six_component_force", "six_component_force_planar");
  CHECK(noted("planar six_component_force", "damped oscillator, closed form",
              difference(planar, "mount.x", [](double t) { return 0.1 * decay(t, 1, 10); })) < 1e-10);
  CHECK(difference(planar, "mount.y", [](double t) { return std::sin(std::sqrt(200) * t) / std::sqrt(200); }) < 1e-10);
  CHECK(difference(planar, "plate.phi", [](double t) { return 0.8 * decay(t, 0.6, 10); }) < 1e-10);
}

TEST_CASE("actuator: first-order response to a step, and the oscillator that speed feedback makes of it") {
  const Table run = load_case("actuator");
  const double u = 20, m = 5, T = 0.3;
  const auto lag = [&](double t) { return 1 - std::exp(-t / T); };
  CHECK(difference(run, "motor.force", [&](double t) { return u * lag(t); }) < 1e-10);
  CHECK(difference(run["motor.z.0"], run["motor.force"]) == 0);
  CHECK(difference(run, "motor.command", [&](double) { return u; }) == 0);
  CHECK(difference(run, "guide.speed", [&](double t) { return u / m * (t - T * lag(t)); }) < 1e-10);
  CHECK(noted("spatial actuator", "step response pushing a mass, closed form",
              difference(run, "carriage.x", [&](double t) { return u / m * (t * t / 2 - T * t + T * T * lag(t)); })) <
        1e-10);
  CHECK(difference(run["energy.work"], run["energy.kinetic"]) < 1e-6);  // Simpson's rule as well
  const Table wheel = load_case("actuator", "actuator_planar");
  // 0.05 w'' + 0.2 w' + 0.4 w = 3 from rest.
  CHECK(difference(wheel, "motor.rate", [](double t) {
          return 7.5 * (1 - std::exp(-2 * t) * (std::cos(2 * t) + std::sin(2 * t)));
        }) < 1e-10);
  CHECK(noted("planar actuator", "speed feedback through the lag, closed form",
              difference(wheel, "motor.position",
                         [](double t) { return 7.5 * (t - 0.5 * (1 - std::exp(-2 * t) * std::cos(2 * t))); })) < 1e-10);
  CHECK(difference(wheel, "motor.force", [](double t) { return 6 * std::exp(-2 * t) * std::sin(2 * t); }) < 1e-10);
}

// --- Internal states under every method
// ----------------------------------------------------------------------------------

TEST_CASE("internal states converge with the order of the method, under every formulation") {
  const auto error = [](const std::string& integrator, double step, const std::string& formulation) {
    const Table run = results(plugin_case("forces/actuator", "actuator_planar"),
                              {"integrator={" + integrator + ", \"step\": " + std::to_string(step) + "}",
                               "formulation=" + formulation, "output={\"step\": 0.5, \"channels\": [\"motor.z.0\"]}",
                               "analysis={\"type\": \"dynamics\", \"duration\": 2, \"constraint_limit\": 1}"});
    return difference(run, "motor.z.0", [](double t) { return 6 * std::exp(-2 * t) * std::sin(2 * t); });
  };
  const struct {
    const char* type;
    int order;
  } methods[] = {{R"("type": "euler")", 1},  {R"("type": "heun")", 2}, {R"("type": "heun3")", 3},
                 {R"("type": "kutta3")", 3}, {R"("type": "rk4")", 4},  {R"("type": "dopri5")", 5}};
  const std::string adams = R"("type": "adams", "order": 5)";
  for (const std::string formulation :
       {R"({"type": "direct"})", R"({"type": "baumgarte", "alpha": 5})", R"({"type": "projection"})"}) {
    for (const auto& method : methods) {
      CAPTURE(formulation);
      CAPTURE(method.type);
      const double coarse = error(method.type, 0.05, formulation), fine = error(method.type, 0.025, formulation);
      CHECK(std::log2(coarse / fine) == doctest::Approx(method.order).epsilon(0.15));
    }
    CHECK(error(adams, 0.002, formulation) < 1e-6);  // of its start with low orders
  }
}

TEST_CASE("internal states are under error control") {
  // The mass is too heavy to move: only the fast lag behind 1000 sin(20 t) needs small steps.
  const auto run = [](const char* rtol) {
    return results(plugin_case("forces/actuator", "actuator"),
                   {"system.bodies.carriage.mass=1e9", "system.forces.motor.lag=0.02",
                    R"(system.forces.motor.function={"type": "harmonic", "amplitude": 1000, "omega": 20})",
                    std::string(R"(integrator={"type": "dopri5", "rtol": )") + rtol + R"(, "atol": 1e-12})",
                    R"(output={"step": 0.05, "channels": ["motor"]})"});
  };
  // T z' = sin(w t) - z, z(0) = 0.
  const double w = 20, T = 0.02;
  const auto exact = [=](double t) {
    return 1000 / (1 + w * w * T * T) * (std::sin(w * t) - w * T * std::cos(w * t) + w * T * std::exp(-t / T));
  };
  const double coarse = difference(run("1e-4"), "motor.z.0", exact), fine = difference(run("1e-9"), "motor.z.0", exact);
  CHECK(coarse < 1);
  CHECK(fine < 1e-4);
  CHECK(fine < coarse / 100);
}

TEST_CASE("the crane: the energy of its actuator, bearings and bodies adds up to 1e-6 of what is exchanged") {
  const Table run = results(example("actuator_with_lag"), {"output.channels=all"});
  double exchanged = 0;
  for (double kinetic : run["energy.kinetic"]) exchanged = std::max(exchanged, kinetic);
  CHECK(exchanged > 100);
  CHECK(run["energy.work"].back() > 5000);      // it lifts
  CHECK(run["energy.dissipated"].back() > 10);  // and rubs
  CHECK(open_balance(run) < 1e-6 * exchanged);
  // The lag: lag z' = u - z between output rows, by central differences.
  const double step = run["t"][1];
  double worst = 0, range = 0;
  for (std::size_t i = 1; i + 1 < run.rows(); ++i) {
    const double rate = (run["cylinder.force"][i + 1] - run["cylinder.force"][i - 1]) / (2 * step);
    worst = std::max(worst, std::abs(0.05 * rate - (run["cylinder.command"][i] - run["cylinder.force"][i])));
    range = std::max(range, std::abs(run["cylinder.command"][i] - run["cylinder.force"][i]));
  }
  CHECK(range > 100);
  CHECK(worst < 0.02 * range);  // h^2/6 z''' of a response of 5 rad/s
  // It reaches its stroke and the load swings.
  CHECK(largest(run["hook.angle"]) > 0.3);
  CHECK(*std::max_element(run["cylinder.position"].begin(), run["cylinder.position"].end()) > 2.3);
}
