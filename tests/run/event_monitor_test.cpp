// Events: numbering, values and directions against closed forms, and zeros that lie close together inside a step.
#include "run/stepping/event_monitor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "recorded_run.h"

using namespace trammel;

namespace {

/// A wheel at height y over the road, with a tyre, a rigid stop 0.3 m below its centre and a spring that only pulls.
struct Wheel {
  Wheel()
      : loaded(system_file(R"("type": "planar",
          "bodies": { "wheel": { "mass": 2, "inertia": 0.1, "position": [0, 1] } },
          "constraints": { "rim": { "type": "impact", "bodies": ["ground", "wheel"], "axis_i": [0, 1],
              "point_i": [0, 0.3], "restitution": 0.5 } },
          "forces": { "tyre": { "type": "tyre_vertical", "body": "wheel", "stiffness": 5000, "radius": 0.5 },
            "rope": { "type": "tsda", "bodies": ["ground", "wheel"], "stiffness": 100, "free_length": 0.8,
              "one_sided": "tension" } })")),
        monitor(&loaded.numbers, nullptr) {}

  void at(double y) {
    loaded.q[1] = y;
    REQUIRE(loaded.evaluate(0u));
    REQUIRE(monitor.evaluate(values));
  }
  std::size_t find(const std::string& name) const {
    for (std::size_t i = 0; i < monitor.count(); ++i) {
      if (monitor.name(i) == name) return i;
    }
    FAIL(name);
    return 0;
  }

  LoadedModel loaded;
  EventMonitor monitor;
  std::vector<double> values;
};

/// A body thrown upwards at 4 m/s under 10 m/s^2: 0.8 m high at 0.4 s, back at 0.8 s. One step may take all of it.
RecordedRun thrown(const std::string& events) {
  return RecordedRun(temporary_run_file(R"({ "trammel": 1, "system": { "type": "planar", "gravity": [0, -10],
      "bodies": { "b": { "mass": 1, "inertia": 1, "velocity": [0, 4] } } },
      "analysis": { "type": "dynamics", "duration": 0.9, "events": {)" +
                                        events + R"(} },
      "formulation": { "type": "direct" }, "integrator": { "type": "dopri853", "rtol": 1e-9, "atol": 1e-9 } })"));
}

}  // namespace

TEST_CASE("events are numbered: of forces, of contacts, of laws that switch; their values are those of the geometry") {
  Wheel wheel;
  const std::size_t tyre = wheel.find("event 'contact' of 'tyre'"), rim = wheel.find("event 'impact' of 'rim'"),
                    rope = wheel.find("switch 'one_sided' of 'rope'");
  CHECK(tyre < rim);
  CHECK(rim < rope);
  REQUIRE(wheel.monitor.any());
  CHECK(wheel.monitor.contact_of(rim) == 0);
  CHECK(wheel.monitor.event_of_contact(0) == rim);
  CHECK(wheel.monitor.contact_of(tyre) == -1);
  CHECK(wheel.monitor.contact_of(rope) == -1);
  CHECK(wheel.monitor.effect(rim) == EventEffect::impact);
  CHECK(wheel.monitor.effect(rope) == EventEffect::restart);
  CHECK_FALSE(wheel.monitor.needs_observation());
  double above = 0;
  for (const double y : {1.5, 0.5 + 1e-9, 0.5 - 1e-9, 0.4}) {
    CAPTURE(y);
    wheel.at(y);
    CHECK(wheel.values.size() == wheel.monitor.values());
    CHECK(wheel.values[rim] == doctest::Approx(y - 0.3).epsilon(1e-14));
    if (y > 1) above = wheel.values[tyre];
    CHECK(above * wheel.values[tyre] * (y - 0.5) > 0);  // changes its sign where the tyre touches the road
  }
  const LocatedEvent event = wheel.monitor.located(tyre, 0.25, true);
  CHECK(event.t == 0.25);
  CHECK(event.element == "tyre");
  CHECK(event.event == "contact");
  CHECK(event.direction == 1);
  CHECK(wheel.monitor.located(rim, 0.25, false).direction == -1);
}

TEST_CASE("a crossing is a change of sign, or the arrival at zero, in a direction that counts") {
  Wheel wheel;
  const std::size_t both = wheel.find("event 'contact' of 'tyre'"), falling = wheel.find("event 'impact' of 'rim'");
  struct Pair {
    double before, after;
    bool crosses_both, crosses_falling;
  };
  for (const Pair& p : {Pair{1, 2, false, false},
                        {-1, -2, false, false},
                        {1, -1, true, true},
                        {-1, 1, true, false},
                        {1, 0, true, true},
                        {-1, 0, true, false},
                        {0, 1, false, false},
                        {0, -1, false, false},
                        {0, 0, false, false},
                        {1e-300, -1, true, true},
                        {-1, 1e-300, true, false}}) {
    CAPTURE(p.before);
    CAPTURE(p.after);
    CHECK(wheel.monitor.crosses(both, p.before, p.after) == p.crosses_both);
    CHECK(wheel.monitor.crosses(falling, p.before, p.after) == p.crosses_falling);
  }
}

TEST_CASE("switches of laws are told with the direction in which their argument passed") {
  Wheel wheel;
  const std::size_t rope = wheel.find("switch 'one_sided' of 'rope'");
  wheel.at(0.7);
  wheel.monitor.begin_step(wheel.values);
  const double before = wheel.values[rope];
  CHECK(before > 0);
  wheel.at(0.79);
  CHECK_FALSE(wheel.monitor.crosses(rope, before, wheel.values[rope]));
  wheel.at(0.81);
  CHECK(wheel.monitor.crosses(rope, before, wheel.values[rope]));
  const int tight = wheel.monitor.located(rope, 1, false).direction;
  wheel.monitor.begin_step(wheel.values);
  const double taut = wheel.values[rope];
  wheel.at(0.79);
  CHECK(wheel.monitor.crosses(rope, taut, wheel.values[rope]));
  CHECK(wheel.monitor.located(rope, 1, false).direction == -tight);
}

TEST_CASE("two zeros close together inside a step are both found, up and down; a function that stays away has none") {
  const RecordedRun run = thrown(R"("below": { "when": "b.y - 0.79999999" }, "above": { "when": "b.y - 0.80000001" },
      "up": { "when": "b.y - 0.5", "direction": "rising" }, "down": { "when": "b.y - 0.5", "direction": "falling" })");
  REQUIRE(run.events.size() == 4);
  const double around = std::sqrt(2 * 1e-8 / 10), half = std::sqrt(2 * 0.3 / 10);
  struct Expected {
    const char* name;
    double t;
    int direction;
  };
  const Expected expected[] = {
      {"up", 0.4 - half, 1}, {"below", 0.4 - around, 1}, {"below", 0.4 + around, -1}, {"down", 0.4 + half, -1}};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(run.events[i].element == "analysis");
    CHECK(run.events[i].name == expected[i].name);
    CHECK(run.events[i].direction == expected[i].direction);
    // At `below` a height of rounding, 1e-16, is 2e-12 s.
    CHECK(std::abs(run.events[i].t - expected[i].t) < 1e-10);
  }
}

TEST_CASE("a stop at the first of two close zeros ends the run there") {
  const RecordedRun run = thrown(R"("top": { "when": "b.y - 0.79999999", "action": "stop" })");
  REQUIRE(run.events.size() == 1);
  CHECK(std::abs(run.t() - (0.4 - std::sqrt(2 * 1e-8 / 10))) < 1e-10);
  CHECK(std::abs(run.final("b.y") - 0.79999999) < 1e-12);
}
