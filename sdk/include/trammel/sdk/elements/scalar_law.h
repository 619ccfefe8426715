// The law of a force along one scalar coordinate: linear, tabulated or a formula, with derivatives and energy account.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trammel/error.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/force.h"
#include "trammel/function.h"
#include "trammel/parameters.h"
#include "trammel/sdk/elements/law_signals.h"
#include "trammel/sdk/math/dual.h"
#include "trammel/sdk/math/panels.h"
#include "trammel/sdk/math/quadrature.h"
#include "trammel/text/expression.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), Eqs. 7.5.8 to 7.5.12 (constant x0):
// coordinate x (a length or an angle), rate r = x', stretch s = x - x0(t), spring law F_s, damper law F_d, formula F_g:
//
//   E(x, t)    = k s + F_s(s) + F_g(x, 0, t)                         the elastic part                               (1)
//   F(x, r, t) = [E + c r + F_c tanh(r/r_c) + F_d(r) + F_g(x, r, t) - F_g(x, 0, t)]   [.] clamps where one-sided    (2)
//   V(x, t)    = integral of [E] over x at fixed t                                                                  (3)
//
// The power -F r that the element gives to the bodies is -dV/dt - (F - [E]) r + V_t: the rate-dependent part is
// dissipation (negative where a law drives), V_t is what the schedule of x0 and the formula's t put in from outside.
//   two-sided:  V = k s^2 / 2 + int_0^s F_s + int_ref^x F_g(., 0, t),   V_t = -(k s + F_s) x0' + int_ref^x F_g,t    (4)
//   one-sided:  V = int_0^s [k s + F_s] with V_t = -[k s + F_s] x0', or, with a formula,
//               V = int_ref^x [E] with V_t the integral of E_t where [E] = E                                        (5)
// A formula that names signals has no potential, for they depend on anything: its power -F_g r is work, that of a
// one-sided force -F r.
// F_s gives its integral in closed form where it knows it, everything else is integrated numerically to rounding.
namespace trammel::sdk {

/// "none|compression|tension".
enum class Side : std::int32_t { both, compression, tension };

/// The shared keys; elements name them in their own tables, with their units.
struct LawKeys {
  double stiffness;
  double damping;
  FunctionRef spring;     ///< over the stretch
  FunctionRef damper;     ///< over the rate
  Text law;               ///< over coordinate, rate and t
  double friction;        ///< F_c of dry friction
  double friction_speed;  ///< r_c: at twice this rate friction is within 4 % of F_c
};

/// F and its derivatives.
struct LawTerms {
  double F = 0, F_x = 0, F_r = 0, F_t = 0;
};

class ScalarLaw {
 public:
  /// Its functions of the state: over the stretch, over the rate.
  static constexpr Index state_functions = 2;
  const Function* state_function(Index i) const { return i == 0 ? spring_ : damper_; }
  /// [step] Their arguments. Rates of 0: no step is bounded where a break point is expected, it ends where one is
  /// passed.
  Status arguments(double x, double r, double t, double* value, double* rate) const {
    double x0 = 0;
    const Status status = free_coordinate(t, 0, &x0);
    value[0] = x - x0, value[1] = r, rate[0] = rate[1] = 0;
    return status;
  }

  /// [step] (2) for StateLaws: what may have narrow features, as one law of one argument.
  Index law_count() const {
    return spring_ != nullptr || damper_ != nullptr || formula_ || side_ != Side::both ? 1 : 0;
  }
  Status law(const double* x, const double* r, double t, double* force) const {
    LawTerms whole;
    const Status status = evaluate(*x, *r, t, false, whole);
    *force = whole.F;
    return status;
  }
  Status law_bounds(const StateLaws::Box& box, double* force) const {
    const Interval F = law_range({*box.x[0], *box.x[1]}, {*box.rate[0], *box.rate[1]}, {box.t[0], box.t[1]});
    force[0] = F.low, force[1] = F.high;
    return Status::success();
  }

