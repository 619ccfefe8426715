// The integrators of SUNDIALS, and DDEABM beside CVODE's Adams method. Built where SUNDIALS is there.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "built_component.h"
#include "ode_run.h"

using namespace trammel;

namespace {

constexpr double eccentricity = 0.3;
CallableOde kepler() {
  return CallableOde(4, [](double, const double* y, double* f) {
    const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
    f[0] = y[2], f[1] = y[3], f[2] = -y[0] / r3, f[3] = -y[1] / r3;
    return Status::success();
  });
}
std::vector<double> kepler_solution(double t) {
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - eccentricity * std::sin(E) - t) / (1 - eccentricity * std::cos(E));
  const double b = std::sqrt(1 - eccentricity * eccentricity), rate = 1 / (1 - eccentricity * std::cos(E));
  return {std::cos(E) - eccentricity, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate};
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Entry {
  const char* type;
  const char* method;
  int order;  ///< 0: of the method's own choice
};
const Entry entries[] = {
    {"cvode", "adams", 0}, {"cvode", "bdf", 0}, {"arkode", "erk", 4}, {"arkode", "erk", 8}, {"arkode", "dirk", 4}};

Arguments arguments(const Entry& entry) {
  return {{{std::string(entry.type) == "cvode" ? "max_order" : "order", entry.order}}, {{"method", entry.method}}, {}};
}

template <class Check>
void for_all(const Check& check) {
  for (const Entry& entry : entries) {
    const std::string name = std::string(entry.type) + " " + entry.method + " " + std::to_string(entry.order);
    CAPTURE(name);
    const BuiltComponent<Integrator> method(ComponentKind::integrator, entry.type, arguments(entry));
    check(*method);
  }
}

/// Largest error over three revolutions, and evaluations.
std::pair<double, double> work_and_error(const Integrator& method, double tolerance) {
  CallableOde system = kepler();
  OdeRun run(method, system, 0, kepler_solution(0));
  run.set_tolerances(tolerance, tolerance);
  double error = 0;
  run.run_self_controlled(
      20, [&](const StepResult&) { error = std::max(error, distance(run.y(), kepler_solution(run.state.t))); });
  return {static_cast<double>(system.evaluations), error};
}

/// Evaluations at an error of `wanted`, interpolated in logarithms over tolerances.
double work_at(const Integrator& method, double wanted) {
  double work = 0, error = 0;
  for (double tolerance = 1e-3; tolerance > 1e-13; tolerance /= 10) {
    const auto [next_work, next_error] = work_and_error(method, tolerance);
    if (next_error < wanted) {
      const double s = std::log(wanted / error) / std::log(next_error / error);
      return work * std::pow(next_work / work, s);
    }
    work = next_work, error = next_error;
  }
  return INFINITY;
}

}  // namespace

TEST_CASE("DDEABM beside CVODE's Adams method: as accurate for as many evaluations") {
  const BuiltComponent<Integrator> ours(ComponentKind::integrator, "ddeabm"),
      theirs(ComponentKind::integrator, "cvode");
  std::printf("error     ddeabm  cvode (evaluations)\n");
  for (const double error : {1e-3, 1e-5, 1e-7, 1e-9}) {
    const double own = work_at(*ours, error), other = work_at(*theirs, error);
    std::printf("%.0e %8.0f %6.0f\n", error, own, other);
    CHECK(own < 1.1 * other);
    CHECK(own > 0.3 * other);  // much less would mean that something is not counted
  }
}

TEST_CASE("errors follow the tolerance, dense output is as good") {
  for_all([](const Integrator& method) {
    for (const double tolerance : {1e-5, 1e-8}) {
      CAPTURE(tolerance);
      CallableOde system = kepler();
      OdeRun run(method, system, 0, kepler_solution(0));
      run.set_tolerances(tolerance, tolerance);
      double error = 0, between = 0;
      run.run_self_controlled(6, [&](const StepResult&) {
        error = std::max(error, distance(run.y(), kepler_solution(run.state.t)));
        const double t = run.from_t + 0.4 * (run.state.t - run.from_t);
        between = std::max(between, distance(run.interpolate(t), kepler_solution(t)));
      });
      CHECK(error < 3000 * tolerance);
      CHECK(error > 0.01 * tolerance);
      // ARKODE's dense output has order 5 at most, steps of its method of order 8 are long.
      CHECK(between < (method.traits().order > 5 && method.traits().order < 9 ? 1e4 * tolerance : 3 * error));
    }
  });
}

