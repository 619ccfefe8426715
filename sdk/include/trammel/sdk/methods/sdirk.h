// Stiffly accurate SDIRK methods for M^ x'' = Q^(t, x, x'): one implementation for every table.
//
// On y = (x, x') with stage accelerations k_i and stage velocities V_i, g = gamma:
//   V_i = x' + h sum_{j<i} a_ij k_j + h g k_i,   X_i = x + h sum_{j<i} a_ij V_j + h g V_i                          (1)
//   k_i = f(t + c_i h, X_i, V_i)   by simplified Newton iteration in k_i, all stages with the same Pi               (2)
//   x_1 = X_s,  x'_1 = V_s   (a_sj = b_j)                                                                           (3)
// k_i is what the iteration leaves, not a further evaluation of f, which would multiply its error by h times the
// stiffest eigenvalue (Hairer, Wanner, Solving ODEs II, IV.8). That error reaches x_1 with weights b_i / g, up to 30:
// hence the small default of its tolerance; with fixed steps it goes on to rounding. The iteration starts from the polynomial through the accelerations known so
// far, that of the step's start among them.
//
// Error estimate: h sum (b_i - b^_i) (V_i, k_i), filtered by (I - h g f_y)^-1 unless told otherwise: b^ does not vanish
// at infinity. Dense output: (1) with weights b_i(s) over all stages.
//
// No stage lies at the step's start, so that stages and estimate know nothing of a kink or jump before c_1 h. The
// acceleration k_0 there does: it and the interpolant's slope b'(0) differ by
//   D = sum_i b_i'(0) k_i - k_0                                                                                     (4)
// which is O(h^4) for Hairer and Wanner's method where f is smooth. A jump of f before c_1 h is in D as it is, a kink
// at kappa h by kappa h times its change of slope; of x'_1 they make c_1 h D at most, and c_1 / 2 h D: c_1 / 2 h D
// stands in the estimate where it is the larger.
#pragma once

#include "trammel/sdk/field.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/methods/simplified_newton.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

/// `Method`: struct of static constexpr members as Sdirk4 in trammel/sdk/methods/tableaus/sdirk.h.
template <class Method>
class Sdirk final : public Integrator {
  static constexpr int s = Method::stages;
  using Map = SimplifiedNewton::Map;

 public:
  struct Parameters {
    bool error_filter;
    double newton_tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, error_filter, "1", "Multiply the error estimate by (I - h gamma f_y)^-1.")
          .otherwise("true"),
      TRAMMEL_FIELD(
          Parameters, newton_tolerance, "1",
          "Error of the Newton iteration, as a part of the run's tolerances; fixed steps iterate to rounding.")
          .above(0)
          .otherwise("0.001"));

  explicit Sdirk(const Parameters& p) : p_(p) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = Method::order;
    traits.error_order = Method::embedded_order;
    traits.interpolation_order = Method::interpolation_order;
    traits.implicit = true;
    return traits;
  }

  const void* extension(const char* id) const override {
    return offer_extensions<MethodFamily>(id, &implicit_runge_kutta_family);
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {StateLayout::size<Kept>(size.n), StateLayout::size<Work>(size.n)};
  }

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.newton.forget();
    kept.started = 0;
    return Status::success();
  }
  void accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.newton.accepted();
    kept.k_0.map() = kept.k[s - 1];
  }
  /// The acceleration at the step's start stays.
  void reject(const Memory&) const override {}

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    const Index n = state.x.size;
    StepResult result;
    result.h = h;
    result.order = Method::order;
    const Kept kept = kept_in(memory, state);
    if (kept.started == 0) {
      result.status = problem.second_order->acceleration(state.t, state.x, state.v, kept.k_0);
      if (!result.status) return result;
      kept.started = 1;
    }
    Work work = StateLayout::place<Work>(memory.scratch, n);
    SimplifiedNewton newton(problem, state, p_.newton_tolerance, kept.newton, work.newton);
    result.status = newton.attempt(h * Method::gamma, [&] { return stages(newton, state, h, next, kept, work); });
    result.newton_iterations = newton.iterations();
    if (!result.status || error.size == 0) return result;

    Map e_x(error.data, n), e_v(error.data + n, n);
    e_x.setZero(), e_v.setZero();
    for (int i = 0; i < s; ++i) {
      const double e = h * (Method::b[at(i)] - Method::b_hat[at(i)]);
      e_x += e * kept.V[i];
      e_v += e * kept.k[i];
    }
    for (Index j = 0; j < n; ++j) {
      double D = -kept.k_0[j];  // (4)
      for (int i = 0; i < s; ++i) D += Method::d[at(i)][0] * kept.k[i][j];
      const double unseen = Method::c[0] / 2 * h * D;
      if (std::abs(unseen) > std::abs(e_v[j])) e_v[j] = unseen;
    }
    if (p_.error_filter) result.status = newton.filter(e_x, e_v);
    return result;
  }

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Kept kept = kept_in(memory, from);
    const double h = to.t - from.t, part = (t - from.t) / h;
    Map x = out.x.map(), v = out.v.map();
    x = from.x.map(), v = from.v.map();
    for (int i = 0; i < s; ++i) {
      double b = 0;
      for (std::size_t j = 4; j-- > 0;) b = part * (b + Method::d[at(i)][j]);
      x += h * b * kept.V[i];
      v += h * b * kept.k[i];
    }
    return Status::success();
  }

 private:
  struct Kept {
    Kept(StateLayout& at, Index n)
        : newton(at), started(at.number()), k_0(at.vector(n)), k(at.vectors(n, s)), V(at.vectors(n, s)) {}
    SimplifiedNewton::Kept newton;
    double& started;  ///< whether k_0 is known
    VectorView k_0;
    StateLayout::Vectors k, V;
  };
  struct Work {
    Work(StateLayout& at, Index n) : p(at.vector(n)), p_dot(at.vector(n)), newton(at, n) {}
    Map p, p_dot;
    SimplifiedNewton::Work newton;
  };
  static Kept kept_in(const Memory& memory, const ConstStateView& state) {
    return StateLayout::place<Kept>(memory.state, state.x.size);
  }
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr double a(int i, int j) { return Method::a[at(i * (i - 1) / 2 + j)]; }

  static Status stages(SimplifiedNewton& newton, const ConstStateView& state, double h, const StateView& next,
                       const Kept& kept, Work& work) {
    for (int i = 0; i < s; ++i) {
      Map k = kept.k[i];
      guess(kept, i, k);
      work.p = state.x.map(), work.p_dot = state.v.map();  // (1)
      for (int j = 0; j < i; ++j) {
        work.p += h * a(i, j) * kept.V[j];
        work.p_dot += h * a(i, j) * kept.k[j];
      }
      const double t = state.t + Method::c[at(i)] * h;
      const Status status = newton.solve(t, work.p, work.p_dot, k, next.x, next.v);  // (2)
      if (!status) return status;
      kept.V[i] = next.v.map();
    }
    return Status::success();  // (3)
  }

  /// Lagrange's polynomial through the accelerations at 0, c_1 ... c_{i-1}, at c_i.
  static void guess(const Kept& kept, int i, Map& k) {
    const auto node = [](int j) { return j < 0 ? 0.0 : Method::c[at(j)]; };
    k.setZero();
    for (int j = -1; j < i; ++j) {
      double weight = 1;
      for (int l = -1; l < i; ++l) {
        if (l != j) weight *= (node(i) - node(l)) / (node(j) - node(l));
      }
      k += weight * (j < 0 ? kept.k_0.map() : kept.k[j]);
    }
  }

  Parameters p_;
};

}  // namespace trammel::sdk
