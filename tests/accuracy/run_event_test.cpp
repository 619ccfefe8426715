// Events of the run file and the compliant stop against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "bisection.h"
#include "recorded_run.h"
#include "reference_error.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

/// A mass of 2 kg on a spring of 50 N/m, let go at x = 0.3: x = 0.3 cos(5 t).
const char* const oscillator = R"({ "trammel": 1, "parameters": { "limit": 0.15 },
  "system": { "type": "planar",
    "bodies": { "mass": { "mass": 2, "inertia": 1, "position": [1.3, 0] } },
    "constraints": { "rail": { "type": "translational", "bodies": ["ground", "mass"], "at": [1, 0], "axis": [1, 0] } },
    "forces": { "spring": { "type": "tsda", "bodies": ["ground", "mass"], "stiffness": 50, "free_length": 1 } } },
  "analysis": { "type": "dynamics", "duration": 2 },
  "formulation": { "type": "projection" },
  "integrator": { "type": "dopri853", "rtol": 1e-12, "atol": 1e-13 },
  "output": { "step": 0.1, "channels": ["mass", "spring", "energy"] } })";

std::filesystem::path oscillator_file() { return temporary_run_file(oscillator, "oscillator.json"); }
std::string events(const std::string& text) { return "analysis.events=" + text; }

}  // namespace

TEST_CASE("a run stops where a formula passes zero, with a last row there") {
  for (const char* integrator : {R"({"type":"dopri853","rtol":1e-12,"atol":1e-13})",
                                 R"({"type":"adams","order":11,"control":"haug","rtol":1e-11,"atol":1e-12})",
                                 R"({"type":"ddeabm","rtol":1e-11,"atol":1e-12})"}) {
    CAPTURE(integrator);
    const RecordedRun run(oscillator_file(),
                          {events(R"({"half":{"when":"spring.length - 1 - limit","action":"stop"}})"),
                           std::string("integrator=") + integrator});
    const double expected = std::acos(0.5) / 5;
    CHECK(std::abs(run.t() - expected) < 1e-9);
    CHECK(std::abs(run.final("spring.length") - 1.15) < 1e-11);
    CHECK(run.message.find("stopped at t = 0.20943951 by event 'half'") == 0);
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].element == "analysis");
    CHECK(run.events[0].direction == -1);
  }
}

TEST_CASE("directions: rising, falling, any; records do not disturb the run") {
  const RecordedRun plain(oscillator_file());
  for (const auto& given : {std::pair("rising", 1), std::pair("falling", 2), std::pair("any", 3)}) {
    const auto& [direction, count] = given;
    CAPTURE(given.first);
    const RecordedRun run(oscillator_file(), {events(R"({"zero":{"when":"spring.length - 1","direction":")" +
                                                     std::string(direction) + R"("}})")});
    REQUIRE(run.events.size() == static_cast<std::size_t>(count));
    for (const RecordedEvent& event : run.events) {
      const double turns = (5 * event.t - M_PI / 2) / M_PI;  // at odd quarters of the period
      CHECK(std::abs(turns - std::round(turns)) < 1e-9);
    }
    CHECK(run.rows == plain.rows);
  }
}

TEST_CASE("long steps lose no event, not even two in one step and a motion that only grazes") {
  // Steps of a third of a period: zeros of x - 0.29 lie 0.1 s around t = 1.2566; those of x - 0.2999 5 ms around it.
  for (const auto& given :
       {std::pair(0.29, std::acos(0.29 / 0.3) / 5), std::pair(0.2999, std::acos(0.2999 / 0.3) / 5)}) {
    const auto& [level, half] = given;
    CAPTURE(given.first);
    const RecordedRun run(oscillator_file(),
                          {events(R"({"level":{"when":"spring.length - 1 - )" + std::to_string(level) + R"("}})"),
                           R"(integrator={"type":"dopri853","step":0.35})"});
    REQUIRE(run.events.size() == 3);                                  // one at the start, two around the top
    CHECK(std::abs(run.events[1].t - (2 * M_PI / 5 - half)) < 1e-3);  // the error of such steps, over the slope there
    CHECK(std::abs(run.events[2].t - (2 * M_PI / 5 + half)) < 1e-3);
  }
  const RecordedRun above(oscillator_file(), {events(R"({"level":{"when":"spring.length - 1.3001"}})")});
  CHECK(above.events.empty());
}

