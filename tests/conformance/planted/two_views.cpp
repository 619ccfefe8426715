// A method for second-order problems and for models of index 3 whose second form has a mistake: type
// bad_<check>.
#include <trammel/integrator.h>
#include <trammel/sdk/plugin.h>

#include <cmath>

namespace {

using namespace trammel;

enum class Bug { none, order_constrained, accelerations };

/// Euler steps with the acceleration of their begin; in the constrained form projected onto the constraints.
template <Bug bug>
class Planted final : public Integrator {
 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.also_constrained = true;
    return traits;
  }
  MemorySize memory(const ProblemSize& size) const override { return {0, size.n}; }
  Status start(const Problem&, const ConstStateView&, const Memory&) const override { return Status::success(); }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    if (problem.constrained != nullptr) {
      result.status = constrained_step(*problem.constrained, state, h, next);
    } else {
      const VectorView a{memory.scratch, state.x.size};
      result.status = problem.second_order->acceleration(state.t, state.x, state.v, a);
      advance(state, h, a, next);
    }
    if (result.status && !(next.x.map().allFinite() && next.v.map().allFinite())) {
      result.status = Status::failure(StatusCode::not_finite, "state");
    }
    return result;
  }

 private:
  static void advance(const ConstStateView& state, double h, ConstVectorView a, const StateView& next) {
    next.x.map() = state.x.map() + h * state.v.map() + h * h / 2 * a.map();
    next.v.map() = state.v.map() + h * a.map();
  }
  static Status constrained_step(ConstrainedSystem& system, const ConstStateView& state, double h,
                                 const StateView& next) {
    Status status = accelerate(system, state.t, state.x, state.v, next);
    if (bug == Bug::order_constrained) next.a.map() *= 1 + std::sqrt(std::abs(h));  // of order 1/2
    if (status) advance(state, h, next.a, next);
    ProjectionReport report;
    const double t = state.t + h;
    if (status) status = system.project_positions(t, next.x, ProjectionWeights::mass, 1e-12, report);
    if (status) status = system.project_velocities(t, next.x, next.v, ProjectionWeights::mass, report);
    if (status) status = accelerate(system, t, next.x, next.v, next);
    if (bug == Bug::accelerations) next.lambda.map() *= 1.1;
    return status;
  }
  static Status accelerate(ConstrainedSolve& system, double t, ConstVectorView q, ConstVectorView v,
                           const StateView& out) {
    Status status = system.evaluate(t, q, v, {}, evaluate_dynamics);
    if (status) status = system.factorize(ProjectionWeights::mass);
    return status ? system.solve(system.Q(), system.gamma(), out.a, out.lambda) : status;
  }
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "An integrator of two views with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_two_views", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good_two_views"),
               planted<Bug::order_constrained>("bad_order_constrained"),
               planted<Bug::accelerations>("bad_accelerations"));
