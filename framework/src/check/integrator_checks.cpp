// Levels 2 and 3 of integrators: what integrator.h promises, and what traits() claims.
#include <cmath>

#include "check/bench.h"
#include "check/element_point.h"
#include "check/measured_order.h"
#include "check/recorder.h"
#include "stability/stability.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel::conformance {
namespace {

/// The view it is driven in: methods of index 3 on a model, all others on a problem.
const char* system_for(Subject& subject, const MethodCase& method) {
  const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                              ComponentKind::integrator);
  return bench_system(created.integrator().traits().view);
}

void on_bench(Subject& subject, const std::function<void(const MethodCase&, const char*)>& look) {
  for_each_way(subject, [&](const MethodCase& method) { look(method, system_for(subject, method)); });
}

constexpr double h = 0.02;

void traits(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    const IntegratorTraits& traits = bench.traits();
    require(traits.order >= 1, "traits().order is {}", traits.order);
    require(traits.error_order >= 0 && traits.interpolation_order >= 1,
            "traits(): error_order {} or interpolation_order {} is out of range", traits.error_order,
            traits.interpolation_order);
    const IntegratorTraits again = bench.method().traits();
    require(again.order == traits.order && again.view == traits.view && again.error_order == traits.error_order,
            "traits() changes from call to call");
    require(bench.method().extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  });
}

void memory(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    for (int i = 0; i < 12; ++i) {
      bench.step(h);
      const VectorXd y = bench.attempted();
      require(y.allFinite(),
              "attempt leaves entries of the new state unwritten, or writes numbers that are not finite");
      if (bench.traits().error_order > 0 && !bench.traits().self_controlled) {
        require(bench.error().allFinite(), "attempt leaves entries of the error estimate unwritten");
      }
      bench.check_guards();
    }
  });
}

void attempt_is_const(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    for (int i = 0; i < 6; ++i) {
      const VectorXd before = bench.y();
      bench.attempt(h);
      require(bench.y() == before, "attempt changes the state it starts from");
      bench.reject();
      bench.step(h);
    }
  });
}

void reject(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench straight(*subject.host, method, system), stumbling(*subject.host, method, system);
    if (straight.traits().self_controlled) skip("methods that choose their own steps may learn from an attempt");
    const double wrong = straight.traits().variable_step ? 3 * h : h;
    for (int i = 0; i < 12; ++i) {
      straight.step(h);
      stumbling.attempt(wrong);
      stumbling.reject();
      stumbling.step(h);
      // Bit for bit; iterations that begin with another matrix end elsewhere within their tolerance.
      const double allowed = straight.traits().implicit ? 1e-5 : 0, difference = (stumbling.y() - straight.y()).norm();
      require(difference <= allowed, "after a rejected attempt step {} differs by {:.1e}", i + 1, difference);
    }
  });
}

void rollback(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    if (bench.traits().restart_only) skip("its memory cannot be copied, as it says");
    if (bench.view() == ViewKind::constrained) skip("accelerations and multipliers belong to the engine's snapshot");
    for (int i = 0; i < 8; ++i) bench.step(h);
    const Bench::Snapshot there = bench.save();
    for (int i = 0; i < 5; ++i) bench.step(h);
    const VectorXd once = bench.y();
    bench.load(there);
    for (int i = 0; i < 5; ++i) bench.step(h);
    const double allowed = bench.caches() ? 1e-5 : 0, difference = (bench.y() - once).norm();
    require(difference <= allowed, "copying memory.state back does not bring the method back: {:.1e}", difference);
  });
}

void restart(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench old(*subject.host, method, system), fresh(*subject.host, method, system);
    if (old.view() == ViewKind::constrained) skip("starts from accelerations that belong to the engine");
    for (int i = 0; i < 8; ++i) old.step(h);
    Bench::Snapshot there = fresh.save();
    there.y = old.y(), there.t = old.t();
    old.restart();
    fresh.load(there);
    fresh.restart();
    for (int i = 0; i < 8; ++i) {
      old.step(h);
      fresh.step(h);
      require(old.y() == fresh.y(), "step {} after a restart differs by {:.1e} from that of a new integration", i + 1,
              (old.y() - fresh.y()).norm());
    }
  });
}