  /// [setup] Names of the switching functions: where a one-sided force begins and ends, and those of the formula.
  template <class Switches>
  void list_switches(Switches& out) const {
    if (side_ != Side::both) out.add("one_sided");
    if (formula_) out.add("law", *formula_);
  }
  /// [step] Their values.
  Status switches(double x, double r, double t, double* out) const {
    if (side_ != Side::both) {
      LawTerms whole;
      if (unclamped(x, r, t, false, whole)) *out = whole.F;
      ++out;
    }
    double values[most_variables];
    const Status status = formula_ ? arguments(x, r, t, values) : Status::success();
    if (status && formula_) formula_->switches(values, out);
    return status;
  }

  /// `free`: x0(t); null: zero. `model`: whose signals formulas may name. `names`: of the coordinate in formulas, beside
  /// `rate` and `t`. `reference`: x in the initial configuration, from where F_g is integrated.
  ScalarLaw(const LawKeys& keys, FunctionRef free, Side side, std::vector<std::string> names, double reference,
            const ModelInfo& model)
      : k_(keys.stiffness),
        c_(keys.damping),
        friction_(keys.friction),
        friction_speed_(keys.friction_speed),
        free_(free),
        spring_(keys.spring),
        damper_(keys.damper),
        side_(side),
        coordinate_names_(names.size()),
        reference_(reference) {
    names.emplace_back("rate"), names.emplace_back("t");
    if (keys.law.given()) formula_ = signals_.compile("law", keys.law.view(), std::move(names), model);
    if (spring_ == nullptr) return;
    integral_ = find_extension<FunctionIntegral>(*spring_);
    bounds_ = find_extension<FunctionBounds>(*spring_);
    switches_ = find_extension<FunctionSwitches>(*spring_);
    // A table of lengths need not reach down to zero.
    double value = 0, x0 = 0;
    if (!spring_->evaluate(0, 0, &value) && free_coordinate(0, 0, &x0)) start_ = reference - x0;
  }

  /// [hot] (2); of the derivatives all or none.
  Status evaluate(double x, double r, double t, bool derivatives, LawTerms& out) const {
    const Status status = unclamped(x, r, t, derivatives, out);
    if (!active(out.F)) out = {};
    return status;
  }

  /// [hot] (1) with its derivatives, not clamped.
  Status elastic(double x, double t, bool derivatives, LawTerms& out) const {
    double x0[2] = {0, 0}, value[2] = {0, 0};
    Status status = free_coordinate(t, derivatives ? 1 : 0, x0);
    const double s = x - x0[0];
    if (status && spring_ != nullptr) status = spring_->evaluate(s, derivatives ? 1 : 0, value);
    LawTerms g;
    if (status && formula_) status = formula(x, 0, t, derivatives, g);
    const double slope = k_ + value[1];
    out = {k_ * s + value[0] + g.F, slope + g.F_x, 0, -slope * x0[1] + g.F_t};
    return status;
  }

  /// [step] Adds (4) or (5).
  Status energy(double x, double r, double t, ForceEnergy& energy) const {
    LawTerms law, e;
    double V = 0, V_t = 0;
    Status status = evaluate(x, r, t, false, law);
    if (signals_.any()) return status ? energy_with_signals(x, r, t, law.F, energy) : status;
    if (status) status = elastic(x, t, false, e);
    if (status) status = potential(x, t, V, V_t);
    energy.potential += V, energy.work += V_t;
    energy.dissipation += (law.F - clamped(e.F)) * r;
    return status;
  }

  /// Its formula names signals.
  bool reads_signals() const { return signals_.any(); }
  /// Whether this force acts, on its side.
  bool active(double F) const { return side_ == Side::both || (side_ == Side::compression ? F <= 0 : F >= 0); }
  /// [step] Whether (2) acts here.
  bool acts(double x, double r, double t) const {
    LawTerms whole;
    return side_ == Side::both || (unclamped(x, r, t, false, whole).ok() && active(whole.F));
  }

