// Close passes: what attracts or pushes on a tiny part of a step's way is felt, whatever the method.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

std::string number(double x) { return std::to_string(x * 1e9) + "e-9"; }

std::string method(const std::string& type) {
  const std::string treatment =
      type == "bdf" || type == "rosenbrock_nystrom" ? "coordinate_partitioning" : "projection";
  return R"("formulation": {"type": ")" + treatment + R"("}, "integrator": {"type": ")" + type +
         R"(", "rtol": 1e-7, "atol": 1e-9}})";
}

// A mass of 1 kg from (-1000, b) m at 1000 m/s past a fixed centre of strength mu = 1e5 b (deflected by about 11
// degrees), for 1.74 s; in the plane, or in the x-z plane of space. `company`: a body of 1e9 kg besides, far heavier
// than what is deflected.
std::string pass(double b, bool planar, bool company, const std::string& type) {
  const std::string zero = planar ? "" : "0, ", inertia = planar ? "1" : "[1, 1, 1]";
  return std::string(R"({"trammel": 1, "system": {"type": ")") + (planar ? "planar" : "spatial") +
         R"(", "bodies": {"a": {"mass": 1, "inertia": )" + inertia + R"(, "position": [-1000, )" + zero + number(b) +
         R"(], "velocity": [1000, )" + zero + "0]}" +
         (company ? R"(, "p": {"mass": 1e9, "inertia": )" + inertia + R"(, "position": [0, )" + zero +
                        R"(500], "velocity": [0, )" + zero + "3000]}"
                  : "") +
         R"(}, "forces": {"pull": {"type": "point_gravity", "bodies": ["ground", "a"], "constant": 1, "mass_i": )" +
         number(1e5 * b) + R"(}}}, "analysis": {"type": "dynamics", "duration": 1.74}, )" + method(type);
}

// Kepler's hyperbola: the velocity across at the end, by eccentric anomalies e sinh F - F = M.
double across_at_end(double b) {
  const double mu = 1e5 * b, x = -1000, v = 1000, T = 1.74, r = std::hypot(x, b);
  const double a = mu / (v * v - 2 * mu / r), h = -b * v;  // clockwise
  const double ex = -x / r, ey = -v * h / mu - b / r, e = std::sqrt(1 + h * h / (mu * a));
  double F = std::asinh(x * v / (e * std::sqrt(mu * a)));
  const double M = e * std::sinh(F) - F + std::sqrt(mu / (a * a * a)) * T;
  F = std::asinh(M / e);
  for (int i = 0; i < 50; ++i) F -= (e * std::sinh(F) - F - M) / (e * std::cosh(F) - 1);
  const double rate = std::sqrt(mu * a) / (a * (e * std::cosh(F) - 1));
  const double along = -rate * std::sinh(F), aside = rate * std::sqrt(e * e - 1) * std::cosh(F);
  return (along * ey - aside * ex) / e;  // aside: along (ey, -ex)
}

double value_at_end(const std::string& text, std::size_t velocity) {
  Simulation simulation(RunDescription::from_text(text));
  const RunStatus status = simulation.run();
  INFO(simulation.message());
  REQUIRE(status == RunStatus::completed);
  CHECK(simulation.warnings().empty());
  return simulation.velocities()[static_cast<Index>(velocity)];
}

}  // namespace

TEST_CASE("bodies that pass each other closely attract each other") {
  for (const double b : {100.0, 1.0, 0.1, 0.001}) {
    const double truth = across_at_end(b);
    CAPTURE(b);
    CHECK(truth == doctest::Approx(-198).epsilon(0.01));
    for (const char* type : {"dopri5", "dopri853", "fehlberg45", "ddeabm", "bdf", "rosenbrock_nystrom"}) {
      CAPTURE(type);
      CHECK(value_at_end(pass(b, true, false, type), 1) == doctest::Approx(truth).epsilon(1e-5));
    }
    CHECK(value_at_end(pass(b, false, false, "dopri5"), 2) == doctest::Approx(truth).epsilon(1e-5));
    CHECK(value_at_end(pass(b, true, true, "dopri5"), 1) == doctest::Approx(truth).epsilon(1e-5));
  }
}

// A point on a turning arm dips into a stop by a hundred-thousandth of its length and is thrown back.
TEST_CASE("a point that is in a stop for a part of a step only") {
  const std::string text = R"({"trammel": 1, "system": {"type": "planar", "bodies": {
      "a": {"mass": 1, "inertia": 0.1, "angular_velocity": 50}},
    "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]}},
    "forces": {"stop": {"type": "stop", "bodies": ["ground", "a"], "axis_i": [0, 1], "point_i": [0, -0.9999],
                        "point_j": [1, 0], "stiffness": 1.5811388300841892e16, "exponent": 1.5}}},
    "analysis": {"type": "dynamics", "duration": 0.1771858}, )";
  for (const char* type : {"dopri5", "dopri853", "rosenbrock_nystrom"}) {
    CAPTURE(type);
    CHECK(value_at_end(text + method(type), 2) == doctest::Approx(-50).epsilon(1e-4));
  }
}