void reentrant(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench a(*subject.host, method, system), b(*subject.host, method, system), a_alone(*subject.host, method, system),
        b_alone(*subject.host, method, system);
    for (int i = 0; i < 8; ++i) a.step(h), b.step(h / 2);
    for (int i = 0; i < 8; ++i) a_alone.step(h);
    for (int i = 0; i < 8; ++i) b_alone.step(h / 2);
    require(a.y() == a_alone.y() && b.y() == b_alone.y(),
            "two integrations side by side differ from each alone by {:.1e} and {:.1e}", (a.y() - a_alone.y()).norm(),
            (b.y() - b_alone.y()).norm());
  });
}

/// FSAL and other caches: after a large correction the method has to look at the corrected state.
void correction(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    if (bench.view() != ViewKind::ode) skip("the kernel moves states of first-order views only; others it restarts");
    if (bench.traits().restart_only) skip("a library of its own");
    Visits visits;
    Problem& problem = bench.problem();
    RecordedOde recorded(*problem.ode, visits);
    problem.ode = &recorded;
    bench.restart();
    for (int i = 0; i < 9; ++i) {
      StepResult result = bench.attempt(h);
      for (int tries = 0; tries < 20 && result.rejected; ++tries) {
        bench.reject();
        result = bench.attempt(result.h_next);
      }
      visits.points.clear();
      bench.accept_moved(VectorXd::Constant(bench.y().size(), 0.125));
      const VectorXd y = bench.y();
      const double t = bench.t();
      bench.attempt(h);
      require(visits.includes(t, {y.data(), static_cast<Index>(y.size())}),
              "after accept(changed = true) step {} never evaluates the problem at the corrected state", i + 2);
      bench.reject();
    }
    problem = Problem();
  });
}

void step_limits(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench bench(*subject.host, method, system);
    const VectorXd before = bench.y();
    if (bench.traits().restart_only) skip("a library of its own, with its own limits");
    const StepResult tiny = bench.attempt(1e-12);
    require(tiny.status.ok(), "an attempt with h = 1e-12 fails: {}", tiny.status.what);
    require((bench.attempted() - before).norm() < 1e-9, "a step of 1e-12 moves the state by {:.1e}",
            (bench.attempted() - before).norm());
    bench.reject();
    bench.restart();
    const StepResult huge = bench.attempt(1e200);
    require(!huge.status.ok() || bench.attempted().allFinite(),
            "an attempt with h = 1e200 returns ok with numbers that are not finite");
    bench.reject();
    bench.check_guards();
  });
}

/// Forwards, then backwards: the error in the end is of the size that it was on the way.
void reverse(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    if (system == planar_pendulum_system) skip("accelerations and multipliers belong to the engine");
    Bench bench(*subject.host, method, vibration_system);
    if (bench.traits().restart_only) skip("a library of its own");
    const VectorXd begin = bench.y();
    constexpr double turn = 0.6;
    const Eigen::Vector2d there(std::cos(2 * turn) + std::sin(turn / 2) / 3.75,
                                -2 * std::sin(2 * turn) + 0.5 * std::cos(turn / 2) / 3.75);
    bench.run_to(turn, h);
    const double ahead = (bench.y() - there).norm();
    bench.restart();
    bench.run_to(0, -h);
    const double back = (bench.y() - begin).norm();
    require(back < 30 * ahead + std::pow(h, bench.traits().order) + 1e-9,
            "the error after 0.6 s is {:.1e}, after the way back {:.1e}", ahead, back);
  });
}

