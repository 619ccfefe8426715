// Plugin: a given force at a body-fixed point, in global or body axes, optionally scaled by a function of time.
#include "trammel/force.h"
#include "trammel/sdk/elements/applied_load.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/plugin.h"

// F = s(t) f (frame global) or s(t) A f (frame body), s = 1 without a function.
//   Q_r = F, Q_p = B(p, s)^T F (spatial), Q_phi = perp(A s).F (planar); power F.v counts as external work           (1)
//   (Q_p)_p = K(s, F) + B(p, s)^T B(p, f) (body frame), (Q_r)_p = B(p, f) (body frame)                              (2)
// Off |p| = 1 the body-frame force is (p.p) times as long as on it.
namespace trammel::applied_force {

struct Parameters {
  BodyRef body;
  double force[3];
  double at[3];
  double point[3];
  sdk::Frame frame;
  FunctionRef function;
};

constexpr auto table = sdk::table<Parameters>(
    TRAMMEL_FIELD(Parameters, body, "1", "The body it acts on."),
    sdk::in_frame(TRAMMEL_FIELD(Parameters, force, "N", "The force."), FrameUse::global),
    TRAMMEL_FIELD(Parameters, at, "m", "Point of the body, global, in the initial configuration.")
        .at_start()
        .optional(),
    TRAMMEL_FIELD(Parameters, point, "m", "Point of the body, body-fixed; the mass centre if both are left out.")
        .on_body(0)
        .optional(),
    TRAMMEL_FIELD(Parameters, frame, "1", "Axes in which the force is given and stays constant.")
        .choices("global|body")
        .otherwise("\"global\""),
    TRAMMEL_FIELD(Parameters, function, "1 over s", "Factor over time; 1 if left out.").optional());

inline void check(const Parameters& p) {
  if (p.body.is_ground()) throw Error::parameter("body", "a force on ground moves nothing");
  if (given(p.at) && given(p.point))
    throw Error::parameter("at", "give 'at' (global) or 'point' (body-fixed), not both");
}

class SpatialAppliedForce final : public sdk::AppliedLoad {
 public:
  using Parameters = applied_force::Parameters;
  static constexpr auto parameters = table;

  SpatialAppliedForce(const Parameters& p, const ModelInfo& model)
      : AppliedLoad(p.body, p.function), f_(sdk::vec3(p.force)), s_{0, 0, 0}, body_frame_(p.frame == sdk::Frame::body) {
    check(p);
    const SpatialBodyState& b = sdk::spatial_state(model, p.body);
    if (given(p.at)) s_ = sdk::multiply_transposed(b.A, sdk::vec3(p.at) - sdk::position(b));
    if (given(p.point)) s_ = sdk::vec3(p.point);
    acts_at(s_);
  }

 private:
  static bool given(const double* v) { return trammel::given(v); }

  void add_load(const ElementState& s, double factor, double* Q) const override {
    const SpatialBodyState& b = s.body<SpatialBodyState>(0);
    const sdk::Vec3<> F = factor * (body_frame_ ? sdk::multiply(b.A, f_) : f_);
    sdk::store(sdk::vec3(Q) + F, Q);
    sdk::store(sdk::vec4(Q + 3) + sdk::b_transpose(sdk::b_term(sdk::parameters(b), s_), F), Q + 3);
  }
  void add_load_gradient(const ElementState& s, double factor, const MatrixView& Q_q) const override {
    const SpatialBodyState& b = s.body<SpatialBodyState>(0);
    const sdk::Vec4<> p = sdk::parameters(b);
    const sdk::Vec3<> F = factor * (body_frame_ ? sdk::multiply(b.A, f_) : f_);
    sdk::add_K(1, s_, F, &Q_q(3, 3), Q_q.stride);
    if (!body_frame_) return;
    const sdk::BTerm<double> B_s = sdk::b_term(p, s_), B_f = sdk::b_term(p, f_);
    sdk::add_B_product(Q_q, factor, B_s, B_f);
    for (Index k = 0; k < 4; ++k) {
      double unit[4] = {0, 0, 0, 0};
      unit[k] = factor;
      const sdk::Vec3<> column = sdk::b_apply(B_f, sdk::vec4(unit));
      Q_q(0, 3 + k) += column.x, Q_q(1, 3 + k) += column.y, Q_q(2, 3 + k) += column.z;
    }
  }
  double power(const ElementState& s, double factor) const override {
    const SpatialBodyState& b = s.body<SpatialBodyState>(0);
    const sdk::Vec3<> F = factor * (body_frame_ ? sdk::multiply(b.A, f_) : f_);
    const sdk::BTerm<double> B = sdk::b_term(sdk::parameters(b), s_);
    return sdk::dot(F, sdk::velocity(b) + sdk::b_apply(B, sdk::parameter_rates(b)));
  }
  bool potential(const ElementState& s, double factor, double& value) const override {
    const SpatialBodyState& b = s.body<SpatialBodyState>(0);
    value = -factor * sdk::dot(f_, sdk::position(b) + sdk::multiply(b.A, s_));
    return !body_frame_;
  }

