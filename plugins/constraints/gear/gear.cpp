// Plugin: planar gear pair, its line of centres free to turn.
#include "trammel/sdk/elements/joint_coordinates.h"
#include "trammel/sdk/plugin.h"

namespace trammel::gear {

using sdk::Pose;
using sdk::Vec2;

struct Parameters {
  sdk::TwoBodies two;
  sdk::EndPoints centres;
  double radius_i;
  double radius_j;
  bool internal;
};

/// What the pair consists of: pitch radii (the ring's counts negative), centres, and the constant of the line of
/// centres.
struct Pair {
  Vec2<> s_i, s_j;
  double R_i, R_j;
  double constant = 0;  ///< m rad: R_i phi_i + R_j phi_j - (R_i + R_j) beta

  Pair(const Parameters& given, const ModelInfo& model)
      : s_i(sdk::vec2(given.centres.point_i)),
        s_j(sdk::vec2(given.centres.point_j)),
        R_i(given.radius_i),
        R_j(given.internal ? -given.radius_j : given.radius_j) {
    sdk::require_two_bodies(given.two);
    if (R_i + R_j == 0) {
      throw Error::parameter("radius_j", "the ring of an internal pair needs another radius than the gear inside it");
    }
    const PlanarBodyState& i = sdk::planar_state(model, given.two.bodies[0]);
    const PlanarBodyState& j = sdk::planar_state(model, given.two.bodies[1]);
    const Vec2<> d = sdk::position(j) + sdk::rotate(j, s_j) - sdk::position(i) - sdk::rotate(i, s_i);
    if (!(sdk::norm(d) > 0)) {
      throw Error::parameter("point_i",
                             "the centres of the gears coincide in the initial configuration: there is no "
                             "line of centres");
    }
    constant = R_i * i.phi + R_j * j.phi - (R_i + R_j) * std::atan2(d.y, d.x);
  }
};

/// The pitch point, where the teeth meet.
class PitchPoint final : public ReactionPoint {
 public:
  explicit PitchPoint(const Pair& pair) : pair_(pair) {}

  Index reaction_body() const override { return 1; }
  void reaction_point(const ElementState& s, double* point) const override {
    const PlanarBodyState &i = s.body<PlanarBodyState>(0), &j = s.body<PlanarBodyState>(1);
    const Vec2<> P_i = sdk::position(i) + sdk::rotate(i, pair_.s_i), P_j = sdk::position(j) + sdk::rotate(j, pair_.s_j);
    sdk::store(P_i + (pair_.R_i / (pair_.R_i + pair_.R_j)) * (P_j - P_i), point);
    point[2] = 0;
  }

 private:
  Pair pair_;
};

/// Row 0: P_j - P_i against the normal of the line of centres that the angles of the gears give, m.
class Gear final : public sdk::AutoConstraint<Gear, PlanarBodyState, 2, 1> {
 public:
  using Parameters = gear::Parameters;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, centres, sdk::end_point_fields<sdk::zero_planar>),
      TRAMMEL_FIELD(Parameters, radius_i, "m", "Pitch radius of the first gear.").above(0),
      TRAMMEL_FIELD(Parameters, radius_j, "m", "Pitch radius of the second gear.").above(0),
      TRAMMEL_FIELD(Parameters, internal, "1", "Whether the larger gear is a ring with internal teeth.")
          .otherwise("false"));

  Gear(const Parameters& given, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        pair_(given, model),
        coordinates_(given.two),
        reaction_(pair_),
        drawn_(sdk::Drawn(Symbol::point).at(0, pair_.s_i).at(1, pair_.s_j)) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ReactionPoint, JointCoordinates, Drawing>(id, &channels_, &reaction_,
                                                                                            &coordinates_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<PlanarBodyState, T>* b, T* out) const {
    using std::cos;
    using std::sin;
    const T beta = (pair_.R_i * b[0].phi + pair_.R_j * b[1].phi - pair_.constant) / (pair_.R_i + pair_.R_j);
    const Vec2<T> d = b[1].point(pair_.s_j) - b[0].point(pair_.s_i);
    out[0] = cos(beta) * d.y - sin(beta) * d.x;
  }

 private:
  Pair pair_;
  sdk::PlanarAngleChannels channels_;
  sdk::PlanarJointCoordinates<sdk::PlanarAngleCoordinate> coordinates_;
  PitchPoint reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::gear

TRAMMEL_PLUGIN("gear", "1.0.0", "BSD-3-Clause",
               component<trammel::gear::Gear>(
                   Host::planar, "gear", "Two gears, external or internal, whose line of centres may turn.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"));
