// Plugin: rigid bodies and point masses in a plane.
#include "planar_implicit.h"
#include "planar_twists.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::planar {

class Planar final : public System, public BodyColumnUnits {
 public:
  struct Parameters {
    double gravity[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Acceleration of gravity; its potential is zero at the origin.")
          .otherwise("[0, 0]"));
  static constexpr auto body_parameters = sdk::table<BodyParameters>(
      TRAMMEL_FIELD(BodyParameters, type, "1",
                    "A rigid body, or a point mass, which has a place and no angle: elements that do not need one "
                    "attach to it.")
          .choices("rigid|point_mass")
          .otherwise("\"rigid\""),
      TRAMMEL_FIELD(BodyParameters, mass, "kg", "Mass.").above(0),
      TRAMMEL_FIELD(BodyParameters, inertia, "kg m^2",
                    "Moment of inertia about the centre of mass. Rigid bodies need it, point masses have none.")
          .at_least(0)
          .optional(),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, position, "m", "Centre of mass at the start."), FrameUse::of_body)
          .otherwise("[0, 0]"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, angle, "rad", "Angle at the start, counted over turns."),
                    FrameUse::of_body)
          .otherwise("0"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, velocity, "m/s", "Velocity of the centre of mass at the start."),
                    FrameUse::global)
          .otherwise("[0, 0]"),
      TRAMMEL_FIELD(BodyParameters, angular_velocity, "rad/s", "Angular velocity at the start.").otherwise("0"));

  Planar(const Parameters& given, const ModelInfo& model) : bodies_(given.gravity, model) {}

  const BodySystem* bodies() const override { return &bodies_; }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<BodyColumnUnits, BodyParameterDerivatives, TwistForm, ImplicitTwists>(
        id, this, &bodies_, &twists_, &implicit_);
  }
  const char* column_unit(Index k) const override { return k < 2 ? "m" : k == 2 ? "rad" : k < 5 ? "m/s" : "rad/s"; }
  const char* acceleration_column_unit(Index k) const override { return k < 2 ? "m/s^2" : "rad/s^2"; }

 private:
  PlanarBodies bodies_;
  PlanarTwists twists_{bodies_.data(), bodies_.runs()};
  PlanarImplicit implicit_{bodies_.data()};
};

}  // namespace trammel::planar

TRAMMEL_PLUGIN("planar", "1.0.0", "BSD-3-Clause",
               component<trammel::planar::Planar>(
                   Host::planar, "planar",
                   "Bodies in a plane: rigid ones with centre of mass and angle, and point masses.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapters 2 and 6"));