 private:
  Status energy_with_signals(double x, double r, double t, double F, ForceEnergy& energy) const {
    if (side_ != Side::both) {
      energy.work -= F * r;
      return Status::success();
    }
    double x0[2] = {0, 0}, V = 0, F_s = 0;
    LawTerms g;
    Status status = free_coordinate(t, 1, x0);
    if (status) status = stretched(x - x0[0], V, F_s);
    if (status) status = formula(x, r, t, false, g);
    energy.potential += V, energy.work -= F_s * x0[1] + g.F * r;
    energy.dissipation += (F - F_s - g.F) * r;
    return status;
  }
  Status free_coordinate(double t, int order, double* x0) const {
    return free_ != nullptr ? free_->evaluate(t, order, x0) : Status::success();
  }
  double clamped(double F) const { return active(F) ? F : 0; }

  /// (2) without the clamp.
  Status unclamped(double x, double r, double t, bool derivatives, LawTerms& out) const {
    LawTerms e;
    Status status = elastic(x, t, derivatives, e);
    out = e;
    out.F += c_ * r, out.F_r += c_;
    if (friction_ > 0) {
      const double share = std::tanh(r / friction_speed_);
      out.F += friction_ * share, out.F_r += friction_ * (1 - share * share) / friction_speed_;
    }
    double value[2] = {0, 0};
    if (status && damper_ != nullptr) status = damper_->evaluate(r, derivatives ? 1 : 0, value);
    out.F += value[0], out.F_r += value[1];
    if (status && formula_ && formula_->uses(coordinate_names_)) {  // the elastic part has F_g at rate zero
      LawTerms moving, still;
      status = formula(x, r, t, derivatives, moving);
      if (status) status = formula(x, 0, t, derivatives, still);
      out.F += moving.F - still.F, out.F_x += moving.F_x - still.F_x;
      out.F_r += moving.F_r, out.F_t += moving.F_t - still.F_t;
    }
    return status;
  }

  /// F_g and its derivatives.
  Status formula(double x, double r, double t, bool derivatives, LawTerms& out) const {
    if (derivatives) {
      using D = Dual<double, 3>;
      D values[most_variables];
      const Status status = arguments(x, r, t, values);
      if (!status) return status;
      const D F = formula_->evaluate(values);
      out = {F.v, F.d[0], F.d[1], F.d[2]};
    } else {
      double values[most_variables];
      const Status status = arguments(x, r, t, values);
      if (!status) return status;
      out = {formula_->evaluate(values), 0, 0, 0};
    }
    if (std::isfinite(out.F) && std::isfinite(out.F_x) && std::isfinite(out.F_r) && std::isfinite(out.F_t)) {
      return Status::success();
    }
    return Status::failure(StatusCode::out_of_domain, "a force law has no finite value or derivative here", -1, x);
  }
  template <class T>
  Status arguments(double x, double r, double t, T* values) const {
    for (std::size_t n = 0; n < coordinate_names_; ++n) values[n] = variable<T>(x, 0);
    values[coordinate_names_] = variable<T>(r, 1), values[coordinate_names_ + 1] = variable<T>(t, 2);
    return signals_.values(values[coordinate_names_ + 1], values + coordinate_names_ + 2);
  }
  template <class T>
  static T variable(double value, int index) {
    T v(value);
    if constexpr (!std::is_same_v<T, double>) v.d[index] = 1;
    return v;
  }