void embedded_order(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    Bench probe(*subject.host, method, system);
    const int order = probe.traits().error_order;
    if (order == 0) skip("no error estimate");
    if (probe.traits().self_controlled) skip("its estimate is its own affair");
    double slope = 0, previous = 0;
    for (double step = order > 5 ? 0.4 : 0.1; step > 1e-3; step /= 2) {  // until the leading term rules
      Bench bench(*subject.host, method, system);
      if (system != planar_pendulum_system) {
        bench.step(0.11);  // away from the rest position, where terms vanish
        bench.restart();
      }  // the planar pendulum moves at its start; so long a step would leave velocities off the constraints
      // Estimates that look back know less in the first steps after a start.
      for (int i = 0; order <= 2 && i < 3; ++i) bench.step(step);
      const StepResult result = bench.attempt(step);
      const double size = result.status ? bench.error().norm() : 0;
      if (!std::isfinite(size) || size < 1e-13) break;
      if (previous > 0) slope = std::log2(previous / size);
      previous = size;
    }
    require(std::abs(slope - (order + 1)) < 0.6, "the estimate behaves like h^{:.2f}, error_order {} means h^{}", slope,
            order, order + 1);
  });
}

/// Errors inside one step from an exact state: of the order of the step, or of the polynomial where that is less. Both
/// are claimed, and over a whole run the errors of the steps hide the polynomial's.
void require_local_order(PluginHost& host, const MethodCase& method, const IntegratorTraits& traits) {
  constexpr int most = 5;  // higher ones are at rounding too soon
  const auto error_at = [&](std::initializer_list<double> thetas, int parts) {
    Bench bench(host, method, vibration_system);
    const double step = 1.0 / parts;
    VectorXd out;
    bench.attempt(step);
    double error = 0;
    for (const double theta : thetas) {
      const double t = theta * step;
      bench.interpolate(t, out);
      const Eigen::Vector2d exact(std::cos(2 * t) + std::sin(t / 2) / 3.75,
                                  -2 * std::sin(2 * t) + 0.5 * std::cos(t / 2) / 3.75);
      error = std::max(error, (out - exact).norm());
    }
    return error;
  };
  // Bench tolerances end iterations there.
  const OrderRange range{2, 1024, traits.implicit ? 1e-7 : 1e-14, 1};
  const MeasuredOrder of_step = measure_order(range, [&](int parts) { return error_at({1.0}, parts); });
  const int order = std::min(traits.order, most) + 1, claimed = std::min(order, traits.interpolation_order + 1);
  // Multistep methods and starters have no step of full order from one state.
  if (!of_step.agree || of_step.below(order)) return;
  const MeasuredOrder inside = measure_order(range, [&](int parts) { return error_at({0.2, 0.45, 0.7}, parts); });
  // Two terms of the error may cancel at some step, and slopes around it tell nothing: the mean over all of them does.
  const auto [first_steps, first_error] = inside.errors.front();
  const auto [last_steps, last_error] = inside.errors.back();
  const double mean = std::log2(first_error / last_error) / std::log2(static_cast<double>(last_steps) / first_steps);
  require(
      inside.windows < 2 || !inside.agree || !inside.below(claimed) || mean > claimed - 0.5,
      "inside one step from an exact state the error has order {:.2f} and {:.2f}; order {} and interpolation_order {} "
      "mean {} ({})",
      inside.coarse, inside.fine, traits.order, traits.interpolation_order, claimed, errors_text(inside));
}

void dense_order(Subject& subject) {
  on_bench(subject, [&](const MethodCase& method, const char* system) {
    if (system == planar_pendulum_system) skip("methods of the constrained view are read at their steps");
    Bench probe(*subject.host, method, vibration_system);
    if (probe.traits().self_controlled) skip("steps that it chooses itself show no order");
    probe.step(h);
    VectorXd out;
    if (!probe.interpolate(0.4 * h, out)) skip("no dense output; the kernel takes the cubic Hermite polynomial");
    const int order = std::min(probe.traits().order, probe.traits().interpolation_order + 1);
    const auto exact = [](double t) {
      return Eigen::Vector2d(std::cos(2 * t) + std::sin(t / 2) / 3.75,
                             -2 * std::sin(2 * t) + 0.5 * std::cos(t / 2) / 3.75);
    };
    const auto error_of = [&](int steps) {
      Bench bench(*subject.host, method, vibration_system);
      double error = 0;
      const double step = 1.0 / steps;
      for (int i = 0; i < steps; ++i) {
        const double t = bench.t();
        const VectorXd from = bench.y();
        bench.step(step);
        bench.interpolate(t + 0.4 * step, out);
        error = std::max(error, (out - exact(t + 0.4 * step)).norm());
        bench.interpolate(t, out);
        require((out - from).norm() < 1e-9, "dense output misses the begin of its step by {:.1e}", (out - from).norm());
        bench.interpolate(t + step, out);
        require((out - bench.y()).norm() < 1e-9, "dense output misses the end of its step by {:.1e}",
                (out - bench.y()).norm());
      }
      return error;
    };
    require_local_order(*subject.host, method, probe.traits());
    // One problem, and a linear one: it may show more than the method has elsewhere.
    const MeasuredOrder measured = measure_order(OrderRange{4, 512, 1e-11, INFINITY}, error_of);
    require(measured.windows < 2 || (measured.agree && !measured.below(order)),
            "dense output converges with order {:.2f} and {:.2f} in two successive halvings; {} is claimed",
            measured.coarse, measured.fine, order);
  });
}

