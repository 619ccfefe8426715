// Services that components ask the host for: log, clock, columns by name, functions, threads.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "embedded.h"
#include "loaded_model.h"
#include "refusal.h"

using namespace trammel;

namespace {

std::string pushed_by_guest(const std::string& function) {
  return temporary_run_file(R"json({"trammel": 1, "system": {"type": "planar",
      "bodies": {"mass": {"mass": 2, "inertia": 0.1}},
      "forces": {"it": {"type": "guest", "body": "mass", "json": ")json" +
                                function + R"json(", "channel": "mass.vx"}}},
    "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "direct"},
    "integrator": {"type": "rk4", "step": 0.05, "step_check": false},
    "output": {"channels": ["mass", "it"]}})json",
                            "guest.json")
      .string();
}

SimulationOptions with_guest(int threads) {
  SimulationOptions with = options();
  with.plugin_path.push_back(TRAMMEL_BUILD_DIR "/tests/plugin_fixtures/services");
  with.threads = threads;
  return with;
}

/// Values of all channels after every step.
std::vector<std::vector<double>> rows(Simulation& run) {
  std::vector<std::vector<double>> all;
  while (run.step()) all.push_back(run.channel_values());
  return all;
}

}  // namespace

TEST_CASE("a component logs, sees the clock and a column, makes a function and shares work, in any number of threads") {
  const std::string file = pushed_by_guest(R"({\"type\": \"harmonic\", \"amplitude\": 4, \"frequency\": 0.5})");
  std::vector<std::vector<double>> alone;
  for (const int threads : {1, 3}) {
    Simulation run(file, with_guest(threads));
    const std::vector<std::string>& names = run.channels();
    const auto column = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const auto time = column("it.time"), steps = column("it.steps"), seen = column("it.seen"), sum = column("it.sum"),
               vx = column("mass.vx");
    REQUIRE(sum < names.size());
    const auto all = rows(run);
    REQUIRE(all.size() == 20);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i][time] == doctest::Approx(0.05 * static_cast<double>(i + 1)));
      CHECK(all[i][steps] == static_cast<double>(i + 1));
      CHECK(all[i][sum] == 500500);
      if (i > 1) CHECK(all[i][seen] == all[i][vx]);
    }
    // v = 2/pi (1 - cos(pi t)) at a = 2 sin(pi t)
    CHECK(all.back()[vx] == doctest::Approx(4 / std::numbers::pi).epsilon(1e-6));
    if (threads == 1) alone = all;
    CHECK(all == alone);
    run.finish();
    const std::vector<std::string>& warnings = run.warnings();
    CHECK(std::count(warnings.begin(), warnings.end(), "the guest warns") == 1);
    const std::string summary = run.summary_json();
    CHECK(summary.find("the guest notes; number 0; number 1") != std::string::npos);
    CHECK(summary.find("number 98") != std::string::npos);
    CHECK(summary.find("number 99") == std::string::npos);
  }
}

TEST_CASE("a function that cannot be made is told with the reason, at its place") {
  const std::string message =
      refusal([] { Simulation run(pushed_by_guest("{\\\"type\\\": \\\"harmonik\\\"}"), with_guest(1)); });
  CAPTURE(message);
  CHECK(message.find("/system/forces/it/json") != std::string::npos);
  CHECK(message.find("harmonic") != std::string::npos);
}
