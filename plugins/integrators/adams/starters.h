// How a method on an equidistant grid gets its first points.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "formula.h"
#include "trammel/sdk/methods/explicit_runge_kutta.h"
#include "trammel/sdk/methods/tableaus/dopri853.h"
#include "trammel/sdk/methods/tableaus/embedded.h"

namespace trammel::adams {

/// What a start had to do, for the summary.
struct StartReport {
  double short_steps = 0;  ///< Runge-Kutta steps
  double tolerance = 0;    ///< largest local error tolerated
};

/// Short steps of an explicit Runge-Kutta method in place of one long one.
template <class Tableau>
class ShortSteps {
 public:
  using Method = sdk::ExplicitRungeKutta<Tableau>;

  /// The running state and the method's memory, a part of memory.scratch; none where such steps are not `wanted`.
  struct Work {
    Work(Layout& at, Index n, bool wanted)
        : x(at.vector(wanted ? n : 0)),
          error(at.vector(wanted ? n : 0)),
          memory(at.memory(wanted ? Method().memory({n, 0}) : MemorySize())) {}
    VectorView x, error;
    Memory memory;
  };

  /// `count` steps of h / count.
  Status fixed(int count, const Problem& problem, const ConstStateView& state, double h, const StateView& next,
               const Work& work) const {
    Run run(*this, problem, state, work);
    Status status = run.status;
    for (int i = 1; i <= count && status; ++i) {
      status = run.attempt(state.t + h * i / count, h / count, next);
      if (status) run.take(next);
    }
    return status;
  }

  /// Steps with a local error of `tolerance`, or of a few roundings where that is larger.
  Status controlled(double tolerance, const Problem& problem, const ConstStateView& state, double h,
                    const StateView& next, const Work& work, StartReport& report) const {
    constexpr int most = 20000;
    constexpr double first_share = 1.0 / 16, safety = 0.9, least = 0.2, largest = 4;
    constexpr double a_few_roundings = 4 * 2.2e-16;  // four times epsilon, but for the bits of results so far
    Run run(*this, problem, state, work);
    const double end = state.t + h;
    double short_h = h * first_share;
    for (int i = 0; i < most && run.status; ++i) {
      const double left = end - run.from.t;
      const bool last = std::abs(short_h) >= std::abs(left) * (1 - 1e-9);
      const double taken = last ? left : short_h;
      const Status status = run.attempt(last ? end : run.from.t + taken, taken, next);
      if (!status) return status;
      double error = 0;
      for (Index k = 0; k < next.x.size; ++k) {
        const double rounding = a_few_roundings * std::max(std::abs(run.from.x[k]), std::abs(next.x[k]));
        const double allowed = std::max(tolerance, rounding);
        report.tolerance = std::max(report.tolerance, allowed);
        error = std::max(error, std::abs(run.error[k]) / allowed);
      }
      ++report.short_steps;
      short_h = taken * std::clamp(safety * std::pow(error, -1.0 / (Tableau::order + 1)), least, largest);
      if (error > 1) {
        run.repeat();
        continue;
      }
      run.take(next);
      if (last) return Status::success();
    }
    return run.status ? Status::failure(StatusCode::not_converged, "the starting procedure needs too many short steps")
                      : run.status;
  }

 private:
  struct Run {
    Run(const ShortSteps& owner, const Problem& problem_, const ConstStateView& state, const Work& work)
        : method(owner.method_), problem(problem_), error(work.error), memory(work.memory) {
      from.t = state.t;
      from.x = work.x;
      from.x.map() = state.x.map();
      status = method.start(problem, from, memory);
    }
    Status attempt(double t, double h, StateView to) {
      to.t = t_to = t;
      return method.attempt(problem, from, h, to, error, memory).status;
    }
    void take(const ConstStateView& to) {
      from.x.map() = to.x.map();
      from.t = t_to;
      method.accept(problem, from, false, memory);
    }
    void repeat() { method.reject(memory); }

    const Method& method;
    const Problem& problem;
    StateView from;
    VectorView error;
    Memory memory;
    Status status;
    double t_to = 0;
  };

  Method method_;
};

using EighthOrderSteps = ShortSteps<sdk::tableaus::Dopri853>;
using FehlbergSteps = ShortSteps<sdk::tableaus::Fehlberg45>;

}  // namespace trammel::adams
