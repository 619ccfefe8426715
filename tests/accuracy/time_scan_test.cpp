// What acts in time is never passed over: pulses, short bumps, fast forcing, undeclared jumps, between grid points too.
#include "run/time_scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "finished_run.h"
#include "table.h"
#include "trammel/error.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/text/expression.h"

using namespace trammel;

namespace {

std::string pushed(const std::string& function, const std::string& integrator, double duration = 10) {
  return R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
    "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": )" +
         function + R"(}}}, "analysis": {"type": "dynamics", "duration": )" + std::to_string(duration) +
         R"(}, "formulation": {"type": "coordinate_partitioning"}, "integrator": )" + integrator + "}";
}

std::string formula(const std::string& text) { return R"({"type": "expression", "formula": ")" + text + R"("})"; }

const char* const adaptive[] = {
    "dopri5", "dopri853", "fehlberg45", "ddeabm", "trapezoidal", "rosenbrock_nystrom", "rosenbrock_nystrom_w2",
    "sdirk4", "ros2"};

double velocity(const std::string& function, const std::string& method, double duration = 10) {
  FinishedRun run(
      temporary_run_file(pushed(function, R"({"type": ")" + method + R"(", "rtol": 1e-6, "atol": 1e-8})", duration)));
  return run.channel("b.vx");
}

const double root_of_pi = std::sqrt(std::acos(-1.0));

/// A function of time for the scan itself.
struct Formula final : Function {
  explicit Formula(const std::string& text) : f(Expression::compile(text, {"t"})) {}
  Status evaluate(double x, int order, double* value) const override {
    const sdk::Jet t = sdk::Jet::argument(x);
    return sdk::write_jet(f.evaluate(&t), order, value);
  }
  Expression f;
};

}  // namespace

TEST_CASE("every method with an error estimate feels a pulse of a formula, wherever and however short it is") {
  for (const char* method : adaptive) {
    CAPTURE(method);
    CHECK(velocity(formula("1000*exp(-((t-5.0031)/0.001)^2)"), method) == doctest::Approx(root_of_pi).epsilon(2e-4));
    CHECK(velocity(formula("exp(-((t-1.7)/0.01)^2) + exp(-((t-9.2)/0.002)^2)"), method, 20) ==
          doctest::Approx(0.012 * root_of_pi).epsilon(2e-3));
  }
}

TEST_CASE("a bump over most of the run is felt by methods that look at the ends of their steps") {
  for (const char* method : adaptive) {
    CAPTURE(method);
    // (64/140) height width: the integral of the bump's polynomial.
    CHECK(velocity(R"({"type": "bump", "begin": 2, "end": 8, "height": 1})", method) ==
          doctest::Approx(6 * 64 / 140.0).epsilon(1e-4));
  }
}

TEST_CASE("fast pushes and jumps that no break point declares") {
  // Half a period of 0.1 s in each second: what max() cuts out of a sine, 1/pi of the time at its mean.
  const double pushes = 1 / std::acos(-1.0);
  CHECK(velocity(formula("max(0, sin(20*pi*t))"), "dopri5", 3) == doctest::Approx(3 * pushes).epsilon(1e-4));
  CHECK(velocity(formula("sin(2000*t)^2"), "dopri853", 3) ==
        doctest::Approx(1.5 - std::sin(12000.0) / 8000).epsilon(1e-5));
}

TEST_CASE("bounds of formulas find what is far narrower than the samples") {
  for (const char* method : {"dopri5", "dopri853", "trapezoidal"}) {
    CAPTURE(method);
    CHECK(velocity(formula("1e6*exp(-((t-6.54321)/1e-6)^2)"), method) == doctest::Approx(root_of_pi).epsilon(1e-3));
  }
}

