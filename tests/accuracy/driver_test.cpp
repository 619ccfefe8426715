// Drivers: motion and effort against closed forms, virtual power and inverse dynamics; the energy they bring in.
#include <doctest/doctest.h>

#include <cstdio>

#include "loaded_model.h"
#include "reference_error.h"
#include "table.h"

namespace trammel {
namespace {

constexpr double g = 9.81;

/// A function of time with two derivatives.
struct Motion {
  double f, f1, f2;
};

/// f = amplitude (1 - cos(omega t)).
Motion swing(double amplitude, double omega, double t) {
  const double c = std::cos(omega * t), s = std::sin(omega * t);
  return {amplitude * (1 - c), amplitude * omega * s, amplitude * omega * omega * c};
}
/// The quintic step from 0 to `rise` between begin and begin + width.
Motion step(double rise, double begin, double width, double t) {
  const double u = std::min(std::max((t - begin) / width, 0.0), 1.0);
  return {rise * u * u * u * (10 - 15 * u + 6 * u * u), rise / width * 30 * u * u * (1 - u) * (1 - u),
          rise / (width * width) * 60 * u * (1 - u) * (1 - 2 * u)};
}

/// The angle theta with sin(theta) = s(t).
Motion arc_sine(const Motion& s) {
  const double c = std::sqrt(1 - s.f * s.f), rate = s.f1 / c;
  return {std::asin(s.f), rate, (s.f2 + s.f * rate * rate) / c};
}

/// |total + dissipated - work - initial| relative to the energy exchanged, over the rows.
double energy_error(const Table& run) {
  const Column &total = run["energy.total"], &dissipated = run["energy.dissipated"], &work = run["energy.work"];
  double worst = 0;
  for (std::size_t k = 0; k < total.size(); ++k) {
    worst = std::max(worst, std::abs(total[k] + dissipated[k] - work[k] - total[0]));
  }
  const auto [low, high] = std::minmax_element(work.begin(), work.end());
  return worst / (*high - *low);
}

// Positions are projected onto the constraints, so a fully driven model has no error of integration but in the energy
// book; figures of size 1 to 500 are right to rounding.
constexpr double rounding = 1e-11;

TEST_CASE("angle driver: an arm on an inclined hinge, two turns and more") {
  const Table run = results(plugin_case("constraints/angle_driver", "angle_driver"));
  const auto theta = [](double t) { return step(15, 0, 3, t); };
  CHECK(difference(run, "motor.angle", [&](double t) { return theta(t).f; }) < rounding);
  CHECK(difference(run, "motor.rate", [&](double t) { return theta(t).f1; }) < rounding);
  CHECK(noted("spatial angle_driver", "arm on an inclined hinge: its angle",
              difference(run, "hinge.angle", [&](double t) { return theta(t).f; })) < rounding);
  // Inertia 0.1 + 2 (1/2)^2 about the hinge; height of the centre -sin(theta) / sqrt(8).
  CHECK(difference(run, "motor.effort", [&](double t) {
          return 0.6 * theta(t).f2 - 2 * g / std::sqrt(8) * std::cos(theta(t).f);
        }) < 100 * rounding);
  CHECK(energy_error(run) < 1e-6);
}

TEST_CASE("angle driver with a rate: a slider-crank run up to constant speed") {
  const Table run = results(plugin_case("constraints/angle_driver", "angle_driver_planar"));
  const double a = 0.12, b = 0.4, e = 0.03, rate = 4 * M_PI;
  // The integral of the step: u^4 (5/2 - 3 u + u^2) times its width.
  const auto theta = [=](double t) {
    const double u = t / 0.5;
    return 0.4 + rate * 0.5 * (u < 1 ? u * u * u * u * (2.5 + u * (u - 3)) : u - 0.5);
  };
  CHECK(difference(run, "crank.phi", theta) < rounding);
  CHECK(difference(run, "motor.angle", theta) < rounding);
  CHECK(difference(run, "motor.rate", [=](double t) { return step(rate, 0, 0.5, t).f; }) < rounding);
  CHECK(noted("planar angle_driver", "slider-crank run up to speed, closed form",
              difference(run, "slider.x", [=](double t) {
                const double s = e - a * std::sin(theta(t));
                return a * std::cos(theta(t)) + std::sqrt(b * b - s * s);
              })) < rounding);
  CHECK(energy_error(run) < 1e-6);
}

TEST_CASE("distance driver: cylinder and boom") {
  // L^2 = 0.61 + 0.6 sin(phi); F L' = (44.4 phi'' + 36 g cos(phi)) phi', phi' / L' = L / (0.3 cos(phi)).
  const auto length = [](double t) {
    Motion L = swing(-0.15, 2, t);
    L.f += std::sqrt(0.61);
    return L;
  };
  const auto phi = [&](double t) {
    const Motion L = length(t);
    return arc_sine({(L.f * L.f - 0.61) / 0.6, L.f * L.f1 / 0.3, (L.f1 * L.f1 + L.f * L.f2) / 0.3});
  };
  const auto force = [&](double t) {
    const Motion p = phi(t);
    return (44.4 * p.f2 + 36 * g * std::cos(p.f)) * length(t).f / (0.3 * std::cos(p.f));
  };
  const Table planar = results(plugin_case("constraints/distance_driver", "distance_driver_planar"));
  CHECK(difference(planar, "boom.phi", [&](double t) { return phi(t).f; }) < rounding);
  CHECK(difference(planar, "boom.omega", [&](double t) { return phi(t).f1; }) < rounding);
  CHECK(difference(planar, "cylinder.length", [&](double t) { return length(t).f; }) < rounding);
  CHECK(difference(planar, "cylinder.rate", [&](double t) { return length(t).f1; }) < rounding);
  CHECK(noted("planar distance_driver", "cylinder and boom: the effort, closed form",
              difference(planar, "cylinder.effort", force)) < 1000 * rounding);  // of about 1000 N
  CHECK(energy_error(planar) < 1e-6);

  const Table spatial = results(plugin_case("constraints/distance_driver", "distance_driver"));
  CHECK(difference(spatial, "pin.angle", [&](double t) { return phi(t).f; }) < rounding);
  CHECK(noted("spatial distance_driver", "cylinder and boom: the effort, closed form",
              difference(spatial, "cylinder.effort", force)) < 1000 * rounding);
  CHECK(energy_error(spatial) < 1e-6);
}

TEST_CASE("translation driver: an incline, up and down") {
  const Table run = results(plugin_case("constraints/translation_driver", "translation_driver_planar"));
  const auto s = [](double t) { return swing(0.4, 3, t); };
  CHECK(difference(run, "drive.displacement", [&](double t) { return s(t).f; }) < rounding);
  CHECK(difference(run, "guide.displacement", [&](double t) { return s(t).f; }) < rounding);
  CHECK(difference(run, "drive.speed", [&](double t) { return s(t).f1; }) < rounding);
  CHECK(noted("planar translation_driver", "incline: the effort, closed form",
              difference(run, "drive.effort", [&](double t) { return 2 * s(t).f2 - 2 * g / std::sqrt(5); })) <
        10 * rounding);
  CHECK(energy_error(run) < 1e-6);
}

TEST_CASE("coordinate driver: the tip of an arm, and its angle") {
  // sin(theta) = f; F cos(theta) = 1.05 theta'' + 1.5 g cos(theta).
  const auto theta = [](double t) { return arc_sine(swing(0.3, 2, t)); };
  const auto force = [&](double t) { return 1.05 * theta(t).f2 / std::cos(theta(t).f) + 1.5 * g; };
  const Table planar = results(plugin_case("constraints/coordinate_driver", "coordinate_driver_planar"));
  CHECK(difference(planar, "arm.phi", [&](double t) { return theta(t).f; }) < rounding);
  CHECK(difference(planar, "lift.value", [&](double t) { return swing(0.3, 2, t).f; }) < rounding);
  CHECK(difference(planar, "lift.rate", [&](double t) { return swing(0.3, 2, t).f1; }) < rounding);
  CHECK(noted("planar coordinate_driver", "tip of an arm: the effort, closed form",
              difference(planar, "lift.effort", force)) < 10 * rounding);
  CHECK(energy_error(planar) < 1e-6);
  const Table spatial = results(plugin_case("constraints/coordinate_driver", "coordinate_driver"));
  CHECK(difference(spatial, "pin.angle", [&](double t) { return theta(t).f; }) < rounding);
  CHECK(noted("spatial coordinate_driver", "tip of an arm: the effort, closed form",
              difference(spatial, "lift.effort", force)) < 10 * rounding);
  CHECK(energy_error(spatial) < 1e-6);

  const Table angle = results(plugin_case("constraints/coordinate_driver", "coordinate_driver_phi"));
  const auto phi = [](double t) { return step(7, 0.5, 2, t); };
  CHECK(difference(angle, "arm.phi", [&](double t) { return phi(t).f; }) < rounding);
  CHECK(difference(angle, "swing.effort", [&](double t) { return 1.05 * phi(t).f2 + 1.5 * g * std::cos(phi(t).f); }) <
        100 * rounding);
  CHECK(energy_error(angle) < 1e-6);
}

/// Angle of a pendulum (mass 1, inertia 0.01, length l = 0.5) whose pivot moves by s(t) along u = (2, -1) / sqrt(5):
///   (0.01 + l^2) phi'' = -l (s'' u_x cos(phi) + (s'' u_z + g) sin(phi)),
/// by the classical Runge-Kutta method with 100 steps per row of 0.02 s: error below 1e-12.
Column driven_pendulum(std::size_t rows) {
  const double u_x = 2 / std::sqrt(5), u_z = -1 / std::sqrt(5), h = 2e-4;
  const auto phi2 = [&](double t, double phi) {
    const double s2 = std::sqrt(0.8) * 5 * std::cos(5 * t);
    return -0.5 / 0.26 * (s2 * u_x * std::cos(phi) + (s2 * u_z + g) * std::sin(phi));
  };
  Column out{0};
  double phi = 0, w = 0;
  for (int k = 0; out.size() < rows; ++k) {
    const double t = k * h;
    const double p1 = w, w1 = phi2(t, phi);
    const double p2 = w + h / 2 * w1, w2 = phi2(t + h / 2, phi + h / 2 * p1);
    const double p3 = w + h / 2 * w2, w3 = phi2(t + h / 2, phi + h / 2 * p2);
    const double p4 = w + h * w3, w4 = phi2(t + h, phi + h * p3);
    phi += h / 6 * (p1 + 2 * p2 + 2 * p3 + p4), w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    if ((k + 1) % 100 == 0) out.push_back(phi);
  }
  return out;
}

TEST_CASE("translation driver with a rate: a pendulum under a driven pivot, with two integrators and formulations") {
  const std::string file = plugin_case("constraints/translation_driver", "translation_driver");
  const std::vector<std::vector<std::string>> variants = {
      {},
      {"integrator={\"type\":\"adams\",\"order\":6,\"step\":0.001}"},
      {"formulation={\"type\":\"baumgarte\",\"alpha\":20}", "integrator={\"type\":\"rk4\",\"step\":0.001}"}};
  for (const std::vector<std::string>& set : variants) {
    CAPTURE(set.size());
    const Table run = results(file, set);
    // Rates given: the driven displacement is their exact integral.
    CHECK(difference(run, "drive.displacement", [](double t) { return swing(std::sqrt(0.8) / 5, 5, t).f; }) < 1e-8);
    Column expected = driven_pendulum(run.rows());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      expected[k] = swing(std::sqrt(0.8) / 5, 5, run["t"][k]).f * 2 / std::sqrt(5) + 0.5 * std::sin(expected[k]);
    }
    CHECK(noted("spatial translation_driver", "pendulum under a driven pivot, in its angle",
                difference(run["bob.x"], expected)) < 2e-8);
    CHECK(energy_error(run) < 1e-6);
  }
}

TEST_CASE("orders of two integrators on the pendulum under a driven pivot") {
  const std::string file = plugin_case("constraints/translation_driver", "translation_driver");
  struct Method {
    const char* integrator;
    double order;
  };
  for (const Method& method : {Method{R"({"type":"rk4","step":)", 4}, {R"({"type":"adams","order":3,"step":)", 3}}) {
    CAPTURE(method.integrator);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const Table run = results(file, {std::string("integrator=") + method.integrator + (k == 0 ? "0.01}" : "0.005}")});
      Column expected = driven_pendulum(run.rows());
      for (std::size_t n = 0; n < expected.size(); ++n) expected[n] = 0.5 * std::sin(expected[n]) + run["slide.x"][n];
      error[k] = difference(run["bob.x"], expected);
    }
    const double order = std::log2(error[0] / error[1]);
    std::printf("driven pivot, %s: errors %.2e %.2e, order %.2f\n", method.integrator, error[0], error[1], order);
    CHECK(order > method.order - 0.3);  // leading terms of other orders at these steps
  }
}

