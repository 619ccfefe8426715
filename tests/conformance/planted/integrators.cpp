// Integrators with one mistake each, around the method of Bogacki and Shampine: type bad_<check>.
#include <trammel/extensions/integrator_extensions.h>
#include <trammel/sdk/methods/explicit_runge_kutta.h>
#include <trammel/sdk/plugin.h>

#include <cmath>

namespace {

using namespace trammel;

enum class Bug {
  none,
  traits,
  memory,
  attempt,
  order,
  low_order,
  embedded_order,
  dense_order,
  stability,
  reject,
  rollback,
  restart,
  correction,
  step_limits,
  reverse,
  reentrant,
  stumbling,
  sizes,
  repeated_calls,
  next,
  inside,
  steps,
  iterations,
  local_error
};

struct BogackiShampine {
  static constexpr int stages = 4, order = 3, embedded_order = 2;
  static constexpr std::array<double, 4> c{0.0, 1.0 / 2, 3.0 / 4, 1.0};
  static constexpr std::array<double, 6> a{1.0 / 2, 0.0, 3.0 / 4, 2.0 / 9, 1.0 / 3, 4.0 / 9};
  static constexpr std::array<double, 4> b{2.0 / 9, 1.0 / 3, 4.0 / 9, 0.0};
  static constexpr std::array<double, 4> b_hat{7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8};
};
using Method = sdk::ExplicitRungeKutta<BogackiShampine>;

int steps_of_all = 0;
/// Of a counter, too small for any order to notice, and without a mean that many steps would add up.
double trace_of(double count) { return 1e-14 * (std::fmod(count, 3) - 1); }
constexpr double trace = 1e-14;

template <Bug bug>
class Planted final : public Integrator, public LinearStability, public IntegratorChannels {
 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits = method_.traits();
    if (bug == Bug::iterations) traits.implicit = true;
    if (bug == Bug::traits) traits.interpolation_order = 0;
    if (bug == Bug::order) traits.order = 4;
    if (bug == Bug::low_order) traits.order = 2;
    if (bug == Bug::embedded_order) traits.error_order = 3;  // 2 in truth
    return traits;
  }
  /// Three numbers of its own: accepted steps, attempts since the last of them, and the mean error of the last.
  MemorySize memory(const ProblemSize& size) const override {
    const MemorySize inner = method_.memory(size);
    if (bug == Bug::sizes) ++asked_;
    return {inner.state + 3 + asked_, bug == Bug::memory ? inner.scratch - 1 : inner.scratch};
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<LinearStability, IntegratorChannels>(id, this, this);
  }
  double spectral_radius(double re, double im) const override {
    return (bug == Bug::stability ? 1.1 : 1.0) * method_.spectral_radius(re, im);
  }
  Index channel_count() const override { return 1; }
  const char* channel_name(Index) const override { return "local_error"; }
  /// Of all components alike, as where nothing is relative.
  double channel(Index, const Memory& memory) const override {
    return (bug == Bug::local_error ? 1.02 : 1) * memory.state[2] / 1e-5;
  }
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override {
    if (bug != Bug::restart) memory.state[0] = 0;
    memory.state[1] = 0;
    steps_ = 0;
    return method_.start(problem, state, inner(memory));
  }
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    memory.state[1] += 1;
    StepResult result =
        method_.attempt(problem, state, bug == Bug::reverse ? std::abs(h) : h, next, error, inner(memory));
    if (bug == Bug::step_limits || (bug == Bug::stumbling && std::abs(h) < 1)) result.status = Status::success();
    if (!result.status) return result;
    // As a cast, or a plugin in C, still can.
    if (bug == Bug::attempt) VectorView{const_cast<double*>(state.x.data), state.x.size}.map() *= 1 + trace;
    if (bug == Bug::memory) memory.scratch[2 * state.x.size - 1] = 0;
    if (bug == Bug::steps) error.map() *= 1.02;
    if (error.size > 0) memory.state[2] = error.map().norm() / std::sqrt(static_cast<double>(error.size));
    if (bug == Bug::iterations) result.newton_iterations = next.x.map() == state.x.map() ? 1 : 9;
    if (bug == Bug::next) next.x.data[next.x.size] = 1;
    if (bug == Bug::reject) next.x.map().array() += trace * (memory.state[1] - 1);
    if (bug == Bug::rollback) next.x.map().array() += trace_of(steps_);
    if (bug == Bug::restart) next.x.map().array() += trace_of(memory.state[0]);
    if (bug == Bug::reentrant) next.x.map().array() += trace_of(steps_of_all);
    return result;
  }
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override {
    memory.state[0] += 1, memory.state[1] = 0, ++steps_, ++steps_of_all;
    method_.accept(problem, state, bug == Bug::correction ? false : changed, inner(memory));
  }
  void reject(const Memory& memory) const override {
    if (bug != Bug::reject) memory.state[1] = 0;
    method_.reject(inner(memory));
  }
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Status status = method_.interpolate(problem, from, to, t, out, inner(memory));
    const double h = to.t - from.t, theta = (t - from.t) / h;
    if (bug == Bug::dense_order) out.x.map().array() += h * h * theta * (1 - theta);
    if (bug == Bug::inside) out.x.map().array() += h * h * h * theta * (1 - theta);
    if (bug == Bug::repeated_calls) out.x.map().array() += trace * ++looks_;
    return status;
  }

 private:
  static Memory inner(const Memory& memory) { return {memory.state + 3, memory.scratch}; }

  Method method_;
  mutable int steps_ = 0, asked_ = 0, looks_ = 0;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "An integrator with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_integrators", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"),
               planted<Bug::traits>("bad_traits"), planted<Bug::memory>("bad_memory"),
               planted<Bug::attempt>("bad_attempt"), planted<Bug::order>("bad_order"),
               planted<Bug::low_order>("bad_low_order"), planted<Bug::embedded_order>("bad_embedded_order"),
               planted<Bug::dense_order>("bad_dense_order"), planted<Bug::stability>("bad_stability"),
               planted<Bug::reject>("bad_reject"), planted<Bug::rollback>("bad_rollback"),
               planted<Bug::restart>("bad_restart"), planted<Bug::correction>("bad_correction"),
               planted<Bug::step_limits>("bad_step_limits"), planted<Bug::reverse>("bad_reverse"),
               planted<Bug::reentrant>("bad_reentrant"), planted<Bug::stumbling>("bad_stumbling"),
               planted<Bug::sizes>("bad_sizes"), planted<Bug::repeated_calls>("bad_repeated_calls"),
               planted<Bug::next>("bad_next"), planted<Bug::inside>("bad_inside"), planted<Bug::steps>("bad_steps"),
               planted<Bug::iterations>("bad_iterations"), planted<Bug::local_error>("bad_local_error"));
