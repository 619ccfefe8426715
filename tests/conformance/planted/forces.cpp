// Forces with one mistake each: type bad_<check>.
#include <trammel/extensions/accepted_step.h>
#include <trammel/extensions/element_extensions.h>
#include <trammel/extensions/parameter_derivatives.h>
#include <trammel/extensions/static_potential.h>
#include <trammel/sdk/elements/auto_force.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace trammel;
using State = PlanarBodyState;

enum class Bug {
  none,
  shapes,
  stiffness,
  damping,
  time_gradient,
  potential,
  dissipation,
  internal,
  action_reaction,
  count,
  numbers,
  memory,
  law_bounds,
  late,
  switches,
  state_arguments,
  static_potential
};

struct Parameters {
  BodyRefs bodies;
  double stiffness;
};

/// A spring, and a damper whose force follows the rate with a lag: z' = 5 (rate - z).
class Spring final : public sdk::AutoForce<Spring, State, 2, 1> {
 public:
  /// Twice as stiff beyond `hardens`, m.
  explicit Spring(const Parameters& p, double hardens = INFINITY)
      : AutoForce(p.bodies[0], p.bodies[1]), k_(p.stiffness), hardens_(hardens) {}

  template <class T>
  T potential(const T&, const sdk::Pose<State, T>* bodies) const {
    const T length = norm(separation(bodies)), e = length - 0.4, beyond = length - hardens_;
    return beyond > 0.0 ? 0.5 * k_ * (e * e + beyond * beyond) : 0.5 * k_ * e * e;
  }
  template <class T>
  void force(const T&, const sdk::Motion<State, T>* bodies, const T* z, sdk::Load<State, T>* loads) const {
    const sdk::Vec2<T> d = separation(bodies);
    const sdk::Vec2<T> F = (-2.0 * z[0] / norm(d)) * d;
    loads[1].add_force(bodies[1], {0.1, 0.2}, F);
    loads[0].add_force(bodies[0], {0.0, 0.0}, -F);
  }
  template <class T>
  void rate(const T&, const sdk::Motion<State, T>* bodies, const T* z, T* z_rate) const {
    const sdk::Vec2<T> d = separation(bodies);
    const sdk::Vec2<T> v = bodies[1].point_velocity({0.1, 0.2}) - bodies[0].point_velocity({0.0, 0.0});
    z_rate[0] = 5.0 * (dot(d, v) / norm(d) - z[0]);
  }

 private:
  template <class Body>
  static auto separation(const Body* bodies) {
    return bodies[1].point({0.1, 0.2}) - bodies[0].point({0.0, 0.0});
  }
  double k_, hardens_;
};

