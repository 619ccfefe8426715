// Plugin `pendulum_angle`: simple pendulum in its angle theta from the horizontal, counterclockwise.
//
//   position of the mass: (L cos theta, L sin theta), gravity along -y
//   m L^2 theta'' = -m g L cos theta                                                                              (1)
//   T = m L^2 theta'^2 / 2,  V = m g L sin theta                                                                  (2)
//
// Fernandez de Bustos et al. (2024), Eq. 14 (the print lost the sign). The defaults, horizontal and at rest, are the
// problem of its Tables 1 to 6 and problem A01 of the IFToMM benchmark library.
#include <cmath>

#include "trammel/sdk/elements/second_order_problem.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class PendulumAngle final : public System {
 public:
  struct Parameters {
    double length;
    double mass;
    double gravity;
    double angle;
    double rate;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, length, "m", "Length L of the massless rod.").above(0).otherwise("1"),
      TRAMMEL_FIELD(Parameters, mass, "kg", "Point mass m at its end.").above(0).otherwise("1"),
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Acceleration g along -y.").otherwise("9.81"),
      TRAMMEL_FIELD(Parameters, angle, "rad", "Initial angle from the horizontal +x, counterclockwise.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, rate, "rad/s", "Initial angular velocity.").otherwise("0"));

  explicit PendulumAngle(const Parameters& p) : p_(p), view_(*this) {}

  SecondOrderSystem* second_order() override { return &view_; }
  const char* coordinate_name(Index) const override { return "theta"; }
  const char* coordinate_unit(Index) const override { return "rad"; }
  void initial(VectorView x, VectorView x_dot) const override {
    x[0] = p_.angle;
    x_dot[0] = p_.rate;
  }

  bool energy(double, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const override {
    kinetic = p_.mass * p_.length * p_.length * x_dot[0] * x_dot[0] / 2;  // (2)
    potential = p_.mass * p_.gravity * p_.length * std::sin(x[0]);
    return true;
  }

  template <class S>
  void mass(const S&, const S*, S (*M)[1]) const {
    M[0][0] = p_.mass * p_.length * p_.length;
  }
  template <class S>
  void force(const S&, const S* x, const S*, S* Q) const {
    using std::cos;
    Q[0] = -p_.mass * p_.gravity * p_.length * cos(x[0]);  // (1)
  }

 private:
  Parameters p_;
  sdk::SecondOrderView<PendulumAngle, 1> view_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("pendulum_angle", "1.0.0", "BSD-3-Clause",
               component<PendulumAngle>(Host::any, "pendulum_angle",
                                        "Simple pendulum in its angle from the horizontal.",
                                        "Fernandez de Bustos et al. (2024), Eq. 14"));
