// Work and dissipation against closed forms, at ends of steps and inside: polynomials, a pulse, harmonic powers, jumps.
#include "run/energy_balance.h"

#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

std::string run_text(const std::string& body, const std::string& rest, const std::string& integrator) {
  return R"({ "trammel": 1, "system": { "type": "planar", "bodies": { "b": { "inertia": 1, )" + body + " } }, " + rest +
         R"( }, "analysis": { "type": "dynamics", "duration": 1 }, "formulation": { "type": "projection" },
      "integrator": )" +
         integrator + " }";
}

/// A body of 1 kg that a force along x pushes from rest: the work is v^2/2 with v the force's integral.
std::string pushed(const std::string& function, const std::string& integrator) {
  return run_text(R"("mass": 1)", R"("forces": { "push": { "type": "applied_force", "body": "b", "force": [1, 0],
      "function": )" + function + " } }",
                  integrator);
}

constexpr const char* exact = R"({ "type": "dopri853", "rtol": 1e-11, "atol": 1e-12 })";

/// The largest deviations of two columns from closed forms, at the ends of steps and at 101 times.
struct Compared final : ChannelObserver {
  template <class Work, class Dissipated>
  Compared(const std::string& text, Work work_, Dissipated dissipated_) : work(work_), dissipated(dissipated_) {
    Simulation simulation(temporary_run_file(text), {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    std::vector<double> times;
    for (int i = 0; i <= 100; ++i) times.push_back(0.01 * i);
    simulation.watch({"energy.work", "energy.dissipated"}, times, *this);
    CHECK(simulation.run() == RunStatus::completed);
    CHECK(simulation.message() == "");
  }
  void sample(At at, double t, double, ConstVectorView values) override {
    double& largest = at == At::time ? inside : at_steps;
    steps += at == At::step ? 1 : 0;
    largest = std::max({largest, std::abs(values[0] - work(t)), std::abs(values[1] - dissipated(t))});
  }
  std::function<double(double)> work, dissipated;
  double inside = 0, at_steps = 0;
  int steps = 0;
};

double none(double) { return 0; }

}  // namespace

TEST_CASE("a power of degree 5 is integrated exactly in one step, and inside the steps of an accurate method") {
  // F = t^2: v = t^3/3, power t^5/3. The method of order 4 is exact for this v.
  const std::string function = R"({ "type": "polynomial", "coefficients": [0, 0, 1] })";
  const auto work = [](double t) { return std::pow(t, 6) / 18; };
  const Compared once(pushed(function, R"({ "type": "rk4", "step": 1 })"), work, none);
  CHECK(once.steps == 1);
  CHECK(once.at_steps < 1e-15);
  const Compared many(pushed(function, R"({ "type": "dopri853", "rtol": 1e-11, "atol": 1e-12, "max_step": 0.02 })"),
                      work, none);
  CHECK(many.at_steps < 1e-15);
  CHECK(many.inside < 1e-12);
}

TEST_CASE("harmonic power, work and dissipation: as exact as the motion") {
  const double w = 30;
  const Compared push(
      pushed(R"({ "type": "harmonic", "amplitude": 5, "omega": 30, "phase": "=pi/2" })", exact),
      [=](double t) { return 0.5 * std::pow(5 * std::sin(w * t) / w, 2); }, none);
  CHECK(push.at_steps < 1e-9);
  CHECK(push.inside < 1e-9);
  // x = A sin(w t) against a damper: the power is c A^2 w^2 cos^2(w t). The driver gives that and the kinetic energy.
  const double A = 0.1, c = 3, m = 0.5, P = c * A * A * w * w;
  const auto lost = [=](double t) { return P * (0.5 * t + std::sin(2 * w * t) / (4 * w)); };
  const auto gained = [=](double t) { return -0.5 * m * std::pow(A * w * std::sin(w * t), 2); };
  const Compared driven(
      run_text(R"("mass": 0.5, "velocity": [3, 0])", R"("constraints": { "drive": { "type": "coordinate_driver",
      "body": "b", "coordinate": "x", "function": { "type": "harmonic", "amplitude": 0.1, "omega": 30 } } },
      "forces": { "damper": { "type": "tsda", "bodies": ["ground", "b"], "point_i": [-10, 0], "damping": 3 } })",
               exact),
      [=](double t) { return lost(t) + gained(t); }, lost);
  CHECK(driven.at_steps < 1e-8 * P);
  CHECK(driven.inside < 1e-8 * P);
}

TEST_CASE("a pulse of a thousandth of the run: all of its work is found") {
  // 64 h u^3 (1 - u)^3 over a width d: v = 64 h d (u^4/4 - 3 u^5/5 + u^6/2 - u^7/7).
  const double h = 1000, d = 1e-3, begin = 0.4;
  const Compared run(
      pushed(R"({ "type": "bump", "begin": 0.4, "end": 0.401, "height": 1000 })", exact),
      [=](double t) {
        const double u = std::clamp((t - begin) / d, 0.0, 1.0);
        const double v = 64 * h * d * std::pow(u, 4) * (1.0 / 4 - 3 * u / 5 + u * u / 2 - u * u * u / 7);
        return 0.5 * v * v;
      },
      none);
  CHECK(run.at_steps < 1e-8 * 0.1);
  CHECK(run.inside < 1e-8 * 0.1);
}

