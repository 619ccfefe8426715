// Plugin `verlet`: `velocity_verlet`, `leapfrog`, `beeman`, `yoshida4`, `central_differences`, `park_underwood` and,
// with constraints, `rattle`.
#include "park_underwood.h"
#include "rattle.h"
#include "steps.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/math/quintic.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::verlet {

enum class Kind { velocity_verlet, leapfrog, beeman, yoshida4, central_differences };

struct Parameters {
  double tolerance;
};
inline constexpr auto table =
    sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, tolerance, "1",
                                         "Relative change at which iterations end, where forces depend on velocities.")
                               .above(0)
                               .otherwise("1e-10"));

template <Kind kind>
class Method final : public Integrator {
  static constexpr bool equidistant = kind == Kind::beeman || kind == Kind::central_differences;

 public:
  using Parameters = verlet::Parameters;
  static constexpr auto parameters = table;
  explicit Method(const Parameters& p) : tolerance_(p.tolerance) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = kind == Kind::yoshida4 ? 4 : 2;
    traits.interpolation_order = kind == Kind::yoshida4 ? 4 : 3;
    traits.variable_step = !equidistant;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override { return Steps::memory(size.n); }
  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).forget();
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = traits().order;
    Steps steps(*problem.second_order, tolerance_, state.x.size, memory, result);
    const Flags& flag = steps.history.flag;
    if (flag.started == 0) result.status = begin(steps, state, h);
    if (!result.status) return result;
    if (equidistant && std::abs(h - flag.step_size) > 1e-8 * std::abs(h)) {
      result.status = Status::failure(StatusCode::failed, "the step size changed without a restart", -1, h);
      return result;
    }
    steps.history.shift();
    Map a = steps.history.a(true), other = steps.history.other(true);
    a = steps.history.a();
    other = a;
    if constexpr (kind == Kind::leapfrog) {
      result.status = steps.leapfrog(state, h, next, a);
    } else if constexpr (kind == Kind::beeman) {
      result.status = steps.beeman(state, h, next, a);
    } else if constexpr (kind == Kind::central_differences) {
      result.status = steps.central_differences(state, h, next, a, other);
    } else {
      next.x.map() = state.x.map();
      next.v.map() = state.v.map();
      static const double w_1 = 1 / (2 - std::cbrt(2.0)), w[] = {w_1, 1 - 2 * w_1, w_1};  // (4)
      double t = state.t;
      for (int i = 0; i < (kind == Kind::yoshida4 ? 3 : 1) && result.status; ++i) {
        const double part = kind == Kind::yoshida4 ? w[i] * h : h;
        result.status = steps.velocity_verlet(t += part, part, next, a);
      }
    }
    if (result.status && !(next.x.map().allFinite() && next.v.map().allFinite())) {
      result.status = Status::failure(StatusCode::not_finite, "the new state");
    }
    return result;
  }
  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).accepted();
  }
  void reject(const Memory&) const override {}

  /// With the accelerations of both ends; leapfrog has none there.
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    if (kind == Kind::leapfrog) return Integrator::interpolate(problem, from, to, t, out, memory);
    const auto history = Layout::place<History>(memory.state, from.x.size);
    const Map a_0 = history.a(), a_1 = history.a(true);
    const Index n = from.x.size;
    const double h = to.t - from.t;
    quintic({from.x, from.v, {a_0.data(), n}}, {to.x, to.v, {a_1.data(), n}}, h, (t - from.t) / h, out.x, out.v, out.a);
    return Status::success();
  }

 private:
  Status begin(Steps& steps, const ConstStateView& state, double h) const {
    const Status status = steps.begin(state);
    const Flags& flag = steps.history.flag;
    flag.started = status.ok();
    flag.promote = 0;
    flag.step_size = h;
    if (kind == Kind::central_differences) {
      const Map a = steps.history.a();
      steps.history.other() = state.x.map() + h * (state.v.map() + h / 2 * a);
    }
    return status;
  }

  double tolerance_;
};