/// What it says about its stability against what its steps do.
void stability(Subject& subject) {
  for_each_way(subject, [&](const MethodCase& method) {
    const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                ComponentKind::integrator);
    const auto* claim = find_extension<LinearStability>(created.integrator());
    if (claim == nullptr) skip("it makes no claim (LinearStability)");
    const StabilityProbe probe(created.integrator());
    if (!probe.status()) skip("{}", probe.status().what);
    for (int i = 0; i < 40; ++i) {
      const double re = uniform(subject.random, -4, 0.5), im = uniform(subject.random, 0, 4);
      const double said = claim->spectral_radius(re, im), found = probe.spectral_radius({re, im});
      require(std::abs(said - found) < 1e-5 * (1 + said),
              "at h mu = {:.3f} + {:.3f} i it claims a spectral radius of {:.6f}, its steps have {:.6f}", re, im, said,
              found);
    }
  });
}

bool steps_by_own_rule(Subject& subject, const MethodCase& method) {
  const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                              ComponentKind::integrator);
  return find_extension<OwnStepRule>(created.integrator()) != nullptr;
}

/// Steps that it chooses itself: errors follow the tolerance or, for a rule that refuses tolerances or is hardly moved by
/// them, the largest step.
void judge_own_steps(Subject& subject, const MethodCase& method, const OrderProblem& problem, int order) {
  const bool own_rule = steps_by_own_rule(subject, method);
  const double loose = own_rule ? 1 : error_at_tolerance(subject, method, problem, 1e-4),
               tight = own_rule ? 1 : error_at_tolerance(subject, method, problem, 1e-8);
  if (std::abs(tight - loose) < 0.5 * loose && tight > 1e-7) {
    const double coarse = error_at_largest_step(subject, method, problem, 2e-3),
                 fine = error_at_largest_step(subject, method, problem, 5e-4);
    require(fine < coarse * std::pow(4, 0.4 - order) || fine < 1e-9,
            "{}: errors {:.1e} and {:.1e} with max_step 2e-3 and 5e-4, claims order {}", problem.name, coarse, fine,
            order);
    return;
  }
  require(tight < 1e-5, "{}: the error at t = 1 is {:.1e} with rtol 1e-8", problem.name, tight);
  require(tight < loose || tight < 1e-9, "{}: errors {:.1e} and {:.1e} with rtol 1e-4 and 1e-8", problem.name, loose,
          tight);
}