TEST_CASE("a force that jumps inside the run: the powers on both sides count") {
  const Compared run(
      pushed(R"({ "type": "piecewise", "breaks": [0.25, 0.5], "jumps": true, "pieces": [2, -6, 0] })", exact),
      [](double t) {
        const double v = t < 0.25 ? 2 * t : 0.5 - 6 * (std::min(t, 0.5) - 0.25);
        return 0.5 * v * v;
      },
      none);
  // Ten tolerances of v^2.
  CHECK(run.at_steps < 10 * 1e-11 * 0.25);
  CHECK(run.inside < 10 * 1e-11 * 0.25);
}

TEST_CASE("an account is exact inside a step for powers of degree 4, and ends where Gauss' rule says") {
  const double h = 0.5, g = 0.5 * std::sqrt(0.6), start = 2;
  const auto power = [](double t) { return 1 - 3 * t + 2 * t * t + 7 * t * t * t - 5 * t * t * t * t; };
  const auto integral = [](double t) {
    return t - 1.5 * t * t + 2 * t * t * t / 3 + 7 * std::pow(t, 4) / 4 - std::pow(t, 5);
  };
  EnergyBalance::Account account;
  account.value = start, account.power_end = power(0);
  const double inside[] = {power(h * (0.5 - g)), power(h * 0.5), power(h * (0.5 + g))};
  const double mean = (5 * inside[0] + 8 * inside[1] + 5 * inside[2]) / 18;
  account.step(h, mean, mean, power(h), 100);  // what happens at the end changes the power there
  std::copy_n(inside, 3, account.power_inside.begin());
  CHECK(account.value == doctest::Approx(start + integral(h)).epsilon(1e-14));
  CHECK(account.power_end == 100);
  for (const double s : {0.0, 0.1, 0.35, 0.5, 0.9, 1.0}) {
    CAPTURE(s);
    CHECK(account.at(s, h) == doctest::Approx(start + integral(s * h)).epsilon(1e-14));
    CHECK(account.power(s) == doctest::Approx(power(s * h)).epsilon(1e-13));
  }
}

TEST_CASE("what an impact takes out is dissipated, what else the energy changed by came from outside") {
  EnergyBalance meter;
  Observation start;
  start.energy = {.kinetic = 5, .potential = -2, .dissipation = 0, .work = 0};
  meter.start(start, true, 1e-9);
  meter.jump(start.energy, {.kinetic = 3.5, .potential = -2, .dissipation = 1, .work = 2}, 1.75);
  CHECK(meter.dissipated.value == 1.75);
  CHECK(meter.work.value == 0.25);
  CHECK(meter.dissipated.power_end == 1);
  CHECK(meter.work.power_end == 2);
  CHECK(meter.exchanged() == 5 + 1.75 + 0.25);
}

TEST_CASE("models in which no force does work are told from those where one does somewhere") {
  struct Model {
    const char* rest;
    bool works;
  };
  for (const Model& m :
       {Model{R"("forces": { "s": { "type": "tsda", "bodies": ["ground", "b"], "point_i": [3, 0], "stiffness": 5 } })",
              false},
        {R"("gravity": [0, -9.81])", false},
        {R"("forces": { "s": { "type": "tsda", "bodies": ["ground", "b"], "point_i": [3, 0], "damping": 5 } })", true},
        {R"("forces": { "s": { "type": "stop", "bodies": ["ground", "b"], "point_i": [0.5, 0], "axis_i": [-1, 0],
           "stiffness": 100, "dissipation": 0.1 } })",
         true},
        {R"("forces": { "s": { "type": "applied_force", "body": "b", "force": [1, 0], "function": { "type": "bump",
           "begin": 0.7, "end": 0.71, "height": 1 } } })",
         true},
        {R"("constraints": { "d": { "type": "coordinate_driver", "body": "b", "coordinate": "x",
           "function": { "type": "polynomial", "coefficients": [0, 0, 1] } } })",
         true}}) {
    CAPTURE(m.rest);
    LoadedModel loaded(temporary_run_file(run_text(R"("mass": 1)", m.rest, exact)));
    Observation start;
    std::vector<double> lambda(static_cast<std::size_t>(loaded.numbers.constraints()));
    start.q = LoadedModel::view(loaded.q), start.v = LoadedModel::view(loaded.v),
    start.lambda = LoadedModel::view(lambda);
    CHECK(does_work(loaded.numbers, start, {0.7, 0.71}, 1) == m.works);
  }
}
