// Plugin: a given torque on a body, in global or body axes, optionally scaled by a function of time.
#include "trammel/sdk/elements/applied_load.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/plugin.h"

// T = s(t) times the given torque. Spatial: Q_p = 2 E(p)^T T (frame global) or 2 G(p)^T T' (frame body),
// euler_parameters.h; E and G are linear in p, so the gradient is constant. Planar: Q_phi = T. The power T.omega counts
// as external work.
namespace trammel::applied_torque {

class SpatialAppliedTorque final : public sdk::AppliedLoad {
 public:
  struct Parameters {
    BodyRef body;
    double torque[3];
    sdk::Frame frame;
    FunctionRef function;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "The body it acts on."),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, torque, "N m", "The torque."), FrameUse::global),
      TRAMMEL_FIELD(Parameters, frame, "1", "Axes in which the torque is given and stays constant.")
          .choices("global|body")
          .otherwise("\"global\""),
      TRAMMEL_FIELD(Parameters, function, "1 over s", "Factor over time; 1 if left out.").optional());

  explicit SpatialAppliedTorque(const Parameters& p)
      : AppliedLoad(p.body, p.function), torque_(sdk::vec3(p.torque)), body_frame_(p.frame == sdk::Frame::body) {
    if (p.body.is_ground()) throw Error::parameter("body", "a torque on ground moves nothing");
  }

 private:
  sdk::Vec4<> generalized(const sdk::Vec4<>& p, double factor) const {
    const sdk::Vec3<> T = (2 * factor) * torque_;
    return body_frame_ ? sdk::G_transpose(p, T) : sdk::E_transpose(p, T);
  }
  void add_load(const ElementState& s, double factor, double* Q) const override {
    const sdk::Vec4<> p = sdk::parameters(s.body<SpatialBodyState>(0));
    sdk::store(sdk::vec4(Q + 3) + generalized(p, factor), Q + 3);
  }
  void add_load_gradient(const ElementState&, double factor, const MatrixView& Q_q) const override {
    for (Index k = 0; k < 4; ++k) {
      double unit[4] = {0, 0, 0, 0}, column[4];
      unit[k] = 1;
      sdk::store(generalized(sdk::vec4(unit), factor), column);
      for (Index m = 0; m < 4; ++m) Q_q(3 + m, 3 + k) += column[m];
    }
  }
  double power(const ElementState& s, double factor) const override {
    const SpatialBodyState& b = s.body<SpatialBodyState>(0);
    return sdk::dot(generalized(sdk::parameters(b), factor), sdk::parameter_rates(b));
  }

  sdk::Vec3<> torque_;
  bool body_frame_;
};

class PlanarAppliedTorque final : public sdk::AppliedLoad {
 public:
  struct Parameters {
    BodyRef body;
    double torque;
    FunctionRef function;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "The body it acts on."),
      TRAMMEL_FIELD(Parameters, torque, "N m", "The torque, positive counter-clockwise."),
      TRAMMEL_FIELD(Parameters, function, "1 over s", "Factor over time; 1 if left out.").optional());

  explicit PlanarAppliedTorque(const Parameters& p) : AppliedLoad(p.body, p.function), torque_(p.torque) {
    if (p.body.is_ground()) throw Error::parameter("body", "a torque on ground moves nothing");
  }

 private:
  void add_load(const ElementState&, double factor, double* Q) const override { Q[2] += factor * torque_; }
  void add_load_gradient(const ElementState&, double, const MatrixView&) const override {}
  double power(const ElementState& s, double factor) const override {
    return factor * torque_ * s.body<PlanarBodyState>(0).omega;
  }
  bool potential(const ElementState& s, double factor, double& value) const override {
    value = -factor * torque_ * s.body<PlanarBodyState>(0).phi;
    return true;
  }

  double torque_;
};

}  // namespace trammel::applied_torque

TRAMMEL_PLUGIN("applied_torque", "1.0.0", "BSD-3-Clause",
               component<trammel::applied_torque::SpatialAppliedTorque>(Host::spatial, "applied_torque",
                                                                        "Given torque on a body."),
               component<trammel::applied_torque::PlanarAppliedTorque>(Host::planar, "applied_torque",
                                                                       "Given torque on a body."));
