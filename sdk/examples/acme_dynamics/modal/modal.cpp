// Plugin `acme.modal`: planar rigid bodies and beams with one mode of bending, in floating frames of reference.
// Elements attach to beams at named points, whose frames move with the modal coordinate.
#include <trammel/extensions/system_extensions.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include "modal_bodies.h"

namespace acme::modal {
namespace {

using namespace trammel;

class Modal final : public System, BodyColumnUnits {
 public:
  struct Parameters {
    double gravity[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Acceleration of gravity; its potential is zero at the origin.")
          .otherwise("[0, 0]"));
  static constexpr auto body_parameters = sdk::table<BodyParameters>(
      TRAMMEL_FIELD(BodyParameters, type, "1", "A rigid body, or a uniform beam with its first mode of bending.")
          .choices("rigid|beam")
          .otherwise("\"rigid\""),
      TRAMMEL_FIELD(BodyParameters, mass, "kg", "Mass.").above(0),
      TRAMMEL_FIELD(BodyParameters, inertia, "kg m^2", "Of a rigid body, about its centre of mass.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(BodyParameters, length, "m", "Of a beam.").above(0).optional(),
      TRAMMEL_FIELD(BodyParameters, bending_stiffness, "N m^2", "E I of a beam.").above(0).optional(),
      TRAMMEL_FIELD(BodyParameters, damping, "N s/m", "Of a beam: force against the rate of its modal coordinate.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(BodyParameters, ends, "1",
                    "Of a beam: its frame is clamped to it at the end x = 0, or it is free at both ends and the frame "
                    "in its middle.")
          .choices("clamped|free")
          .otherwise("\"clamped\""),
      TRAMMEL_FIELD(BodyParameters, position, "m",
                    "Centre of mass of a rigid body, origin of a beam's frame, at the start.")
          .otherwise("[0, 0]"),
      TRAMMEL_FIELD(BodyParameters, angle, "rad", "Angle of the frame at the start.").otherwise("0"),
      TRAMMEL_FIELD(BodyParameters, velocity, "m/s", "Velocity of `position` at the start.").otherwise("[0, 0]"),
      TRAMMEL_FIELD(BodyParameters, angular_velocity, "rad/s", "Angular velocity of the frame at the start.")
          .otherwise("0"),
      TRAMMEL_FIELD(BodyParameters, deflection, "m",
                    "Of a beam: modal coordinate at the start, the deflection of its end.")
          .otherwise("0"),
      TRAMMEL_FIELD(BodyParameters, deflection_rate, "m/s", "Of a beam: its rate.").otherwise("0"));

  Modal(const Parameters& given, const ModelInfo& model) : bodies_(given.gravity, model) {}

  const BodySystem* bodies() const override { return &bodies_; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<BodyColumnUnits, BodyFrames>(id, this, &bodies_);
  }
  const char* column_unit(Index k) const override {
    constexpr const char* units[] = {"m", "m", "rad", "m/s", "m/s", "rad/s", "m", "m/s"};
    return units[k];
  }
  const char* acceleration_column_unit(Index k) const override { return k == 2 ? "rad/s^2" : "m/s^2"; }

 private:
  ModalBodies bodies_;
};

}  // namespace
}  // namespace acme::modal

TRAMMEL_PLUGIN("acme.modal", "1.0.0", "BSD-3-Clause",
               component<acme::modal::Modal>(Host::planar, "acme.modal",
                                             "Bodies in a plane: rigid ones, and beams with one mode of bending.",
                                             "Shabana, Dynamics of Multibody Systems (2013), chapter 5"));