TEST_CASE("a spring is cut: at a time, and at a length; the energy it held has gone out as work") {
  const RecordedRun at_time(
      oscillator_file(), {events(R"({"cut":{"when":"t - 0.5","action":"set","set":{"forces.spring.stiffness":0}}})")});
  const double x = 0.3 * std::cos(2.5), v = -1.5 * std::sin(2.5);
  CHECK(std::abs(at_time.final("mass.x") - (1 + x + 1.5 * v)) < 1e-9);
  CHECK(at_time.energy_drift < 1e-9);
  CHECK(std::abs(at_time.final("energy.work") + 25 * x * x) < 1e-9);
  // t = 0.5 is an output time: the row shows what is there after it.
  CHECK(at_time.rows[5][0] == 0.5);
  CHECK(at_time.rows[5][at_time.column("spring.force")] == 0);
  CHECK(at_time.rows[4][at_time.column("spring.force")] == doctest::Approx(50 * 0.3 * std::cos(2)).epsilon(1e-9));

  const RecordedRun at_length(oscillator_file(),
                              {events(R"({"cut":{"when":"spring.length - 1.15","set":{"forces.spring.stiffness":"=25*2",
                                          "forces.spring.free_length":1.15}}})")});
  // From x = 0.15 on about 1.15: x = 1.15 + (v/5) sin(5 (t - t1))
  const double t1 = std::acos(0.5) / 5, v1 = -1.5 * std::sin(5 * t1);
  CHECK(std::abs(at_length.final("mass.x") - (1.15 + v1 / 5 * std::sin(5 * (2 - t1)))) < 1e-9);
  CHECK(at_length.events.size() > 2);
  CHECK(at_length.energy_drift < 1e-9);
}