  Status potential(double x, double t, double& V, double& V_t) const {
    double x0[2] = {0, 0};
    Status status = free_coordinate(t, 1, x0);
    if (!status) return status;
    V = V_t = 0;
    const bool one_sided = side_ != Side::both;
    if (!formula_ || !one_sided) {
      double F = 0;
      status = stretched(x - x0[0], V, F);
      V_t = -F * x0[1];
      if (!status || !formula_) return status;
    }
    const auto terms = [&](double at, bool derivatives, LawTerms& out) {
      return one_sided ? elastic(at, t, derivatives, out) : formula(at, 0, t, derivatives, out);
    };
    const auto part = [&](bool by_time) {
      return [&terms, by_time](double at, double& value) {
        LawTerms e;
        const Status found = terms(at, by_time, e);
        value = by_time ? e.F_t : e.F;
        return found;
      };
    };
    const auto acts = [&](double at, bool& flag) {
      LawTerms e;
      const Status found = elastic(at, t, false, e);
      flag = active(e.F);
      return found;
    };
    const auto force = [&](double at, double& value) {
      LawTerms e;
      const Status found = terms(at, false, e);
      value = clamped(e.F);
      return found;
    };
    const auto range = [&](double low, double high) {
      Interval F = formula_range(low, high, t);
      if (one_sided) F = clamped(F + stretched_range(low - x0[0], high - x0[0]));
      return F;
    };
    const bool in_time = one_sided || formula_->uses(coordinate_names_ + 1);
    const auto integral = [&](bool by_time, double a, double b, double& value) {
      return one_sided ? integrate_where(acts, part(by_time), a, b, value, panel_samples)
                       : integrate(part(by_time), a, b, value);
    };
    const bool without_bounds = one_sided && spring_ != nullptr && bounds_ == nullptr;
    const auto sides = [&](double at) {
      double values[most_variables], out[most_switches] = {};
      if (formula_->switches() <= most_switches && arguments(at, 0, t, values).ok()) formula_->switches(values, out);
      return signs(out);
    };
    return see(without_bounds, force, range, sides, reference_, x, [&](double a, double b) {
      double work = 0, rate = 0;
      Status found = integral(false, a, b, work);
      if (found && in_time) found = integral(true, a, b, rate);
      V += work, V_t += rate;
      return found;
    });
  }

  /// V and F of [k s + F_s].
  Status stretched(double s, double& V, double& F) const {
    if (spring_ == nullptr) {
      F = clamped(k_ * s), V = 0.5 * F * s;
      return Status::success();
    }
    const auto force = [&](double at, double& value) {
      const Status found = spring_->evaluate(at, 0, &value);
      value += k_ * at;
      return found;
    };
    const auto clamped_force = [&](double at, double& value) {
      const Status found = force(at, value);
      value = clamped(value);
      return found;
    };
    const Status status = clamped_force(s, F);
    if (!status) return status;
    const bool one_sided = side_ != Side::both;
    if (!one_sided && integral_ != nullptr) {
      double begin = 0, end = 0;
      const Status found = integral_->antiderivative(start_, &begin);
      V = 0.5 * k_ * s * s - begin;
      if (!found || !integral_->antiderivative(s, &end)) return found;
      V += end;
      return found;
    }
    const auto acts = [&](double at, bool& flag) {
      double value = 0;
      const Status found = force(at, value);
      flag = active(value);
      return found;
    };
    V = 0;
    const auto range = [&](double low, double high) { return clamped(stretched_range(low, high)); };
    const auto sides = [&](double at) {
      double out[most_switches] = {};
      if (switches_ != nullptr && switches_->switch_count() <= most_switches) switches_->switch_values(at, out);
      return signs(out);
    };
    return see(bounds_ == nullptr, clamped_force, range, sides, start_, s, [&](double a, double b) {
      double work = 0;
      const Status found =
          one_sided ? integrate_where(acts, force, a, b, work, panel_samples) : integrate(force, a, b, work);
      V += work;
      return found;
    });
  }

