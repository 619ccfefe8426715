// Outputs never change the motion: whatever `output.step` is, rows at common times have the same bits, under every
// treatment and method.
#include <doctest/doctest.h>

#include <cstring>

#include "table.h"

using namespace trammel;

namespace {

/// A double pendulum with a spring that pushes only, beside a free body: its partition changes, its law switches.
const char* const spatial = R"json({"trammel": 1, "system": {"type": "spatial", "gravity": [0, 0, -9.81], "bodies": {
    "p": {"mass": 1, "inertia": [0.01, 0.09, 0.09], "position": [0.5, 0, 0], "angular_velocity": [3, 0, 0]},
    "q": {"mass": 1, "inertia": [0.01, 0.09, 0.09], "position": [1.5, 0, 0], "angular_velocity": [-3, 0, 0]},
    "f": {"mass": 1, "inertia": [0.2, 0.3, 0.4], "position": [0, 3, 0], "angular_velocity": [3, 2, 4]}},
  "constraints": {"near": {"type": "spherical", "bodies": ["ground", "p"], "at": [0, 0, 0]},
    "far": {"type": "spherical", "bodies": ["p", "q"], "at": [1, 0, 0]}},
  "forces": {"stop": {"type": "tsda", "bodies": ["ground", "q"], "point_i": [0, 0, -3], "law": "max(0, 200*2.6 - 200*l)"}}},
  "analysis": {"type": "dynamics", "duration": 1, "constraint_limit": 1}, )json";

/// A slider-crank that a driver turns, and a ball that bounces.
const char* const planar = R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
    "crank": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}, "rod": {"mass": 1, "inertia": 0.2, "position": [2, 0]},
    "b": {"mass": 0.5, "inertia": 0.01, "position": [5, 1]}},
  "constraints": {"o": {"type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0]},
    "a": {"type": "revolute", "bodies": ["crank", "rod"], "at": [1, 0]},
    "slide": {"type": "point_on_line", "bodies": ["ground", "rod"], "at": [3, 0], "axis": [1, 0]},
    "floor": {"type": "impact", "bodies": ["ground", "b"], "axis_i": [0, 1], "restitution": 0.8},
    "turn": {"type": "angle_driver", "bodies": ["ground", "crank"], "function": {"type": "polynomial", "coefficients": [0, 0, 3]}}}},
  "analysis": {"type": "dynamics", "duration": 1, "constraint_limit": 1}, )";

Table rows(const std::string& model, const std::string& formulation, const std::string& integrator, const char* step) {
  const std::string treatment = formulation.empty()
                                    ? ""
                                    : R"("formulation": {"type": ")" + formulation +
                                          (formulation == "baumgarte" ? R"(", "alpha": 5}, )" : R"("}, )");
  return results_of(model + treatment + R"("integrator": )" + integrator +
                    R"(, "output": {"channels": "all", "step": )" + step + "}}");
}

/// Every row of the coarse table is one of the fine table, bit by bit. "": yes.
std::string differing(const Table& coarse, const Table& fine) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < coarse.rows(); ++i) {
    while (k < fine.rows() && fine["t"][k] < coarse["t"][i]) ++k;
    if (k == fine.rows() || fine["t"][k] != coarse["t"][i]) return "no row at t = " + std::to_string(coarse["t"][i]);
    for (const std::string& name : coarse.names()) {
      if (std::memcmp(&coarse[name][i], &fine[name][k], sizeof(double)) == 0) continue;
      return name + " at t = " + std::to_string(coarse["t"][i]) + ": " +
             std::to_string(coarse[name][i] - fine[name][k]);
    }
  }
  return "";
}

void check(const std::string& formulation, const std::string& integrator) {
  for (const char* model : {spatial, planar}) {
    CAPTURE(formulation);
    CAPTURE(integrator);
    CAPTURE(model == planar);
    try {
      const Table fine = rows(model, formulation, integrator, "0.015625");
      for (const char* step : {"1", "0.03125"}) {
        CAPTURE(std::string(step));
        CHECK(differing(rows(model, formulation, integrator, step), fine) == "");
      }
    } catch (const std::exception& error) {
      FAIL_CHECK(std::string(error.what()));
    }
  }
}

}  // namespace

