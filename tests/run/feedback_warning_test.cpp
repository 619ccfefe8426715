// The warning about stabilization that a method with fixed steps cannot follow.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

/// Whether a warning of setting up the slider-crank of Wu, Chiou and Lin with steps of 0.01 s contains `text`.
bool warns(const std::string& formulation, const std::string& integrator,
           const char* text = "the stabilization (alpha") {
  const std::string file = std::string(TRAMMEL_SOURCE_DIR) + "/configs/papers/wu/slider_crank_wu_planar.json";
  Simulation simulation(file, {{"formulation=" + formulation, "integrator=" + integrator}, {}});
  for (const std::string& warning : simulation.warnings()) {
    if (warning.find(text) != std::string::npos) return true;
  }
  return false;
}

std::string baumgarte(double alpha) { return R"({"type": "baumgarte", "alpha": )" + std::to_string(alpha) + "}"; }

std::string adams(const std::string& type, int order, const std::string& more = "") {
  return R"({"type": ")" + type + R"(", "order": )" + std::to_string(order) + R"(, "step": 0.01)" + more + "}";
}

}  // namespace

TEST_CASE("alpha h beyond the limits of Table 2, and of methods without a table") {
  CHECK_FALSE(warns(baumgarte(172.8), adams("ampc", 3)));
  CHECK(warns(baumgarte(172.9), adams("ampc", 3)));
  CHECK_FALSE(warns(baumgarte(193.4), adams("mampc", 3)));
  CHECK(warns(baumgarte(193.5), adams("mampc", 3)));
  CHECK_FALSE(warns(baumgarte(29.9), adams("adams", 4, R"(, "mode": "predictor")")));
  CHECK(warns(baumgarte(30.1), adams("adams", 4, R"(, "mode": "predictor")")));
  CHECK(warns(baumgarte(30), adams("mampc", 12)));
  CHECK_FALSE(warns(baumgarte(278.5), R"({"type": "rk4", "step": 0.01})"));  // ends at 2.78529...
  CHECK(warns(baumgarte(278.6), R"({"type": "rk4", "step": 0.01})"));
}

TEST_CASE("alpha and beta of the hybrid stay below 0.1 / h, so that none of them is unstable") {
  CHECK_FALSE(warns(R"({"type": "hybrid", "alpha": 200})", adams("mampc", 3)));
  CHECK_FALSE(warns(R"({"type": "hybrid", "alpha": 1, "beta": 1e4})", adams("mampc", 3)));
}

TEST_CASE("alpha chosen from the step: alpha_h beyond the limits, whatever the step") {
  CHECK_FALSE(warns(R"({"type": "baumgarte", "alpha_h": 1.93})", adams("mampc", 3)));
  CHECK(warns(R"({"type": "baumgarte", "alpha_h": 1.94})", adams("mampc", 3)));
  CHECK_FALSE(warns(R"({"type": "hybrid", "alpha_h": 1.72})", adams("ampc", 3)));
  CHECK(warns(R"({"type": "hybrid", "alpha_h": 1.74})", adams("ampc", 3)));
}

TEST_CASE("complex roots, and where there is nothing to warn of") {
  CHECK(warns(R"({"type": "baumgarte", "alpha": 10, "beta": 200})", adams("mampc", 3)));
  CHECK_FALSE(warns(R"({"type": "baumgarte", "alpha": 50, "beta": 70})", adams("mampc", 3)));
  CHECK_FALSE(warns(R"({"type": "direct"})", adams("mampc", 3)));
  CHECK_FALSE(warns(baumgarte(1000), R"({"type": "dopri5", "rtol": 1e-6, "atol": 1e-8})"));
}

TEST_CASE("alpha_h that is fast beside the stages of a method with error control") {
  const std::string dopri5 = R"({"type": "dopri5", "rtol": 1e-6, "atol": 1e-8})";
  constexpr const char* text = "evaluates rates inside its steps";
  CHECK_FALSE(warns(R"({"type": "baumgarte", "alpha_h": 0.2})", dopri5, text));
  CHECK(warns(R"({"type": "baumgarte", "alpha_h": 0.3})", dopri5, text));
  CHECK(warns(R"({"type": "hybrid", "alpha_h": 0.3})", dopri5, text));
  CHECK_FALSE(
      warns(R"({"type": "baumgarte", "alpha_h": 0.3})", R"({"type": "ddeabm", "rtol": 1e-6, "atol": 1e-8})", text));
  CHECK_FALSE(warns(baumgarte(1000), dopri5, text));
}
