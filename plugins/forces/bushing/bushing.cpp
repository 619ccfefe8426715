// Plugin: linear bushing between two frames: springs and dampers along and about three axes, spatial and planar.
#include <algorithm>
#include <string>

#include "deformation.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/auto_force.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// With the deformations x = (u, psi) of deformation.h, stiffnesses k, dampings c and preload f_0:
//   f_n = f_0n + k_n x_n + c_n x_n',  Q = -sum_n f_n x_n,q                                                        (1)
//   V = sum_n (f_0n x_n + k_n x_n^2 / 2),  dissipation sum_n c_n x_n'^2                                           (2)
// V does not change when both bodies move together, so forces and moments on the two bodies balance.
namespace trammel::bushing {

struct Laws {
  double stiffness[3], torsional_stiffness[3], damping[3], torsional_damping[3], preload[3], torsional_preload[3];
};

template <class Frames>
class Bushing : public sdk::AutoForce<Bushing<Frames>, typename Frames::State, 2>, protected ElementChannels {
 public:
  using State = typename Frames::State;
  static constexpr Index N = Frames::N, M = N == 6 ? 3 : 2;  ///< deformations, displacements among them

  const void* extension(const char* id) const final {
    return sdk::offer_extensions<ElementChannels, Drawing>(id, this, &drawn_);
  }

