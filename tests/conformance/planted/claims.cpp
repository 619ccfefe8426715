// Forces with one mistake each that no derivative shows: type bad_<check>.
#include <trammel/extensions/channel_gradients.h>
#include <trammel/extensions/element_extensions.h>
#include <trammel/extensions/force_claims.h>
#include <trammel/sdk/elements/auto_force.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;

enum class Bug { none, objectivity, closed_path, channels, channel_gradients, written, gravity_axis };

/// A damper between two points, without an account of its energy.
template <Bug bug>
class Damper final : public sdk::AutoForce<Damper<bug>, PlanarBodyState, 2>,
                     private ElementChannels,
                     private ChannelGradients {
  using Base = sdk::AutoForce<Damper<bug>, PlanarBodyState, 2>;
  template <class T>
  using Motion = sdk::Motion<PlanarBodyState, T>;

 public:
  struct Parameters {
    BodyRefs bodies;
    double stiffness;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
                             TRAMMEL_FIELD(Parameters, stiffness, "N s/m", "Coefficient."));

  explicit Damper(const Parameters& p) : Base(p.bodies[0], p.bodies[1]), c_(p.stiffness) {}
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients>(id, this, this);
  }
  Status energy(const ElementState&, ForceEnergy&) const override {
    return Status::failure(StatusCode::unsupported, "no energy");
  }

  template <class T>
  void force(const T&, const Motion<T>* bodies, sdk::Load<PlanarBodyState, T>* loads) const {
    const sdk::Vec2<T> d = separation(bodies);
    const sdk::Vec2<T> F = (resistance(bodies) / norm(d)) * d;
    loads[1].add_force(bodies[1], {0.1, 0.2}, F);
    loads[0].add_force(bodies[0], {0.0, 0.0}, -F);
  }

 private:
  template <class Bodies>
  static auto separation(const Bodies* bodies) {
    return bodies[1].point({0.1, 0.2}) - bodies[0].point({0.0, 0.0});
  }
  template <class T>
  static T rate(const Motion<T>* bodies) {
    const sdk::Vec2<T> d = separation(bodies);
    return dot(d, bodies[1].point_velocity({0.1, 0.2}) - bodies[0].point_velocity({0.0, 0.0})) / norm(d);
  }
  template <class T>
  T resistance(const Motion<T>* bodies) const {
    const T F = -c_ * rate(bodies);
    if constexpr (bug == Bug::closed_path) return -0.05 * F;  // slow enough for a run
    if constexpr (bug == Bug::objectivity) return F * (1.0 + 0.3 * separation(bodies).x);
    return F;
  }

  Index channel_count() const override { return 3; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"length", "rate", "force"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const Motion<double> bodies[2] = {Base::motion(s, 0), Base::motion(s, 1)};
    out[0] = norm(separation(bodies)), out[1] = rate(bodies);
    out[2] = (bug == Bug::channels ? 1 : -1) * resistance(bodies);
    return Status::success();
  }

  ChannelGrade channel_grade(Index i) const override {
    return i == 0 ? ChannelGrade::coordinate : ChannelGrade::unknown;
  }
  /// Of the length.
  Status channel_gradient(Index, const ElementState& s, double* value, const VectorView* by_q, const VectorView*,
                          double*) const override {
    const Motion<double> bodies[2] = {Base::motion(s, 0), Base::motion(s, 1)};
    const sdk::Vec2<double> d = separation(bodies), arm = bodies[1].point({0.1, 0.2}) - bodies[1].r;
    const double turning = (d.y * arm.x - d.x * arm.y) / norm(d);
    const double g[2][3] = {{-d.x / norm(d), -d.y / norm(d), 0},
                            {d.x / norm(d), d.y / norm(d), bug == Bug::channel_gradients ? 0 : turning}};
    *value = norm(d);
    for (Index b = 0; b < 2; ++b) {
      for (Index k = 0; by_q[b].data != nullptr && k < 3; ++k)
        by_q[b].data[k] = g[b][k] + (bug == Bug::written ? 0 : by_q[b].data[k]);
    }
    return Status::success();
  }

  double c_;
};

/// Air at rest on one body.
template <Bug bug>
class Drag final : public sdk::AutoForce<Drag<bug>, SpatialBodyState, 1>, private ForceClaims {
 public:
  struct Parameters {
    BodyRef body;
  };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, body, "1", "The body."));

  explicit Drag(const Parameters& p) : sdk::AutoForce<Drag<bug>, SpatialBodyState, 1>(p.body) {}
  const void* extension(const char* id) const override { return sdk::offer_extensions<ForceClaims>(id, this); }

  static constexpr bool dissipative = true;
  template <class T>
  void force(const T&, const sdk::Motion<SpatialBodyState, T>* bodies, sdk::Load<SpatialBodyState, T>* loads) const {
    const auto& v = bodies[0].rdot;
    const double along_x = bug == Bug::gravity_axis ? 0.3 : 0.2;
    loads[0].add_force(bodies[0], {0, 0, 0}, sdk::Vec3<T>{-along_x * v.x, -0.2 * v.y, -0.5 * v.z});
  }

 private:
  bool turns_about_gravity() const override { return true; }
};

template <Bug bug>
constexpr ComponentRecord damper(const char* type) {
  return sdk::component<Damper<bug>>(Host::planar, type, "A damper with a mistake.");
}
template <Bug bug>
constexpr ComponentRecord drag(const char* type) {
  return sdk::component<Drag<bug>>(Host::spatial, type, "A drag with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_claims", "1.0.0", "BSD-3-Clause", damper<Bug::none>("good_damper"),
               damper<Bug::objectivity>("bad_objectivity"), damper<Bug::closed_path>("bad_closed_path"),
               damper<Bug::channels>("bad_channels"), damper<Bug::channel_gradients>("bad_channel_gradients"),
               damper<Bug::written>("bad_written"), drag<Bug::none>("good_drag"),
               drag<Bug::gravity_axis>("bad_gravity_axis"));
