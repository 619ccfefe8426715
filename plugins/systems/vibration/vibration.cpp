// Plugin `vibration`: one mass on a spring and a damper under a harmonic force.
//
//   x'' + 2 zeta omega x' + omega^2 x = p sin(w t)                                                                (1)
//   T = m x'^2 / 2,  V = m omega^2 x^2 / 2                                                                        (2)
//
// Without damping and with p = 1 the motion free of natural vibration starts at x = 0, x' = w / (omega^2 - w^2).
// Fernandez de Bustos et al. (2024), section 4.2, Eq. 39.
#include <cmath>

#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/elements/second_order_problem.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Vibration final : public System, private FrequencyBound {
 public:
  struct Parameters {
    double mass;
    double omega;
    double damping_ratio;
    double forcing;
    double forcing_omega;
    double position;
    double velocity;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, mass, "kg", "Mass m; scales the energies only.").above(0).otherwise("1"),
      TRAMMEL_FIELD(Parameters, omega, "rad/s", "Natural angular frequency of the undamped system.").above(0),
      TRAMMEL_FIELD(Parameters, damping_ratio, "1", "Damping zeta; 1 is critical.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, forcing, "m/s^2", "Amplitude p of the force per mass.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, forcing_omega, "rad/s", "Angular frequency w of the force.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, position, "m", "Initial position.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, velocity, "m/s", "Initial velocity.").otherwise("0"));

  explicit Vibration(const Parameters& p) : p_(p), view_(*this) {}

  SecondOrderSystem* second_order() override { return &view_; }
  const char* coordinate_name(Index) const override { return "x"; }
  const char* coordinate_unit(Index) const override { return "m"; }
  void initial(VectorView x, VectorView x_dot) const override {
    x[0] = p_.position;
    x_dot[0] = p_.velocity;
  }

  bool energy(double, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const override {
    kinetic = p_.mass * x_dot[0] * x_dot[0] / 2;  // (2)
    potential = p_.mass * p_.omega * p_.omega * x[0] * x[0] / 2;
    return true;
  }

  const void* extension(const char* id) const override { return sdk::offer_extensions<FrequencyBound>(id, this); }
  double highest_frequency() const override { return p_.omega; }

  template <class S>
  void mass(const S&, const S*, S (*M)[1]) const {
    M[0][0] = p_.mass;
  }
  template <class S>
  void force(const S& t, const S* x, const S* v, S* Q) const {
    using std::sin;
    Q[0] = p_.mass * (p_.forcing * sin(p_.forcing_omega * t) - 2 * p_.damping_ratio * p_.omega * v[0] -
                      p_.omega * p_.omega * x[0]);  // (1)
  }

 private:
  Parameters p_;
  sdk::SecondOrderView<Vibration, 1> view_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("vibration", "1.0.0", "BSD-3-Clause",
               component<Vibration>(Host::any, "vibration", "Damped vibration of one mass under a harmonic force.",
                                    "Fernandez de Bustos et al. (2024), section 4.2"));