  template <class T>
  Status force(const T&, const sdk::Motion<State, T>* b, sdk::Load<State, T>* loads) const {
    const Deformation<T> x = frames_.deformation(b);
    T f[N];
    for (Index n = 0; n < N; ++n) f[n] = preload_[n] + stiffness_[n] * x.value[n] + damping_[n] * x.rate[n];
    frames_.add_loads(b, f, loads);
    const sdk::Pose<State, double> poses[2] = {base(b[0]), base(b[1])};
    if (frames_.defined(poses)) return Status::success();
    return Status::failure(StatusCode::out_of_domain, "a bushing is twisted by more than 170 degrees");
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const final {
    const sdk::Motion<State, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Deformation<double> x = frames_.deformation(b);
    for (Index n = 0; n < N; ++n) {
      energy.potential += (preload_[n] + 0.5 * stiffness_[n] * x.value[n]) * x.value[n];
      energy.dissipation += damping_[n] * x.rate[n] * x.rate[n];
    }
    return Status::success();
  }

 protected:
  Bushing(const sdk::TwoBodies& two, const Frames& frames, const Laws& laws)
      : sdk::AutoForce<Bushing, State, 2>(two.bodies[0], two.bodies[1]),
        frames_(frames),
        drawn_(sdk::Drawn(Symbol::point).at(0, frames.s_i).at(1, frames.s_j)) {
    join(laws.stiffness, laws.torsional_stiffness, stiffness_);
    join(laws.damping, laws.torsional_damping, damping_);
    join(laws.preload, laws.torsional_preload, preload_);
  }
  ~Bushing() = default;

 private:
  static void join(const double* along, const double* about, double* out) {
    std::copy(along, along + M, out);
    std::copy(about, about + N - M, out + M);
  }
  static sdk::Motion<State, double> motion(const ElementState& s, Index k) {
    double q[7], v[7];
    sdk::coordinates_of(s.body<State>(k), q, v);
    return {q, v};
  }
  template <class T>
  static sdk::Pose<State, double> base(const sdk::Pose<State, T>& b) {
    using sdk::base_value;
    if constexpr (N == 6) {
      const double q[7] = {base_value(b.r.x),   base_value(b.r.y),   base_value(b.r.z),  base_value(b.p.e0),
                           base_value(b.p.e.x), base_value(b.p.e.y), base_value(b.p.e.z)};
      return sdk::Pose<State, double>(q);
    } else {
      const double q[3] = {base_value(b.r.x), base_value(b.r.y), base_value(b.phi)};
      return sdk::Pose<State, double>(q);
    }
  }

  Index channel_count() const final { return 3 * N; }
  const char* channel_name(Index i) const final {
    constexpr const char* spatial[] = {"x",       "x_rate",  "y",       "y_rate",   "z",        "z_rate",
                                       "rx",      "rx_rate", "ry",      "ry_rate",  "rz",       "rz_rate",
                                       "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"};
    constexpr const char* planar[] = {"x", "x_rate", "y", "y_rate", "rz", "rz_rate", "force.x", "force.y", "torque.z"};
    return N == 6 ? spatial[i] : planar[i];
  }
  const char* channel_unit(Index i) const final {
    if (i >= 2 * N) return i < 2 * N + M ? "N" : "N m";
    return i < 2 * M ? (i % 2 == 0 ? "m" : "m/s") : (i % 2 == 0 ? "rad" : "rad/s");
  }
  Status channel_values(const ElementState& s, VectorView out) const final {
    const sdk::Motion<State, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Deformation<double> x = frames_.deformation(b);
    for (Index n = 0; n < N; ++n) out[2 * n] = x.value[n], out[2 * n + 1] = x.rate[n];
    sdk::Load<State, double> loads[2];
    const Status status = force(s.t, b, loads);
    // About P_j: what is left of Q_p (Q_phi) without the moment of the force about the mass centre.
    const double* Q = loads[1].Q;
    for (Index k = 0; k < M; ++k) out[2 * N + k] = Q[k];
    if constexpr (N == 6) {
      const sdk::Vec4<> moment = sdk::b_transpose(sdk::b_term(b[1].p, frames_.s_j), sdk::vec3(Q));
      store(1 / (2 * sdk::dot(b[1].p, b[1].p)) * sdk::E_apply(b[1].p, sdk::vec4(Q + 3) - moment), out.data + 15);
    } else {
      out[8] = Q[2] - sdk::dot(sdk::perp(b[1].direction(frames_.s_j)), sdk::vec2(Q));
    }
    return status;
  }

  Frames frames_;
  double stiffness_[N], damping_[N], preload_[N];
  sdk::Drawn drawn_;
};

/// Whether the frames are given globally; mixtures are refused.
inline bool global_frames(const sdk::PointKeys& point, bool global_turn, bool local_turn, const char* global_key,
                          const char* local_keys) {
  const bool global = sdk::global_form(point.at, point.point_i, point.point_j, "at", "point_i", "point_j");
  if (global && local_turn) {
    throw Error::parameter("at", std::string("'at' goes with '") + global_key + "', not with " + local_keys);
  }
  if (!global && global_turn) {
    throw Error::parameter(
        global_key, std::string("'point_i' and 'point_j' go with ") + local_keys + ", not with '" + global_key + "'");
  }
  return global;
}

class SpatialBushing final : public Bushing<SpatialFrames> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    double rotation[4], rotation_i[4], rotation_j[4];
    Laws laws;
  };
  static constexpr auto law_fields = sdk::group(
      sdk::in_frame(TRAMMEL_FIELD(Laws, stiffness, "N/m", "Stiffnesses along the axes of the first frame."),
                    FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_spatial),
      sdk::in_frame(TRAMMEL_FIELD(Laws, torsional_stiffness, "N m/rad", "Stiffnesses about the axes."),
                    FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_spatial),
      sdk::in_frame(TRAMMEL_FIELD(Laws, damping, "N s/m", "Dampings along the axes."), FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_spatial),
      sdk::in_frame(TRAMMEL_FIELD(Laws, torsional_damping, "N m s/rad", "Dampings about the axes."), FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_spatial),
      sdk::in_frame(TRAMMEL_FIELD(Laws, preload, "N", "Restoring force without deformation."), FrameUse::own_axes)
          .otherwise(sdk::zero_spatial),
      sdk::in_frame(TRAMMEL_FIELD(Laws, torsional_preload, "N m", "Restoring torque without deformation."),
                    FrameUse::own_axes)
          .otherwise(sdk::zero_spatial));
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      TRAMMEL_FIELD(Parameters, rotation, "1", "Attitude of both frames, global, in the initial configuration.")
          .at_start()
          .optional(),
      TRAMMEL_FIELD(Parameters, rotation_i, "1", "Attitude of the frame in the first body; with point_i.")
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, rotation_j, "1", "Attitude of the frame in the second body; with point_j.")
          .on_body(1)
          .optional(),
      TRAMMEL_EMBED(Parameters, laws, law_fields));

  SpatialBushing(const Parameters& p, const ModelInfo& model) : Bushing(p.two, frames(p, model), p.laws) {}

 private:
  static bool turned(const double* rotation) { return rotation[0] != 1; }

  static SpatialFrames frames(const Parameters& p, const ModelInfo& model) {
    const sdk::SpatialPoints points = sdk::spatial_points(p.two, p.point, model);
    if (!global_frames(p.point, turned(p.rotation), turned(p.rotation_i) || turned(p.rotation_j), "rotation",
                       "'rotation_i' and 'rotation_j'")) {
      return {points.s_i, points.s_j, sdk::vec4(p.rotation_i), sdk::vec4(p.rotation_j)};
    }
    const auto local = [&](BodyRef body) {
      const sdk::Vec4<> attitude = sdk::parameters(sdk::spatial_state(model, body));
      return sdk::quaternion_product(sdk::conjugate(attitude), sdk::vec4(p.rotation));
    };
    return {points.s_i, points.s_j, local(p.two.bodies[0]), local(p.two.bodies[1])};
  }
};

