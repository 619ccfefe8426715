// Plugin `@TYPE@`: a force between two bodies with a state of its own. EDIT: what it does.
//
//   l = |d|,  d = r_j + A_j s_j - r_i - A_i s_i,  e = l - l0                                                       (1)
//   Maxwell element, spring k and dashpot c in a row; z is the dashpot's elongation:
//   F = k (e - z),  z' = F / c                                                                                     (2)
//   V = k (e - z)^2 / 2,  dissipation = F^2 / c                                                                    (3)
#include <trammel/sdk/elements/auto_force.h>
#include <trammel/sdk/elements/drawn.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;
using State = @STATE@;

class @CLASS@ final : public sdk::AutoForce<@CLASS@, State, 2, 1> {  // EDIT: numbers of bodies and of states
 public:
  struct Parameters {  // EDIT: what users give in the run file
    BodyRefs bodies;
    double point_i[3], point_j[3], stiffness, damping, free_length;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
      TRAMMEL_FIELD(Parameters, point_i, "m", "Point fixed in the first body.").on_body(0),
      TRAMMEL_FIELD(Parameters, point_j, "m", "Point fixed in the second body.").on_body(1),
      TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffness k of the spring.").above(0),
      TRAMMEL_FIELD(Parameters, damping, "N s/m", "Coefficient c of the dashpot.").above(0),
      TRAMMEL_FIELD(Parameters, free_length, "m", "Length l0 without force at the start.").at_least(0));

  explicit @CLASS@(const Parameters& p)
      : AutoForce(p.bodies[0], p.bodies[1]),
        point_i_(sdk::@VEC@(p.point_i)), point_j_(sdk::@VEC@(p.point_j)),
        k_(p.stiffness), c_(p.damping), l0_(p.free_length),
        drawn_(sdk::Drawn(Symbol::spring_damper).at(0, point_i_).at(1, point_j_)) {}

  /// EDIT: forces and torques; z are the states.
  template <class T>
  void force(const T&, const sdk::Motion<State, T>* bodies, const T* z, sdk::Load<State, T>* loads) const {
    const auto d = separation(bodies);
    const auto F = (-tension(bodies, z[0]) / norm(d)) * d;  // (2)
    loads[1].add_force(bodies[1], point_j_, F);
    loads[0].add_force(bodies[0], point_i_, -F);
  }
  /// EDIT: the rates of the states. They start at zero.
  template <class T>
  void rate(const T&, const sdk::Motion<State, T>* bodies, const T* z, T* z_rate) const {
    z_rate[0] = tension(bodies, z[0]) / c_;  // (2)
  }
  /// EDIT, or remove: where the power goes. Without it all of it counts as work from outside, and the kit can judge no more
  /// than that closed paths give none.
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const sdk::Motion<State, double> bodies[2] = {motion(s, 0), motion(s, 1)};
    const double F = tension(bodies, s.z[0]);
    energy.potential += F * F / (2 * k_);  // (3)
    energy.dissipation += F * F / c_;
    return Status::success();
  }

  const void* extension(const char* id) const override { return sdk::offer_extensions<Drawing>(id, &drawn_); }

 private:
  template <class T>
  auto separation(const sdk::Motion<State, T>* bodies) const {
    return bodies[1].point(point_j_) - bodies[0].point(point_i_);  // (1)
  }
  template <class T>
  T tension(const sdk::Motion<State, T>* bodies, const T& z) const {
    return k_ * (norm(separation(bodies)) - l0_ - z);
  }

  sdk::@VECTOR@<> point_i_, point_j_;
  double k_, c_, l0_;
  sdk::Drawn drawn_;  // EDIT: how reports draw it, see trammel/extensions/drawing.h
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::@HOST@, "@TYPE@", "Spring and dashpot in a row, with one state.", ""));
