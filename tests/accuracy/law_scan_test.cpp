// Forces that are functions of positions and act on a small part of the way are felt, whatever the method.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "finished_run.h"
#include "table.h"
#include "trammel/host/run_description.h"

using namespace trammel;

namespace {

const std::string projected = R"("formulation": {"type": "projection"}, )",
                  reduced = R"("formulation": {"type": "coordinate_partitioning"}, )";

std::string gauss(double force, double width, const std::string& x, double at) {
  return std::to_string(force) + "*exp(-((" + x + " - " + std::to_string(at) + ")/" + std::to_string(width) + ")^2)";
}

std::string method(const std::string& type, double rtol) {
  return R"("integrator": {"type": ")" + type + R"(", "rtol": )" + std::to_string(rtol) + R"(, "atol": 1e-9})";
}

// A slider of 2 kg at 5 m/s along x, under a force that does not act but near x = 3.
std::string slider(const std::string& force, const std::string& treatment, const std::string& integrator) {
  return R"x({"trammel": 1, "system": {"type": "planar",
    "bodies": {"b": {"mass": 2, "inertia": 1, "position": [0, 0], "velocity": [5, 0]}},
    "constraints": {"rail": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 0], "axis": [1, 0]}},
    "forces": {"detent": )x" +
         force + R"(}}, "analysis": {"type": "dynamics", "duration": 4}, )" + treatment + integrator + "}";
}

double end_speed(const std::string& text, const std::string& name = "b.vx") {
  Simulation simulation(RunDescription::from_text(text));
  const RunStatus status = simulation.run();
  INFO(simulation.message());
  REQUIRE(status == RunStatus::completed);
  CHECK(simulation.warnings().empty());
  return channel(simulation, name);
}

const std::string spring = R"x({"type": "tsda", "bodies": ["ground", "b"], "point_i": [-20, 0], "free_length": 20,)x";

std::string by_function(const std::string& formula) {
  return spring + R"( "spring": {"type": "expression", "formula": ")" + formula + "\"}}";
}

}  // namespace

// v^2 falls by 2 A w sqrt(pi)/m, exactly.
TEST_CASE("a detent on a hundredth of the way and less is felt") {
  for (const double width : {0.1, 0.02, 0.004}) {
    const double force = 0.8 / width, truth = std::sqrt(25 - force * width * std::sqrt(std::numbers::pi));
    const std::string detent = by_function(gauss(force, width, "x", 3));
    CAPTURE(width);
    for (const char* type : {"dopri5", "dopri853", "fehlberg45", "ddeabm"}) {
      CAPTURE(type);
      CHECK(end_speed(slider(detent, projected, method(type, 1e-7))) == doctest::Approx(truth).epsilon(1e-5));
      CHECK(end_speed(slider(detent, reduced, method(type, 1e-7))) == doctest::Approx(truth).epsilon(1e-5));
    }
    CHECK(end_speed(slider(
              detent, projected,
              R"("integrator": {"type": "adams", "control": "haug", "order": 8, "rtol": 1e-7, "atol": 1e-9})")) ==
          doctest::Approx(truth).epsilon(1e-5));
    CHECK(end_speed(slider(detent, reduced, method("rosenbrock_nystrom", 1e-7))) ==
          doctest::Approx(truth).epsilon(1e-5));
    CHECK(end_speed(slider(detent, "", method("hht", 1e-6))) == doctest::Approx(truth).epsilon(1e-4));
  }
}

TEST_CASE("whatever element acts") {
  const double width = 0.01, force = 0.8 / width, truth = std::sqrt(25 - force * width * std::sqrt(std::numbers::pi));
  const std::string at_3 = gauss(force, width, "x", 3), at_23 = gauss(force, width, "l", 23);
  const std::string forces[] = {
      spring + R"( "law": ")" + at_23 + "\"}",
      R"({"type": "six_component_force", "bodies": ["ground", "b"], "force_x": "-)" + at_3 + "\"}",
  };
  for (const std::string& detent : forces) {
    CAPTURE(detent);
    for (const char* type : {"dopri5", "dopri853", "ddeabm"}) {
      CAPTURE(type);
      CHECK(end_speed(slider(detent, projected, method(type, 1e-7))) == doctest::Approx(truth).epsilon(1e-5));
    }
  }
}

// A rotor of 0.5 kg m^2 at 4 rad/s: omega^2 falls by 2 A w sqrt(pi)/I each time that it passes 2 rad, here once.
TEST_CASE("angles as well") {
  const double width = 0.01, torque = 0.8 / width;
  const double truth = std::sqrt(16 - 2 * torque * width * std::sqrt(std::numbers::pi) / 0.5);
  const std::string law = gauss(torque, width, "theta", 2);
  for (const char* host : {"planar", "spatial"}) {
    const bool planar = std::string(host) == "planar";
    const std::string text =
        R"({"trammel": 1, "system": {"type": ")" + std::string(host) + R"(", "bodies": {"b": {"mass": 1, "inertia": )" +
        (planar ? "0.5" : "[0.5, 0.5, 0.5]") + R"(, "angular_velocity": )" + (planar ? "4" : "[0, 0, 4]") +
        R"(}}, "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "b"], "at": )" +
        (planar ? "[0, 0]" : R"([0, 0, 0], "axis": [0, 0, 1])") +
        R"(}}, "forces": {"detent": {"type": "rsda", "bodies": ["ground", "b"], )" +
        (planar ? "" : R"("axis": [0, 0, 1], )") + R"("law": ")" + law +
        R"("}}}, "analysis": {"type": "dynamics", "duration": 1.2}, )" + projected + method("dopri5", 1e-7) + "}";
    CAPTURE(host);
    CHECK(end_speed(text, planar ? "b.omega" : "b.wz") == doctest::Approx(truth).epsilon(1e-5));
  }
}