/// The offset slider-crank of configs/benchmarks/slider_crank_inverse.csv, `motor` still to be added.
std::string slider_crank(const char* motor) {
  return std::string(R"json({ "trammel": 1,
  "parameters": { "a": 0.12, "b": 0.4, "e": 0.03, "start": 0.4, "rod": "=asin((e-a*sin(start))/b)" },
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": {
      "crank": { "mass": 1.2, "inertia": 0.0021, "position": ["=0.05*cos(start)", "=0.05*sin(start)"], "angle": "=start" },
      "rod": { "mass": 1.8, "inertia": 0.027, "angle": "=rod",
               "position": ["=a*cos(start)+0.17*cos(rod)", "=a*sin(start)+0.17*sin(rod)"] },
      "slider": { "mass": 2.5, "inertia": 0.01, "position": ["=a*cos(start)+b*cos(rod)", "=e"] } },
    "forces": {
      "spring": { "type": "tsda", "bodies": ["ground", "slider"], "point_i": [-10, "=e"], "stiffness": 600,
                  "damping": 25, "free_length": 10.38 } },
    "constraints": {
      "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0] },
      "crank_pin": { "type": "revolute", "bodies": ["crank", "rod"], "at": ["=a*cos(start)", "=a*sin(start)"] },
      "piston_pin": { "type": "revolute", "bodies": ["rod", "slider"], "at": ["=a*cos(start)+b*cos(rod)", "=e"] },
      "guide": { "type": "translational", "bodies": ["ground", "slider"], "at": ["=a*cos(start)+b*cos(rod)", "=e"],
                 "axis": [1, 0] },
      "motor": )json") +
         motor + R"json( } },
  "analysis": { "type": "dynamics", "duration": 2, "correction_limit": 100 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri5", "rtol": 1e-9, "atol": 1e-11, "max_step": 0.001 },
  "output": { "step": 0.005, "channels": "all" } })json";
}