TEST_CASE("two events at the same time both happen; one at the very end too") {
  const RecordedRun run(oscillator_file(), {events(R"({"a":{"when":"t - 1","set":{"forces.spring.stiffness":0}},
      "b":{"when":"2*t - 2","set":{"forces.spring.damping":1}}, "c":{"when":"t - 2"}})")});
  REQUIRE(run.events.size() == 3);
  CHECK(std::abs(run.events[0].t - 1) < 1e-12);
  CHECK(std::abs(run.events[1].t - 1) < 1e-12);
  CHECK(run.events[2].name == "c");
  // without stiffness the damper alone: v = v1 exp(-c t / m)
  const double v1 = -1.5 * std::sin(5.0);
  CHECK(std::abs(run.final("mass.vx") - v1 * std::exp(-0.5)) < 1e-9);
}

TEST_CASE("multistep methods restart at events and keep their accuracy") {
  for (const char* integrator :
       {R"({"type":"adams","order":8,"control":"haug","rtol":1e-10,"atol":1e-11})",
        R"({"type":"ddeabm","rtol":1e-10,"atol":1e-11})", R"({"type":"adams","order":4,"step":0.001})"}) {
    CAPTURE(integrator);
    const RecordedRun run(oscillator_file(),
                          {std::string("integrator=") + integrator, "output.step=0.017",
                           events(R"({"cut":{"when":"spring.length - 1.15","set":{"forces.spring.stiffness":0}}})")});
    const double t1 = std::acos(0.5) / 5, v1 = -1.5 * std::sin(5 * t1);
    double worst = 0;
    for (const auto& row : run.rows) {
      const double x = row[0] < t1 ? 0.3 * std::cos(5 * row[0]) : 0.15 + v1 * (row[0] - t1);
      worst = std::max(worst, std::abs(row[run.column("mass.x")] - 1 - x));
    }
    CHECK(worst < 1e-8);  // rows inside the step that the event cut short are the interpolant's before it
  }
}

TEST_CASE("chattering is told, not suffered") {
  // A relay whose force turns round with the velocity: at zero it holds the mass there, switching without end.
  const auto file = oscillator_file();
  const std::vector<std::filesystem::path> plugins = {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"};
  Simulation run(file, {{events(R"({"up":{"when":"mass.vx","direction":"rising","set":{"forces.spring.law":"1e3"}},
                                    "down":{"when":"mass.vx","direction":"falling","set":{"forces.spring.law":"-1e3"}}})")},
                        plugins});
  CHECK(run.run() == RunStatus::failed);
  CHECK_MESSAGE(run.message().find("chattering: 100 events within") == 0, run.message());
  // What the type says about a new value is told when the event happens.
  Simulation wrong(file, {{events(R"({"bad":{"when":"t - 1","set":{"forces.spring.law":"1e3*x"}}})")}, plugins});
  CHECK(wrong.run() == RunStatus::failed);
  CHECK_MESSAGE(wrong.message().find("'x'") != std::string::npos, wrong.message());
}

TEST_CASE("Hunt and Crossley: the speed of rebound obeys the first integral of the law") {
  // d d' / (1 + c d') = -(k/m) d^n dd: with G(v) = v/c - ln(1 + c v)/c^2, G(v0) = G(-v1).
  const char* text = R"({ "trammel": 1,
    "system": { "type": "planar",
      "bodies": { "ball": { "mass": 0.5, "inertia": 0.001, "position": [0, 0.1], "velocity": [0, -2] } },
      "forces": { "floor": { "type": "stop", "bodies": ["ground", "ball"], "axis_i": [0, 1], "stiffness": 1e6, "exponent": 1.5,
                             "dissipation": 0.3 } } },
    "analysis": { "type": "dynamics", "duration": 0.2 },
    "formulation": { "type": "projection" },
    "integrator": { "type": "dopri853", "rtol": 1e-11, "atol": 1e-13 },
    "output": { "at": "steps", "channels": ["ball", "floor", "energy"] } })";
  const auto file = temporary_run_file(text, "crossley.json");
  const RecordedRun run(file);
  const double c = 0.3, v0 = 2;
  const auto G = [&](double v) { return v / c - std::log1p(c * v) / (c * c); };
  const double rebound = bisection([&](double v) { return G(-v) - G(v0); }, 0, v0);
  CHECK(noted("planar stop", "rebound of a ball, first integral of the law", std::abs(run.final("ball.vy") - rebound)) <
        1e-8);
  const RecordedRun spatial(file, {"system.type=spatial", "system.bodies.ball.inertia=[0.001,0.001,0.001]",
                                   "system.bodies.ball.position=[0,0.1,0]", "system.bodies.ball.velocity=[0,-2,0]",
                                   "system.forces.floor.axis_i=[0,1,0]"});
  CHECK(noted("spatial stop", "rebound of a ball, first integral of the law",
              std::abs(spatial.final("ball.vy") - rebound)) < 1e-8);
  REQUIRE(run.events.size() == 2);
  CHECK(std::abs(run.events[0].t - 0.05) < 1e-12);
  CHECK(run.final("energy.dissipated") == doctest::Approx(0.25 * (v0 * v0 - rebound * rebound)).epsilon(1e-6));
  CHECK(run.energy_drift < 1e-7);
}

TEST_CASE("kinks of a formula are looked at, however short the time between two passages") {
  // x = 10 t: within 2 cm of x = 400.005 between 39.9985 and 40.0025 s, of a run of 50 s with steps of seconds.
  const std::filesystem::path file = temporary_run_file(R"({ "trammel": 1,
    "system": { "type": "planar",
      "bodies": { "b": { "mass": 1, "inertia": 0.1, "velocity": [10, 0] } },
      "forces": { "push": { "type": "applied_force", "body": "b", "force": [0, 0] } } },
    "analysis": { "type": "dynamics", "duration": 50 },
    "formulation": { "type": "projection" },
    "integrator": { "type": "dopri5", "rtol": 1e-8, "atol": 1e-10 },
    "output": { "step": 1 } })",
                                                        "passing.json");
  for (const char* when : {"0.02-abs(b.x-400.005)", "min(b.x-399.985, 400.025-b.x)", "-max(399.985-b.x, b.x-400.025)",
                           "min(0.02-abs(b.x-400.005), 1)"}) {
    CAPTURE(when);
    const RecordedRun run(
        file, {events(R"({"in":{"when":")" + std::string(when) + R"(","set":{"forces.push.force":[0,1]}}})")});
    REQUIRE(run.events.size() == 2);
    CHECK(std::abs(run.events[0].t - 39.9985) < 1e-9);
    CHECK(std::abs(run.events[1].t - 40.0025) < 1e-9);
    CHECK(std::abs(run.final("b.vy") - 10.0015) < 1e-8);
  }
}

