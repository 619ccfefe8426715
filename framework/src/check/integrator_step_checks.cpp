// Levels 2 and 3 of integrators, continued: what the kernel takes from a step beside x and v, and calls that come twice.
#include <cmath>

#include "check/bench.h"
#include "check/element_point.h"

namespace trammel::conformance {
namespace {

constexpr double step_of_bench = 0.02;

/// The method on every system that it takes.
void on_all_benches(Subject& subject, const std::function<void(const MethodCase&, const char*)>& look) {
  for_each_way(subject, [&](const MethodCase& method) {
    const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                ComponentKind::integrator);
    const IntegratorTraits traits = created.integrator().traits();
    if (traits.view != ViewKind::constrained) look(method, pendulum_system);
    if (traits.view == ViewKind::constrained || traits.also_constrained) look(method, planar_pendulum_system);
  });
}

/// Numbers of doubles: fixed, possible, and not growing faster than a matrix of the problem does.
void sizes(Subject& subject) {
  on_all_benches(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    const IntegratorTraits traits = bench.traits();
    const auto same = [](const MemorySize& a, const MemorySize& b) {
      return a.state == b.state && a.scratch == b.scratch && a.cache == b.cache;
    };
    for (const Index n : {1, 2, 7, 30, 100}) {
      const ProblemSize size{n, bench.view() == ViewKind::constrained ? n / 2 : 0, bench.view()};
      const MemorySize once = bench.method().memory(size);
      // Matrices of stages, and room to spare.
      const double most = 1e5 + 400.0 * (n + 10.0) * (n + 10.0);
      for (const auto& [name, count] :
           {std::pair{"state", once.state}, std::pair{"scratch", once.scratch}, std::pair{"cache", once.cache}}) {
        require(count >= 0 && count < most, "memory() of a problem of size {} asks for {} doubles of {}", n, count,
                name);
      }
      require(same(once, bench.method().memory(size)), "memory() of a problem of size {} changes from call to call", n);
    }
    const ProblemSize own = bench.size();
    const MemorySize before = bench.method().memory(own);
    for (int i = 0; i < 5; ++i) bench.step(step_of_bench);
    require(same(before, bench.method().memory(own)), "memory() changes while it steps");
    const IntegratorTraits after = bench.method().traits();
    require(after.order == traits.order && after.error_order == traits.error_order &&
                after.interpolation_order == traits.interpolation_order && after.implicit == traits.implicit,
            "traits() changes while it steps");
  });
}

/// `start`, `reject` and `interpolate` may come twice.
void repeated_calls(Subject& subject) {
  on_all_benches(subject, [&](const MethodCase& method, const char* system) {
    Bench once(*subject.host, method, system), twice(*subject.host, method, system);
    if (once.traits().restart_only) skip("a library of its own");
    if (once.view() != ViewKind::constrained) once.restart(), twice.restart(), twice.restart();
    for (int i = 0; i < 8; ++i) {
      once.step(step_of_bench);
      if (!once.traits().self_controlled) {
        twice.attempt(step_of_bench);
        twice.reject();
        twice.reject();
      }
      const double t = twice.t();
      const double taken = twice.step(step_of_bench);
      VectorXd first, again, end;
      if (twice.interpolate(t + 0.3 * taken, first)) {
        twice.interpolate(t + taken, end), twice.interpolate(t + 0.3 * taken, again);
        require(first == again, "asked twice for the state at 0.3 of step {} it gives another one: by {:.1e}", i + 1,
                (first - again).norm());
      }
      const double allowed = once.traits().implicit ? 1e-5 : 0, difference = (once.y() - twice.y()).norm();
      require(difference <= allowed,
              "with start, reject and interpolate called twice, step {} differs by {:.1e} from that of single calls",
              i + 1, difference);
    }
  });
}

