// Plugin `quasi_static`: a motion so slow that it goes through equilibria.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "statics.h"
#include "trammel/analysis.h"
#include "trammel/extensions/host_services.h"
#include "trammel/model_info.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {
/// Equilibrium after equilibrium, from each to the next along its rate.
class StaticMotion final : public Integrator {
  using Layout = sdk::StateLayout;

 public:
  StaticMotion(ConstrainedSystem& system, double longest_step, const RunLog* log)
      : statics_(std::make_unique<Statics>(system)), grid_(longest_step), log_(log) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::constrained;
    traits.self_controlled = true;
    traits.implicit = true;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<Kept>(size.n), Layout::size<Work>(size.n)};
  }
  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const auto kept = Layout::place<Kept>(memory.state, state.x.size);
    kept.was_unstable = 0;
    look_at_stability(state, kept);
    return statics_->rate(state.t, state.x, state.lambda, kept.rate);
  }

  StepResult attempt(const Problem&, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const VectorView rate = Layout::place<Kept>(memory.state, state.x.size).rate;
    const auto [foreseen, off] = Layout::place<Work>(memory.scratch, state.x.size);
    StepResult result;
    const double steps = std::round(state.t / grid_);
    const bool on_grid = std::abs(state.t - steps * grid_) <= 1e-6 * grid_;
    const double rest = grid_ * (on_grid ? steps + 1 : std::ceil(state.t / grid_)) - state.t;
    const bool to_grid = rest < h * (1 + 1e-9) && std::abs(rest - h) > 1e-14 * std::max(1.0, state.t);
    result.h = to_grid ? rest : h;
    result.h_next = std::min(2 * result.h, grid_);
    const double t = state.t + result.h;
    foreseen.map() = state.x.map() + result.h * rate.map();
    next.x.map() = foreseen.map();
    next.lambda.map() = state.lambda.map();
    Index iterations = 0;
    result.status = statics_->solve(t, next.x, next.lambda, false, iterations);
    result.newton_iterations = static_cast<int>(iterations);
    if (!result.status) {
      if (result.status.code != StatusCode::not_finite) result.status = nothing_follows();
      return result;
    }
    if (statics_->departs({state.x, rate, next.x, foreseen}, result.h, t, next.lambda, off)) {
      result.status = nothing_follows();
      return result;
    }
    next.v.map().setZero();
    next.a.map().setZero();
    return result;
  }
  void accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const override {
    const auto kept = Layout::place<Kept>(memory.state, state.x.size);
    look_at_stability(state, kept);
    if (!statics_->rate(state.t, state.x, state.lambda, kept.rate)) kept.rate.map().setZero();
  }
  /// The equilibrium at t.
  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory&) const override {
    const double share = (t - from.t) / (to.t - from.t);
    out.x.map() = from.x.map() + share * (to.x.map() - from.x.map());
    out.lambda.map() = from.lambda.map() + share * (to.lambda.map() - from.lambda.map());
    out.v.map().setZero();
    out.a.map().setZero();
    Index iterations = 0;
    return statics_->solve(t, out.x, out.lambda, false, iterations);
  }

  Statics& statics() const { return *statics_; }

 private:
  struct Kept {
    Kept(Layout& at, Index n) : rate(at.vector(n)), was_unstable(at.number()) {}
    VectorView rate;       ///< q'
    double& was_unstable;  ///< the last equilibrium
  };
  struct Work {
    Work(Layout& at, Index n) : foreseen(at.vector(n)), off(at.vector(n)) {}
    VectorView foreseen, off;
  };

  static Status nothing_follows() {
    return Status::failure(StatusCode::not_converged,
                           "no equilibrium follows near this one; the mechanism snaps over, or runs away");
  }
  /// Warns where it is lost.
  void look_at_stability(const ConstStateView& state, const Kept& kept) const {
    const Index unstable = statics_->unstable_directions(state.t, state.x, state.lambda);
    if (unstable > 0 && kept.was_unstable == 0 && log_ != nullptr) {
      char text[160];
      std::snprintf(text, sizeof text, "the equilibrium at t = %.6g is unstable in %d %s: the mechanism would leave it",
                    state.t, static_cast<int>(unstable), unstable == 1 ? "direction" : "directions");
      log_->warn(text);
    }
    kept.was_unstable = unstable > 0 ? 1 : 0;
  }

  std::unique_ptr<Statics> statics_;  // workspace: every call fills it anew
  double grid_;
  const RunLog* log_;
};

class QuasiStatic final : public Analysis {
 public:
  struct Parameters {
    double longest_step;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, longest_step, "s",
                    "Longest step from one equilibrium to the next; 1/200 of the duration if left out.")
          .above(0)
          .optional());

  QuasiStatic(const Parameters& p, const ModelInfo& model) : p_(p), log_(find_extension<RunLog>(model)) {}

  AnalysisTraits traits() const override {
    AnalysisTraits traits;
    traits.over_time = traits.at_rest = true;
    return traits;
  }

  bool begin(AnalysisHost& host, Refusal& refusal) override {
    constexpr double default_steps = 200;
    step_ = std::isnan(p_.longest_step) ? host.duration() / default_steps : p_.longest_step;
    motion_ = std::make_unique<StaticMotion>(host.system(), step_, log_);
    const Index n = host.q().size;
    const Index m = host.lambda().size;
    std::vector<double> q(host.q().data, host.q().data + n), lambda(host.lambda().data, host.lambda().data + m),
        rest(static_cast<std::size_t>(n));
    Index iterations = 0;
    const VectorView at{q.data(), n}, forces{lambda.data(), m};
    Status status = motion_->statics().solve(0, at, forces, true, iterations);
    if (status) status = host.show(0, at, {rest.data(), n});
    if (!status) {
      return sdk::refuse(refusal, "",
                         std::string("no equilibrium was found near the start: ") + status.what + " " +
                             status_name(status.code) +
                             "; start nearer to one, as an analysis of type 'equilibrium' finds it",
                         ErrorKind::compute);
    }
    if (n > Statics::most_dense && log_ != nullptr)
      log_->warn("stability is not looked at: the model is too large for dense matrices");
    return true;
  }

  const Integrator* motion() const override { return motion_.get(); }
  double longest_step() const override { return step_; }

 private:
  Parameters p_;
  const RunLog* log_;
  double step_ = 0;
  std::unique_ptr<StaticMotion> motion_;
};

}  // namespace trammel

TRAMMEL_PLUGIN(
    "quasi_static", "1.0.0", "BSD-3-Clause",
    component<QuasiStatic>(Host::any, "quasi_static",
                           "Motion through equilibria: loads and drivers change so slowly that nothing swings.",
                           "C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508-523"));