TEST_CASE("events of time alone are searched like functions of time, and are not called constant") {
  // A pulse of 2 us in 2 s: 1e-6 of the run.
  const double width = 1e-6, passes = width * std::sqrt(std::log(2.0));
  const RecordedRun run(oscillator_file(), {events(R"({"pulse":{"when":"exp(-((t-1.2340031)/1e-6)^2)-0.5"}})")});
  REQUIRE(run.events.size() == 2);
  CHECK(std::abs(run.events[0].t - (1.2340031 - passes)) < 1e-11);
  CHECK(std::abs(run.events[1].t - (1.2340031 + passes)) < 1e-11);
}

TEST_CASE("formulas that cannot pass zero are warned of at the start") {
  const auto warnings = [](const std::string& when) {
    Simulation run(oscillator_file(), {{events(R"({"e":{"when":")" + when + R"(","action":"stop"}})")},
                                       {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    std::string all;
    for (const std::string& text : run.warnings()) all += text + "\n";
    return all;
  };
  for (const auto& [when, words] :
       {std::pair("mass.y^2+1", "never passes zero: the formula stays above 1, whatever its"),
        std::pair("max(mass.y,2)", "stays above 2"), std::pair("-1-abs(mass.y)", "below -1"),
        std::pair("sin(mass.y)-2", "stays between -3 and -1"),
        std::pair("t-3", "stays between -3 and -1 in the 2 s of the run"),
        std::pair("2+cos(t*mass.x)", "stays between 1 and 3"), std::pair("5", "neither columns nor t")}) {
    CAPTURE(when);
    const std::string found = warnings(when);
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
  }
  for (const char* when : {"mass.y^2", "mass.y-5", "t-2", "t-0.5", "mass.x > 3", "exp(-((t-1.2)/0.0005)^2)-0.5",
                           "atan2(mass.y, mass.x)", "if(t > 1, 1, -1)", "sqrt(abs(mass.y))-1"}) {
    CAPTURE(when);
    const std::string found = warnings(when);
    CHECK_MESSAGE(found.find("never passes zero") == std::string::npos, found);
  }
}

TEST_CASE("wrong events are told with their place and the nearest name") {
  const auto refusal = [](const std::string& text) {
    try {
      Simulation run(oscillator_file(), {{events(text)}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
      return std::string();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return std::string(error.what());
    }
  };
  const auto says = [&](const std::string& text, const std::string& expected) {
    const std::string found = refusal(text);
    CHECK_MESSAGE(found.find(expected) != std::string::npos, found);
  };
  says(R"({"a":{"wehn":"t"}})", "did you mean 'when'?");
  says(R"({"a":{"when":"spring.lenght"}})", "there is no column 'spring.lenght'; did you mean 'spring.length'?");
  says(R"({"a":{"when":"t - 1","action":"stopp"}})", "did you mean 'stop'?");
  says(R"({"a":{"when":"t - 1","direction":"up"}})", "must be one of 'any', 'rising', 'falling'");
  says(R"({"a":{"when":"t -"}})", "/analysis/events/a/when");
  says(R"({"a":{"when":"t - 1","action":"set"}})", "needs \"set\"");
  says(R"({"a":{"when":"t - 1","set":{"forces.sprng.stiffness":0}}})",
       "there is no force 'sprng'; did you mean 'spring'?");
  says(R"({"a":{"when":"t - 1","set":{"forces.spring.stifness":0}}})", "did you mean 'stiffness'?");
  says(R"({"a":{"when":"t - 1","set":{"forces.spring.stiffness":-1}}})", "/system/forces/spring/stiffness");
  says(R"({"a":{"when":"t - 1","set":{"integrator.rtol":1}}})", "events change keys of forces");
  says(R"({"a":{"when":"energy.work - 1"}})", "known at the ends of steps only");
  says(R"({"a b":{"when":"t"}})", "a name consists of letters");
}