template <Bug bug>
class Planted final : public ForceElement,
                      private ForceParameterDerivatives,
                      private AcceptedMemory,
                      private StateLaws,
                      private LawSwitches,
                      private StateFunctions,
                      private StaticPotential {
 public:
  using Parameters = ::Parameters;
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
                             TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffness."));

  explicit Planted(const Parameters& p) : spring_(p, bug == Bug::switches ? 0.55 : INFINITY), unit_({p.bodies, 1}) {}
  const void* extension(const char* id) const override {
    if (bug == Bug::switches) return sdk::offer_extensions<LawSwitches>(id, this);
    if (bug == Bug::state_arguments) return sdk::offer_extensions<StateFunctions>(id, this);
    if (bug == Bug::static_potential) return sdk::offer_extensions<StaticPotential>(id, this);
    constexpr bool has_numbers = bug == Bug::none || bug == Bug::numbers;  // the others would fail there as well
    if (bug == Bug::memory) return sdk::offer_extensions<AcceptedMemory>(id, this);
    if (bug == Bug::law_bounds) return sdk::offer_extensions<StateLaws>(id, this);
    return has_numbers ? sdk::offer_extensions<ForceParameterDerivatives>(id, this) : nullptr;
  }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return spring_.body(i); }

  Status force(const ElementState& s, const VectorView* Q) const override {
    if (bug == Bug::shapes) Q[1].map().setZero();
    const Status status = static_cast<const ForceElement&>(spring_).force(s, Q);
    for (Index b = 0; bug == Bug::action_reaction && b < 2; ++b) {
      if (Q[b].data != nullptr && body(b).is_ground()) Q[b].map().setZero();
    }
    if (bug == Bug::memory && Q[1].data != nullptr) Q[1][2] += s.memory[0];
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    const Status status = spring_.gradients(s, Q_q, Q_v);
    if (bug == Bug::stiffness && Q_q != nullptr && Q_q[3]) Q_q[3](0, 2) += 0.5;
    // Where no start is, and the motion leads.
    const bool below = static_cast<const State*>(s.bodies[1])->r[1] < -0.5;
    if (bug == Bug::late && below && Q_q != nullptr && Q_q[3]) Q_q[3](0, 2) += 0.5;
    if (bug == Bug::damping && Q_v != nullptr && Q_v[3]) Q_v[3](0, 2) += 0.5;
    return status;
  }
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const override {
    if (bug == Bug::time_gradient) Q_t[1][0] += 1;
    return spring_.time_gradient(s, Q_t);
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const Status status = spring_.energy(s, energy);
    if (bug == Bug::potential) energy.potential *= 1.01;
    if (bug == Bug::dissipation) energy.dissipation -= 5, energy.work -= 5;
    return status;
  }
  Index internal_states() const override { return bug == Bug::count ? 1000000000 : 1; }
  void initial_internal_states(VectorView z) const override { z[0] = 0; }
  Status internal_rate(const ElementState& s, VectorView z_rate) const override {
    return spring_.internal_rate(s, z_rate);
  }
  Status internal_gradients(const ElementState& s, const InternalGradients& out) const override {
    const Status status = spring_.internal_gradients(s, out);
    if (bug == Bug::internal && out.rate_z) out.rate_z(0, 0) += 0.1;
    return status;
  }

 private:
  Index parameter_count() const override { return 1; }
  const char* parameter_name(Index) const override { return "stiffness"; }
  /// Of a force that is linear in it: the force of stiffness 1, without that of the damper.
  Status parameter_derivatives(Index, const ElementState& s, const ForceDerivatives& out) const override {
    const double still = 0;
    ElementState at = s;
    at.z = &still;
    for (Index b = 0; b < 2; ++b) {
      if (out.Q[b].data != nullptr) out.Q[b].map().setZero();
    }
    Status status = static_cast<const ForceElement&>(unit_).force(at, out.Q);
    if (bug == Bug::numbers && out.Q[1].data != nullptr) out.Q[1].map() *= 1.01;
    if (out.z_rate.data != nullptr) out.z_rate[0] = 0;
    ForceEnergy energy;
    if (status) status = unit_.energy(s, energy);
    if (out.potential != nullptr) *out.potential = energy.potential;
    return status;
  }

  /// A law x^2, whose bounds are those at the ends: 0 between them is forgotten.
  Index law_count() const override { return 1; }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState&, VectorView x, VectorView rate) const override {
    x[0] = rate[0] = 0;
    return Status::success();
  }
  Status law(Index, const double* x, const double*, double, double* force) const override {
    *force = x[0] * x[0];
    return Status::success();
  }
  Status law_bounds(Index, const Box& box, double* force) const override {
    const double ends[] = {*box.x[0] * *box.x[0], *box.x[1] * *box.x[1]};
    force[0] = std::min(ends[0], ends[1]), force[1] = std::max(ends[0], ends[1]);
    return Status::success();
  }

  /// Of another length than that at which the spring hardens.
  Index switch_count() const override { return 1; }
  const char* switch_name(Index) const override { return "hardens"; }
  Status switch_values(const ElementState& s, VectorView out) const override {
    const auto& arm = *static_cast<const State*>(s.bodies[1]);
    out[0] = std::hypot(arm.r[0] + 0.1 * arm.c - 0.2 * arm.s, arm.r[1] + 0.1 * arm.s + 0.2 * arm.c) - 0.65;
    return Status::success();
  }

  /// A moment that is there from the second step on.
  Index memory_size() const override { return 1; }
  Status initial_memory(const ElementState&, VectorView memory) const override {
    memory[0] = 0;
    return Status::success();
  }
  Status accepted(const ElementState&, VectorView memory) const override {
    memory[0] = 5;
    return Status::success();
  }

  /// A function of the place of the second body, whose rate is another one.
  Index state_function_count() const override { return 1; }
  const Function* state_function(Index) const override { return nullptr; }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override {
    value[0] = s.body<State>(1).r[0], rate[0] = s.body<State>(1).rdot[1];
    return Status::success();
  }

  /// Of the other sign.
  bool static_potential(const ElementState& s, double& potential) const override {
    ForceEnergy energy;
    const bool known = spring_.energy(s, energy).ok();
    potential = -energy.potential;
    return known;
  }

  Spring spring_, unit_;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::planar, type, "A force with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_forces", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"),
               planted<Bug::shapes>("bad_shapes"), planted<Bug::stiffness>("bad_stiffness"),
               planted<Bug::damping>("bad_damping"), planted<Bug::time_gradient>("bad_time_gradient"),
               planted<Bug::potential>("bad_potential"), planted<Bug::dissipation>("bad_dissipation"),
               planted<Bug::internal>("bad_internal"), planted<Bug::action_reaction>("bad_action_reaction"),
               planted<Bug::count>("bad_count"), planted<Bug::numbers>("bad_numbers"),
               planted<Bug::memory>("bad_memory"), planted<Bug::law_bounds>("bad_law_bounds"),
               planted<Bug::late>("bad_late"), planted<Bug::switches>("bad_switches"),
               planted<Bug::state_arguments>("bad_state_arguments"),
               planted<Bug::static_potential>("bad_static_potential"));