// Narrower than a part of a step, found by the force's bounds.
TEST_CASE("a detent on a ten-thousandth of the way") {
  const double width = 5e-4, force = 0.8 / width, truth = std::sqrt(25 - force * width * std::sqrt(std::numbers::pi));
  for (const char* type : {"dopri5", "dopri853", "ddeabm"}) {
    CAPTURE(type);
    CHECK(end_speed(slider(by_function(gauss(force, width, "x", 3)), projected, method(type, 1e-7))) ==
          doctest::Approx(truth).epsilon(1e-5));
  }
}

// A smooth law that methods see in any case takes no other steps.
TEST_CASE("a nonlinear spring costs no steps") {
  const std::string text =
      slider(spring + R"x( "law": "40*(l - 20)^3 + 3*(l - 20)"})x", projected, method("dopri853", 1e-8));
  Simulation with(RunDescription::from_text(text));
  Simulation without(RunDescription::from_text(text), {{"integrator.defect_control=off"}, {}});
  CHECK(with.run() == RunStatus::completed);
  CHECK(without.run() == RunStatus::completed);
  CHECK(with.positions()[0] == without.positions()[0]);
}

namespace {

// Two discs of 1 kg on the plane that pass or hit each other under a spring between their centres, which pushes when
// they are nearer than `reach`: the velocity of the second across the line of the first one's flight.
double aside(const std::string& spring_law, double way, double offset, const std::string& integrator) {
  const std::string text = R"x({"trammel": 1, "system": {"type": "planar",
    "bodies": {"a": {"mass": 1, "inertia": 1, "position": [0, 0], "velocity": [10, 0]},
               "b": {"mass": 1, "inertia": 1, "position": [)x" +
                           std::to_string(way) + ", " + std::to_string(offset) + R"x(]}},
    "forces": {"touch": {"type": "tsda", "bodies": ["a", "b"], )x" +
                           spring_law + R"x(}}}, "analysis": {"type": "dynamics", "duration": 10}, )x" + projected +
                           integrator + "}";
  return end_speed(text, "b.vy");
}

}  // namespace

// The scalar that the force knows, the distance, hardly changes along most of the way; exact by steps of at most 1 ms.
TEST_CASE("bodies that meet on the way of one step feel each other") {
  const std::string laws[] = {R"("stiffness": 5000, "free_length": 0.2, "one_sided": "compression")",
                              R"x("law": "-5000*max(0.2 - l, 0)")x", R"x("law": "-400*exp(-(l/0.1)^2)")x"};
  for (const std::string& law : laws) {
    CAPTURE(law);
    for (const double way : {20.3, 41.0}) {
      CAPTURE(way);
      const double truth = aside(
          law, way, 0.05, R"("integrator": {"type": "dopri853", "rtol": 1e-11, "atol": 1e-12, "max_step": 1e-3})");
      CHECK(std::abs(truth) > 0.1);
      for (const char* type : {"dopri5", "dopri853", "ddeabm", "fehlberg45"}) {
        CAPTURE(type);
        CHECK(aside(law, way, 0.05, method(type, 1e-8)) == doctest::Approx(truth).epsilon(1e-4));
      }
    }
  }
}

// The oscillator keeps all steps short; the mass passes a kick across its way, of 1.5 mm, at 10 m/s.
TEST_CASE("short steps for another body's sake hide nothing") {
  const std::string text = R"x({"trammel": 1, "system": {"type": "planar", "bodies": {
      "m": {"mass": 1, "inertia": 1, "velocity": [10, 0]}, "o": {"mass": 1, "inertia": 1, "position": [1, 0]}},
    "forces": {"kick": {"type": "six_component_force", "bodies": ["ground", "m"],
                        "force_y": "1000*exp(-((x - 51.7)/0.005)^2)"},
               "spring": {"type": "six_component_force", "bodies": ["ground", "o"], "force_x": "-39.478*x"}}},
    "analysis": {"type": "dynamics", "duration": 20}, )x" +
                           projected;
  const double truth = 1000 * 0.005 * std::sqrt(std::numbers::pi) / 10;
  for (const char* type : {"dopri5", "dopri853", "ddeabm"}) {
    CAPTURE(type);
    CHECK(end_speed(text + method(type, 1e-8) + "}", "m.vy") == doctest::Approx(truth).epsilon(1e-4));
  }
}
