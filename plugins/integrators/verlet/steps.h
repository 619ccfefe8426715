// One step of the Verlet family on M^ x'' = Q^(t, x, x'), with fixed-point iterations where x'' depends on x'.
//
// Velocity Verlet (Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76 (1982) 637-649):
//   x_1 = x_0 + h x'_0 + h^2/2 a_0,   x'_1 = x'_0 + h/2 (a_0 + a_1),   a_1 = g(t_1, x_1, x'_1)                    (1)
// Leapfrog, drift, kick, drift:
//   x_m = x_0 + h/2 x'_0,   x'_1 = x'_0 + h g(t_m, x_m, (x'_0 + x'_1)/2),   x_1 = x_m + h/2 x'_1                  (2)
// Beeman (J. Comput. Phys. 20 (1976) 130-139), equidistant:
//   x_1 = x_0 + h x'_0 + h^2/6 (4 a_0 - a_-1),   x'_1 = x'_0 + h/6 (2 a_1 + 5 a_0 - a_-1)                         (3)
// Yoshida (Phys. Lett. A 150 (1990) 262-268): (1) with w_1 h, w_0 h, w_1 h,
//   w_1 = 1 / (2 - 2^(1/3)),   w_0 = 1 - 2 w_1                                                                    (4)
// Central differences in their classical form, with their cancellation in x' (Fernandez de Bustos et al. (2024), Eqs. 4
// to 7):
//   x_2 = 2 x_1 - x_0 + h^2 a_1,   x'_1 = (x_2 - x_0) / (2 h)                                                     (5)
// one step ahead inside, so that x' is known where x is.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/integrator.h"
#include "trammel/sdk/methods/step_history.h"

namespace trammel::verlet {

using Layout = sdk::StateLayout;
using Map = Layout::Map;

struct Flags : sdk::StepFlags {
  explicit Flags(Layout& at)
      : StepFlags(at),
        step_size(at.number()),
        frequency(at.number()),
        tried_frequency(at.number()),
        tried_step(at.number()) {}
  double& step_size;  ///< that of the grid or the one proposed
  double &frequency, &tried_frequency, &tried_step;
};

/// a_0, and a_-1, x one step ahead or the largest recent increments.
struct History {
  History(Layout& at, Index n) : flag(at), vectors(at, 2, n) {}
  Map a(bool tried = false) const { return vectors.vector(0, tried); }
  Map other(bool tried = false) const { return vectors.vector(1, tried); }
  void shift() const { vectors.shift(flag); }

  Flags flag;
  sdk::StepVectors vectors;
};

class Steps {
 public:
  struct Work {
    Work(Layout& at, Index n) : work(at.vector(n)), previous(at.vector(n)), middle(at.vector(n)) {}
    Map work, previous, middle;
  };
  static MemorySize memory(Index n) { return {Layout::size<History>(n), Layout::size<Work>(n)}; }

  Steps(SecondOrderSystem& system, double tolerance, Index n, const Memory& memory, StepResult& result)
      : Steps(system, tolerance, Layout::place<History>(memory.state, n), Layout::place<Work>(memory.scratch, n),
              result) {}

  Status begin(const ConstStateView& state) {
    Map a = history.a();
    const Status status = system_.acceleration(state.t, state.x, state.v, {a.data(), n_});
    history.other() = a;
    return status;
  }

  /// (1) from (x, v) in `next`, whose x and v it replaces; `a` goes from a_0 to a_1.
  Status velocity_verlet(double t_1, double h, const StateView& next, Map& a) {
    next.x.map() += h * (next.v.map() + h / 2 * a);
    previous_ = next.v.map() + h / 2 * a;
    next.v.map() += h * a;
    return velocities(t_1, h / 2, next, a);
  }

  Status leapfrog(const ConstStateView& state, double h, const StateView& next, Map& a) {
    next.x.map() = state.x.map() + h / 2 * state.v.map();
    next.v.map() = state.v.map() + h / 2 * a;  // at the middle
    previous_ = state.v.map();
    const Status status = velocities(state.t + h / 2, h / 2, next, a);
    middle_ = a;
    next.v.map() = state.v.map() + h * middle_;
    next.x.map() += h / 2 * next.v.map();
    return status;
  }

  Status beeman(const ConstStateView& state, double h, const StateView& next, Map& a) {
    const Map a_0 = history.a(), before = history.other();
    next.x.map() = state.x.map() + h * (state.v.map() + h / 6 * (4 * a_0 - before));
    previous_ = state.v.map() + h / 6 * (5 * a_0 - before);
    next.v.map() = state.v.map() + h * a_0;
    return velocities(next.t, h / 3, next, a);
  }

  /// (5): x_1 is in the history, `ahead` becomes x_2.
  Status central_differences(const ConstStateView& state, double h, const StateView& next, Map& a, Map& ahead) {
    next.x.map() = history.other();
    previous_ = (next.x.map() - state.x.map()) / h;  // x'_1 = that + h/2 a_1
    next.v.map() = previous_ + h / 2 * history.a();
    const Status status = velocities(next.t, h / 2, next, a);
    ahead = 2 * next.x.map() - state.x.map() + h * h * a;
    next.v.map() = (ahead - state.x.map()) / (2 * h);
    return status;
  }

  History history;

 private:
  Steps(SecondOrderSystem& system, double tolerance, const History& kept, const Work& work, StepResult& result)
      : history(kept),
        system_(system),
        tolerance_(tolerance),
        n_(static_cast<Index>(work.work.size())),
        work_(work.work),
        previous_(work.previous),
        middle_(work.middle),
        result_(result) {}

  /// a = g(t, x, v), v = previous_ + c a, from the v at hand.
  Status velocities(double t, double c, const StateView& next, Map& a) {
    constexpr int most_iterations = 60;
    Index worst = 0;
    double change = 0;
    for (int i = 0; i < most_iterations; ++i) {
      const Status status = system_.acceleration(t, next.x, next.v, {work_.data(), n_});
      if (!status) return status;
      const bool same = i > 0 && work_ == a;  // x'' does not depend on x'
      a = work_;
      work_ = previous_ + c * a;
      change = (work_ - next.v.map()).cwiseAbs().maxCoeff(&worst);
      const double size = 1e-3 + work_.lpNorm<Eigen::Infinity>();
      next.v.map() = work_;
      ++result_.newton_iterations;
      if (same || change <= tolerance_ * size) return status;
    }
    return Status::failure(StatusCode::not_converged, "velocities", worst, change);
  }

  SecondOrderSystem& system_;
  double tolerance_;
  Index n_;
  Map work_, previous_, middle_;
  StepResult& result_;
};

}  // namespace trammel::verlet