/// Largest differences of a and lambda from those of the equations at the same state, over 0.4 s; means of two steps, as
/// methods without damping at infinity (Newmark's with gamma = 1/2) alternate about the right values for ever.
double error_of_accelerations(Subject& subject, const MethodCase& method, int steps) {
  Bench bench(*subject.host, method, planar_pendulum_system);
  ConstrainedSystem& equations = *bench.problem().constrained;
  const ProblemSize size = bench.size();
  VectorXd a(size.n), lambda(size.m), off(size.n + size.m), before = VectorXd::Zero(size.n + size.m);
  double error = 0;
  for (int i = 0; i < steps; ++i) {
    bench.step(0.4 / steps);
    const ConstStateView state = bench.state();
    require(state.a.map().allFinite() && state.lambda.map().allFinite(),
            "attempt leaves entries of a or lambda unwritten, or writes numbers that are not finite");
    require_ok(equations.evaluate(state.t, state.x, state.v, {}, evaluate_dynamics), "evaluate");
    require_ok(equations.factorize(ProjectionWeights::mass), "factorize");
    require_ok(equations.solve(equations.Q(), equations.gamma(), {a.data(), size.n}, {lambda.data(), size.m}), "solve");
    off << (a - state.a.map()) / (1 + a.norm()), (lambda - state.lambda.map()) / (1 + lambda.norm());
    if (i > steps / 4) error = std::max(error, (off + before).norm() / 2);  // starters know less
    before = off;
  }
  return error;
}

void accelerations(Subject& subject) {
  for_each_way(subject, [&](const MethodCase& method) {
    const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                ComponentKind::integrator);
    const IntegratorTraits traits = created.integrator().traits();
    if (traits.view != ViewKind::constrained && !traits.also_constrained) skip("it takes no constrained models");
    if (traits.self_controlled) skip("steps that it chooses itself show no order");
    const double coarse = error_of_accelerations(subject, method, 40),
                 fine = error_of_accelerations(subject, method, 320);
    require(
        fine < 0.5 * coarse || fine < 1e-6,
        "a and lambda of its steps are off those of the equations by {:.1e} with steps of 0.01 s and by {:.1e} with "
        "steps of 0.00125 s (relative)",
        coarse, fine);
  });
}

/// "local_error" is the norm of the estimate, 1 where it is just tolerated. Without relative tolerances all weights are the
/// same.
void local_error(Subject& subject) {
  on_all_benches(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    if (!bench.channel("local_error")) skip("it has no channel \"local_error\"");
    if (bench.traits().error_order == 0) skip("no error estimate");
    const double none = 0, allowed = 1e-5;
    bench.problem().tolerances.rtol = {&none, 1}, bench.problem().tolerances.atol = {&allowed, 1};
    bench.restart();
    double h = step_of_bench;
    for (int i = 0; i < 60; ++i) {
      const StepResult result = bench.attempt(h);
      if (result.h_next != 0) h = std::min(result.h_next, 2 * step_of_bench);
      if (!result.status || result.rejected) {
        bench.reject();
        continue;
      }
      const double norm = bench.error().norm() / std::sqrt(static_cast<double>(bench.error().size())) / allowed;
      bench.accept();
      const double said = *bench.channel("local_error");
      require(std::abs(said - norm) <= 1e-6 * (1 + norm),
              "channel \"local_error\" is {:g}; the norm of its estimate is {:g}", said, norm);
    }
  });
}

constexpr const char* linear_problem = R"({ "type": "linear", "coordinates": ["a", "b"], "mass": [1, 2],
  "damping": [30, -2, -1, 0.1], "stiffness": [2e4, -150, -100, 40], "position": [0.1, 0.2], "velocity": [1, -0.5] })";
constexpr const char* resting_problem = R"({ "type": "linear", "coordinates": ["a", "b"], "mass": [1, 2] })";
/// A body on a rail, with a spring along it.
constexpr const char* linear_model = R"({ "type": "planar",
  "bodies": { "block": { "mass": 2, "inertia": 0.1, "position": [0.3, 0], "velocity": [1, 0] } },
  "constraints": { "rail": { "type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0] } },
  "forces": { "spring": { "type": "tsda", "bodies": ["ground", "block"], "point_i": [-2, 0], "point_j": [0, 0],
              "stiffness": 2e4, "damping": 60, "free_length": 2 } } })";