void check_inverse_dynamics(const char* motor) {
  const Table expected = reference("slider_crank_inverse.csv"), run = results_of(slider_crank(motor));
  const auto check = [&](const char* name, const char* column) {
    CAPTURE(name);
    CHECK(difference(run[name], expected[column]) < 1e-9 * (1 + largest(expected[column])));
  };
  check("crank.phi", "theta");
  check("crank.omega", "thetad");
  check("rod.phi", "phi");
  check("rod.omega", "phid");
  check("slider.x", "x");
  check("slider.vx", "xd");
  check("motor.effort", "torque");
  check("pin.force.x", "FOx");
  check("pin.force.y", "FOy");
  check("crank_pin.force.x", "FAx");
  check("crank_pin.force.y", "FAy");
  check("piston_pin.force.x", "FBx");
  check("piston_pin.force.y", "FBy");
  check("guide.force.y", "N");
  CHECK(energy_error(run) < 1e-6);
}

TEST_CASE("effort and reactions equal those of inverse dynamics, from the motion and from its rate") {
  check_inverse_dynamics(
      R"json({ "type": "angle_driver", "bodies": ["ground", "crank"], "function": { "type": "sum", "of": [
    { "type": "polynomial", "coefficients": [0.4, 12] }, { "type": "harmonic", "amplitude": 0.25, "omega": 7 }] } })json");
  check_inverse_dynamics(R"json({ "type": "angle_driver", "bodies": ["ground", "crank"], "rate":
    { "type": "harmonic", "amplitude": 1.75, "omega": 7, "phase": "=pi/2", "offset": 12 } })json");
  check_inverse_dynamics(R"json({ "type": "coordinate_driver", "body": "crank", "coordinate": "phi", "function":
    { "type": "integral", "initial": 0.4, "until": 2, "of": { "type": "expression", "formula": "12 + 1.75*cos(7*t)" } } })json");
}

