// Plugin `acme.lugre`: LuGre friction on a coordinate x of a joint, with the deflection z of the bristles as internal
// state.
//
// C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky, A new model for control of systems with friction, IEEE
// Trans. Automatic Control 40 (1995) 419-425. With v = x',
//   z' = v - sigma_0 |v| z / g(v),   g(v) = F_c + (F_s - F_c) exp(-(v / v_s)^2)                                     (1)
//   F  = sigma_0 z + sigma_1(v) z' + sigma_2 v,   Q = -F x_q^T                                                       (2)
// sigma_1 is a constant, or sigma_1 exp(-(v / v_d)^2) (H. Olsson, Control Systems with Friction, thesis, Lund 1996),
// which keeps friction from giving energy at high speed. Account of energy:
//   V = sigma_0 z^2 / 2,   dissipation = F v - sigma_0 z z'                                                          (3)
// and with s = sigma_0 z sign(v) / g it is |v| (g s^2 + sigma_1 |v| (1 - s) + sigma_2 |v|): never negative for
//   sigma_1^2 |v| <= 4 g (sigma_1 + sigma_2)                                                                         (4)
#include <trammel/extensions/element_extensions.h>
#include <trammel/force.h>
#include <trammel/sdk/elements/coordinate_row.h>
#include <trammel/sdk/math/dual.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <cmath>
#include <string>
#include <string_view>

