// Single steps of a kinematic analysis against the closed form of a slider-crank: ends, interiors, grid, branches.
#include "analysis/kinematic_motion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "loaded_model.h"
#include "run/plant/state_buffer.h"

using namespace trammel;

namespace {

/// Crank r, rod l, slider on the x axis; the crank is at the angle `begin` + w t.
struct SliderCrank {
  SliderCrank(double r_, double l_, double begin_, double w_, double grid)
      : r(r_),
        l(l_),
        begin(begin_),
        w(w_),
        loaded(temporary_run_file(text())),
        monitor(loaded.numbers),
        motion(loaded.numbers, monitor, grid),
        size{loaded.numbers.coordinates(), loaded.numbers.constraints()},
        remembered(static_cast<std::size_t>(motion.memory(size).state)),
        scratch(static_cast<std::size_t>(motion.memory(size).scratch), std::nan("")),
        state(size, ViewKind::constrained),
        next(size, ViewKind::constrained) {
    REQUIRE(size.n == 9);
    REQUIRE(size.m == 9);
    write(0, state.view);
    REQUIRE(motion.start({}, state.view, memory()));
  }
  std::string text() const {
    const auto number = [](double x) { return std::to_string(x); };
    return R"json({ "trammel": 1, "parameters": { "r": )json" + number(r) + R"json(, "l": )json" + number(l) +
           R"json(, "a": )json" + number(begin) + R"json(, "w": )json" + number(w) +
           R"json(, "b": "=asin(r*sin(a)/l)" }, "system": { "type": "planar", "bodies": {
        "crank": { "mass": 1, "inertia": 0.1, "position": ["=r/2*cos(a)", "=r/2*sin(a)"], "angle": "=a" },
        "rod": { "mass": 1, "inertia": 0.1, "position": ["=r*cos(a) + l/2*cos(b)", "=r/2*sin(a)"], "angle": "=-b" },
        "slider": { "mass": 1, "inertia": 0.1, "position": ["=r*cos(a) + l*cos(b)", 0] } },
      "constraints": {
        "O": { "type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": ["=-r/2", 0] },
        "A": { "type": "revolute", "bodies": ["crank", "rod"], "point_i": ["=r/2", 0], "point_j": ["=-l/2", 0] },
        "B": { "type": "revolute", "bodies": ["rod", "slider"], "point_i": ["=l/2", 0], "point_j": [0, 0] },
        "G": { "type": "translational", "bodies": ["ground", "slider"], "at": [0, 0], "axis": [1, 0] },
        "motor": { "type": "angle_driver", "bodies": ["ground", "crank"],
          "function": { "type": "polynomial", "coefficients": ["=a", "=w"] } } } },
      "analysis": { "type": "kinematics", "duration": 1 } })json";
  }

  /// The motion at t in closed form. The rod is at the angle -b.
  void write(double t, const StateView& out) const {
    const double a = begin + w * t, sin_a = std::sin(a), cos_a = std::cos(a);
    const double sin_b = r * sin_a / l, cos_b = std::sqrt(1 - sin_b * sin_b), b = std::asin(sin_b);
    const double b1 = r * cos_a * w / (l * cos_b), b2 = (-r * sin_a * w * w + l * sin_b * b1 * b1) / (l * cos_b);
    const double q[] = {
        r / 2 * cos_a, r / 2 * sin_a, a, r * cos_a + l / 2 * cos_b, r / 2 * sin_a, -b, r * cos_a + l * cos_b, 0, 0};
    const double v[] = {-r / 2 * sin_a * w,
                        r / 2 * cos_a * w,
                        w,
                        -r * sin_a * w - l / 2 * sin_b * b1,
                        r / 2 * cos_a * w,
                        -b1,
                        -r * sin_a * w - l * sin_b * b1,
                        0,
                        0};
    const double bend = cos_b * b1 * b1 + sin_b * b2, turn = w * w;
    const double acceleration[] = {-r / 2 * cos_a * turn,
                                   -r / 2 * sin_a * turn,
                                   0,
                                   -r * cos_a * turn - l / 2 * bend,
                                   -r / 2 * sin_a * turn,
                                   -b2,
                                   -r * cos_a * turn - l * bend,
                                   0,
                                   0};
    std::copy_n(q, 9, out.x.data), std::copy_n(v, 9, out.v.data), std::copy_n(acceleration, 9, out.a.data);
  }
  /// Largest deviations from the closed form at t, divided by 1, w and w^2.
  double error(double t, const StateView& found) const {
    StateBuffer exact(size, ViewKind::constrained);
    write(t, exact.view);
    const auto off = [](ConstVectorView x, ConstVectorView y) { return (x.map() - y.map()).cwiseAbs().maxCoeff(); };
    return std::max({off(found.x, exact.view.x), off(found.v, exact.view.v) / w, off(found.a, exact.view.a) / (w * w)});
  }
  Memory memory() { return {remembered.data(), scratch.data()}; }
  StepResult attempt(double h) {
    next.view.t = state.view.t + h;
    StepResult result = motion.attempt({}, state.view, h, next.view, {}, memory());
    next.view.t = state.view.t + result.h;
    return result;
  }

  /// As a run does after each step: the state is observed, and the rank looked at.
  void observe() {
    ConstrainedModel& model = loaded.numbers;
    REQUIRE(model.evaluate(next.view.t, next.view.x, next.view.v, {}, evaluate_dynamics | evaluate_Phi));
    REQUIRE(model.factorize(ProjectionWeights::mass));
    monitor.step(next.view.t, 0);
    state.copy_from(next);
  }

  double r, l, begin, w;
  LoadedModel loaded;
  RankMonitor monitor;
  KinematicMotion motion;
  ProblemSize size;
  std::vector<double> remembered, scratch;
  StateBuffer state, next;
};

}  // namespace

