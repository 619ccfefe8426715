// Plugin `trapezoidal`: the implicit trapezoidal rule on M^ x'' = Q^(t, x, x').
//
//   x'_1 = x' + h/2 (a_0 + a_1),   x_1 = x + h/2 (x' + x'_1),   a_1 = f(t_1, x_1, x'_1)                            (1)
// Its local error is -h^3/12 y''', y = (x, x'). The estimate takes x''' from a_0, a_1 and x'''' from the accelerations
// of two steps (L. F. Shampine, M. W. Reichelt, SIAM J. Sci. Comput. 18 (1997) estimate theirs in ode23t in this way):
//   e_x = h^2/12 (a_1 - a_0),   e_x' = h^3/6 a[t_-1, t_0, t_1]                                                     (2)
// and in the first step, where there is no a_-1, from the derivative of f along the solution, a_0' = f_t + J1 x' + J2
// a_0:
//   e_x' = h/6 (a_1 - a_0 - h a_0')                                                                                 (3)
// Stiff components make (3) h f_y times too large: it is always filtered by (I - h/2 f_y)^-1, (2) on request.
#include "trammel/math/cubic.h"
#include "trammel/sdk/methods/simplified_newton.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Trapezoidal final : public Integrator {
  using Newton = sdk::SimplifiedNewton;
  using Map = Newton::Map;

 public:
  struct Parameters {
    bool error_filter;
    double newton_tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, error_filter, "1", "Multiply the error estimate by (I - h/2 f_y)^-1.")
          .otherwise("true"),
      TRAMMEL_FIELD(Parameters, newton_tolerance, "1",
                    "Error of the Newton iteration, as a part of the run's tolerances.")
          .above(0)
          .otherwise("0.01"));

  explicit Trapezoidal(const Parameters& p) : p_(p) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = traits.error_order = traits.interpolation_order = 2;
    traits.implicit = true;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {flags + 3 * size.n, 3 * size.n + Newton::scratch_size(size.n)};
  }

  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Newton::forget(memory.state);
    memory.state[known] = memory.state[step_before] = 0;
    return Status::success();
  }
  void accept(const Problem&, const ConstStateView& state, bool changed, const Memory& memory) const override {
    Newton::accepted(memory.state);
    const Index n = state.x.size;
    memory.state[known] = changed ? 0 : 2;
    memory.state[step_before] = memory.state[tried_step];
    before(memory, n) = now(memory, n);
  }
  /// a_-1 and a_0 stay.
  void reject(const Memory&) const override {}

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView error,
                     const Memory& memory) const override {
    const Index n = state.x.size;
    StepResult result;
    result.h = memory.state[tried_step] = h;
    result.order = 2;
    Map a_0 = now(memory, n), a_1 = end(memory, n), p(memory.scratch, n), p_dot(memory.scratch + n, n);
    if (memory.state[known] == 0) {
      result.status = problem.second_order->acceleration(state.t, state.x, state.v, {a_0.data(), n});
    } else if (memory.state[known] == 2) {
      a_0 = a_1;  // of the step before
    }
    if (!result.status) return result;
    memory.state[known] = 1;

    Newton newton(problem, state, p_.newton_tolerance, memory.state, memory.scratch + 3 * n);
    p_dot = state.v.map() + h / 2 * a_0;
    p = state.x.map() + h / 2 * state.v.map();
    result.status = newton.attempt(h / 2, [&] {
      a_1 = a_0;
      return newton.solve(state.t + h, p, p_dot, a_1, next.x, next.v);  // (1)
    });
    result.newton_iterations = newton.iterations();
    if (result.status && error.size > 0)
      result.status = estimate(newton, *problem.second_order, state, h, error, memory);
    return result;
  }

  /// x: cubic Hermite polynomial; x': the integral of the line through a_0 and a_1.
  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t, const StateView& out,
                     const Memory& memory) const override {
    const Index n = from.x.size;
    const double h = to.t - from.t, s = (t - from.t) / h;
    const Map a_0 = now(memory, n), a_1 = end(memory, n);
    cubic({from.x, from.v}, {to.x, to.v}, h, s, out.x);
    out.v.map() = from.v.map() + h * s * ((1 - s / 2) * a_0 + s / 2 * a_1);
    return Status::success();
  }

 private:
  // memory.state: [what Newton remembers, state of a_0 (0 unknown, 1 known, 2 the a_1 of the step before), the step
  // before (0: none) and that of the attempt, a_-1, a_0, a_1]
  enum : Index { known = Newton::state_size, step_before, tried_step, flags };
  static Map before(const Memory& memory, Index n) { return Map(memory.state + flags, n); }
  static Map now(const Memory& memory, Index n) { return Map(memory.state + flags + n, n); }
  static Map end(const Memory& memory, Index n) { return Map(memory.state + flags + 2 * n, n); }

  Status estimate(Newton& newton, SecondOrderSystem& system, const ConstStateView& state, double h, VectorView error,
                  const Memory& memory) const {
    const Index n = state.x.size;
    const Map a_0 = now(memory, n), a_1 = end(memory, n);
    Map e_x(error.data, n), e_v(error.data + n, n), r(memory.scratch, n), image(memory.scratch + n, n),
        rise(memory.scratch + 2 * n, n);
    rise = a_1 - a_0;
    e_x = h * h / 12 * rise;
    if (const double h_0 = memory.state[step_before]; h_0 != 0) {
      e_v = h * h * h / 6 * (rise / h - (a_0 - before(memory, n)) / h_0) / (h + h_0);  // (2)
      return p_.error_filter ? newton.filter(e_x, e_v) : Status::success();
    }
    // (3): the Jacobians at hand are those of the state that the method started from.
    Status status = system.time_gradient({r.data(), n});
    if (status) status = system.apply_J1(state.v, {image.data(), n});
    r += image;
    if (status) status = system.apply_J2({a_0.data(), n}, {image.data(), n});
    r += image;
    if (status) status = system.apply_mass({rise.data(), n}, {image.data(), n});
    if (!status) return status;
    r = h / 6 * (image - h * r);
    return newton.filter(e_x, e_v, r);
  }

  Parameters p_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("trapezoidal", "1.0.0", "BSD-3-Clause",
               component<Trapezoidal>(Host::any, "trapezoidal",
                                      "Implicit trapezoidal rule, order 2, A-stable, simplified Newton iteration.",
                                      "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.3"));
