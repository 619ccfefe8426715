// Plugin `spinning_top`: heavy symmetric top with a fixed point, in ZXZ Euler angles (phi, theta, psi).
//
//   T = I1 (theta'^2 + phi'^2 sin^2 theta) / 2 + I3 (psi' + phi' cos theta)^2 / 2                                 (1)
//   V = m g l cos theta                                                                                           (2)
// and from Lagrange's equations, rows phi, theta, psi, with s = sin theta, c = cos theta, w3 = psi' + phi' c,
//   [I1 s^2 + I3 c^2   0    I3 c]         [theta' s (I3 (w3 + phi' c) - 2 I1 phi' c)    ]
//   [0                 I1   0   ] x''  =  [s (I1 phi'^2 c - I3 w3 phi' + m g l)         ]                         (3)
//   [I3 c              0    I3  ]         [I3 phi' theta' s                             ]
// The determinant is I1^2 I3 s^2: theta = 0 and theta = pi are singular positions of the angles.
//
// Fernandez de Bustos et al. (2024), Tables 7 and 8; the defaults are its data (the print lost minus signs).
#include <cmath>

#include "trammel/sdk/elements/second_order_problem.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class SpinningTop final : public System {
 public:
  struct Parameters {
    double inertia;
    double axial_inertia;
    double mass;
    double distance;
    double gravity;
    double angles[3];
    double rates[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, inertia, "kg m^2", "Moment of inertia I1 across the axis, about the fixed point.")
          .above(0)
          .otherwise("5e-5"),
      TRAMMEL_FIELD(Parameters, axial_inertia, "kg m^2", "Moment of inertia I3 about the axis.")
          .above(0)
          .otherwise("2e-4"),
      TRAMMEL_FIELD(Parameters, mass, "kg", "Mass m.").at_least(0).otherwise("0.02"),
      TRAMMEL_FIELD(Parameters, distance, "m", "Distance l from the fixed point to the centre of mass.")
          .otherwise("0.05"),
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Acceleration g along -z.").otherwise("9.81"),
      TRAMMEL_FIELD(Parameters, angles, "rad", "Initial ZXZ angles phi (precession), theta (nutation), psi (spin).")
          .three()
          .otherwise("[0, 0.5235987755982988, 0]"),
      TRAMMEL_FIELD(Parameters, rates, "rad/s", "Initial rates of the angles.")
          .three()
          .otherwise("[0, 0, 12.566370614359172]"));

  explicit SpinningTop(const Parameters& p) : p_(p), view_(*this) {}

  SecondOrderSystem* second_order() override { return &view_; }
  const char* coordinate_name(Index i) const override {
    constexpr const char* names[] = {"phi", "theta", "psi"};
    return names[i];
  }
  const char* coordinate_unit(Index) const override { return "rad"; }
  void initial(VectorView x, VectorView x_dot) const override {
    for (Index i = 0; i < 3; ++i) {
      x[i] = p_.angles[i];
      x_dot[i] = p_.rates[i];
    }
  }

  bool energy(double, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const override {
    const double s = std::sin(x[1]), c = std::cos(x[1]), w3 = x_dot[2] + x_dot[0] * c;
    kinetic =
        p_.inertia * (x_dot[1] * x_dot[1] + x_dot[0] * x_dot[0] * s * s) / 2 + p_.axial_inertia * w3 * w3 / 2;  // (1)
    potential = p_.mass * p_.gravity * p_.distance * c;                                                         // (2)
    return true;
  }

  template <class S>
  void mass(const S&, const S* x, S (*M)[3]) const {
    using std::cos, std::sin;
    const double I1 = p_.inertia, I3 = p_.axial_inertia;
    const S s = sin(x[1]), c = cos(x[1]);
    M[0][0] = I1 * s * s + I3 * c * c, M[0][1] = 0, M[0][2] = I3 * c;  // (3)
    M[1][0] = 0, M[1][1] = I1, M[1][2] = 0;
    M[2][0] = I3 * c, M[2][1] = 0, M[2][2] = I3;
  }
  template <class S>
  void force(const S&, const S* x, const S* v, S* Q) const {
    using std::cos, std::sin;
    const double I1 = p_.inertia, I3 = p_.axial_inertia;
    const S s = sin(x[1]), c = cos(x[1]), phi = v[0], theta = v[1], w3 = v[2] + phi * c;
    Q[0] = theta * s * (I3 * (w3 + phi * c) - 2 * I1 * phi * c);  // (3)
    Q[1] = s * (I1 * phi * phi * c - I3 * w3 * phi + p_.mass * p_.gravity * p_.distance);
    Q[2] = I3 * phi * theta * s;
  }

 private:
  Parameters p_;
  sdk::SecondOrderView<SpinningTop, 3> view_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("spinning_top", "1.0.0", "BSD-3-Clause",
               component<SpinningTop>(Host::any, "spinning_top", "Heavy symmetric top in ZXZ Euler angles.",
                                      "Fernandez de Bustos et al. (2024), Tables 7 and 8"));
