// NearbyLift: states inside the last step for what is integrated over it, without solving for them to rounding.
#pragma once

#include "trammel/formulation.h"

namespace trammel {

/// Beside SecondOrderFormulation. The power of dampers, loads and drivers is asked for at places inside each accepted step,
/// only to be summed up. What is known of both ends of the step predicts dependent positions and velocities there; one
/// correction each, with what was factorized at the end, leaves less of the constraints' violation than interpolants leave
/// of the motion. It depends smoothly on the place, so that quadrature rules agree on it.
class NearbyLift {
 public:
  static constexpr const char* id = "trammel.nearby_lift/1";

  /// [step] (w, w') -> (q, v), at t inside the last step. Where the prediction is far off, as lift_second_order.
  virtual Status lift_nearby(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot,
                             const Memory& memory, VectorView q, VectorView v) const = 0;

 protected:
  ~NearbyLift() = default;
};

}  // namespace trammel
