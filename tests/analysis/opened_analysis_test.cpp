// Analyses of plugins: equilibria near the positions they name, and what the kernel does with their results and files.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "process.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

constexpr double pi = 3.141592653589793;

/// A pendulum that hangs at phi = -pi/2 and is asked for the equilibrium near phi = `angle`.
Simulation asked(double angle, const std::string& more = "") {
  static const TemporaryFolder folder;
  write_text(folder.path() / "asking.json", R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81],
      "bodies": {"bob": {"mass": 1, "inertia": 0.1, "position": [0, -1], "angle": -1.5707963267948966}},
      "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
    "analysis": {"type": "asking", "angle": )" + std::to_string(angle) +
                                                more + "}}");
  return Simulation(folder.path() / "asking.json", {{},
                                                    {std::string(TRAMMEL_BUILD_DIR) + "/tests/asking",
                                                     std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
}

std::string refusal(const std::string& more) {
  try {
    Simulation run = asked(0, more);
    run.run();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::plugin);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the equilibrium found is the one near the positions that the plugin names") {
  for (const double turns : {0.0, 2 * pi, -4 * pi}) {
    CAPTURE(turns);
    Simulation run = asked(-pi / 2 + turns + 0.3);
    run.run();
    CAPTURE(run.message());
    CHECK(run.status() == RunStatus::completed);
    CHECK(run.positions()[2] == doctest::Approx(-pi / 2 + turns).epsilon(1e-7));
  }
}

TEST_CASE("files of an analysis are written where a state was found, and nowhere else") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    const TemporaryFolder folder;
    Simulation run = asked(0, fails ? R"(, "fails": true)" : "");
    run.write_results(folder.path());
    run.run();
    CHECK((run.status() == RunStatus::completed) == !fails);
    CHECK(std::filesystem::exists(folder.path() / "asking.txt") == !fails);
  }
}

TEST_CASE("results without names of their own are refused") {
  CHECK(refusal("") == "");
  CHECK(refusal(R"(, "results": "unnamed")").find("result number 0 without a name") != std::string::npos);
  CHECK(refusal(R"(, "results": "twice")").find("two results named 'turns'") != std::string::npos);
}