  /// Integrals run from where the law began to where it is now, which may be far off, past narrow features and kinks.
  template <class F, class Range, class Sides, class Visit>
  static Status see(bool without_bounds, const F& f, const Range& range, const Sides& sides, double a, double b,
                    const Visit& visit) {
    const auto parts = [&](double from, double to) { return visit_sides(sides, from, to, visit); };
    return without_bounds ? visit_octaves(a, b, parts) : visit_panels(f, range, a, b, parts);
  }
  static std::uint32_t signs(const double* values) {
    std::uint32_t bits = 0;
    for (int i = 0; i < most_switches; ++i) bits |= std::uint32_t(values[i] > 0) << i;
    return bits;
  }
  Interval clamped(const Interval& F) const {
    if (side_ == Side::both) return F;
    return side_ == Side::compression ? Interval(std::min(F.low, 0.0), std::min(F.high, 0.0))
                                      : Interval(std::max(F.low, 0.0), std::max(F.high, 0.0));
  }
  /// Of k s + F_s for stretches, and of F_g at rate zero for coordinates.
  Interval stretched_range(double low, double high) const {
    Interval F(k_ * low, k_ * high);
    if (spring_ == nullptr) return F;
    double range[2];
    if (bounds_ == nullptr || !bounds_->bounds(low, high, range)) return Interval::everything();
    return F + Interval(range[0], range[1]);
  }
  Interval law_range(const Interval& x, const Interval& rate, const Interval& t) const {
    const Interval x0 = free_ == nullptr ? Interval(0.0) : function_range(*free_, t);
    Interval F = stretched_range(x.low - x0.high, x.high - x0.low);
    if (c_ > 0) F = F + Interval(c_) * rate;
    if (friction_ > 0) F = F + Interval(friction_) * tanh(rate / Interval(friction_speed_));
    if (damper_ != nullptr) F = F + function_range(*damper_, rate);
    return clamped(formula_ ? F + formula_range(x.low, x.high, t, rate) : F);
  }
  static Interval function_range(const Function& f, const Interval& x) {
    const auto* bounds = find_extension<FunctionBounds>(f);
    double range[2];
    if (bounds == nullptr || !bounds->bounds(x.low, x.high, range)) return Interval::everything();
    return {range[0], range[1]};
  }
  Interval formula_range(double low, double high, const Interval& t, const Interval& rate = 0.0) const {
    Interval values[most_variables];
    for (std::size_t n = 0; n < coordinate_names_; ++n) values[n] = Interval(low, high);
    values[coordinate_names_] = rate, values[coordinate_names_ + 1] = t;
    signals_.ranges(t, values + coordinate_names_ + 2);
    return range_of(*formula_, values);
  }

  static constexpr std::size_t most_variables = 2 + 2 + LawSignals::most;
  static constexpr int most_switches = 32;  ///< that are looked at where a law is integrated
  static constexpr int panel_samples = 8;   ///< of one-sided laws, for where they begin to act

  double k_, c_, friction_, friction_speed_;
  FunctionRef free_, spring_, damper_;
  const FunctionIntegral* integral_ = nullptr;
  const FunctionBounds* bounds_ = nullptr;      ///< of F_s
  const FunctionSwitches* switches_ = nullptr;  ///< of F_s
  Side side_;
  LawSignals signals_;
  std::optional<Expression> formula_;
  std::size_t coordinate_names_;
  double reference_;  ///< of F_g's integral
  double start_ = 0;  ///< of F_s's integral, a stretch
};

/// [step] The law of a length l over x = l^2 and x' = 2 l l', for StateLaws.
inline Status law_of_square(const ScalarLaw& law, const double* x, const double* rate, double t, double* force) {
  const double l = std::sqrt(std::max(*x, 0.0)), r = l > 0 ? *rate / (2 * l) : 0;
  return law.law(&l, &r, t, force);
}
inline Status bounds_of_square(const ScalarLaw& law, const StateLaws::Box& box, double* force) {
  const double low = std::sqrt(std::max(*box.x[0], 0.0)), high = std::sqrt(std::max(*box.x[1], 0.0));
  // Where the length may vanish nothing bounds l'; the elastic part is looked for there.
  const Interval r = low > 0 ? Interval(*box.rate[0], *box.rate[1]) / Interval(2 * low, 2 * high) : Interval(0.0);
  return law.law_bounds({{&low, &high}, {&r.low, &r.high}, {box.t[0], box.t[1]}}, force);
}

}  // namespace trammel::sdk
