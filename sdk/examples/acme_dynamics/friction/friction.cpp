// Plugin `acme.friction`: friction with a memory, and friction that follows a reaction.
//
// acme.jenkins, a spring of stiffness k in series with a slider that yields at F_y (G. Masing, Proc. 2nd Int. Congress of
// Applied Mechanics, Zurich 1926): with p the slider's place, w = F_y / k and x a displacement of a joint
//   sticking  F = k clamp(x - p, -w, w)     sliding to the side m  F = m F_y, p = x - m w                           (1)
// It begins to slide where |x - p| = w and sticks again where x' changes its sign; both are events, and (p, m) is what it
// keeps of an accepted step. V = F^2 / (2 k), and what slides dissipates F x'.
//
// acme.load_friction: F = mu R N tanh(x' / v_s) along a coordinate x of a joint, N the length of its multipliers of rows
// 0 and 1 (forces in N) at the last accepted step, R a radius (1 for displacements).
#include <trammel/extensions/accepted_step.h>
#include <trammel/extensions/element_extensions.h>
#include <trammel/extensions/event.h>
#include <trammel/force.h>
#include <trammel/sdk/elements/coordinate_row.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace acme::friction {
namespace {

using namespace trammel;
using Row = sdk::CoordinateRow<PlanarBodyState>;
using Terms = Row::Terms;

/// Rates alone matter to friction, and displacements do not turn: no row has to count.
ElementState without_turns(ElementState s) {
  s.angle_references = nullptr;
  return s;
}

class Jenkins final : public ForceElement, ElementChannels, EventSource, AcceptedMemory {
 public:
  struct Parameters {
    ElementRef joint;
    double stiffness;
    double yield;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, joint, "1", "Joint with a displacement."),
                             TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffness before it slides.").above(0),
                             TRAMMEL_FIELD(Parameters, yield, "N", "Force at which it slides.").above(0));

  Jenkins(const Parameters& p, const ModelInfo& model)
      : k_(p.stiffness), w_(p.yield / p.stiffness), row_(displacement(p.joint, model)) {}

  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return row_.body(i); }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, EventSource, AcceptedMemory>(id, this, this, this);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    sdk::add_scalar_force(x, k_ * stretch(s, x), Q);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    Terms x;
    Status status = row_.evaluate_gradient(without_turns(s), x);
    const double d = stretch(s, x);
    sdk::add_scalar_gradients(x, mode(s) == 0 && std::abs(d) < w_ ? k_ : 0, 0, Q_q, Q_v);
    if (status && Q_q != nullptr) status = row_.add_hessian(without_turns(s), -k_ * d, Q_q);
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    const double d = stretch(s, x);
    energy.potential += 0.5 * k_ * d * d;
    if (mode(s) != 0 || std::abs(d) >= w_) energy.dissipation += k_ * d * x.rate;
    return status;
  }

 private:
  static const Constraint& displacement(ElementRef joint, const ModelInfo& model) {
    const JointCoordinates& offered = sdk::joint_coordinates(joint, "joint", model);
    for (Index k = 0; k < offered.coordinate_count(); ++k) {
      if (std::string_view(offered.coordinate_name(k)) == "displacement") return offered.coordinate(k);
    }
    throw Error::parameter("joint", "needs a joint with a displacement (translational)");
  }

  /// -1, 0 (it sticks), 1.
  static double mode(const ElementState& s) { return s.memory[1]; }
  double stretch(const ElementState& s, const Terms& x) const {
    return mode(s) != 0 ? mode(s) * w_ : std::clamp(x.value - s.memory[0], -w_, w_);
  }

  Index memory_size() const override { return 2; }
  Status initial_memory(const ElementState& s, VectorView memory) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    memory[0] = x.value, memory[1] = 0;
    return status;
  }
  Status accepted(const ElementState& s, VectorView memory) const override {
    constexpr double arrived = 1 - 1e-9;  // of w: what the location of the event leaves
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    const double d = stretch(s, x);
    const bool slides = mode(s) != 0 ? mode(s) * x.rate > 0 : std::abs(d) >= arrived * w_ && d * x.rate > 0;
    memory[0] = x.value - d, memory[1] = slides ? std::copysign(1.0, d) : 0;
    return status;
  }

  Index event_count() const override { return 2; }
  const char* event_name(Index i) const override { return i == 0 ? "slides" : "sticks"; }
  EventDirection event_direction(Index) const override { return EventDirection::falling; }
  EventAction event_action(Index) const override { return EventAction::restart; }
  Status event_values(const ElementState& s, VectorView out) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    out[0] = mode(s) == 0 ? (w_ - std::abs(x.value - s.memory[0])) / w_ : 1;
    out[1] = mode(s) != 0 ? mode(s) * x.rate : 1;
    return status;
  }

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "force" : "slider"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "N" : "m"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    const double d = stretch(s, x);
    out[0] = -k_ * d, out[1] = x.value - d;
    return status;
  }

  double k_, w_;
  Row row_;
};