namespace acme::lugre {
namespace {

using namespace trammel;

enum class Choice : std::int32_t { first, angle, displacement, second_angle };

struct Parameters {
  ElementRef joint;
  Choice coordinate;
  double stiffness;
  double damping;
  double damping_speed;
  double viscous;
  double coulomb;
  double stiction;
  double stribeck_speed;
  double initial_deflection;
};

constexpr auto table = sdk::table<Parameters>(
    TRAMMEL_FIELD(Parameters, joint, "1", "Joint with an angle or a displacement."),
    TRAMMEL_FIELD(Parameters, coordinate, "1", "Which coordinate of the joint; its first one if left out.")
        .choices("first|angle|displacement|second_angle")
        .otherwise("\"first\""),
    TRAMMEL_FIELD(Parameters, stiffness, "N/m or N m/rad", "Stiffness sigma_0 of the bristles.").above(0),
    TRAMMEL_FIELD(Parameters, damping, "N s/m or N m s/rad", "Damping sigma_1 of the bristles.")
        .at_least(0)
        .otherwise("0"),
    TRAMMEL_FIELD(Parameters, damping_speed, "m/s or rad/s",
                  "Speed v_d beyond which sigma_1 fades; constant if left out.")
        .above(0)
        .optional(),
    TRAMMEL_FIELD(Parameters, viscous, "N s/m or N m s/rad", "Viscous friction sigma_2.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(Parameters, coulomb, "N or N m", "Coulomb friction F_c.").above(0),
    TRAMMEL_FIELD(Parameters, stiction, "N or N m", "Largest friction F_s before the joint slips, F_c or more.")
        .above(0)
        .otherwise("=coulomb"),
    TRAMMEL_FIELD(Parameters, stribeck_speed, "m/s or rad/s", "Speed v_s over which F_s falls to F_c.")
        .above(0)
        .otherwise("0.001"),
    TRAMMEL_FIELD(Parameters, initial_deflection, "m or rad", "Deflection z at the start.").otherwise("0"));

template <class State>
class LuGre final : public ForceElement, ElementChannels {
  using Row = sdk::CoordinateRow<State>;
  using Terms = typename Row::Terms;

 public:
  using Parameters = lugre::Parameters;
  static constexpr auto parameters = table;

  LuGre(const Parameters& p, const ModelInfo& model) : p_(p), row_(coordinate(p, model)) {
    if (p.stiction < p.coulomb) throw Error::parameter("stiction", "must not be below 'coulomb'");
  }

  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return row_.body(i); }
  const void* extension(const char* id) const override { return sdk::offer_extensions<ElementChannels>(id, this); }

  Status force(const ElementState& s, const VectorView* Q) const override {
    return at(s, false, [&](const Terms& x, const Law& law) { sdk::add_scalar_force(x, law.F.v, Q); });  // (2)
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    Status hessian = Status::success();
    const Status status = at(s, true, [&](const Terms& x, const Law& law) {
      sdk::add_scalar_gradients(x, 0, law.F.d[0], Q_q, Q_v);
      if (Q_q != nullptr) hessian = row_.add_hessian(without_turns(s), -law.F.v, Q_q);
    });
    return status ? hessian : status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    return at(s, false, [&](const Terms& x, const Law& law) {
      energy.potential += p_.stiffness * s.z[0] * s.z[0] / 2;  // (3)
      energy.dissipation += law.F.v * x.rate - p_.stiffness * s.z[0] * law.rate.v;
    });
  }

  Index internal_states() const override { return 1; }
  void initial_internal_states(VectorView z) const override { z[0] = p_.initial_deflection; }
  Status internal_rate(const ElementState& s, VectorView z_rate) const override {
    return at(s, false, [&](const Terms&, const Law& law) { z_rate[0] = law.rate.v; });
  }
  Status internal_gradients(const ElementState& s, const InternalGradients& out) const override {
    return at(s, true, [&](const Terms& x, const Law& law) {
      for (Index b = 0; b < 2; ++b) {
        for (Index k = 0; k < Row::N; ++k) {
          if (out.Q_z != nullptr && out.Q_z[b]) out.Q_z[b](k, 0) -= law.F.d[1] * x.q[b][k];
          if (out.rate_q != nullptr && out.rate_q[b]) out.rate_q[b](0, k) += law.rate.d[0] * x.q1[b][k];
          if (out.rate_v != nullptr && out.rate_v[b]) out.rate_v[b](0, k) += law.rate.d[0] * x.q[b][k];
        }
      }
      if (out.rate_z) out.rate_z(0, 0) += law.rate.d[1];
    });
  }

 private:
  using Dual = sdk::Dual<double, 2>;  // derivatives with respect to v and z

  struct Law {
    Dual F, rate;
  };
  Law law(double speed, double deflection) const {
    using std::abs;
    using std::exp;
    Dual v(speed), z(deflection);
    v.d[0] = 1, z.d[1] = 1;
    const Dual fall = v / p_.stribeck_speed, g = p_.coulomb + (p_.stiction - p_.coulomb) * exp(-fall * fall);
    Law law;
    law.rate = v - p_.stiffness * abs(v) * z / g;  // (1)
    Dual damping(p_.damping);
    if (given(p_.damping_speed)) damping = p_.damping * exp(-(v / p_.damping_speed) * (v / p_.damping_speed));
    law.F = p_.stiffness * z + damping * law.rate + p_.viscous * v;  // (2)
    return law;
  }

  /// Only rates matter here: the row need not count turns.
  static ElementState without_turns(ElementState s) {
    s.angle_references = nullptr;
    return s;
  }
  template <class Use>
  Status at(const ElementState& s, bool gradient, const Use& use) const {
    Terms x;
    const Status status = gradient ? row_.evaluate_gradient(without_turns(s), x) : row_.evaluate(without_turns(s), x);
    if (status) use(x, law(x.rate, s.z[0]));
    return status;
  }

  const Constraint& coordinate(const Parameters& p, const ModelInfo& model) {
    const JointCoordinates& offered = sdk::joint_coordinates(p.joint, "joint", model);
    constexpr std::string_view names[] = {"", "angle", "displacement", "second_angle"};
    const std::string_view wanted = names[static_cast<int>(p.coordinate)];
    for (Index k = 0; k < offered.coordinate_count(); ++k) {
      if (!wanted.empty() && wanted != offered.coordinate_name(k)) continue;
      effort_ = sdk::effort_name(offered.coordinate_name(k));
      return offered.coordinate(k);
    }
    throw Error::parameter("coordinate", "the joint has no " + std::string(wanted));
  }

  Index channel_count() const override { return 4; }
  const char* channel_name(Index i) const override {
    const char* const names[] = {effort_.name, "rate", "deflection", "power"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    const bool angular = std::string_view(effort_.unit) == "N m";
    const char* const units[] = {effort_.unit, angular ? "rad/s" : "m/s", angular ? "rad" : "m", "W"};
    return units[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    return at(s, false, [&](const Terms& x, const Law& law) {
      out[0] = -law.F.v, out[1] = x.rate, out[2] = s.z[0], out[3] = -law.F.v * x.rate;
    });
  }

  Parameters p_;
  sdk::EffortName effort_{};  // set while row_ is found
  Row row_;
};

}  // namespace
}  // namespace acme::lugre

TRAMMEL_PLUGIN("acme.lugre", "1.0.0", "BSD-3-Clause",
               component<acme::lugre::LuGre<SpatialBodyState>>(
                   Host::spatial, "acme.lugre", "LuGre friction on a coordinate of a joint, with one internal state.",
                   "Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automatic Control 40 (1995) 419-425"),
               component<acme::lugre::LuGre<PlanarBodyState>>(
                   Host::planar, "acme.lugre", "LuGre friction on a coordinate of a joint, with one internal state.",
                   "Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automatic Control 40 (1995) 419-425"));