TEST_CASE("a step that was taken back is made again from where it began") {
  for_all([](const Integrator& method) {
    CallableOde system = kepler();
    OdeRun run(method, system, 0, kepler_solution(0));
    run.set_tolerances(1e-8, 1e-8);
    run.run_self_controlled(1);
    for (int i = 0; i < 20; ++i) {
      const std::vector<double> before = run.y();
      REQUIRE(run.attempt(0.01).status.ok());
      CHECK(run.y() == before);
      run.reject();
      run.step(0.01);
    }
    CHECK(distance(run.y(), kepler_solution(run.state.t)) < 1e-5);
  });
}

TEST_CASE("a state moved after each step: steps, order and accuracy stay") {
  // What a projection does: the accepted state is put back onto the surface of constant energy.
  const auto onto_energy = [](std::vector<double>& y) {
    const double speed = std::sqrt(2 * (-0.5 + 1 / std::hypot(y[0], y[1]))) / std::hypot(y[2], y[3]);
    y[2] *= speed, y[3] *= speed;
  };
  for_all([&](const Integrator& method) {
    long steps[2];
    double error[2];
    for (const bool moved : {false, true}) {
      CallableOde system = kepler();
      OdeRun run(method, system, 0, kepler_solution(0));
      run.set_tolerances(1e-8, 1e-8);
      steps[moved] = 0;
      for (double limit = 1; run.state.t < 10; ++steps[moved]) {
        REQUIRE(run.attempt(limit).status.ok());
        run.accept(moved ? std::function<void(std::vector<double>&)>(onto_energy) : nullptr);
      }
      error[moved] = distance(run.y(), kepler_solution(run.state.t));
    }
    CHECK(error[1] < 2 * error[0]);
    CHECK(steps[1] < 1.3 * static_cast<double>(steps[0]));
  });
}

TEST_CASE("components off the mask do not count") {
  class Masked final : public OdeSystem {
   public:
    Index size() const override { return 2; }
    Status rhs(double t, ConstVectorView y, VectorView f) override {
      f[0] = -y[0];
      f[1] = 1e6 * std::cos(1e6 * t);
      return Status::success();
    }
    ConstVectorView mask() const override { return {weights, 2}; }
    double weights[2] = {1, 0};
  };
  for_all([](const Integrator& method) {
    Masked system;
    OdeRun run(method, system, 0, {1, 0});
    run.run_self_controlled(10);
    CHECK(run.accepted < 1000);
    CHECK(std::abs(run.y()[0] - std::exp(-10)) < 1e-4);
  });
}

TEST_CASE("stiff problems: BDF and DIRK take few steps") {
  // ARKODE's default table of order 4 has stage order 1, whose error estimate does not see stiff accuracy.
  for (const Entry& entry : {entries[1], Entry{"arkode", "dirk", 5}}) {
    const BuiltComponent<Integrator> method(ComponentKind::integrator, entry.type, arguments(entry));
    CallableOde system(1, [](double t, const double* y, double* f) {
      f[0] = -1e4 * (y[0] - std::cos(t)) - std::sin(t);
      return Status::success();
    });
    OdeRun run(*method, system, 0, {1});
    run.run_self_controlled(10);
    CHECK(run.accepted < 500);  // stability would hold explicit methods at steps of 3e-4, 33000 of them
    CHECK(run.y()[0] == doctest::Approx(std::cos(10)).epsilon(1e-4));
  }
}

TEST_CASE("sizes 0 and 1, interleaved integrations, restarts") {
  for_all([](const Integrator& method) {
    CallableOde nothing(0, [](double, const double*, double*) { return Status::success(); });
    OdeRun empty(method, nothing, 0, {});
    empty.run_self_controlled(1);
    CallableOde decay(1, [](double, const double* y, double* f) { return f[0] = -y[0], Status::success(); });
    OdeRun alone(method, decay, 0, {1}), first(method, decay, 0, {1}), second(method, decay, 1, {3});
    for (int i = 0; i < 30; ++i) {
      first.step(0.01);
      second.step(0.02);
    }
    for (int i = 0; i < 30; ++i) alone.step(0.01);
    CHECK(first.y() == alone.y());
    first.restart();
    OdeRun fresh(method, decay, first.state.t, first.y());
    for (int i = 0; i < 5; ++i) {
      first.step(0.01);
      fresh.step(0.01);
    }
    CHECK(first.y() == fresh.y());
  });
}
