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
  using Layout = sdk::StateLayout;
  using Map = Newton::Map;

 public:
  struct Parameters {
    bool error_filter;
    double newton_tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, error_filter, "1", "Multiply the error estimate by (I - h/2 f_y)^-1.")
          .otherwise("true"),
      TRAMMEL_FIELD(
          Parameters, newton_tolerance, "1",
          "Error of the Newton iteration, as a part of the run's tolerances; fixed steps iterate to rounding.")
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
    return {Layout::size<Kept>(size.n), Layout::size<Work>(size.n)};
  }

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.newton.forget();
    kept.known = kept.step_before = 0;
    return Status::success();
  }
  void accept(const Problem&, const ConstStateView& state, bool changed, const Memory& memory) const override {
    Kept kept = kept_in(memory, state);
    kept.newton.accepted();
    kept.known = changed ? 0 : 2;
    kept.step_before = kept.tried_step;
    kept.before = kept.now;
  }
  /// a_-1 and a_0 stay.
  void reject(const Memory&) const override {}

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    Kept kept = kept_in(memory, state);
    Work work = Layout::place<Work>(memory.scratch, state.x.size);
    StepResult result;
    result.h = kept.tried_step = h;
    result.order = 2;
    Map &a_0 = kept.now, &a_1 = kept.end;
    if (kept.known == 0) {
      result.status = problem.second_order->acceleration(state.t, state.x, state.v, {a_0.data(), state.x.size});
    } else if (kept.known == 2) {
      a_0 = a_1;  // of the step before
    }
    if (!result.status) return result;
    kept.known = 1;

    Newton newton(problem, state, p_.newton_tolerance, kept.newton, work.newton);
    work.p_dot = state.v.map() + h / 2 * a_0;
    work.p = state.x.map() + h / 2 * state.v.map();
    result.status = newton.attempt(h / 2, [&] {
      a_1 = a_0;
      return newton.solve(state.t + h, work.p, work.p_dot, a_1, next.x, next.v);  // (1)
    });
    result.newton_iterations = newton.iterations();
    if (result.status && error.size > 0)
      result.status = estimate(newton, *problem.second_order, state, h, error, kept, work);
    return result;
  }

  /// x: cubic Hermite polynomial; x': the integral of the line through a_0 and a_1.
  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Kept kept = kept_in(memory, from);
    const double h = to.t - from.t, s = (t - from.t) / h;
    cubic({from.x, from.v}, {to.x, to.v}, h, s, out.x);
    out.v.map() = from.v.map() + h * s * ((1 - s / 2) * kept.now + s / 2 * kept.end);
    return Status::success();
  }

 private:
  struct Kept {
    Kept(Layout& at, Index n)
        : newton(at),
          known(at.number()),
          step_before(at.number()),
          tried_step(at.number()),
          before(at.vector(n)),
          now(at.vector(n)),
          end(at.vector(n)) {}
    Newton::Kept newton;
    double& known;                     ///< a_0 is 0 unknown, 1 known, 2 the a_1 of the step before
    double &step_before, &tried_step;  ///< 0: none
    Map before, now, end;              ///< a_-1, a_0, a_1
  };
  struct Work {
    Work(Layout& at, Index n) : p(at.vector(n)), p_dot(at.vector(n)), rise(at.vector(n)), newton(at, n) {}
    Map p, p_dot, rise;
    Newton::Work newton;
  };
  static Kept kept_in(const Memory& memory, const ConstStateView& state) {
    return Layout::place<Kept>(memory.state, state.x.size);
  }

  Status estimate(Newton& newton, SecondOrderSystem& system, const ConstStateView& state, double h, VectorView error,
                  const Kept& kept, Work& work) const {
    const Index n = state.x.size;
    const Map &a_0 = kept.now, &a_1 = kept.end;
    Map e_x(error.data, n), e_v(error.data + n, n);
    Map &r = work.p, &image = work.p_dot, &rise = work.rise;  // those of the iteration have served
    rise = a_1 - a_0;
    e_x = h * h / 12 * rise;
    if (const double h_0 = kept.step_before; h_0 != 0) {
      e_v = h * h * h / 6 * (rise / h - (a_0 - kept.before) / h_0) / (h + h_0);  // (2)
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