TEST_CASE("pulses in products and sums, in the integral of another function") {
  const char* text =
      R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 2, "inertia": 1}}, "forces": {
    "push": {"type": "applied_force", "body": "b", "force": [4, 0], "function": FUNCTION}}},
    "analysis": {"type": "dynamics", "duration": 10}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri853", "rtol": 1e-8, "atol": 1e-10}})";
  const auto velocity_of = [&](const std::string& function) {
    std::string file = text;
    file.replace(file.find("FUNCTION"), 8, function);
    return FinishedRun(temporary_run_file(file)).channel("b.vx");
  };
  const std::string pulse = formula("exp(-((t-4)/0.01)^2)");
  CHECK(velocity_of(R"({"type": "product", "of": [50, )" + pulse + "]}") == doctest::Approx(root_of_pi).epsilon(1e-6));
  CHECK(velocity_of(R"({"type": "sum", "of": [1, )" + pulse + R"(], "weights": [0, 50]})") ==
        doctest::Approx(root_of_pi).epsilon(1e-6));
  // Far narrower than the samples: by bounds, which go through sums, products, pieces.
  const std::string narrow = formula("1e7*exp(-((t-6.54321)/1e-7)^2)"), wave = R"({"type": "harmonic", "omega": 3})";
  CHECK(velocity_of(R"({"type": "product", "of": [0.5, )" + narrow + "]}") ==
        doctest::Approx(root_of_pi).epsilon(1e-3));
  CHECK(velocity_of(R"({"type": "sum", "of": [)" + wave + ", " + narrow + R"(], "weights": [1, 0.5]})") ==
        doctest::Approx(root_of_pi + 2 * (1 - std::cos(30.0)) / 3).epsilon(1e-3));
  CHECK(velocity_of(R"({"type": "product", "of": [{"type": "polynomial", "coefficients": [0, 0.25]}, )" + narrow +
                    "]}") == doctest::Approx(0.5 * 6.54321 * root_of_pi).epsilon(1e-3));
  CHECK(velocity_of(R"({"type": "piecewise", "breaks": [5], "pieces": [0, )" + narrow + "]}") ==
        doctest::Approx(2 * root_of_pi).epsilon(1e-3));
  // The force stays what the pulse left: 0.01 sqrt(pi), for six seconds behind its middle.
  CHECK(velocity_of(R"({"type": "integral", "until": 10, "of": )" + pulse + "}") ==
        doctest::Approx(2 * 0.01 * root_of_pi * 6).epsilon(1e-7));
}

TEST_CASE("pulses in the formulas of elements, from 1e-4 to 1e-2 of the run") {
  struct Element {
    const char* force;
    const char* channel;
  };
  const Element elements[] = {
      {R"({"type": "tsda", "bodies": ["ground", "b"], "point_i": [100, 0], "law": "FORMULA"})", "b.vx"},
      {R"({"type": "rsda", "bodies": ["b", "ground"], "law": "FORMULA"})", "b.omega"},
      {R"({"type": "actuator", "bodies": ["ground", "b"], "point_i": [-100, 0], "lag": 0.02, "law": "FORMULA"})",
       "b.vx"},
      {R"({"type": "six_component_force", "bodies": ["ground", "b"], "force_x": "FORMULA"})", "b.vx"},
  };
  for (const Element& element : elements) {
    for (const char* method : {"dopri5", "dopri853", "rosenbrock_nystrom", "trapezoidal"}) {
      for (const char* width : {"0.001", "0.01", "0.1"}) {
        CAPTURE(element.force);
        CAPTURE(method);
        CAPTURE(width);
        if (std::string(element.force).find("actuator") != std::string::npos && method[0] != 'd')
          continue;  // internal state
        const std::string w = width;
        std::string force = element.force;
        force.replace(force.find("FORMULA"), 7, "exp(-((t-4.0037)/" + w + ")^2)/" + w);
        FinishedRun run(temporary_run_file(
            R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}}, "forces": {"f": )" +
            force + R"(}}, "analysis": {"type": "dynamics", "duration": 10},
            "formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": ")" +
            method + R"(", "rtol": 1e-6, "atol": 1e-8}})"));
        CHECK(std::abs(run.channel(element.channel)) == doctest::Approx(root_of_pi).epsilon(5e-3));
      }
    }
  }
}

TEST_CASE("a factor of time that is multiplied by zero where the run begins") {
  // A spring at its length gets stiff for an instant, while a body that has been pushed before stretches it.
  FinishedRun run(
      temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1,
    "position": [100, 0], "velocity": [0.001, 0]}}, "forces": {"f": {"type": "tsda", "bodies": ["ground", "b"],
    "law": "1e4*exp(-((t-5.0031)/0.001)^2)*(l - 100) + 0"}}}, "analysis": {"type": "dynamics", "duration": 10},
    "formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-9, "atol": 1e-12}})"));
  // m dv = -x k dt, x = 0.0050031 in the middle; what it moves meanwhile is a second order of the width.
  CHECK(run.channel("b.vx") == doctest::Approx(0.001 - 0.0050031 * 10 * root_of_pi).epsilon(0.02));
}

