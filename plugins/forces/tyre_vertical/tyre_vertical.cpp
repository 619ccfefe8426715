// Plugin: vertical spring and damper between a point of a body and a road below it, spatial (z up) and planar (y up).
#include <algorithm>
#include <array>

#include "road_picture.h"
#include "trammel/extensions/channel_gradients.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/event.h"
#include "trammel/extensions/force_claims.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/force.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// Point P = r + A s, x along the road, z up, road height h(x), free radius R.
//   d = R + h(x) - z,  d' = h' x' - z',  F = k d + c d',  pushes the body up; unilateral: 0 where d <= 0 or F <= 0   (1)
//   Q = F z_q,  Q_q = z_q^T F_q + F z_qq,  Q_v = z_q^T F_v                                                          (2)
//   F_q = k (h' x_q - z_q) + c (h'' x' x_q + h' x'_q - z'_q),  F_v = c (h' x_q - z_q)                               (3)
// The vertical force alone acts on the body, so the road does the work F h' x'.
namespace trammel::tyre_vertical {

enum class Contact : std::int32_t { bonded, unilateral };

struct Parameters {
  BodyRef body;
  double at[3];
  double point[3];
  double stiffness;
  double damping;
  double radius;
  FunctionRef road;
  Contact contact;
};

constexpr auto table = sdk::table<Parameters>(
    TRAMMEL_FIELD(Parameters, body, "1", "The body that the wheel belongs to."),
    TRAMMEL_FIELD(Parameters, at, "m", "Wheel centre, global, in the initial configuration.").at_start().optional(),
    TRAMMEL_FIELD(Parameters, point, "m", "Wheel centre, body-fixed; the mass centre if both are left out.")
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffness k.").at_least(0),
    TRAMMEL_FIELD(Parameters, damping, "N s/m", "Damping c.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(Parameters, radius, "m", "Free radius R: height of the centre over the road without force.").above(0),
    sdk::in_frame(
        TRAMMEL_FIELD(Parameters, road, "m over m", "Height of the road over the first coordinate x; 0 if left out."),
        FrameUse::ground)
        .optional(),
    TRAMMEL_FIELD(Parameters, contact, "1", "'unilateral' only pushes, 'bonded' also pulls.")
        .choices("bonded|unilateral")
        .otherwise("\"unilateral\""));

/// Position and velocity along x and z of a body-fixed point, as rows over the body's coordinates.
template <class State>
struct Centre;

template <>
struct Centre<SpatialBodyState> {
  static constexpr Index C = 7;
  using Local = sdk::Vec3<>;

  static Local local(const double* v) { return sdk::vec3(v); }
  static Local body_fixed(const SpatialBodyState& b, const double* at) {
    return sdk::multiply_transposed(b.A, sdk::vec3(at) - sdk::position(b));
  }
  static const SpatialBodyState& state(const ModelInfo& model, BodyRef body) { return sdk::spatial_state(model, body); }
  static std::array<double, 3> place(const SpatialBodyState& b, const Local& s) {
    const sdk::Vec3<> at = sdk::position(b) + sdk::multiply(b.A, s);
    return {at.x, at.y, at.z};
  }

  Centre(const SpatialBodyState& b, const Local& s) : s_(s) {
    const sdk::BTerm<double> B = sdk::b_term(sdk::parameters(b), s), turning = sdk::b_term(sdk::parameter_rates(b), s);
    const sdk::Vec3<> position = sdk::position(b) + sdk::multiply(b.A, s);
    const sdk::Vec3<> velocity = sdk::velocity(b) + sdk::b_apply(B, sdk::parameter_rates(b));
    x = position.x, z = position.z, x_dot = velocity.x, z_dot = velocity.z;
    x_q[0] = z_q[2] = 1;
    const sdk::Vec3<> along{1, 0, 0}, up{0, 0, 1};
    sdk::store(sdk::b_transpose(B, along), x_q + 3), sdk::store(sdk::b_transpose(B, up), z_q + 3);
    sdk::store(sdk::b_transpose(turning, along), x_dot_q + 3), sdk::store(sdk::b_transpose(turning, up), z_dot_q + 3);
  }
  /// out += F z_qq
  void add_curvature(double F, const MatrixView& out) const {
    sdk::add_K(1, s_, sdk::Vec3<>{0, 0, F}, &out(3, 3), out.stride);
  }

  double x, z, x_dot, z_dot;
  double x_q[7] = {}, z_q[7] = {}, x_dot_q[7] = {}, z_dot_q[7] = {};

 private:
  Local s_;
};

template <>
struct Centre<PlanarBodyState> {
  static constexpr Index C = 3;
  using Local = sdk::Vec2<>;

  static Local local(const double* v) { return sdk::vec2(v); }
  static Local body_fixed(const PlanarBodyState& b, const double* at) {
    return sdk::rotate_back(b, sdk::vec2(at) - sdk::position(b));
  }
  static const PlanarBodyState& state(const ModelInfo& model, BodyRef body) { return sdk::planar_state(model, body); }
  static std::array<double, 3> place(const PlanarBodyState& b, const Local& s) {
    const sdk::Vec2<> at = sdk::position(b) + sdk::rotate(b, s);
    return {at.x, at.y, 0};
  }

  Centre(const PlanarBodyState& b, const Local& s) : arm_(sdk::rotate(b, s)) {
    x = b.r[0] + arm_.x, z = b.r[1] + arm_.y;
    x_dot = b.rdot[0] - b.omega * arm_.y, z_dot = b.rdot[1] + b.omega * arm_.x;
    x_q[0] = z_q[1] = 1;
    x_q[2] = -arm_.y, z_q[2] = arm_.x;
    x_dot_q[2] = -b.omega * arm_.x, z_dot_q[2] = -b.omega * arm_.y;
  }
  void add_curvature(double F, const MatrixView& out) const { out(2, 2) -= F * arm_.y; }

  double x, z, x_dot, z_dot;
  double x_q[3] = {}, z_q[3] = {}, x_dot_q[3] = {}, z_dot_q[3] = {};

 private:
  Local arm_;
};

template <class State>
class Tyre final : public ForceElement, ElementChannels, ChannelGradients, StateFunctions, StateLaws, ForceClaims {
  static constexpr Index C = Centre<State>::C;

 public:
  using Parameters = tyre_vertical::Parameters;
  static constexpr auto parameters = table;

  Tyre(const Parameters& p, const ModelInfo& model)
      : body_(p.body),
        s_{},
        k_(p.stiffness),
        c_(p.damping),
        R_(p.radius),
        road_(p.road),
        unilateral_(p.contact == Contact::unilateral) {
    if (p.body.is_ground()) throw Error::parameter("body", "a tyre on ground moves nothing");
    if (given(p.at) && given(p.point)) {
      throw Error::parameter("at", "give 'at' (global) or 'point' (body-fixed), not both");
    }
    if (given(p.at)) s_ = Centre<State>::body_fixed(Centre<State>::state(model, p.body), p.at);
    if (given(p.point)) s_ = Centre<State>::local(p.point);
    drawn_.place(sdk::Drawn(Symbol::nothing).at(0, s_),
                 Centre<State>::place(Centre<State>::state(model, p.body), s_).data());
    if (unilateral_ && c_ > 0) switches_.add("release");
  }

  const void* extension(const char* id) const override {
    const void* own =
        sdk::offer_extensions<ElementChannels, ChannelGradients, StateFunctions, StateLaws, LawSwitches, Drawing,
                              ForceClaims>(id, this, this, this, this, &switches_, &drawn_, this);
    return own == nullptr && unilateral_ ? sdk::offer_extensions<EventSource>(id, &touch_) : own;
  }
  Index body_count() const override { return 1; }
  BodyRef body(Index) const override { return body_; }

  Status force(const ElementState& s, const VectorView* Q) const override {
    const Centre<State> P(s.body<State>(0), s_);
    Footprint at;
    const Status status = press(P, 1, at);
    if (!status || !at.active || Q[0].data == nullptr) return status;
    for (Index i = 0; i < C; ++i) Q[0].data[i] += at.F * P.z_q[i];  // (2)
    return status;
  }

  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    const Centre<State> P(s.body<State>(0), s_);
    Footprint at;
    const Status status = press(P, 2, at);
    if (!status || !at.active) return status;
    double F_q[C], F_v[C];
    for (Index i = 0; i < C; ++i) {  // (3)
      F_v[i] = c_ * deflection(P, at, i);
      F_q[i] = k_ * deflection(P, at, i) + c_ * rate(P, at, i);
    }
    for (Index j = 0; j < C; ++j) {  // (2)
      for (Index i = 0; i < C; ++i) {
        if (Q_q != nullptr && Q_q[0]) Q_q[0](i, j) += P.z_q[i] * F_q[j];
        if (Q_v != nullptr && Q_v[0]) Q_v[0](i, j) += P.z_q[i] * F_v[j];
      }
    }
    if (Q_q != nullptr && Q_q[0]) P.add_curvature(at.F, Q_q[0]);
    return status;
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const Centre<State> P(s.body<State>(0), s_);
    Footprint at;
    const Status status = press(P, 1, at);
    if (!status) return status;
    const bool pressed = !unilateral_ || at.d > 0;
    if (pressed) energy.potential += 0.5 * k_ * at.d * at.d;
    // What is not stored is lost: F d' = d(potential)/dt + dissipation, also where the damper's pull is cut off.
    if (pressed) energy.dissipation += (at.active ? at.F : 0) * at.d_dot - k_ * at.d * at.d_dot;
    if (at.active) energy.work += at.F * at.h[1] * P.x_dot;
    return status;
  }

 private:
  struct Footprint {
    double h[3] = {0, 0, 0}, d = 0, d_dot = 0, F = 0;
    bool active = false;
  };

  /// (1), and the road's derivatives up to `order`.
  Status press(const Centre<State>& P, int order, Footprint& at) const {
    Status status;
    if (road_ != nullptr) status = road_->evaluate(P.x, order, at.h);
    at.d = R_ + at.h[0] - P.z, at.d_dot = at.h[1] * P.x_dot - P.z_dot;
    at.F = k_ * at.d + c_ * at.d_dot;
    at.active = !unilateral_ || (at.d > 0 && at.F > 0);
    return status;
  }

  /// d_q = (d')_v and (d')_q.
  static double deflection(const Centre<State>& P, const Footprint& at, Index i) {
    return at.h[1] * P.x_q[i] - P.z_q[i];
  }
  static double rate(const Centre<State>& P, const Footprint& at, Index i) {
    return at.h[2] * P.x_dot * P.x_q[i] + at.h[1] * P.x_dot_q[i] - P.z_dot_q[i];
  }

  /// Touch-down (rising) and lift-off of unilateral tyres: the force has a kink there.
  class Touch final : public EventSource {
   public:
    explicit Touch(const Tyre& tyre) : tyre_(tyre) {}
    Index event_count() const override { return 1; }
    const char* event_name(Index) const override { return "contact"; }
    EventDirection event_direction(Index) const override { return EventDirection::both; }
    EventAction event_action(Index) const override { return EventAction::restart; }
    Status event_values(const ElementState& s, VectorView out) const override {
      Footprint at;
      const Status status = tyre_.press(Centre<State>(s.body<State>(0), tyre_.s_), 1, at);
      out[0] = at.d;
      return status;
    }

   private:
    const Tyre& tyre_;
  };

  /// (1) is cut off where the damper would pull more than the spring pushes.
  Status switch_values(const ElementState& s, double* out) const {
    Footprint at;
    const Status status = press(Centre<State>(s.body<State>(0), s_), 1, at);
    if (switches_.switch_count() > 0 && status && at.d > 0) out[0] = at.F;
    return status;
  }

  Index channel_count() const override { return 3; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"deflection", "rate", "force"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Footprint at;
    const Status status = press(Centre<State>(s.body<State>(0), s_), 1, at);
    out[0] = at.d, out[1] = at.d_dot, out[2] = at.active ? at.F : 0;
    return status;
  }

  ChannelGrade channel_grade(Index i) const override {
    return i == 0 ? ChannelGrade::coordinate : ChannelGrade::motion;
  }
  Status channel_gradient(Index i, const ElementState& s, double* value, const VectorView* by_q, const VectorView* by_v,
                          double*) const override {
    const Centre<State> P(s.body<State>(0), s_);
    Footprint at;
    const Status status = press(P, 2, at);
    const double acts = at.active ? 1 : 0, by_d[] = {1, 0, acts * k_}, by_rate[] = {0, 1, acts * c_};
    *value = by_d[i] * at.d + by_rate[i] * at.d_dot;
    for (Index k = 0; k < C; ++k) {
      if (by_q[0].data != nullptr) by_q[0].data[k] += by_d[i] * deflection(P, at, k) + by_rate[i] * rate(P, at, k);
      if (by_v[0].data != nullptr) by_v[0].data[k] += by_rate[i] * deflection(P, at, k);
    }
    return status;
  }

  /// The vertical force alone acts: on a slope the damper may push along with the body, and the road pays.
  bool passive() const override { return road_ == nullptr; }

  Index state_function_count() const override { return 1; }
  const Function* state_function(Index) const override { return road_; }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override {
    const Centre<State> P(s.body<State>(0), s_);
    value[0] = P.x, rate[0] = P.x_dot;
    return Status::success();
  }

  /// The road's part k h(x) + c h' x' of (1); the rest is linear.
  Index law_count() const override { return road_ != nullptr ? 1 : 0; }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    return state_function_arguments(s, x, rate);
  }
  Status law(Index, const double* x, const double* rate, double, double* force) const override {
    double h[2] = {0, 0};
    const Status status = road_->evaluate(*x, c_ > 0 ? 1 : 0, h);
    *force = k_ * h[0] + c_ * h[1] * *rate;
    return status;
  }
  /// Without damper, at one place, or where the road is level: its slope has no bounds elsewhere.
  Status law_bounds(Index i, const Box& box, double* force) const override {
    if (*box.x[0] == *box.x[1]) {
      double other = 0;
      Status status = law(i, box.x[0], box.rate[0], box.t[0], &force[0]);
      if (status) status = law(i, box.x[0], box.rate[1], box.t[0], &other);
      force[1] = std::max(force[0], other), force[0] = std::min(force[0], other);
      return status;
    }
    const auto* bounds = find_extension<FunctionBounds>(*road_);
    if (bounds == nullptr) return StateLaws::law_bounds(i, box, force);
    const Status status = bounds->bounds(*box.x[0], *box.x[1], force);
    if (c_ > 0 && !(force[0] == force[1])) return StateLaws::law_bounds(i, box, force);
    force[0] *= k_, force[1] *= k_;
    return status;
  }

  BodyRef body_;
  typename Centre<State>::Local s_;
  double k_, c_, R_;
  FunctionRef road_;
  bool unilateral_;
  Touch touch_{*this};
  sdk::OwnSwitches<Tyre> switches_{*this, &Tyre::switch_values};
  RoadPicture drawn_{road_, R_, C == 3 ? 1 : 2};
};

}  // namespace trammel::tyre_vertical

TRAMMEL_PLUGIN("tyre_vertical", "1.0.0", "BSD-3-Clause",
               component<trammel::tyre_vertical::Tyre<SpatialBodyState>>(
                   Host::spatial, "tyre_vertical", "Vertical spring and damper between a wheel's centre and a road."),
               component<trammel::tyre_vertical::Tyre<PlanarBodyState>>(
                   Host::planar, "tyre_vertical", "Vertical spring and damper between a wheel's centre and a road."));
