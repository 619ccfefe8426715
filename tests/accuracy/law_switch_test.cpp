// Laws that switch: contact times and periods in closed form, whatever the law is written with and whatever the method.
#include <doctest/doctest.h>

#include <cmath>

#include "finished_run.h"

using namespace trammel;

namespace {

struct Method {
  const char* integrator;
  const char* formulation;
  double tolerance;  ///< of the state at the end, relative
};

const Method adaptive[] = {
    {R"j({"type": "dopri5", "rtol": 1e-10, "atol": 1e-12})j", R"j({"type": "projection"})j", 1e-7},
    {R"j({"type": "dopri853", "rtol": 1e-10, "atol": 1e-12})j", R"j({"type": "direct"})j", 1e-7},
    {R"j({"type": "ddeabm", "rtol": 1e-10, "atol": 1e-12})j", R"j({"type": "coordinate_partitioning"})j", 1e-6},
    {R"j({"type": "adams", "order": 6, "control": "haug", "rtol": 1e-9, "atol": 1e-10})j", R"j({"type": "direct"})j",
     1e-4},
    {R"j({"type": "rosenbrock_nystrom", "rtol": 1e-9, "atol": 1e-10})j", R"j({"type": "coordinate_partitioning"})j",
     1e-5},
    {R"j({"type": "sdirk4", "rtol": 1e-9, "atol": 1e-10})j", R"j({"type": "coordinate_partitioning"})j", 1e-5},
};
const Method bounded[] = {
    {R"j({"type": "rk4", "step": 1e-3})j", R"j({"type": "direct"})j", 1e-4},
    {R"j({"type": "hht", "step": 2e-4})j", nullptr, 2e-2},
};

/// A mass of 1.5 kg on a vertical guide, 1 m above a pad at the origin that begins at 0.2 m and pushes only.
std::string pad(const std::string& law) {
  return R"j({ "trammel": 1,
  "system": { "type": "planar", "gravity": [0, -9.81],
    "bodies": { "mass": { "mass": 1.5, "inertia": 0.01, "position": [0, 1] } },
    "constraints": { "guide": { "type": "translational", "bodies": ["ground", "mass"], "at": [0, 1], "axis": [0, 1] } },
    "forces": { "pad": { "type": "tsda", "bodies": ["ground", "mass"], )j" +
         law + R"j( } } },
  "analysis": { "type": "dynamics", "duration": 1 },
  "integrator": { "type": "dopri5", "rtol": 1e-10, "atol": 1e-12 },
  "output": { "step": 0.5, "channels": ["mass", "energy"] } })j";
}

/// Along x, from rest at x = 0 m with 1 kg and the given force of a tsda anchored at x = -100 m.
std::string along_x(const std::string& law, double x, double push) {
  const std::string at = std::to_string(x);
  return R"j({ "trammel": 1,
  "system": { "type": "planar",
    "bodies": { "m": { "mass": 1, "inertia": 1, "position": [)j" +
         at + R"j(, 1] } },
    "constraints": { "g": { "type": "translational", "bodies": ["ground", "m"], "at": [)j" +
         at + R"j(, 1], "axis": [1, 0] } },
    "forces": { "push": { "type": "applied_force", "body": "m", "force": [)j" +
         std::to_string(push) + R"j(, 0] },
      "law": { "type": "tsda", "bodies": ["ground", "m"], "point_i": [-100, 1], )j" +
         law + R"j( } } },
  "analysis": { "type": "dynamics", "duration": 1 },
  "integrator": { "type": "dopri5", "rtol": 1e-10, "atol": 1e-12 },
  "output": { "step": 0.5, "channels": ["m", "energy"] } })j";
}

std::vector<std::string> with(const Method& method, double duration) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", duration);
  std::vector<std::string> sets{std::string("integrator=") + method.integrator,
                                std::string("analysis.duration=") + text, std::string("output.step=") + text};
  if (method.formulation != nullptr) sets.push_back(std::string("formulation=") + method.formulation);
  return sets;
}

double summary_number(FinishedRun& run, const std::string& name) {
  const std::string summary = run.simulation.summary_json(), key = "\"" + name + "\":";
  const std::size_t at = summary.find(key);
  REQUIRE(at != std::string::npos);
  return std::strtod(summary.c_str() + at + key.size(), nullptr);
}

}  // namespace

TEST_CASE("a mass bounces on a one-sided spring, however it is written") {
  // Falls h, then z'' = -g - (k/m) z from z = 0 with speed -v until z = 0 again, and rises to where it was.
  const double k = 4000, m = 1.5, g = 9.81, h = 0.8, w = std::sqrt(k / m), fall = std::sqrt(2 * h / g), v = g * fall;
  const double period = 2 * fall + 2 / w * (M_PI - std::atan(v * w / g));
  const auto bounces = [&](const std::string& law, const Method& method) {
    CAPTURE(law);
    CAPTURE(method.integrator);
    FinishedRun run(temporary_run_file(pad(law), "pad.json"), with(method, 2 * period));
    CHECK(std::abs(run.channel("mass.y") - 1) < method.tolerance);
    CHECK(std::abs(run.channel("mass.vy")) < 20 * method.tolerance);
  };
  const std::string one_sided = R"j("stiffness": 4000, "free_length": 0.2, "one_sided": "compression")j";
  for (const Method& method : adaptive) bounces(one_sided, method);
  for (const Method& method : bounded) bounces(one_sided, method);
  for (
      const char* law :
      {R"j("law": "min(4000*(l - 0.2), 0)")j", R"j("law": "2000*(l - 0.2 - abs(l - 0.2))")j",
       R"j("law": "if(l < 0.2, 4000*(l - 0.2), 0)")j", R"j("law": "(l < 0.2)*4000*(l - 0.2)")j",
       R"j("law": "if(l >= 0.2, 0, -4000*sqrt((0.2 - l)^2))")j",
       R"j("free_length": 0.2, "spring": {"type": "piecewise", "breaks": [0], "pieces": [{"type": "polynomial", "coefficients": [0, 4000]}, 0]})j",
       R"j("free_length": 0.2, "spring": {"type": "expression", "formula": "min(4000*x, 0)"})j",
       R"j("spring": {"type": "sum", "of": [{"type": "product", "factor": 4000, "of": [{"type": "expression", "formula": "min(x - 0.2, 0)"}, 1]}, 0]})j"}) {
    bounces(law, adaptive[0]);
  }
  bounces(R"j("law": "min(4000*(l - 0.2), 0)")j", adaptive[4]);
}

TEST_CASE("a dead band: springs beyond both of its ends") {
  // From rest b + a beside the middle: a quarter of the spring's period, then b at the speed a w, four times.
  const double b = 0.3, a = 0.05, w = 200, period = 2 * M_PI / w + 4 * b / (a * w);
  for (const char* law : {R"j("law": "40000*(max(l - 100.3, 0) + min(l - 99.7, 0))")j",
                          R"j("law": "if(abs(l - 100) > 0.3, 40000*(l - 100 - 0.3*(2*(l > 100) - 1)), 0)")j"}) {
    CAPTURE(law);
    for (const Method& method : adaptive) {
      CAPTURE(method.integrator);
      FinishedRun run(temporary_run_file(along_x(law, b + a, 0), "band.json"), with(method, 3 * period));
      CHECK(std::abs(run.channel("m.x") - b - a) < 10 * method.tolerance);
    }
  }
}

TEST_CASE("a barrier that is reached from rest, thinner than the step") {
  // 10 N over 6 m, then 1990 N against it; back at rest where it began.
  const double there = std::sqrt(1.2), v = 10 * there, period = 2 * there + 2 * v / 1990;
  for (
      const char* law :
      {R"j("free_length": 100, "spring": {"type": "piecewise", "breaks": [6, 6.2], "jumps": true, "pieces": [0, 2000, 0]})j",
       R"j("law": "if(min(l > 106, l < 106.2), 2000, 0)")j", R"j("law": "2000*(abs(l - 106.1) < 0.1)")j"}) {
    CAPTURE(law);
    for (const Method& method : adaptive) {
      CAPTURE(method.integrator);
      FinishedRun run(temporary_run_file(along_x(law, 0, 10), "barrier.json"), with(method, period));
      CHECK(std::abs(run.channel("m.x")) < 100 * method.tolerance);
      CHECK(std::abs(run.channel("m.vx")) < 100 * method.tolerance);
    }
  }
}

TEST_CASE("a pulse in a law, three times: conditions, a corner inside a corner, both ends in one step") {
  for (const char* law :
       {R"j("law": "-if(min(t > 5, t < 5.001), 1000, 0)")j", R"j("law": "-1000*max(0, 1 - abs(t - 5)/0.001)")j",
        R"j("law": "-1000*(abs(t - 5) <= 0.0005)")j"}) {
    CAPTURE(law);
    for (const Method& method : adaptive) {
      CAPTURE(method.integrator);
      FinishedRun run(temporary_run_file(along_x(law, 0, 0), "pulse.json"), with(method, 10));
      CHECK(std::abs(run.channel("m.vx") - 1) < 1e-5);
    }
  }
}

TEST_CASE("bodies that rest on a kink end well, and fast") {
  const Method& method = adaptive[0];
  for (const char* law :
       {R"j("law": "-5*rate*abs(rate)")j", R"j("law": "50*abs(l - 100)")j", R"j("law": "max(l - 100, 0)")j",
        R"j("law": "abs(0*l)")j", R"j("stiffness": 100, "free_length": 100, "one_sided": "compression")j",
        R"j("free_length": 100, "stiffness": 10, "spring": {"type": "expression", "formula": "min(50*x, 0)"})j"}) {
    CAPTURE(law);
    FinishedRun run(temporary_run_file(along_x(law, 0, 0), "rest.json"), with(method, 100));
    CHECK(std::abs(run.channel("m.x")) < 1e-9);
    CHECK(summary_number(run, "steps") < 100);
  }
  // A spring of two stiffnesses, damped to nothing: passages end where the amplitude does, not with the run (1700 half
  // periods).
  for (const Method& way : adaptive) {
    CAPTURE(way.integrator);
    FinishedRun run(
        temporary_run_file(along_x(R"j("damping": 4, "law": "if(l > 100, 400, 900)*(l - 100)")j", 1, 0), "two.json"),
        with(way, 200));
    CHECK(std::abs(run.channel("m.x")) < 1e-8);
    CHECK(summary_number(run, "events") < 2000);  // some 110 half periods, and noise of the tolerances
  }
}

TEST_CASE("points that pass through each other under a force that does not vanish there") {
  // Free length 1 m, anchored in the line of motion: the force is k (l - 1) towards the anchor, k away from it at l =
  // 0. From rest 2.5 m away over the hill and out to the mirror place: x = 1 + 1.5 cos(w t) until x = 0.
  const double w = 10, half = 2 / w * std::acos(-1 / 1.5);
  for (const Method& method : adaptive) {
    CAPTURE(method.integrator);
    std::string text = along_x(R"j("stiffness": 100, "free_length": 1)j", 2.5, 0);
    text.replace(text.find("[-100, 1]"), 9, "[0, 1]");
    FinishedRun run(temporary_run_file(text, "through.json"), with(method, half));
    CHECK(std::abs(run.channel("m.x") + 2.5) < 100 * method.tolerance);
  }
}