class ParkUnderwood final : public Integrator, private IntegratorChannels, private OwnStepRule {
 public:
  struct Parameters {
    double frequency_limit, tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, frequency_limit, "rad",
                    "Largest step times apparent frequency; 2 is the limit of stability.")
          .above(0)
          .at_most(1.6)
          .otherwise("0.5"),
      TRAMMEL_FIELD(Parameters, tolerance, "1",
                    "Relative change at which iterations end, where forces depend on velocities.")
          .above(0)
          .otherwise("1e-10"));
  explicit ParkUnderwood(const Parameters& p) : rule_{p.frequency_limit}, tolerance_(p.tolerance) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = 2;
    traits.interpolation_order = 3;
    traits.self_controlled = true;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override { return Steps::memory(size.n); }
  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).forget();
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = 2;
    Steps steps(*problem.second_order, tolerance_, state.x.size, memory, result);
    const Flags& flag = steps.history.flag;
    if (flag.started == 0) {
      result.status = steps.begin(state);
      flag.started = result.status.ok();
      flag.promote = 0;
      flag.step_size = h;
      steps.history.other().setZero();
    }
    if (!result.status) return result;
    steps.history.shift();
    Map a = steps.history.a(true), largest = steps.history.other(true);
    const Map a_0 = steps.history.a();
    a = a_0;
    largest = steps.history.other();
    next.x.map() = state.x.map();
    next.v.map() = state.v.map();
    result.status = steps.velocity_verlet(next.t, h, next, a);  // (6)
    if (!result.status) return result;
    const double frequency = rule_(next.x.map() - state.x.map(), a - a_0, largest);
    result.rejected = rule_.too_long(h, frequency);
    result.h_next = rule_.next(h, result.rejected ? h : flag.step_size, frequency);
    flag.tried_frequency = frequency;
    flag.tried_step = result.h_next;
    return result;
  }
  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    const auto flag = Layout::place<Flags>(memory.state);
    flag.accepted();
    flag.frequency = flag.tried_frequency;
    flag.step_size = flag.tried_step;
  }
  void reject(const Memory& memory) const override {
    Layout::place<Flags>(memory.state).step_size = 0;  // what was proposed was too long
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<IntegratorChannels, OwnStepRule>(id, this, this);
  }
  const char* rule() const override { return "the apparent frequency and \"frequency_limit\""; }
  Index channel_count() const override { return 1; }
  const char* channel_name(Index) const override { return "apparent_frequency"; }
  double channel(Index, const Memory& memory) const override { return Layout::place<Flags>(memory.state).frequency; }

 private:
  ApparentFrequency rule_;
  double tolerance_;
};

class RattleMethod final : public Integrator {
 public:
  using Parameters = verlet::Parameters;
  static constexpr auto parameters = table;
  explicit RattleMethod(const Parameters& p) : tolerance_(p.tolerance) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::constrained;
    traits.order = 2;
    traits.interpolation_order = 3;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override { return Rattle::memory(size); }
  Status start(const Problem&, const ConstStateView&, const Memory&) const override { return Status::success(); }
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = 2;
    const auto work = Layout::place<Rattle::Work>(memory.scratch, state.x.size, state.lambda.size);
    result.status = Rattle(*problem.constrained, tolerance_, work).attempt(state, h, next, result);
    return result;
  }

 private:
  double tolerance_;
};

}  // namespace trammel::verlet

using namespace trammel::verlet;

TRAMMEL_PLUGIN("verlet", "1.0.0", "BSD-3-Clause",
               component<Method<Kind::velocity_verlet>>(Host::any, "velocity_verlet", "Velocity Verlet, order 2.",
                                                        "Swope, Andersen, Berens, Wilson (1982)"),
               component<Method<Kind::leapfrog>>(Host::any, "leapfrog", "Leapfrog (drift, kick, drift), order 2.",
                                                 "Hairer, Lubich, Wanner, Acta Numerica 12 (2003) 399-450"),
               component<Method<Kind::beeman>>(Host::any, "beeman",
                                               "Beeman's method, order 2 (positions: local order 4).",
                                               "Beeman, J. Comput. Phys. 20 (1976) 130-139"),
               component<Method<Kind::yoshida4>>(Host::any, "yoshida4",
                                                 "Yoshida's composition of velocity Verlet, order 4.",
                                                 "Yoshida, Phys. Lett. A 150 (1990) 262-268"),
               component<Method<Kind::central_differences>>(Host::any, "central_differences",
                                                            "Central differences in their classical form, order 2.",
                                                            "Fernandez de Bustos et al. (2024), section 2"),
               component<ParkUnderwood>(Host::any, "park_underwood",
                                        "Central differences with a step that follows the apparent frequency, order 2.",
                                        "Park, Underwood, Comput. Methods Appl. Mech. Eng. 22 (1980) 241-258"),
               component<RattleMethod>(Host::any, "rattle", "Velocity Verlet on constrained systems, order 2.",
                                       "Andersen, J. Comput. Phys. 52 (1983) 24-34"));