TEST_CASE("first-order views: every treatment and method") {
  for (const char* formulation :
       {"direct", "baumgarte", "projection", "coordinate_partitioning", "hybrid", "recursive"}) {
    for (const char* method : {R"("dopri5")", R"("dopri853")", R"("fehlberg45")", R"("ddeabm")",
                               R"("adams", "control": "haug", "order": 6)"}) {
      check(formulation, R"({"type": )" + std::string(method) + R"(, "rtol": 1e-6, "atol": 1e-8})");
    }
    for (const char* method :
         {R"("rk4")", R"("adams", "order": 3)", R"("ampc", "order": 4)", R"("mampc", "order": 4)"}) {
      check(formulation, R"({"type": )" + std::string(method) + R"(, "step": 0.00390625})");
    }
  }
}

TEST_CASE("second-order views in joint coordinates") {
  for (const char* method : {"rodas43", "hht", "bdf"})
    check("recursive", R"({"type": ")" + std::string(method) + R"(", "rtol": 1e-4, "atol": 1e-6})");
  for (const char* method : {"velocity_verlet", "sdirk4"})
    check("recursive", R"({"type": ")" + std::string(method) + R"(", "step": 0.00390625})");
}

TEST_CASE("second-order views under partitioning") {
  for (const char* method : {"rosenbrock_nystrom", "rosenbrock_nystrom_w2", "rodas43", "ros2", "sdirk4", "trapezoidal",
                             "hht", "newmark", "generalized_alpha", "bdf"}) {
    check("coordinate_partitioning", R"({"type": ")" + std::string(method) + R"(", "rtol": 1e-4, "atol": 1e-6})");
  }
  for (const char* method : {"velocity_verlet", "beeman", "newmark", "hht", "sdirk4", "trapezoidal"}) {
    check("coordinate_partitioning", R"({"type": ")" + std::string(method) + R"(", "step": 0.00390625})");
  }
}

TEST_CASE("index-3 methods") {
  for (const char* method : {"hht", "generalized_alpha"}) {
    check("", R"({"type": ")" + std::string(method) + R"(", "rtol": 1e-3, "atol": 1e-5})");
    check("", R"({"type": ")" + std::string(method) + R"(", "step": 0.00390625})");
  }
  check("", R"({"type": "rattle", "step": 0.00390625})");
}

TEST_CASE("kinematics and inverse dynamics take steps of their own") {
  const std::string driven = R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
      "crank": {"mass": 1, "inertia": 0.1, "position": [0.5, 0]}, "rod": {"mass": 1, "inertia": 0.2, "position": [2, 0]}},
    "constraints": {"o": {"type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0]},
      "a": {"type": "revolute", "bodies": ["crank", "rod"], "at": [1, 0]},
      "slide": {"type": "point_on_line", "bodies": ["ground", "rod"], "at": [3, 0], "axis": [1, 0]},
      "turn": {"type": "angle_driver", "bodies": ["ground", "crank"], "function": {"type": "polynomial", "coefficients": [0, 0, 9]}}}},
    "analysis": {"duration": 2, "type": ")";
  for (const char* analysis : {"kinematics", "inverse_dynamics"}) {
    const auto rows_every = [&](const char* step) {
      return results_of(driven + analysis + R"("}, "output": {"channels": "all", "step": )" + step + "}}");
    };
    const Table fine = rows_every("0.015625");
    for (const char* step : {"2", "0.25"}) {
      CAPTURE(std::string(step));
      const Table coarse = rows_every(step);
      // Newton's method begins elsewhere: rounding of positions may differ.
      const std::size_t stride = (fine.rows() - 1) / (coarse.rows() - 1);
      for (const std::string& name : coarse.names()) {
        if (name.find("energy.") == 0) continue;  // of the rows themselves
        CAPTURE(name);
        CHECK(difference(coarse[name], every(fine[name], stride)) < 1e-11 * (1 + largest(fine[name])));
      }
    }
  }
}
