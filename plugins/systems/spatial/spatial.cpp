// Plugin: spatial rigid bodies with Euler parameters.
#include "spatial_implicit.h"
#include "spatial_twists.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::spatial {

class Spatial final : public System, public BodyColumnUnits {
 public:
  struct Parameters {
    double gravity[3];
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, gravity, "m/s^2",
                                           "Acceleration of gravity, global; its potential is zero at the origin.")
                                 .otherwise("[0, 0, 0]"));
  static constexpr auto body_parameters = sdk::table<BodyParameters>(
      TRAMMEL_FIELD(BodyParameters, type, "1",
                    "A rigid body; a point mass, which has a place and no rotation: elements that do not need one "
                    "attach to it; or a massless frame between joints.")
          .choices("rigid|point_mass|massless")
          .otherwise("\"rigid\""),
      TRAMMEL_FIELD(BodyParameters, mass, "kg", "Mass. Massless frames have none, all others need it.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(BodyParameters, inertia, "kg m^2",
                    "About the centre of mass in body axes: 3 principal moments or 6 tensor entries xx yy zz xy xz yz "
                    "(xy = -integral of x y dm). Rigid bodies need it, point masses have none.")
          .count(3, 6)
          .optional(),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, position, "m", "Centre of mass at the start, global."),
                    FrameUse::of_body)
          .otherwise("[0, 0, 0]"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, rotation, "1", "Body axes to global axes at the start."),
                    FrameUse::of_body)
          .optional(),
      sdk::in_frame(
          TRAMMEL_FIELD(BodyParameters, velocity, "m/s", "Velocity of the centre of mass at the start, global."),
          FrameUse::global)
          .otherwise("[0, 0, 0]"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, angular_velocity, "rad/s", "Angular velocity at the start, global."),
                    FrameUse::global)
          .otherwise("[0, 0, 0]"));

  Spatial(const Parameters& given, const ModelInfo& model) : bodies_(given.gravity, model) {}

  const BodySystem* bodies() const override { return &bodies_; }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<BodyColumnUnits, BodyParameterDerivatives, TwistForm, ImplicitTwists>(
        id, this, &bodies_, &twists_, &implicit_);
  }
  const char* column_unit(Index k) const override { return k < 3 ? "m" : k < 7 ? "1" : k < 10 ? "m/s" : "rad/s"; }
  const char* acceleration_column_unit(Index k) const override { return k < 3 ? "m/s^2" : "rad/s^2"; }

 private:
  SpatialBodies bodies_;
  SpatialTwists twists_{bodies_.data(), bodies_.runs()};
  SpatialImplicit implicit_{bodies_.data()};
};

}  // namespace trammel::spatial

TRAMMEL_PLUGIN("spatial", "1.0.0", "BSD-3-Clause",
               component<trammel::spatial::Spatial>(
                   Host::spatial, "spatial",
                   "Bodies in space: rigid ones with centre of mass and Euler parameters, and point masses.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapters 9 and 11"));