class PlanarBushing final : public Bushing<PlanarFrames> {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::PointKeys point;
    double angle, angle_i, angle_j;
    double stiffness[3], torsional_stiffness, damping[3], torsional_damping, preload[3], torsional_preload;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields), TRAMMEL_EMBED(Parameters, point, sdk::point_fields),
      sdk::in_frame(
          TRAMMEL_FIELD(Parameters, angle, "rad", "Angle of both frames, global, in the initial configuration."),
          FrameUse::at_start)
          .optional(),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, angle_i, "rad", "Angle of the frame in the first body; with point_i."),
                    FrameUse::on_first_body)
          .optional(),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, angle_j, "rad", "Angle of the frame in the second body; with point_j."),
                    FrameUse::on_second_body)
          .optional(),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffnesses along the axes of the first frame."),
                    FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_planar),
      TRAMMEL_FIELD(Parameters, torsional_stiffness, "N m/rad", "Stiffness of the rotation.")
          .at_least(0)
          .otherwise("0"),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, damping, "N s/m", "Dampings along the axes."), FrameUse::own_axes)
          .at_least(0)
          .otherwise(sdk::zero_planar),
      TRAMMEL_FIELD(Parameters, torsional_damping, "N m s/rad", "Damping of the rotation.").at_least(0).otherwise("0"),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, preload, "N", "Restoring force without deformation."), FrameUse::own_axes)
          .otherwise(sdk::zero_planar),
      TRAMMEL_FIELD(Parameters, torsional_preload, "N m", "Restoring torque without deformation.").otherwise("0"));

  PlanarBushing(const Parameters& p, const ModelInfo& model) : Bushing(p.two, frames(p, model), laws(p)) {}

 private:
  static PlanarFrames frames(const Parameters& p, const ModelInfo& model) {
    const sdk::PlanarPoints points = sdk::planar_points(p.two, p.point, model);
    const auto or_zero = [](double angle) { return given(angle) ? angle : 0; };
    const bool global = global_frames(p.point, given(p.angle), given(p.angle_i) || given(p.angle_j), "angle",
                                      "'angle_i' and 'angle_j'");
    if (!global) return {points.s_i, points.s_j, or_zero(p.angle_i), or_zero(p.angle_i) - or_zero(p.angle_j)};
    const double phi_i = sdk::planar_state(model, p.two.bodies[0]).phi;
    return {points.s_i, points.s_j, or_zero(p.angle) - phi_i, sdk::planar_state(model, p.two.bodies[1]).phi - phi_i};
  }
  static Laws laws(const Parameters& p) {
    Laws laws{};
    for (int k = 0; k < 2; ++k) {
      laws.stiffness[k] = p.stiffness[k], laws.damping[k] = p.damping[k], laws.preload[k] = p.preload[k];
    }
    laws.torsional_stiffness[0] = p.torsional_stiffness, laws.torsional_damping[0] = p.torsional_damping;
    laws.torsional_preload[0] = p.torsional_preload;
    return laws;
  }
};

}  // namespace trammel::bushing

TRAMMEL_PLUGIN("bushing", "1.0.0", "BSD-3-Clause",
               component<trammel::bushing::SpatialBushing>(
                   Host::spatial, "bushing", "Springs and dampers along and about the axes of two frames."),
               component<trammel::bushing::PlanarBushing>(
                   Host::planar, "bushing", "Springs and dampers along the axes of two frames and of their rotation."));