TEST_CASE("positions, velocities and accelerations over many steps of any length, and inside the steps") {
  SliderCrank crank(0.1, 0.25, 0.4, 10, 1e9);
  StateBuffer inside(crank.size, ViewKind::constrained);
  double worst = 0, worst_inside = 0;
  for (int i = 0; i < 200; ++i) {
    const double t = crank.state.view.t, h = 0.002 + 0.001 * (i % 11);
    REQUIRE(crank.attempt(h).status);
    CHECK(crank.next.view.t == t + h);
    worst = std::max(worst, crank.error(t + h, crank.next.view));
    for (const double s : {0.1, 0.5, 0.77}) {
      REQUIRE(crank.motion.interpolate({}, crank.state.view, crank.next.view, t + s * h, inside.view, crank.memory()));
      worst_inside = std::max(worst_inside, crank.error(t + s * h, inside.view));
    }
    crank.state.copy_from(crank.next);
  }
  CHECK(worst < 1e-12);
  CHECK(worst_inside < 1e-12);
}

TEST_CASE("steps that may have left the branch are void; what is accepted is on it") {
  SliderCrank crank(1, 2.5, 0.4, 10, 1e9);
  int accepted = 0, refused = 0;
  for (double h = 0.01; h < 1; h *= 1.3) {
    const StepResult result = crank.attempt(h);
    if (result.status) {
      ++accepted;
      CHECK(crank.error(h, crank.next.view) < 1e-12);
    } else {
      ++refused;
      CHECK(result.status.code == StatusCode::not_converged);
      CHECK(h > 0.03);  // a third of a radian is followed
    }
    if (h > 0.1) CHECK_FALSE(result.status);  // a whole one is not
  }
  CHECK(accepted > 3);
  CHECK(refused > 3);
}

TEST_CASE("steps end on the grid as far as they would pass it, roundings of t do not add up") {
  SliderCrank crank(0.1, 0.25, 0.4, 10, 0.03);
  for (int k = 1; k <= 50; ++k) {
    REQUIRE(crank.attempt(0.02).h == 0.02);
    crank.state.copy_from(crank.next);
    const StepResult result = crank.attempt(0.02);
    REQUIRE(result.status);
    CHECK(result.h == doctest::Approx(0.01).epsilon(1e-12));
    CHECK(std::abs(crank.next.view.t - 0.03 * k) < 4e-16 * std::max(1.0, 0.03 * k));
    CHECK(crank.error(crank.next.view.t, crank.next.view) < 1e-12);
    crank.state.copy_from(crank.next);
  }
}

TEST_CASE("where the motion may branch the step tells the time: a crank as long as its rod, upright") {
  // The slider is at 2 cos(a) until it passes the crank's bearing, where it might as well stay: det Phi_q is
  // proportional to cos(a).
  SliderCrank crank(1, 1, 0.5, 1, 1e9);
  const double passage = M_PI / 2 - 0.5;
  for (int i = 0; i < 4; ++i) {
    REQUIRE(crank.attempt(0.25).status);
    crank.observe();
    CHECK(crank.monitor.messages().empty());
  }
  REQUIRE(crank.attempt(0.15).status);  // across the passage at 1.07 s
  crank.observe();
  CHECK(std::abs(crank.next.view.x[6] - 2 * std::cos(0.5 + 1.15)) < 1e-9);
  REQUIRE(crank.monitor.messages().size() == 1);
  const std::string message = crank.monitor.messages()[0];
  const std::size_t at = message.find("singular configuration near t = ");
  REQUIRE(at == 0);
  CHECK(std::abs(std::strtod(message.c_str() + 32, nullptr) - passage) < 1e-5);  // six digits are printed
}

TEST_CASE("what a step remembers is the engine's: it can be taken back, and handed to another object") {
  SliderCrank crank(1, 1, 0.5, 1, 1e9), other(1, 1, 0.5, 1, 1e9);
  REQUIRE(crank.attempt(0.9).status.code == StatusCode::not_converged);
  for (int i = 0; i < 4; ++i) {
    REQUIRE(crank.attempt(0.25).status);
    crank.observe();
  }
  const std::vector<double> before = crank.remembered;
  REQUIRE(crank.attempt(0.05).status);  // taken back
  CHECK(crank.remembered != before);
  crank.remembered = before;
  other.state.copy_from(crank.state);  // from a checkpoint
  other.remembered = before;
  for (SliderCrank* c : {&crank, &other}) {
    std::fill(c->scratch.begin(), c->scratch.end(), std::nan(""));
    REQUIRE(c->attempt(0.15).status);
    c->observe();
    CHECK(c->monitor.messages().size() == 1);  // the passage is found from the sign remembered
  }
  // Pivots were chosen at different states.
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(other.remembered[i] == doctest::Approx(crank.remembered[i]));
  CHECK((other.next.view.x.map() - crank.next.view.x.map()).cwiseAbs().maxCoeff() < 1e-12);
}