TEST_CASE("rows inside the steps of index-3 methods follow drivers that leave nothing free") {
  // The estimate of an error sees what is free, here nothing.
  for (const char* method : {"radau_iia", "hht", "generalized_alpha"}) {
    INFO(std::string(method));
    const std::string text = std::string(R"json({ "trammel": 2, "system": { "type": "planar",
      "bodies": { "arm": { "mass": 1, "inertia": 0.1, "position": [0.5, 0], "velocity": [0, 3], "angular_velocity": 6 } },
      "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] },
        "motor": { "type": "angle_driver", "bodies": ["ground", "arm"],
                   "function": { "type": "harmonic", "amplitude": 1, "omega": 6 } } } },
      "analysis": { "type": "dynamics", "duration": 2 }, "output": { "step": 0.01, "channels": ["arm"] },
      "integrator": { "rtol": 1e-6, "atol": 1e-8, "type": ")json") +
                             method + "\" } }";
    const Table run = results(temporary_run_file(text));
    CHECK(difference(run, "arm.phi", [](double t) { return std::sin(6 * t); }) < 100 * 1e-6);
    CHECK(difference(run, "arm.omega", [](double t) { return 6 * std::cos(6 * t); }) <
          200 * 6e-6);  // looked at in their middle
  }
}

}  // namespace
}  // namespace trammel
