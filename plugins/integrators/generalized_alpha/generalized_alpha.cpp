// Plugin `generalized_alpha`: integrators `newmark`, `hht`, `hht_i3`, `generalized_alpha` and `wilson_theta`.
#include "forms.h"
#include "trammel/error.h"
#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/math/quintic.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "wilson.h"

namespace trammel::generalized_alpha {

/// Parts of the types; each adds its parameters.
class Method : public Integrator, private CarriesVelocityRows {
 public:
  const void* extension(const char* id) const override { return sdk::offer_extensions<CarriesVelocityRows>(id, this); }
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = s_.weighs_forces ? ViewKind::constrained : ViewKind::second_order;
    traits.also_constrained = !s_.weighs_forces;
    // Weighted forces are of order 2 where the mass matrix is constant, of order 1 with Euler parameters.
    traits.order = s_.weighs_forces ? 1 : s_.order();
    traits.error_order =
        std::abs(s_.error_coefficient()) > 1e-12 ? s_.order() : 0;  // linear acceleration has no estimate
    traits.interpolation_order = 3;
    traits.implicit = true;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<History>(size.n, s_.weighs_forces),
            std::max(Layout::size<ConstrainedForm::Work>(size.n, size.m), Layout::size<SecondOrderForm::Work>(size.n))};
  }
  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).forget();
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = s_.order();
    const auto history = Layout::place<History>(memory.state, state.x.size, s_.weighs_forces);
    const auto step = [&](auto form) {
      if (history.flag.started == 0) result.status = form.begin(state);
      history.flag.started = result.status.ok();
      if (!result.status) return;
      history.shift(h);
      result.status = form.attempt(state, h, next, result);
      if (!result.status || error.size == 0) return;
      estimate(history, h, error);
      result.status = form.keep_to_motion(error.segment(state.x.size, state.x.size));
    };
    if (problem.constrained != nullptr) {
      const auto work = Layout::place<ConstrainedForm::Work>(memory.scratch, state.x.size, state.lambda.size);
      step(ConstrainedForm(s_, problem, state, history, work));
    } else {
      const auto work = Layout::place<SecondOrderForm::Work>(memory.scratch, state.x.size);
      step(SecondOrderForm(s_, problem, history, work));
    }
    return result;
  }
  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).accepted();
  }

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const auto history = Layout::place<History>(memory.state, from.x.size, s_.weighs_forces);
    const Map a_0 = history.a(), a_1 = history.a(true);
    const Index n = from.x.size;
    const double h = to.t - from.t, s = (t - from.t) / h;
    quintic({from.x, from.v, {a_0.data(), n}}, {to.x, to.v, {a_1.data(), n}}, h, s, out.x, out.v, out.a);
    if (out.lambda.size > 0) out.lambda.map() = (1 - s) * from.lambda.map() + s * to.lambda.map();
    return Status::success();
  }

 protected:
  bool carries_velocity_rows(ViewKind view) const override { return view == ViewKind::constrained; }

  Method(Scheme scheme, double tolerance) : s_(scheme) { s_.tolerance = tolerance; }
  ~Method() = default;

 private:
  void estimate(const History& history, double h, VectorView error) const {
    const Index n = static_cast<Index>(error.size / 2);
    const Map a_0 = history.a(), a_1 = history.a(true), before = history.before();
    const double h_0 = history.flag.step_before, C = s_.velocity_coefficient();
    error.segment(0, n).map() = h * h * s_.error_coefficient() * (a_1 - a_0);  // (3)
    if (h_0 != 0) {
      error.segment(n, n).map() = h * s_.first_order_coefficient() * (a_1 - a_0) +
                                  2 * C * h * h * h / (h + h_0) * ((a_1 - a_0) / h - (a_0 - before) / h_0);  // (4)
    } else {
      error.segment(n, n).map() = h * (C + s_.first_order_coefficient()) * (a_1 - a_0);
    }
  }

  Scheme s_;
};

#define TRAMMEL_ITERATION_FIELD(P)                                                                         \
  TRAMMEL_FIELD(P, tolerance, "1", "Relative change of accelerations at which the Newton iteration ends.") \
      .above(0)                                                                                            \
      .otherwise("1e-8")

