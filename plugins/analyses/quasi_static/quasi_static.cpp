// Plugin `quasi_static`: a motion so slow that it goes through equilibria.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "statics.h"
#include "trammel/analysis.h"
#include "trammel/extensions/equilibrium_finder.h"
#include "trammel/extensions/host_services.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/math/cubic.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_layout.h"

namespace trammel {
/// Equilibrium after equilibrium, from each to the next along its rate, which is the velocity of its states.
class StaticMotion final : public Integrator, private ChoosesStart {
  using Layout = sdk::StateLayout;

 public:
  StaticMotion(ConstrainedSystem& system, double longest_step, const RunLog* log)
      : system_(system), statics_(std::make_unique<Statics>(system)), grid_(longest_step), log_(log) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::constrained;
    traits.self_controlled = true;
    traits.implicit = true;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<Kept>(), Layout::size<Work>(size.n), Layout::size<Attempted>()};
  }
  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const auto kept = Layout::place<Kept>(memory.state);
    kept.was_unstable = 0;
    look_at_stability(state, state.t, kept);
    return Status::success();
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<ChoosesStart>(id, this); }

  StepResult attempt(const Problem&, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const auto kept = Layout::place<Kept>(memory.state);
    StepResult result;
    statics_->set_flow(kept.flow);
    const double steps = std::round(state.t / grid_);
    const bool on_grid = std::abs(state.t - steps * grid_) <= 1e-6 * grid_;
    const double rest = grid_ * (on_grid ? steps + 1 : std::ceil(state.t / grid_)) - state.t;
    const bool to_grid = rest < h * (1 + 1e-9) && std::abs(rest - h) > 1e-14 * std::max(1.0, state.t);
    result.h = to_grid ? rest : h;
    result.h_next = std::min(2 * result.h, grid_);
    const double t = Layout::place<Attempted>(memory.cache).end = state.t + result.h;
    next.x.map() = state.x.map() + result.h * state.v.map();
    next.lambda.map() = state.lambda.map();
    Index iterations = 0;
    result.status = statics_->solve(t, next.x, next.lambda, false, iterations);
    if (result.status) result.status = rate(t, next.x, next.lambda, next.v);
    result.newton_iterations = static_cast<int>(iterations);
    const bool departs = result.status && statics_->departs({state.x, state.v, next.x, next.v}, result.h);
    if (departs || Statics::finds_none(result.status)) {
      result.status = Status::failure(StatusCode::not_converged,
                                      "no equilibrium follows near this one; the mechanism snaps over, or runs away");
    }
    next.a.map().setZero();
    return result;
  }
  void accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const override {
    look_at_stability(state, Layout::place<Attempted>(memory.cache).end, Layout::place<Kept>(memory.state));
  }
  /// The equilibrium at t. Where it is not found near the polynomial through both ends, it is followed there from one of them.
  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const double h = to.t - from.t, share = (t - from.t) / h;
    const VectorView way = Layout::place<Work>(memory.scratch, out.x.size).way;
    cubic({from.x, from.v}, {to.x, to.v}, h, share, out.x);
    out.lambda.map() = from.lambda.map() + share * (to.lambda.map() - from.lambda.map());
    out.a.map().setZero();
    way.map() = out.x.map();
    Index iterations = 0;
    Status status = statics_->solve(t, out.x, out.lambda, false, iterations);
    if (status) {
      constexpr double always_near = 1e-3, of_step = 0.5;  // as Statics::departs
      way.map() -= out.x.map();
      const double missed = statics_->size(way);
      way.map() = to.x.map() - from.x.map();
      if (missed > std::max(always_near, of_step * statics_->size(way)))
        status = Status::failure(StatusCode::not_converged, "an equilibrium inside a step");
    }
    for (const ConstStateView* end : {&from, &to}) {
      if (status) break;
      out.x.map() = end->x.map(), out.lambda.map() = end->lambda.map();
      const Status followed = statics_->follow(end->t, t, out.x, out.lambda, end->v);
      if (followed || Statics::finds_none(status)) status = followed;  // else what failed first tells more
    }
    if (!status) return status;
    status = statics_->rate(t, out.x, out.lambda, out.v);
    if (!Statics::finds_none(status)) return status;
    cubic_rate({from.x, from.v}, {to.x, to.v}, h, share, out.v);
    return Status::success();
  }

  Statics& statics() const { return *statics_; }

 private:
  struct Kept {
    explicit Kept(Layout& at) : was_unstable(at.number()), was_unknown(at.number()), flow(at.number()) {}
    double& was_unstable;  ///< the last equilibrium
    double& was_unknown;   ///< the stability of an equilibrium before; one warning is enough
    double& flow;          ///< of Statics; 0 before the first start
  };
  struct Attempted {
    explicit Attempted(Layout& at) : end(at.number()) {}
    double& end;  ///< of the step, which is before what jumps there
  };
  struct Work {
    Work(Layout& at, Index n) : way(at.vector(n)) {}
    VectorView way;
  };

  /// 0 at a singular position, where equilibria have none.
  Status rate(double t, ConstVectorView q, ConstVectorView lambda, VectorView out) const {
    const Status status = statics_->rate(t, q, lambda, out);
    if (!Statics::finds_none(status)) return status;
    out.map().setZero();
    return Status::success();
  }

  /// Where loads, inputs or drivers jumped, the state moves to the equilibrium behind the jump.
  Status choose_start(const Problem&, const StateView& state, const Memory& memory) const override {
    const auto kept = Layout::place<Kept>(memory.state);
    if (kept.flow > 0) statics_->set_flow(kept.flow);
    const Statics::Jump jump = statics_->jump(state.t, state.x, state.lambda);
    if (!jump.status) {
      if (!Statics::finds_none(jump.status)) return jump.status;
      return Status::failure(
          StatusCode::not_converged,
          "what acts jumps there, and no equilibrium was found behind the jump; give the load a ramp in "
          "time, hold what it moves, or use dynamics; the search ended",
          static_cast<std::int32_t>(jump.most));
    }
    if (jump.moved) tell(state.t, jump);
    kept.flow = statics_->flow();
    state.a.map().setZero();
    return rate(state.t, state.x, state.lambda, state.v);
  }

  void tell(double t, const Statics::Jump& jump) const {
    if (log_ == nullptr) return;
    char text[400];
    const char* words =
        jump.snaps   ? "%.9g, and the mechanism snaps over: no equilibria lead through the jump; '%s' moves by %.3g "
                       "to the equilibrium that was found, and dynamics may end in another one"
        : jump.flows ? "%.9g so far that no stable equilibria lead through the jump; '%s' moves by %.3g to the "
                       "equilibrium to which the forces lead, and dynamics may end in another one"
                     : "%.9g: the mechanism goes through equilibria to the one behind the jump; '%s' moves by %.3g";
    const std::string format = std::string("what acts jumps at t = ") + words;
    std::snprintf(text, sizeof text, format.c_str(), t, system_.coordinate_name(jump.most), jump.by);
    if (jump.snaps || jump.flows) {
      log_->warn(text);
    } else {
      log_->note(text);
    }
  }
  /// Warns where it is lost, and once where it is not known.
  void look_at_stability(const ConstStateView& state, double t, const Kept& kept) const {
    const auto [directions, unknown] = statics_->stability(t, state.x, state.lambda);
    if (unknown != nullptr && kept.was_unknown == 0 && log_ != nullptr) {
      char text[160];
      std::snprintf(text, sizeof text, "stability is not looked at from t = %.6g on: %s", t, unknown);
      log_->warn(text);
    }
    if (unknown != nullptr) {
      kept.was_unknown = 1;
      return;
    }
    if (directions > 0 && kept.was_unstable == 0 && log_ != nullptr) {
      char text[160];
      std::snprintf(text, sizeof text, "the equilibrium at t = %.6g is unstable in %d %s: the mechanism would leave it",
                    t, static_cast<int>(directions), directions == 1 ? "direction" : "directions");
      log_->warn(text);
    }
    kept.was_unstable = directions > 0 ? 1 : 0;
  }

  ConstrainedSystem& system_;
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
    const VectorView at{q.data(), n}, forces{lambda.data(), m};
    Status status = find_start(host, at, forces);
    if (status) status = host.show(0, at, {rest.data(), n});
    if (!status) {
      return sdk::refuse(
          refusal, "",
          std::string("no equilibrium was found at the start: ") + status.what + " " + status_name(status.code) +
              "; the search of analyses of type 'equilibrium' does not find one either; start nearer to one, hold "
              "what nothing holds, or look for one by \"type\": \"equilibrium\", \"method\": \"settling\"",
          ErrorKind::compute);
    }
    return true;
  }

  const Integrator* motion() const override { return motion_.get(); }
  double longest_step() const override { return step_; }

 private:
  /// By the flow of (2). Where that does not get there, or to an unstable equilibrium, beginning where the kernel's searches
  /// end. After a failure q and lambda are somewhere on the way.
  Status find_start(AnalysisHost& host, VectorView q, VectorView lambda) {
    Statics& statics = motion_->statics();
    Index iterations = 0;
    const Status status = statics.solve(0, q, lambda, true, iterations);
    auto* finder = find_extension<EquilibriumFinder>(host);
    const Index unstable = status ? statics.stability(0, q, lambda).unstable : 0;
    if ((status && unstable == 0) || finder == nullptr) return status;
    std::vector<double> other(host.q().data, host.q().data + q.size),
        forces(host.lambda().data, host.lambda().data + lambda.size);
    const VectorView at{other.data(), q.size}, of_rows{forces.data(), lambda.size};
    const double flow = statics.flow();
    Status found = finder->find_equilibrium(at);
    if (!found) return status;
    const std::vector<double> singular = other, before = forces;  // perhaps: (2) cannot be solved there
    found = statics.solve(0, at, of_rows, true, iterations);
    if (!found) {
      other = singular, forces = before;
      found = statics.solve(0, at, of_rows, false, iterations);
    }
    if (status) {
      const Statics::Stability other_one = found ? statics.stability(0, at, of_rows) : Statics::Stability{};
      if (!found || other_one.unknown != nullptr || other_one.unstable >= unstable) {
        statics.set_flow(flow);
        return status;
      }
    }
    if (found) q.map() = at.map(), lambda.map() = of_rows.map();
    return found;
  }

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