TEST_CASE("an event whose formula passes zero for an instant only") {
  for (const char* method : {"dopri5", "dopri853", "trapezoidal"}) {
    CAPTURE(method);
    Simulation run(
        temporary_run_file(
            R"({"trammel": 1, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "velocity": [1, 0]}}},
      "analysis": {"type": "dynamics", "duration": 10, "events": {"now": {"when": "exp(-((t-5.0031)/0.001)^2) - 0.5 + 0*b.x",
      "action": "stop"}}}, "formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": ")" +
            std::string(method) + R"(", "rtol": 1e-6, "atol": 1e-8}})"),
        {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    CHECK(run.run() == RunStatus::completed);
    CHECK(run.positions()[0] == doctest::Approx(5.0031 - 0.001 * std::sqrt(std::log(2.0))).epsilon(1e-9));
  }
}

TEST_CASE("a method with stages outside its steps is refused where a force jumps") {
  const std::string jump = R"({"type": "piecewise", "breaks": [0.5], "jumps": true, "pieces": [0, 20]})";
  Simulation run(temporary_run_file(pushed(jump, R"({"type": "yoshida4", "step": 0.03})", 1)),
                 {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  CHECK(run.run() == RunStatus::failed);
  CHECK(run.message().find("'yoshida4' evaluates forces outside its steps") != std::string::npos);
  CHECK(run.message().find("at t = 0.5") != std::string::npos);
}

TEST_CASE("methods on an equidistant grid end a step where a push begins between its points") {
  for (const char* method : {"adams", "ampc", "mampc"}) {
    CAPTURE(method);
    FinishedRun run(
        temporary_run_file(pushed(R"({"type": "bump", "begin": 5.001, "end": 5.009, "height": 100})",
                                  R"({"type": ")" + std::string(method) + R"(", "order": 4, "step": 0.01})")));
    CHECK(run.channel("b.vx") == doctest::Approx(100 * 0.008 * 64 / 140).epsilon(0.02));
  }
}

TEST_CASE("the scan finds undeclared jumps to rounding, and leaves smooth functions alone") {
  TimeProfile jump, smooth, none;
  scan_function_of_time(Formula("min(1, max(0, 1e18*(t - 3.3)))"), {0, 10}, jump);
  REQUIRE(!jump.break_points().empty());
  CHECK(jump.break_points().front() == doctest::Approx(3.3).epsilon(1e-12));
  scan_function_of_time(Formula("sin(2*pi*t)"), {0, 10}, smooth);
  CHECK(smooth.break_points().empty());
  CHECK(smooth.largest_step(1) > 0.3);  // of a period
  CHECK(smooth.largest_step(1) < 1);
  scan_function_of_time(Formula("3*t - 1"), {0, 10}, none);
  CHECK(none.parts().empty());
  for (const char* constant : {"3", "0.1 + 0*t", "7 + 0*sin(t)"}) {
    struct Bounded final : Function, FunctionBounds {
      explicit Bounded(const char* text) : f(text) {}
      Status evaluate(double x, int order, double* value) const override { return f.evaluate(x, order, value); }
      Status bounds(double, double, double* range) const override {
        range[0] = range[1] = 0;
        return f.evaluate(0, 0, range).ok() ? (range[0] -= 1e-9, range[1] = range[0] + 2e-9, Status::success())
                                            : Status::success();
      }
      const void* extension(const char* id) const override { return sdk::offer_extensions<FunctionBounds>(id, this); }
      Formula f;
    };
    TimeProfile still;
    scan_function_of_time(Bounded(constant), {0, 10}, still);
    CHECK(still.parts().empty());
    CHECK(still.break_points().empty());
  }
  CHECK(none.width() <= 1e-4);
}

TEST_CASE(
    "fixed steps end at jumps and are shortened where a function is narrower; grids and fast functions are warned of") {
  const auto warned = [](const std::string& function, double step, const std::string& method = R"("rk4")") {
    FinishedRun run(temporary_run_file(
        pushed(function, R"({"type": )" + method + R"(, "step": )" + std::to_string(step) + "}", 3.25)));
    for (const std::string& warning : run.simulation.warnings()) {
      if (warning.find("longer than what a function of time does") != std::string::npos) return true;
    }
    return false;
  };
  for (const double step : {0.05, 0.013, 0.0031}) {
    CAPTURE(step);
    CHECK_FALSE(warned(formula("if(t > 0, 12, 0)"), step));  // its value at 0 is that before the jump
    CHECK_FALSE(warned(formula("if(t > 1.55, if(t < 1.687, 12, 0), 0)"), step));
    CHECK_FALSE(
        warned(R"({"type": "piecewise", "breaks": [1.22, 1.439], "jumps": true, "pieces": [0.4, 8.2, -0.07]})", step));
    CHECK_FALSE(warned(R"({"type": "step", "begin": 0.927, "end": 0.930, "from": -0.3, "to": 1})", step));
  }
  const std::string pulse = formula("exp(-((t-1.7)/0.002)^2)");
  CHECK(warned(pulse, 0.05, R"("adams", "order": 3)"));
  CHECK(warned(formula("sin(2000*t)"), 0.05));
  for (const char* method : {"rk4", "heun", "euler", "newmark", "velocity_verlet"}) {
    CAPTURE(method);
    CHECK_FALSE(warned(pulse, 0.05, '"' + std::string(method) + '"'));
    FinishedRun run(
        temporary_run_file(pushed(pulse, R"({"type": ")" + std::string(method) + R"(", "step": 0.05})", 3.25)));
    CHECK(run.channel("b.vx") == doctest::Approx(0.002 * root_of_pi).epsilon(1e-2));
    CHECK(run.channel("b.x") == doctest::Approx(0.002 * root_of_pi * 1.55).epsilon(1e-2));
  }
  // The impulse of a bump of 1 ms, in steps of 10 ms: (64/140) height width. Four times Simpson's rule is off by 2e-3,
  // once by half.
  FinishedRun run(temporary_run_file(pushed(R"({"type": "bump", "begin": 0.4833, "end": 0.4843, "height": 1000})",
                                            R"({"type": "rk4", "step": 0.01})", 1)));
  CHECK(run.channel("b.vx") == doctest::Approx(64 / 140.0).epsilon(5e-4));
}

TEST_CASE("pulses far from rest are felt by fixed steps of every method, or told") {
  for (const char* method :
       {"rk4", "heun", "euler", "dopri5", "newmark", "hht", "velocity_verlet", "trapezoidal", "rosenbrock_nystrom",
        "sdirk4", "central_differences", "wilson_theta", "conditionally_explicit", "beeman"}) {
    for (const double step : {0.0241, 0.006, 0.0031}) {
      for (const double width : {0.0367, 0.00367, 0.0009}) {
        CAPTURE(method);
        CAPTURE(step);
        CAPTURE(width);
        char pulse[80];
        std::snprintf(pulse, sizeof pulse, "1.2 - 30*exp(-((t-2.52367)/%.5f)^2)", width);
        FinishedRun run(temporary_run_file(
            pushed(formula(pulse),
                   R"({"type": ")" + std::string(method) + R"(", "step": )" + std::to_string(step) + "}", 6.03)));
        const double impulse = 30 * width * root_of_pi;
        const bool felt = std::abs(run.channel("b.vx") - 1.2 * 6.03 + impulse) < 5e-3 * std::max(impulse, 7.2);
        CHECK((felt || !run.simulation.warnings().empty()));
      }
    }
  }
}

TEST_CASE("what is too fast for fixed steps beside something narrow that shortens them is felt or told") {
  // Twenty pulses of 8 ms, a fifth of the run, and one of 0.5 ms. Steps of 25 ms, and of 50 ms, pass the twenty at 12.5
  // ms from their middles: both see 30 % of them.
  std::string text = "2000*exp(-((t-4.00213)/0.0005)^2)";
  for (int i = 0; i < 20; ++i) text += " + 10*exp(-((t-" + std::to_string(1.0125 + 0.1 * i) + ")/0.008)^2)";
  const double impulse = (20 * 10 * 0.008 + 2000 * 0.0005) * root_of_pi;
  for (const char* method : {"heun", "newmark", "velocity_verlet", "hht", "trapezoidal", "central_differences"}) {
    CAPTURE(method);
    FinishedRun run(
        temporary_run_file(pushed(formula(text), R"({"type": ")" + std::string(method) + R"(", "step": 0.025})", 5)));
    const bool felt = std::abs(run.channel("b.vx") - impulse) < 0.02 * impulse;
    const std::vector<std::string> told = run.simulation.warnings();
    // By the check itself: the energy balance would tell as well.
    const auto of_check = [](const std::string& w) { return w.find("here: with shorter steps") != std::string::npos; };
    CHECK((felt || std::any_of(told.begin(), told.end(), of_check)));
  }
}

TEST_CASE("a step ends where a narrow part begins, and is no longer than it may be there") {
  TimeProfile profile;
  profile.add({{5, 5.1, 0.01}}, {}, 1e-4);
  CHECK(profile.largest_step(0) == doctest::Approx(5));
  CHECK(profile.largest_step(4.95) == doctest::Approx(0.05));
  CHECK(profile.largest_step(4.999) == doctest::Approx(0.01));
  CHECK(profile.largest_step(5.05) == doctest::Approx(0.01));
  CHECK(profile.largest_step(5.2) > 1e100);
  profile.add({{4, 6, 0.5}, {6, 7, 0.005}}, {}, 1e-5);
  CHECK(profile.largest_step(4.2) == doctest::Approx(0.5));
  CHECK(profile.largest_step(5.05) == doctest::Approx(0.01));
  CHECK(profile.largest_step(5.8) == doctest::Approx(0.2));
  CHECK(profile.width() == 1e-4);
}

TEST_CASE("the impulse of a pulse on a body at rest, by every method, to its tolerance") {
  for (const char* method : adaptive) {
    const bool tight = std::string(method) != "trapezoidal" && std::string(method) != "ros2" &&
                       std::string(method) != "rosenbrock_nystrom_w2";
    for (const double begin : {2.1, 2.30525, 3.3}) {
      for (const double width : {0.05, 0.00525, 0.0005}) {
        CAPTURE(method);
        CAPTURE(begin);
        CAPTURE(width);
        char pulse[80];
        std::snprintf(pulse, sizeof pulse, "-30*exp(-((t-%.5f)/%.6f)^2)", begin, width);
        // In units of the pulse; methods of second order lose more in their many steps.
        CHECK(velocity(formula(pulse), method, 9.76) ==
              doctest::Approx(-30 * width * root_of_pi).epsilon(tight ? 1e-4 : 1e-3));
      }
    }
  }
}

TEST_CASE("methods that begin with a low order feel a push that begins and ends at zero") {
  // Half a body of force between two kinks: at both of them nothing acts. The integral of max(0, sin(u) - c) over one
  // period.
  const double c = 0.708, omega = 18.2, u = std::asin(c), pi = std::acos(-1.0);
  const double impulse = (2 * std::cos(u) - c * (pi - 2 * u)) / omega;
  for (const char* method : {"ddeabm", "cvode", "dopri5", "trapezoidal"}) {
    for (const char* tolerance : {"1e-6", "1e-8", "1e-10", "1e-12"}) {
      CAPTURE(method);
      CAPTURE(tolerance);
      const std::string file = temporary_run_file(pushed(
          formula("max(0, sin(18.2*t)-0.708)"),
          R"({"type": ")" + std::string(method) + R"(", "rtol": )" + tolerance + R"(, "atol": )" + tolerance + "}",
          6 * pi / omega));
      if (std::string(method) == "trapezoidal" && std::string(tolerance) == "1e-12") continue;  // a million steps
      try {
        const double felt = FinishedRun(file).channel("b.vx");
        CHECK(felt == doctest::Approx(3 * impulse).epsilon(1e-4));
      } catch (const Error&) {
        CHECK(std::string(method) == "cvode");  // where SUNDIALS is not built
      }
    }
  }
}

TEST_CASE("rows before a jump show the work that was done before it") {
  const std::string push = R"({"type": "piecewise", "breaks": [2.39], "jumps": true, "pieces": [1, 5]})";
  for (const char* method : {"dopri5", "fehlberg45", "ddeabm", "trapezoidal"}) {
    CAPTURE(method);
    std::string text = pushed(push, R"({"type": ")" + std::string(method) + R"(", "rtol": 1e-8, "atol": 1e-10})", 4);
    text.insert(text.rfind('}'), R"(, "output": {"step": 0.05})");
    const Table run = results_of(text);
    for (std::size_t row = 0; row < run["t"].size(); ++row) {
      REQUIRE(run["energy.total"][row] - run["energy.work"][row] == doctest::Approx(0).scale(20).epsilon(1e-9));
    }
  }
}

TEST_CASE("whole turns that a driver makes between two rows are counted") {
  // Ten turns within 10 ms, rows every second; the effort is that of the torsion spring, k theta.
  FinishedRun run(temporary_run_file(R"({"trammel": 1, "system": {"type": "spatial", "bodies": {
    "a": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]}},
    "constraints": {"r": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0, 0], "axis": [0, 0, 1]},
    "d": {"type": "angle_driver", "bodies": ["ground", "a"], "axis": [0, 0, 1], "function": {"type": "step", "begin": 5,
    "end": 5.01, "from": 0, "to": "=20*pi"}}}, "forces": {"s": {"type": "rsda", "bodies": ["ground", "a"],
    "axis": [0, 0, 1], "stiffness": 1}}}, "analysis": {"type": "inverse_dynamics", "duration": 10},
    "output": {"step": 1, "channels": ["r.angle", "d.effort"]}})"));
  CHECK(run.channel("r.angle") == doctest::Approx(20 * std::acos(-1.0)).epsilon(1e-12));
  CHECK(run.channel("d.effort") == doctest::Approx(20 * std::acos(-1.0)).epsilon(1e-9));
}
