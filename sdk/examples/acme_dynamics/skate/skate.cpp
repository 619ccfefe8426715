// Plugin `acme.skate`: a blade or a wheel fixed to a body goes along its direction, not across it. Planar, one body.
//
// With e the direction in the body, e' perpendicular to it, P the point that touches the ground,
//   B v - b = e'.P' - s(t) = 0                                                                                     (1)
// a row that holds for velocities only: the body can be steered to every place and heading. s is the speed across, 0 unless
// the ground or the blade drifts. S. A. Chaplygin's sleigh (1911) in J. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic
// Systems (1972), chapter II.
#include <trammel/extensions/element_extensions.h>
#include <trammel/sdk/elements/auto_velocity_rows.h>
#include <trammel/sdk/elements/joint_geometry.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

namespace acme {

using namespace trammel;

class Skate final : public sdk::VelocityOnlyConstraint<1>,
                    public sdk::AutoVelocityRows<Skate, PlanarBodyState, 1, 1>,
                    private ReactionPoint {
 public:
  struct Parameters {
    BodyRef body;
    double point[3];
    double direction[3];
    FunctionRef drift;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "Body that has the blade."),
      TRAMMEL_FIELD(Parameters, point, "m", "Where the blade touches the ground, fixed in the body.")
          .on_body(0)
          .otherwise("[0, 0]"),
      TRAMMEL_FIELD(Parameters, direction, "1", "Direction of the blade, fixed in the body.").direction(),
      TRAMMEL_FIELD(Parameters, drift, "m/s", "Speed across the blade, to its left, over time; 0 if left out.")
          .optional());

  explicit Skate(const Parameters& p)
      : VelocityOnlyConstraint(p.body),
        point_(sdk::vec2(p.point)),
        across_(sdk::perp(sdk::unit_axis(sdk::vec2(p.direction), "direction"))),
        drift_(p.drift) {}

  bool velocity_rows_driven() const override { return drift_ != nullptr; }

  template <class T>
  void velocity_residual(const T& t, const sdk::Motion<PlanarBodyState, T>* body, T* out) const {  // (1)
    out[0] = sdk::dot(body[0].direction(across_), body[0].point_velocity(point_));
    if (drift_ != nullptr) out[0] = out[0] - sdk::evaluate(*drift_, t);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<VelocityRows, ReactionPoint>(id, this, this);
  }
  Index reaction_body() const override { return 0; }
  void reaction_point(const ElementState& s, double* point) const override {
    const auto& body = s.body<PlanarBodyState>(0);
    const sdk::Vec2<> at = sdk::position(body) + sdk::rotate(body, point_);
    point[0] = at.x, point[1] = at.y, point[2] = 0;
  }

 private:
  sdk::Vec2<> point_, across_;
  FunctionRef drift_;
};

}  // namespace acme

TRAMMEL_PLUGIN("acme.skate", "1.0.0", "BSD-3-Clause",
               component<acme::Skate>(Host::planar, "acme.skate", "A blade that goes along its direction only.",
                                      "Chaplygin (1911); Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972)"));