  sdk::Vec3<> f_, s_;
  bool body_frame_;
};

class PlanarAppliedForce final : public sdk::AppliedLoad {
 public:
  using Parameters = applied_force::Parameters;
  static constexpr auto parameters = table;

  PlanarAppliedForce(const Parameters& p, const ModelInfo& model)
      : AppliedLoad(p.body, p.function), f_(sdk::vec2(p.force)), s_{0, 0}, body_frame_(p.frame == sdk::Frame::body) {
    check(p);
    const PlanarBodyState& b = sdk::planar_state(model, p.body);
    if (given(p.at)) s_ = sdk::rotate_back(b, sdk::vec2(p.at) - sdk::position(b));
    if (given(p.point)) s_ = sdk::vec2(p.point);
    acts_at(s_);
  }

 private:
  static bool given(const double* v) { return trammel::given(v); }

  void add_load(const ElementState& s, double factor, double* Q) const override {
    const PlanarBodyState& b = s.body<PlanarBodyState>(0);
    const sdk::Vec2<> F = factor * (body_frame_ ? sdk::rotate(b, f_) : f_);
    Q[0] += F.x, Q[1] += F.y, Q[2] += sdk::dot(sdk::perp(sdk::rotate(b, s_)), F);
  }
  void add_load_gradient(const ElementState& s, double factor, const MatrixView& Q_q) const override {
    const PlanarBodyState& b = s.body<PlanarBodyState>(0);
    if (body_frame_) {  // the moment is constant, the force turns with the body
      const sdk::Vec2<> turned = factor * sdk::perp(sdk::rotate(b, f_));
      Q_q(0, 2) += turned.x, Q_q(1, 2) += turned.y;
    } else {
      Q_q(2, 2) -= factor * sdk::dot(sdk::rotate(b, s_), f_);
    }
  }
  double power(const ElementState& s, double factor) const override {
    const PlanarBodyState& b = s.body<PlanarBodyState>(0);
    const sdk::Vec2<> F = factor * (body_frame_ ? sdk::rotate(b, f_) : f_);
    return sdk::dot(F, sdk::velocity(b) + b.omega * sdk::perp(sdk::rotate(b, s_)));
  }
  bool potential(const ElementState& s, double factor, double& value) const override {
    const PlanarBodyState& b = s.body<PlanarBodyState>(0);
    value = -factor * sdk::dot(f_, sdk::position(b) + sdk::rotate(b, s_));
    return !body_frame_;
  }

  sdk::Vec2<> f_, s_;
  bool body_frame_;
};

}  // namespace trammel::applied_force

TRAMMEL_PLUGIN("applied_force", "1.0.0", "BSD-3-Clause",
               component<trammel::applied_force::SpatialAppliedForce>(Host::spatial, "applied_force",
                                                                      "Given force at a point of a body."),
               component<trammel::applied_force::PlanarAppliedForce>(Host::planar, "applied_force",
                                                                     "Given force at a point of a body."));
