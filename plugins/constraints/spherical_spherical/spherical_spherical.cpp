// Plugin: spherical-spherical composite joint, a massless rod with a ball joint at each end.
#include "trammel/sdk/elements/coupler_geometry.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::spherical_spherical {

/// `.length .rate` of the rod: how well its length is kept.
class RodChannels final : public ElementChannels {
 public:
  explicit RodChannels(const sdk::SpatialPoints& points) : length_{points.s_i, points.s_j} {}

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "length" : "rate"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "m" : "m/s"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const sdk::ScalarTerms<7> x = length_.terms(s);
    out[0] = x.value, out[1] = x.rate;
    return Status::success();
  }

 private:
  sdk::SpatialLength length_;
};

/// Row 0: |P_j - P_i| - length, m.
class SphericalSpherical final : public sdk::SpatialConstraint<sdk::DistanceRow> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints ends;
    double length;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<sdk::zero_spatial>),
      TRAMMEL_FIELD(Parameters, length, "m", "Length of the rod; the initial distance of its ends if left out.")
          .optional());

  SphericalSpherical(const Parameters& given, const ModelInfo& model)
      : SphericalSpherical(given, sdk::coupler_link(given.two, given.ends, given.length, model)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, Drawing>(id, &channels_, &reaction_, &drawn_);
  }

 private:
  SphericalSpherical(const Parameters& given, const sdk::CouplerLink& link)
      : FusedConstraint(given.two.bodies[0], given.two.bodies[1], {link.points.s_i, link.points.s_j, link.length}),
        channels_(link.points),
        reaction_(link.points.s_j),
        drawn_(sdk::Drawn(Symbol::rod).at(link.points)) {}

  RodChannels channels_;
  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::spherical_spherical

TRAMMEL_PLUGIN("spherical_spherical", "1.0.0", "BSD-3-Clause",
               component<trammel::spherical_spherical::SphericalSpherical>(
                   Host::spatial, "spherical_spherical", "A massless rod with a ball joint at each end.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