/// On no problem less than the claimed order, and on one of them two windows that show it and no more: some problems show
/// more than a method has.
void judge_order(Subject& subject, const MethodCase& method, const IntegratorTraits& traits, bool constrained) {
  const double claimed = traits.order;
  bool confirmed = false;
  MeasuredOrder lowest;
  for (const OrderProblem& problem : order_problems(traits.view == ViewKind::second_order, constrained)) {
    if (traits.self_controlled) {
      judge_own_steps(subject, method, problem, traits.order);
      continue;
    }
    const MeasuredOrder measured = measure_order(subject, method, problem);
    require(measured.error < 0.1, "{}: the error is {:.1e} at the finest step: it does not converge ({})", problem.name,
            measured.error, errors_text(measured));
    if (measured.windows < 2 && !measured.settled(claimed)) continue;  // at rounding after a halving
    require(
        !measured.below(claimed), "{}: measured order {:.2f} and {:.2f} in two successive halvings, claims {}; {}{}",
        problem.name, measured.coarse, measured.fine, claimed, errors_text(measured),
        traits.implicit ? "; slopes that fall off towards fine steps are those of an iteration that ends too early: "
                          "with Tolerances::fixed_steps it goes on to rounding"
                        : "");
    if (measured.confirms(claimed)) confirmed = true;
    if (lowest.windows == 0 || measured.fine < lowest.fine) lowest = measured;
  }
  require(confirmed || lowest.windows == 0 || !lowest.above(claimed),
          "it claims order {} and shows at least {:.2f} on every problem: the claim is too low", claimed, lowest.fine);
  require(confirmed || lowest.windows == 0,
          "it claims order {}, and on no problem two successive halvings agree on it: at best {:.2f} and {:.2f}; {}",
          claimed, lowest.coarse, lowest.fine, errors_text(lowest));
}

IntegratorTraits traits_of(Subject& subject, const MethodCase& method) {
  return CreatedMethod(*subject.host, integrator_sections(method.json, pendulum_system), ComponentKind::integrator)
      .integrator()
      .traits();
}

void order(Subject& subject) {
  for_each_way(subject, [&](const MethodCase& method) {
    const IntegratorTraits traits = traits_of(subject, method);
    judge_order(subject, method, traits, traits.view == ViewKind::constrained);
  });
}

void order_constrained(Subject& subject) {
  for_each_way(subject, [&](const MethodCase& method) {
    const IntegratorTraits traits = traits_of(subject, method);
    if (!traits.also_constrained) skip("it takes no constrained models, or only those");
    judge_order(subject, method, traits, true);
  });
}

}  // namespace

void add_integrator_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    const Level level = std::string(id).starts_with("math.") ? Level::mathematics : Level::contract;
    checks.push_back({id, level, what, cause, run, needs});
  };
  const char* const attempt = "contract.attempt";
  const char* const alone = "math.reentrant";
  add("contract.traits", "traits() are possible, and the same at every call", "a count left at zero", traits,
      "contract.create");
  add("contract.memory", "attempt writes all outputs and stays inside its memory",
      "memory() counts too few vectors, or an output is added to instead of written", memory, "contract.traits");
  add(attempt, "attempt leaves the state it starts from alone", "the step is taken in place", attempt_is_const,
      "contract.memory");
  add(alone, "two integrations do not disturb each other", "statics used as memory", reentrant, attempt);
  add_expected_step_check(checks);
  add("math.order", "the measured order on four problems is the claimed one",
      "a wrong coefficient, a start or predictor of too low an order, or an iteration that ends before rounding "
      "although steps are fixed",
      order, attempt);
  add("math.order_constrained", "the measured order on four constrained models is the claimed one",
      "constraint rows or multipliers taken at the wrong time", order_constrained, attempt);
  add("math.embedded_order", "the error estimate has the claimed order",
      "a wrong coefficient in the comparison formula", embedded_order, attempt);
  add("math.dense_order", "dense output meets both ends and has the claimed order",
      "theta taken from the wrong end, or a derivative at the end that was not evaluated", dense_order, "math.order");
  add("math.stability", "the claimed spectral radius is that of the steps",
      "coefficients of another method in the claim", stability, attempt);
  add("math.reject", "a rejected attempt leaves no trace", "history shifted in attempt instead of accept", reject,
      alone);
  add("math.rollback", "memory.state holds all that the method remembers", "members or scratch used as memory",
      rollback, alone);
  add("math.restart", "start forgets everything", "a counter or history that start does not clear", restart, alone);
  add("math.correction", "after a correction the next step begins at the corrected state",
      "a cached derivative (first same as last) used although accept said that the state changed", correction, attempt);
  add("math.step_limits", "very small and very large steps end in a state or a failure",
      "division by h, or no check for numbers that are not finite", step_limits, attempt);
  add("math.reverse", "it runs backwards in time", "the absolute value of h, or comparisons that hold for h > 0 only",
      reverse, attempt);
}

}  // namespace trammel::conformance