class Newmark final : public Method {
 public:
  struct Parameters {
    double beta, gamma, tolerance;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, beta, "1", "1/4: mean acceleration; 1/6: linear acceleration.")
                                 .above(0)
                                 .at_most(0.5)
                                 .otherwise("0.25"),
                             TRAMMEL_FIELD(Parameters, gamma, "1", "1/2 for order 2; more damps, with order 1.")
                                 .at_least(0.5)
                                 .at_most(1)
                                 .otherwise("0.5"),
                             TRAMMEL_ITERATION_FIELD(Parameters));
  explicit Newmark(const Parameters& p) : Method({0, 0, p.beta, p.gamma, 0}, p.tolerance) {}
};

class Hht final : public Method {
 public:
  struct Parameters {
    double alpha, tolerance;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, alpha, "1", "Damping of high frequencies: 0 none, -1/3 most.")
                                 .at_least(-1.0 / 3)
                                 .at_most(0)
                                 .otherwise("-0.05"),
                             TRAMMEL_ITERATION_FIELD(Parameters));
  explicit Hht(const Parameters& p) : Method(Scheme::hht(p.alpha), p.tolerance) {}
};

/// HHT with weighted forces, on index-3 systems only.
class HhtI3 final : public Method {
 public:
  using Parameters = Hht::Parameters;
  static constexpr auto parameters = Hht::parameters;
  explicit HhtI3(const Parameters& p) : Method(weighted(p.alpha), p.tolerance) {}

 private:
  static Scheme weighted(double alpha) {
    Scheme s = Scheme::hht(alpha);
    s.weighs_forces = true;
    return s;
  }
};

class GeneralizedAlpha final : public Method {
 public:
  struct Parameters {
    double rho_infinity, tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, rho_infinity, "1", "Spectral radius at infinite frequency: 1 no damping, 0 most.")
          .at_least(0)
          .at_most(1)
          .otherwise("0.9"),
      TRAMMEL_ITERATION_FIELD(Parameters));
  explicit GeneralizedAlpha(const Parameters& p) : Method(Scheme::chung_hulbert(p.rho_infinity), p.tolerance) {}
};

class WilsonTheta final : public Integrator {
 public:
  struct Parameters {
    double theta, tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, theta, "1", "Where equations hold, in steps; unconditionally stable from 1.366 on.")
          .at_least(1)
          .at_most(2)
          .otherwise("1.42"),
      TRAMMEL_ITERATION_FIELD(Parameters));
  explicit WilsonTheta(const Parameters& p) : theta_(p.theta), tolerance_(p.tolerance) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = 2;
    traits.interpolation_order = 3;
    traits.implicit = true;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<History>(size.n), Layout::size<Wilson::Work>(size.n)};
  }
  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).forget();
    return Status::success();
  }
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = 2;
    const auto history = Layout::place<History>(memory.state, state.x.size);
    const auto work = Layout::place<Wilson::Work>(memory.scratch, state.x.size);
    Wilson wilson(theta_, tolerance_, *problem.second_order, history, work);
    result.status = wilson.attempt(state, h, next, result);
    return result;
  }
  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).accepted();
  }

 private:
  double theta_, tolerance_;
};

}  // namespace trammel::generalized_alpha

using namespace trammel::generalized_alpha;

TRAMMEL_PLUGIN("generalized_alpha", "1.0.0", "BSD-3-Clause",
               component<GeneralizedAlpha>(Host::any, "generalized_alpha",
                                           "Generalized-alpha method, order 2, on second-order and index-3 systems.",
                                           "Chung, Hulbert (1993); Arnold, Bruls (2007)"),
               component<Newmark>(Host::any, "newmark", "Newmark's method on second-order and index-3 systems.",
                                  "Newmark, J. Eng. Mech. Div. 85 (1959) 67-94"),
               component<WilsonTheta>(Host::any, "wilson_theta", "Wilson's theta method on second-order systems.",
                                      "Wilson, Farhoomand, Bathe, Earthquake Eng. Struct. Dyn. 1 (1973) 241-252"),
               component<Hht>(Host::any, "hht", "Hilber-Hughes-Taylor method on second-order and index-3 systems.",
                              "Hilber, Hughes, Taylor (1977); Negrut et al. (2007)"),
               component<HhtI3>(Host::any, "hht_i3",
                                "HHT method with weighted forces, as published for index-3 systems.",
                                "Negrut, Rampalli, Ottarsson, Sajdak, J. Comput. Nonlinear Dyn. 2 (2007) 73-85"));
