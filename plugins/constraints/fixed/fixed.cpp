// Plugin: fixed joints (welds), spatial and planar.
#include "trammel/sdk/elements/placed.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::fixed {

struct Parameters {
  sdk::TwoBodies two;
  sdk::PointKeys point;
};
constexpr auto fixed_table = sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
                                                    TRAMMEL_EMBED(Parameters, point, sdk::point_fields));

/// Without any point the joint point is the mass centre of the second body, of the first if the second is ground.
template <class State>
sdk::PointKeys with_default_point(const Parameters& p, const ModelInfo& model) {
  sdk::PointKeys keys = p.point;
  if (given(keys.at) || given(keys.point_i) || given(keys.point_j)) return keys;
  const BodyRef body = p.two.bodies[1].is_ground() ? p.two.bodies[0] : p.two.bodies[1];
  const State& state = *static_cast<const State*>(model.initial_state(body));
  keys.at[0] = state.r[0], keys.at[1] = state.r[1], keys.at[2] = 0;
  if constexpr (State::coordinates == 7) keys.at[2] = state.r[2];
  return keys;
}

/// Rows 0..2: P_j - P_i, m. Rows 3..5: no relative rotation from the initial configuration, rad.
class SpatialFixed final : public sdk::SpatialConstraint<sdk::PointRows, sdk::ParallelRows, sdk::DotRow> {
 public:
  using Parameters = fixed::Parameters;
  static constexpr auto parameters = fixed_table;

  SpatialFixed(const Parameters& given, const ModelInfo& model)
      : SpatialFixed(given, sdk::spatial_points(given.two, with_default_point<SpatialBodyState>(given, model), model),
                     axes(given, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing, FreeDirections, MultiplierTwists, JointPlacement>(
        id, &reaction_, &drawn_, this, this, &placed_);
  }

 private:
  SpatialFixed(const Parameters& given, const sdk::SpatialPoints& points, const sdk::SpatialAxes& axes)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j},
                        {axes.f_i, axes.g_i, axes.h_j}, {axes.f_i, axes.g_j}),
        reaction_(points.s_j),
        drawn_(sdk::Drawn(Symbol::point).at(points)),
        placed_(sdk::Placed(JointTurn::none).at(points).axes(axes)) {}

  /// Any axis will do: a frame that both bodies share at the start.
  static sdk::SpatialAxes axes(const Parameters& given, const ModelInfo& model) {
    const double none = left_out();
    return sdk::spatial_axes(given.two, {{0, 0, 1}, {none, none, none}, {none, none, none}}, model);
  }

  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

/// Rows 0, 1: P_j - P_i, m. Row 2: phi_j - phi_i from its initial value, rad.
class PlanarFixed final : public sdk::PlanarConstraint<sdk::PlanarPointRows, sdk::PlanarAngleRow> {
 public:
  using Parameters = fixed::Parameters;
  static constexpr auto parameters = fixed_table;

  PlanarFixed(const Parameters& given, const ModelInfo& model)
      : PlanarFixed(given, sdk::planar_points(given.two, with_default_point<PlanarBodyState>(given, model), model),
                    model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ReactionPoint, Drawing, FreeDirections, JointPlacement>(id, &reaction_, &drawn_, this,
                                                                                         &placed_);
  }

 private:
  PlanarFixed(const Parameters& given, const sdk::PlanarPoints& points, const ModelInfo& model)
      : FusedConstraint(
            given.two.bodies[0], given.two.bodies[1], {points.s_i, points.s_j},
            {sdk::planar_state(model, given.two.bodies[1]).phi - sdk::planar_state(model, given.two.bodies[0]).phi}),
        reaction_(points.s_j),
        drawn_(sdk::Drawn(Symbol::point).at(points)),
        placed_(sdk::Placed(JointTurn::none)
                    .at(points)
                    .axes(1, turned_back(sdk::planar_state(model, given.two.bodies[1]).phi -
                                         sdk::planar_state(model, given.two.bodies[0]).phi))) {}

  /// The first axis of the first body in the second.
  static sdk::Vec2<> turned_back(double angle) { return {std::cos(angle), -std::sin(angle)}; }

  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
  sdk::Placed placed_;
};

}  // namespace trammel::fixed

TRAMMEL_PLUGIN("fixed", "1.0.0", "BSD-3-Clause",
               component<trammel::fixed::SpatialFixed>(
                   Host::spatial, "fixed", "The two bodies move as one, as they stand in the initial configuration.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"),
               component<trammel::fixed::PlanarFixed>(
                   Host::planar, "fixed", "The two bodies move as one, as they stand in the initial configuration.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.3"));
