// ForceClaims: what a force says of itself as a whole, and `trammel check` holds it to.
#pragma once

namespace trammel {

/// Without this extension a force is held to the defaults. A force that is meant to be otherwise says so here, and the check
/// is skipped with that reason.
class ForceClaims {
 public:
  static constexpr const char* id = "trammel.force_claims/1";

  /// [setup] Between bodies: where all of them, ground too, are moved as one, the force is moved along; where all of them fly
  /// and turn as one, it stays. False: it knows directions or places of space, as gravity and wind do.
  virtual bool objective() const { return true; }
  /// [setup] On one body: turned about the direction of gravity and moved across it, the force turns along.
  virtual bool turns_about_gravity() const { return false; }
  /// [setup] Around a closed path of its bodies, there and back, while time stands still, it gives no energy in all. False:
  /// it is driven, and its power depends on the motion.
  virtual bool passive() const { return true; }

 protected:
  ~ForceClaims() = default;
};

}  // namespace trammel