constexpr const char* resting_model = R"({ "type": "planar", "bodies": { "block": { "mass": 2, "inertia": 0.1 } },
  "constraints": { "rail": { "type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0] } } })";

/// The most iterations of a step, starters aside. Steps are fixed, so that iterations go on to rounding.
int most_iterations(Subject& subject, const MethodCase& method, const char* system) {
  Bench bench(*subject.host, method, system);
  bench.problem().tolerances.fixed_steps = true;
  bench.restart();
  int most = 0;
  for (int i = 0; i < 20; ++i) {
    const StepResult result = bench.attempt(step_of_bench);
    require_ok(result.status, "a step on a linear problem");
    bench.accept();
    if (i >= 5) most = std::max(most, result.newton_iterations);
  }
  return most;
}

/// Mean of the iterations of an attempt, of a method that chooses its steps itself.
double mean_iterations(Subject& subject, const MethodCase& method, const char* system) {
  constexpr int attempts = 400;
  Bench bench(*subject.host, method, system);
  double h = step_of_bench, all = 0;
  for (int i = 0; i < attempts; ++i) {
    const StepResult result = bench.attempt(h);
    require_ok(result.status, "a step on a linear problem");
    all += result.newton_iterations;
    h = std::min(result.h_next, step_of_bench);
    if (result.rejected) {
      bench.reject();
    } else {
      bench.accept();
    }
  }
  return all / attempts;
}

/// Newton's method with the right matrix solves a linear problem in one iteration, and a second one sees it; matrices of
/// differences and ends at rounding take some more, but no more than three for each that it takes where nothing moves, or
/// seven. A matrix off by a tenth takes ten.
void iterations(Subject& subject) {
  for_each_way(subject, [&](const MethodCase& method) {
    const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                ComponentKind::integrator);
    const IntegratorTraits traits = created.integrator().traits();
    if (!traits.implicit) skip("it is explicit");
    std::vector<std::pair<const char*, const char*>> systems;
    if (traits.view != ViewKind::constrained) systems.emplace_back(resting_problem, linear_problem);
    if (traits.view == ViewKind::constrained || traits.also_constrained)
      systems.emplace_back(resting_model, linear_model);
    for (const auto& [resting, moving] : systems) {
      const auto count = [&](const char* system) {
        return traits.self_controlled ? mean_iterations(subject, method, system)
                                      : most_iterations(subject, method, system);
      };
      const double least = count(resting), most = count(moving);
      require(most <= std::max(3 * least, 7.0),
              "a step on a linear problem takes {:g} iterations, where nothing moves {:g}", most, least);
    }
  });
}

}  // namespace

void add_integrator_step_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    const Level level = std::string(id).starts_with("math.") ? Level::mathematics : Level::contract;
    checks.push_back({id, level, what, cause, run, needs});
  };
  add("contract.sizes", "memory() is possible, and the same whenever it is asked for",
      "a size that depends on what happened, or that was never set", sizes, "contract.attempt");
  add("math.accelerations", "a and lambda of constrained steps converge to those of the equations",
      "accelerations of another time, a sign or a factor of h left in lambda", accelerations, "contract.attempt");
  add("math.local_error", "channel \"local_error\" is the norm of the estimate",
      "that of another step or order, or without the weights", local_error, "contract.attempt");
  add("math.iterations", "iterations on linear problems end at once",
      "a term or a factor of h missing in the matrix of Newton's method", iterations, "contract.attempt");
  add("math.repeated_calls", "start, reject and interpolate called twice are as called once",
      "a counter or a history that such a call moves on", repeated_calls, "math.reject");
}

}  // namespace trammel::conformance
