// Plugin `@TYPE@`: a second-order problem. EDIT: its equations.
//
//   m x'' = -c x' - k x - k3 x^3                                                                                   (1)
//   T = m x'^2 / 2,  V = k x^2 / 2 + k3 x^4 / 4                                                                    (2)
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/elements/second_order_problem.h>

namespace {

using namespace trammel;

class @CLASS@ final : public System {
 public:
  struct Parameters {  // EDIT: what users give in the run file
    double mass, damping, stiffness, cubic, position, velocity;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, mass, "kg", "Mass m.").above(0).otherwise("1"),
      TRAMMEL_FIELD(Parameters, damping, "N s/m", "Damping c.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Linear stiffness k."),
      TRAMMEL_FIELD(Parameters, cubic, "N/m^3", "Cubic stiffness k3.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, position, "m", "Initial position.").otherwise("1"),
      TRAMMEL_FIELD(Parameters, velocity, "m/s", "Initial velocity.").otherwise("0"));

  explicit @CLASS@(const Parameters& p) : p_(p), view_(*this) {}

  SecondOrderSystem* second_order() override { return &view_; }
  const char* coordinate_name(Index) const override { return "x"; }  // EDIT: names and units of the coordinates
  const char* coordinate_unit(Index) const override { return "m"; }
  void initial(VectorView x, VectorView x_dot) const override { x[0] = p_.position, x_dot[0] = p_.velocity; }

  /// EDIT: the mass matrix and the forces. S is double or complex: analytic expressions only, no abs, no branches.
  template <class S>
  void mass(const S&, const S*, S (*M)[1]) const {
    M[0][0] = p_.mass;
  }
  template <class S>
  void force(const S&, const S* x, const S* v, S* Q) const {
    Q[0] = -p_.damping * v[0] - p_.stiffness * x[0] - p_.cubic * x[0] * x[0] * x[0];  // (1)
  }
  /// EDIT, or remove: the energies, J.
  bool energy(double, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const override {
    const double square = x[0] * x[0];
    kinetic = 0.5 * p_.mass * x_dot[0] * x_dot[0];  // (2)
    potential = 0.5 * p_.stiffness * square + 0.25 * p_.cubic * square * square;
    return true;
  }

 private:
  Parameters p_;
  sdk::SecondOrderView<@CLASS@, 1> view_;  // EDIT: the number of coordinates
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "One mass on a spring with a cubic part.", "Duffing (1918)"));
