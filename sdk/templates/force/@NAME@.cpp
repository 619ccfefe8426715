// Plugin `@TYPE@`: a force between two bodies. EDIT: what it does.
//
//   l = |d|,  d = r_j + A_j s_j - r_i - A_i s_i                                                                    (1)
//   V = k (l - l0)^2 / 2 + k3 (l - l0)^4 / 4                                                                       (2)
//   F = -c l' d / l  on the second body, and -F on the first                                                       (3)
#include <trammel/sdk/elements/auto_force.h>
#include <trammel/sdk/elements/drawn.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;
using State = @STATE@;

class @CLASS@ final : public sdk::AutoForce<@CLASS@, State, 2> {  // EDIT: number of bodies
 public:
  struct Parameters {  // EDIT: what users give in the run file
    BodyRefs bodies;
    double point_i[3], point_j[3], stiffness, cubic, damping, free_length;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
      TRAMMEL_FIELD(Parameters, point_i, "m", "Point fixed in the first body.").on_body(0),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Point fixed in the second body.").on_body(1),
      TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Linear stiffness k.").at_least(0),
      TRAMMEL_FIELD(Parameters, cubic, "N/m^3", "Cubic stiffness k3.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, damping, "N s/m", "Viscous damping c.").at_least(0).otherwise("0"),
      TRAMMEL_FIELD(Parameters, free_length, "m", "Length l0 without elastic force.").at_least(0));

  explicit @CLASS@(const Parameters& p)
      : AutoForce(p.bodies[0], p.bodies[1]),
        point_i_(sdk::@VEC@(p.point_i)), point_j_(sdk::@VEC@(p.point_j)),
        k_(p.stiffness), k3_(p.cubic), c_(p.damping), l0_(p.free_length),
        drawn_(sdk::Drawn(Symbol::spring_damper).at(0, point_i_).at(1, point_j_)) {}

  /// EDIT, or remove: the potential energy, J. Its gradient is part of the force.
  template <class T>
  T potential(const T&, const sdk::Pose<State, T>* bodies) const {
    const T e = norm(bodies[1].point(point_j_) - bodies[0].point(point_i_)) - l0_;
    const T square = e * e;
    return 0.5 * k_ * square + 0.25 * k3_ * square * square;  // (2)
  }

  /// EDIT, or remove: further forces and torques. Here they only take energy out, which `dissipative` says.
  static constexpr bool dissipative = true;
  template <class T>
  void force(const T&, const sdk::Motion<State, T>* bodies, sdk::Load<State, T>* loads) const {
    const auto d = bodies[1].point(point_j_) - bodies[0].point(point_i_);  // (1)
    const auto rate = bodies[1].point_velocity(point_j_) - bodies[0].point_velocity(point_i_);
    const auto F = (-c_ * dot(d, rate) / dot(d, d)) * d;  // (3)
    loads[1].add_force(bodies[1], point_j_, F);
    loads[0].add_force(bodies[0], point_i_, -F);
  }

  const void* extension(const char* id) const override { return sdk::offer_extensions<Drawing>(id, &drawn_); }

 private:
  sdk::@VECTOR@<> point_i_, point_j_;
  double k_, k3_, c_, l0_;
  sdk::Drawn drawn_;  // EDIT: how reports draw it, see trammel/extensions/drawing.h
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::@HOST@, "@TYPE@", "Spring with a cubic part and a damper between two points.", ""));
