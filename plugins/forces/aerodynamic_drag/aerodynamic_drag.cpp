// Plugin: drag of a body in moving air, at one point of the body.
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_force.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

//   u = P' - f(t) w,  F = -(k |u| + c) u,  k = rho C_d A / 2                                                      (1)
//   F.P' = -(k |u| + c) u.u + F.(f w): dissipation in the air, and work of the wind                               (2)
// |u| u has a continuous derivative everywhere: zero at u = 0.
namespace trammel::aerodynamic_drag {

struct Parameters {
  BodyRef body;
  double at[3];
  double point[3];
  double area;
  double coefficient;
  double density;
  double linear;
  double wind[3];
  FunctionRef function;
};

constexpr auto table = sdk::table<Parameters>(
    TRAMMEL_FIELD(Parameters, body, "1", "The body it acts on."),
    TRAMMEL_FIELD(Parameters, at, "m", "Centre of pressure, global, in the initial configuration.")
        .at_start()
        .optional(),
    TRAMMEL_FIELD(Parameters, point, "m", "Centre of pressure, body-fixed; the mass centre if both are left out.")
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(Parameters, area, "m^2", "Reference area A.").at_least(0),
    TRAMMEL_FIELD(Parameters, coefficient, "1", "Drag coefficient C_d.").at_least(0),
    TRAMMEL_FIELD(Parameters, density, "kg/m^3", "Density of the air.").at_least(0).otherwise("1.225"),
    TRAMMEL_FIELD(Parameters, linear, "N s/m", "Coefficient c of a linear part.").at_least(0).otherwise("0"),
    sdk::in_frame(TRAMMEL_FIELD(Parameters, wind, "m/s", "Velocity w of the air, global; 0 if left out."),
                  FrameUse::global)
        .optional(),
    TRAMMEL_FIELD(Parameters, function, "1 over s", "Factor f of the wind over time; 1 if left out.").optional());

inline sdk::Vec3<> local_point(const Parameters& p, const SpatialBodyState& b) {
  if (given(p.point)) return sdk::vec3(p.point);
  return given(p.at) ? sdk::multiply_transposed(b.A, sdk::vec3(p.at) - sdk::position(b)) : sdk::Vec3<>{0, 0, 0};
}
inline sdk::Vec2<> local_point(const Parameters& p, const PlanarBodyState& b) {
  if (given(p.point)) return sdk::vec2(p.point);
  return given(p.at) ? sdk::rotate_back(b, sdk::vec2(p.at) - sdk::position(b)) : sdk::Vec2<>{0, 0};
}
inline sdk::Vec3<> wind_of(const Parameters& p, const SpatialBodyState&) {
  return given(p.wind) ? sdk::vec3(p.wind) : sdk::Vec3<>{0, 0, 0};
}
inline sdk::Vec2<> wind_of(const Parameters& p, const PlanarBodyState&) {
  return given(p.wind) ? sdk::vec2(p.wind) : sdk::Vec2<>{0, 0};
}

template <class State>
class AerodynamicDrag final : public sdk::AutoForce<AerodynamicDrag<State>, State, 1>, ElementChannels {
 public:
  using Base = sdk::AutoForce<AerodynamicDrag<State>, State, 1>;
  using Parameters = aerodynamic_drag::Parameters;
  static constexpr auto parameters = table;

  AerodynamicDrag(const Parameters& p, const ModelInfo& model)
      : Base(p.body), function_(p.function), quadratic_(0.5 * p.density * p.coefficient * p.area), linear_(p.linear) {
    if (p.body.is_ground()) throw Error::parameter("body", "drag on ground moves nothing");
    if (given(p.at) && given(p.point)) {
      throw Error::parameter("at", "give 'at' (global) or 'point' (body-fixed), not both");
    }
    const State& b = *static_cast<const State*>(model.initial_state(p.body));
    s_ = local_point(p, b), wind_ = wind_of(p, b);
    drawn_.at(0, s_);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, Drawing>(id, this, &drawn_);
  }

  template <class T>
  Status force(const T& t, const sdk::Motion<State, T>* b, sdk::Load<State, T>* loads) const {
    const auto u = relative(t, b[0]);
    const T factor = quadratic_ * speed(u) + linear_;
    if (!std::isfinite(sdk::base_value(factor))) return undefined();
    loads[0].add_force(b[0], s_, -(factor * u));  // (1)
    return Status::success();
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const sdk::Motion<State, double> b = Base::motion(s, 0);
    const auto u = relative(s.t, b);
    const double factor = quadratic_ * speed(u) + linear_;
    energy.dissipation += factor * sdk::dot(u, u);  // (2)
    energy.work -= factor * sdk::dot(u, b.point_velocity(s_) - u);
    return Status::success();
  }

 private:
  static bool given(const double* v) { return trammel::given(v); }
  static Status undefined() {
    return Status::failure(StatusCode::out_of_domain, "the wind's function is not defined at this time");
  }

  template <class T>
  auto relative(const T& t, const sdk::Motion<State, T>& b) const {
    const T factor = function_ != nullptr ? sdk::evaluate(*function_, t) : T(1.0);
    return b.point_velocity(s_) - factor * wind_;
  }
  template <class V>
  static auto speed(const V& u) -> decltype(sdk::dot(u, u)) {
    const auto square = sdk::dot(u, u);
    // Its derivative meets the factor u = 0 there, so any finite value serves.
    if (sdk::base_value(square) == 0) return decltype(sdk::dot(u, u))(0.0);
    using std::sqrt;
    return sqrt(square);
  }

  static constexpr Index dimension = State::coordinates == 3 ? 2 : 3;

  Index channel_count() const override { return 2 + dimension; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"speed", "force", "force.x", "force.y", "force.z"};
    return names[i];
  }
  const char* channel_unit(Index i) const override { return i == 0 ? "m/s" : "N"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const auto u = relative(s.t, Base::motion(s, 0));
    out[0] = speed(u);
    const double factor = quadratic_ * out[0] + linear_;
    out[1] = factor * out[0];
    sdk::store(-(factor * u), out.data + 2);
    return Status::success();
  }

  FunctionRef function_;
  double quadratic_;  ///< k, kg/m
  double linear_;     ///< c
  decltype(wind_of(Parameters(), State())) s_, wind_;
  sdk::Drawn drawn_{Symbol::nothing};
};

using SpatialDrag = AerodynamicDrag<SpatialBodyState>;
using PlanarDrag = AerodynamicDrag<PlanarBodyState>;

}  // namespace trammel::aerodynamic_drag

TRAMMEL_PLUGIN("aerodynamic_drag", "1.0.0", "BSD-3-Clause",
               component<trammel::aerodynamic_drag::SpatialDrag>(Host::spatial, "aerodynamic_drag",
                                                                 "Drag of a body in moving air."),
               component<trammel::aerodynamic_drag::PlanarDrag>(Host::planar, "aerodynamic_drag",
                                                                "Drag of a body in moving air."));
