// Plugin: Newton's law of gravitation between the mass centres of two bodies.
#include <algorithm>
#include <limits>

#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/unbounded_laws.h"
#include "trammel/math/interval.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/two_body_force.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// d = r_j - r_i, l = |d|
//   V = -G m_i m_j / l,  Q_r,i = k d,  Q_r,j = -k d,  k = G m_i m_j / l^3                                          (1)
//   dF/dd = k (I - 3 d d^T / l^2),  F = k d                                                                        (2)
namespace trammel::point_gravity {

struct Parameters {
  sdk::TwoBodies two;
  double constant;
  double mass_i;
  double mass_j;
};

template <class State>
class PointGravity final : public sdk::TwoBodyForce, ElementChannels, StateLaws, UnboundedLaws {
 public:
  static constexpr Index D = State::coordinates == PlanarBodyState::coordinates ? 2 : 3;
  using Parameters = point_gravity::Parameters;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_FIELD(Parameters, constant, "m^3/(kg s^2)", "Constant of gravitation G.")
          .above(0)
          .otherwise("6.67430e-11"),
      TRAMMEL_FIELD(Parameters, mass_i, "kg", "Attracting mass of the first body, its own if left out.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, mass_j, "kg", "Attracting mass of the second body, its own if left out.")
          .above(0)
          .optional());

  PointGravity(const Parameters& given, const ModelInfo& model)
      : TwoBodyForce(given.two.bodies[0], given.two.bodies[1]),
        strength_(given.constant * mass(given.two.bodies[0], given.mass_i, "mass_i", model) *
                  mass(given.two.bodies[1], given.mass_j, "mass_j", model)) {
    sdk::require_two_bodies(given.two);
    const void* states[2] = {model.initial_state(body(0)), model.initial_state(body(1))};
    ElementState s;
    s.bodies = states;
    if (!(Distance(s).l > 0)) {
      throw Error::parameter("bodies",
                             "the two mass centres coincide in the initial configuration, where the "
                             "attraction is infinite");
    }
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, StateLaws, UnboundedLaws>(id, this, this, this);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    const Distance d(s);
    if (!(d.l > 0)) return coincident();
    const double k = strength_ / (d.l * d.l * d.l);
    for (Index b = 0; b < 2; ++b) {
      for (Index n = 0; Q[b].data != nullptr && n < D; ++n) Q[b].data[n] += (b == 0 ? k : -k) * d.d[n];
    }
    return Status::success();
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView*) const override {
    const Distance d(s);
    if (!(d.l > 0)) return coincident();
    const double k = strength_ / (d.l * d.l * d.l);
    for (Index block = 0; Q_q != nullptr && block < 4; ++block) {
      const double sign = block == 0 || block == 3 ? -1 : 1;
      for (Index j = 0; Q_q[block] && j < D; ++j) {
        for (Index i = 0; i < D; ++i) {
          Q_q[block](i, j) += sign * k * ((i == j ? 1 : 0) - 3 * d.d[i] * d.d[j] / (d.l * d.l));  // (2)
        }
      }
    }
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const Distance d(s);
    if (!(d.l > 0)) return coincident();
    energy.potential -= strength_ / d.l;
    return Status::success();
  }

 private:
  struct Distance {
    double d[3] = {0, 0, 0}, l = 0;
    explicit Distance(const ElementState& s) {
      for (Index n = 0; n < D; ++n) d[n] = s.body<State>(1).r[n] - s.body<State>(0).r[n], l += d[n] * d[n];
      l = std::sqrt(l);
    }
  };

  static double mass(BodyRef body, double given, const char* key, const ModelInfo& model) {
    if (trammel::given(given)) return given;
    if (body.is_ground()) throw Error::parameter(key, "ground has no mass of its own: say how much attracts");
    return model.body_mass(body.index);
  }
  static Status coincident() { return Status::failure(StatusCode::out_of_domain, "the mass centres coincide"); }

  Index channel_count() const override { return 3; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"distance", "rate", "force"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const Distance d(s);
    if (!(d.l > 0)) return coincident();
    double rate = 0;
    for (Index n = 0; n < D; ++n) rate += d.d[n] * (s.body<State>(1).rdot[n] - s.body<State>(0).rdot[n]) / d.l;
    out[0] = d.l, out[1] = rate, out[2] = strength_ / (d.l * d.l);
    return Status::success();
  }

  // The attraction over the components of d. It alone can be narrow: where it is not, d turns no faster than the force
  // bends the way. Finite where the centres meet: a step that passes there is found, and a run ends that comes there.
  Index law_count() const override { return 1; }
  Index law_argument_count() const override { return D; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    const Distance d(s);
    for (Index n = 0; n < D; ++n) x[n] = d.d[n], rate[n] = s.body<State>(1).rdot[n] - s.body<State>(0).rdot[n];
    return Status::success();
  }
  Status law(Index, const double* x, const double*, double, double* force) const override {
    double square = 0;
    for (Index n = 0; n < D; ++n) square += x[n] * x[n];
    *force = attraction(square);
    return Status::success();
  }
  Status law_bounds(Index, const Box& box, double* force) const override {
    Interval square;
    for (Index n = 0; n < D; ++n) {
      const Interval d(box.x[0][n], box.x[1][n]);
      square = square + d * d;
    }
    force[0] = attraction(square.high), force[1] = attraction(square.low);
    return Status::success();
  }
  double attraction(double square) const { return std::min(strength_ / square, std::numeric_limits<double>::max()); }

  double strength_;  ///< G m_i m_j, N m^2
};

}  // namespace trammel::point_gravity

TRAMMEL_PLUGIN(
    "point_gravity", "1.0.0", "BSD-3-Clause",
    component<trammel::point_gravity::PointGravity<SpatialBodyState>>(Host::spatial, "point_gravity",
                                                                      "Newton's gravitation between two mass centres."),
    component<trammel::point_gravity::PointGravity<PlanarBodyState>>(Host::planar, "point_gravity",
                                                                     "Newton's gravitation between two mass centres."));