class LoadFriction final : public ForceElement, ElementChannels, SeesAcceptedStep {
 public:
  struct Parameters {
    ElementRef joint;
    double coefficient;
    double radius;
    double speed;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, joint, "1", "Joint whose first two rows are forces, with a coordinate: revolute."),
      TRAMMEL_FIELD(Parameters, coefficient, "1", "Coefficient of friction mu.").at_least(0),
      TRAMMEL_FIELD(Parameters, radius, "m", "Radius R of the pin.").above(0),
      TRAMMEL_FIELD(Parameters, speed, "rad/s", "Rate v_s over which friction builds up.").above(0).otherwise("0.01"));

  LoadFriction(const Parameters& p, const ModelInfo& model)
      : p_(p), row_(sdk::joint_coordinates(p.joint, "joint", model).coordinate(0)) {
    if (model.constraint(p.joint)->rows() < 2) throw Error::parameter("joint", "has fewer than two rows");
  }

  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return row_.body(i); }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, SeesAcceptedStep>(id, this, this);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    sdk::add_scalar_force(x, torque(s, x), Q);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    Terms x;
    Status status = row_.evaluate_gradient(without_turns(s), x);
    const double share = std::tanh(x.rate / p_.speed);
    sdk::add_scalar_gradients(x, 0, p_.coefficient * p_.radius * load(s) * (1 - share * share) / p_.speed, Q_q, Q_v);
    if (status && Q_q != nullptr) status = row_.add_hessian(without_turns(s), -torque(s, x), Q_q);
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    energy.dissipation += torque(s, x) * x.rate;
    return status;
  }

 private:
  static double load(const ElementState& s) { return std::hypot(s.last->lambda[0][0], s.last->lambda[0][1]); }
  double torque(const ElementState& s, const Terms& x) const {
    return p_.coefficient * p_.radius * load(s) * std::tanh(x.rate / p_.speed);
  }

  Index seen_count() const override { return 1; }
  ElementRef seen(Index) const override { return p_.joint; }

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "torque" : "load"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "N m" : "N"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Terms x;
    const Status status = row_.evaluate(without_turns(s), x);
    out[0] = -torque(s, x), out[1] = load(s);
    return status;
  }

  Parameters p_;
  Row row_;
};

}  // namespace
}  // namespace acme::friction

TRAMMEL_PLUGIN("acme.friction", "1.0.0", "BSD-3-Clause",
               component<acme::friction::Jenkins>(Host::planar, "acme.jenkins",
                                                  "A spring in series with a slider that yields, on a joint.",
                                                  "Masing, Proc. 2nd Int. Congress of Applied Mechanics (1926)"),
               component<acme::friction::LoadFriction>(Host::planar, "acme.load_friction",
                                                       "Friction of a pin that follows its reaction.", ""));
