// Plugin: force and torque between two bodies, each component a formula of their relative motion.
#include <algorithm>
#include <array>
#include <string>

#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/force_claims.h"
#include "trammel/math/interval.h"
#include "trammel/sdk/elements/auto_force.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/law_signals.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/text/expression.h"

// Markers: points P_i, P_j and axes a_k (first body), b_k (second body), k = 1, 2, 3; d = P_j - P_i.
//   x_k = a_k.d,  v_k = a_k.(d' - omega_i x d) = x_k',  w_k = a_k.(omega_j - omega_i)                             (1)
//   R_kl = a_k.b_l = Rx(rx) Ry(ry) Rz(rz):  rx = arg(R_33 - i R_23),  ry = arg(|(R_11, R_12)| + i R_13),
//   rz = arg(R_11 - i R_12)                                                                                       (2)
//   o_k = a_k.omega_i
//   f = sum_k f_k a_k and tau = sum_k tau_k a_k on the second body at P_j, -f and -tau on the first body there    (3)
//   with b_k in place of a_k where `axes` says so
// Power f.(d' - omega_i x d) + tau.(omega_j - omega_i). Planar: the same with one angle, phi = phi_j - phi_i.
namespace trammel::six_component_force {

/// N formulas of V variables, the last of which is t, and of signals.
template <std::size_t V, std::size_t N>
class Laws {
 public:
  Laws(const std::array<const char*, V>& variables, const std::array<const char*, N>& keys,
       const std::array<Text, N>& texts, const ModelInfo& model)
      : keys_(keys) {
    const std::vector<std::string> names(variables.begin(), variables.end());
    for (std::size_t k = 0; k < N; ++k) {
      formulas_[k] = signals_[k].compile(keys[k], texts[k].view(), names, model);
    }
  }

  template <class T>
  Status evaluate(const T* variables, T* out) const {
    T all[V + sdk::LawSignals::most];
    std::copy_n(variables, V, all);
    for (std::size_t k = 0; k < N; ++k) {
      const Status status = signals_[k].values(variables[V - 1], all + V);
      if (!status) return status;
      out[k] = formulas_[k].evaluate(all);
      if (!std::isfinite(sdk::base_value(out[k]))) {
        return Status::failure(StatusCode::out_of_domain, "a law of the force is not defined here");
      }
    }
    return Status::success();
  }

  /// Switching functions, named after their keys.
  template <class Switches>
  void list_switches(Switches& out) const {
    for (std::size_t k = 0; k < N; ++k) out.add(keys_[k], formulas_[k]);
  }
  void switches(const double* variables, double* out) const {
    double all[V + sdk::LawSignals::most];
    std::copy_n(variables, V, all);
    for (std::size_t k = 0; k < N; ++k) {
      if (signals_[k].values(variables[V - 1], all + V).ok()) formulas_[k].switches(all, out);
      out += formulas_[k].switches();
    }
  }
  /// Law k as StateLaws wants it.
  Status law(Index k, const double* variables, double* force) const {
    double all[V + sdk::LawSignals::most];
    std::copy_n(variables, V, all);
    const Status status = signals_[static_cast<std::size_t>(k)].values(variables[V - 1], all + V);
    if (status) *force = formulas_[static_cast<std::size_t>(k)].evaluate(all);
    return status;
  }
  Status bounds(Index k, const Interval* variables, double* force) const {
    Interval all[V + sdk::LawSignals::most];
    std::copy_n(variables, V, all);
    signals_[static_cast<std::size_t>(k)].ranges(variables[V - 1], all + V);
    const Interval F = range_of(formulas_[static_cast<std::size_t>(k)], all);
    force[0] = F.low, force[1] = F.high;
    return Status::success();
  }
  bool uses(std::size_t variable) const {
    return std::any_of(formulas_.begin(), formulas_.end(), [&](const Expression& f) { return f.uses(variable); });
  }

 private:
  std::array<const char*, N> keys_;
  std::array<sdk::LawSignals, N> signals_;
  std::array<Expression, N> formulas_;
};

// Variables of the formulas, with their units.
#define TRAMMEL_OVER_SPATIAL \
  " over x m, y m, z m, vx m/s, vy m/s, vz m/s, rx rad, ry rad, rz rad, wx rad/s, wy rad/s, wz rad/s, t s"
#define TRAMMEL_OVER_PLANAR " over x m, y m, phi rad, vx m/s, vy m/s, omega rad/s, t s"
#define TRAMMEL_LAW(member, unit, what) TRAMMEL_FIELD(Parameters, member, unit, what).expression().otherwise("\"0\"")

/// Along whose axes the components are.
enum class Axes : std::int32_t { first, second };

struct SpatialParameters {
  sdk::TwoBodies two;
  sdk::EndPoints ends;
  double rotation_i[4];
  double rotation_j[4];
  Axes axes;
  Text force_x, force_y, force_z, torque_x, torque_y, torque_z;
};

class SpatialSixComponent final : public sdk::AutoForce<SpatialSixComponent, SpatialBodyState, 2>,
                                  ElementChannels,
                                  StateLaws,
                                  ForceClaims {
 public:
  using Parameters = SpatialParameters;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<sdk::zero_spatial>),
      TRAMMEL_FIELD(Parameters, rotation_i, "1", "Marker axes of the first body: marker to body.")
          .on_body(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, rotation_j, "1", "Marker axes of the second body: marker to body.")
          .on_body(1)
          .optional(),
      TRAMMEL_FIELD(Parameters, axes, "1", "Marker along whose axes the components are.")
          .choices("first|second")
          .otherwise("\"first\""),
      TRAMMEL_LAW(force_x, "N" TRAMMEL_OVER_SPATIAL, "Force along x on the second body, a formula."),
      TRAMMEL_LAW(force_y, "N" TRAMMEL_OVER_SPATIAL, "Force along y on the second body."),
      TRAMMEL_LAW(force_z, "N" TRAMMEL_OVER_SPATIAL, "Force along z on the second body."),
      TRAMMEL_LAW(torque_x, "N m" TRAMMEL_OVER_SPATIAL, "Torque about x on the second body."),
      TRAMMEL_LAW(torque_y, "N m" TRAMMEL_OVER_SPATIAL, "Torque about y on the second body."),
      TRAMMEL_LAW(torque_z, "N m" TRAMMEL_OVER_SPATIAL, "Torque about z on the second body."));

  SpatialSixComponent(const Parameters& p, const ModelInfo& model)
      : AutoForce(p.two.bodies[0], p.two.bodies[1]),
        s_i_(sdk::vec3(p.ends.point_i)),
        s_j_(sdk::vec3(p.ends.point_j)),
        along_second_(p.axes == Axes::second),
        laws_({"x", "y", "z", "rx", "ry", "rz", "vx", "vy", "vz", "wx", "wy", "wz", "ox", "oy", "oz", "t"},
              {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"},
              {p.force_x, p.force_y, p.force_z, p.torque_x, p.torque_y, p.torque_z}, model) {
    sdk::require_two_bodies(p.two);
    drawn_.at(0, s_i_).at(1, s_j_);
    laws_.list_switches(switches_);
    switches_.add("rx"), switches_.add("rz");
    for (int k = 0; k < 3; ++k) {
      const sdk::Vec3<> unit{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      axes_i_[k] = given(p.rotation_i) ? sdk::rotate(sdk::vec4(p.rotation_i), unit) : unit;
      axes_j_[k] = given(p.rotation_j) ? sdk::rotate(sdk::vec4(p.rotation_j), unit) : unit;
    }
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, StateLaws, LawSwitches, Drawing, ForceClaims>(
        id, this, this, &switches_, &drawn_, this);
  }

  template <class T>
  Status force(const T& t, const sdk::Motion<SpatialBodyState, T>* b, sdk::Load<SpatialBodyState, T>* loads) const {
    const Wrench<T> w(*this, t, b);
    loads[1].add_force(b[1], s_j_, w.f);  // (3)
    loads[1].add_torque(b[1], w.tau);
    loads[0].add_force(b[0], s_i_, -w.f);
    loads[0].add_torque(b[0], -(w.tau + sdk::cross(w.d, w.f)));
    return w.status;
  }

 private:
  static bool given(const double* v) { return trammel::given(v); }
  bool objective() const override { return !laws_.uses(12) && !laws_.uses(13) && !laws_.uses(14); }  // o_k are absolute
  bool passive() const override { return false; }  // six formulas need not have a potential

  template <class T>
  struct Wrench {
    sdk::Vec3<T> d, f, tau;
    T x[16];
    Status status;

    Wrench(const SpatialSixComponent& element, const T& t, const sdk::Motion<SpatialBodyState, T>* b) {
      using std::atan2;
      using std::sqrt;
      sdk::Vec3<T> a[3], c[3];
      for (int k = 0; k < 3; ++k) a[k] = b[0].direction(element.axes_i_[k]), c[k] = b[1].direction(element.axes_j_[k]);
      d = b[1].point(element.s_j_) - b[0].point(element.s_i_);
      const sdk::Vec3<T> omega_i = b[0].angular_velocity();
      const sdk::Vec3<T> v =
          b[1].point_velocity(element.s_j_) - b[0].point_velocity(element.s_i_) - sdk::cross(omega_i, d);
      const sdk::Vec3<T> w = b[1].angular_velocity() - omega_i;
      for (int k = 0; k < 3; ++k) {  // (1)
        x[k] = sdk::dot(a[k], d);
        x[6 + k] = sdk::dot(a[k], v);
        x[9 + k] = sdk::dot(a[k], w);
        x[12 + k] = sdk::dot(a[k], omega_i);
      }
      const T R11 = sdk::dot(a[0], c[0]), R12 = sdk::dot(a[0], c[1]);
      x[3] = atan2(-sdk::dot(a[1], c[2]), sdk::dot(a[2], c[2]));  // (2)
      x[4] = atan2(sdk::dot(a[0], c[2]), sqrt(R11 * R11 + R12 * R12));
      x[5] = atan2(-R12, R11);
      x[15] = t;
      T law[6];
      status = element.laws_.evaluate(x, law);
      const sdk::Vec3<T>* const e = element.along_second_ ? c : a;
      f = law[0] * e[0] + law[1] * e[1] + law[2] * e[2];
      tau = law[3] * e[0] + law[4] * e[1] + law[5] * e[2];
    }
  };

  /// Those of the formulas, and where the angles that they use jump by a turn.
  Status switch_values(const ElementState& s, double* out) const {
    const sdk::Motion<SpatialBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Wrench<double> w(*this, s.t, b);
    laws_.switches(w.x, out);
    out += switches_.switch_count() - 2;
    for (int k = 0; k < 2; ++k) {
      if (std::cos(w.x[3 + 2 * k]) < 0 && laws_.uses(3 + 2 * static_cast<std::size_t>(k)))
        out[k] = std::sin(w.x[3 + 2 * k]);
    }
    return Status::success();
  }

  // Arguments: x, y, z with vx, vy, vz; angles and angular velocities, of whose rates nothing is known.
  static constexpr Index arguments = 12;
  Index law_count() const override { return 6; }
  Index law_argument_count() const override { return arguments; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    const sdk::Motion<SpatialBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Wrench<double> w(*this, s.t, b);
    for (Index k = 0; k < arguments; ++k) x[k] = w.x[k < 6 ? k : k + 3], rate[k] = k < 3 ? w.x[6 + k] : NAN;
    return Status::success();
  }
  template <class T>
  static void order(const T* x, const T* rate, const T& t, T* variables) {
    for (int k = 0; k < 6; ++k) variables[k] = x[k];
    for (int k = 0; k < 3; ++k) variables[6 + k] = rate[k];
    for (int k = 0; k < 6; ++k) variables[9 + k] = x[6 + k];
    variables[15] = t;
  }
  Status law(Index i, const double* x, const double* rate, double t, double* force) const override {
    double variables[16];
    order(x, rate, t, variables);
    return laws_.law(i, variables, force);
  }
  Status law_bounds(Index i, const Box& box, double* force) const override {
    Interval x[arguments], rate[arguments], variables[16];
    for (int k = 0; k < arguments; ++k) {
      x[k] = {box.x[0][k], box.x[1][k]}, rate[k] = {box.rate[0][k], box.rate[1][k]};
    }
    order(x, rate, {box.t[0], box.t[1]}, variables);
    return laws_.bounds(i, variables, force);
  }

  Index channel_count() const override { return 12; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"x",       "y",       "z",       "rx",       "ry",       "rz",
                                     "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "rad", "N", "N m"};
    return units[i / 3];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const sdk::Motion<SpatialBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Wrench<double> w(*this, s.t, b);
    for (Index k = 0; k < 6; ++k) out[k] = w.x[k];
    sdk::store(w.f, out.data + 6), sdk::store(w.tau, out.data + 9);
    return w.status;
  }

  sdk::Vec3<> s_i_, s_j_, axes_i_[3], axes_j_[3];
  bool along_second_;
  Laws<16, 6> laws_;
  sdk::OwnSwitches<SpatialSixComponent> switches_{*this, &SpatialSixComponent::switch_values};
  sdk::Drawn drawn_{Symbol::nothing};
};

class PlanarThreeComponent final : public sdk::AutoForce<PlanarThreeComponent, PlanarBodyState, 2>,
                                   ElementChannels,
                                   StateLaws,
                                   ForceClaims {
 public:
  struct Parameters {
    sdk::TwoBodies two;
    sdk::EndPoints ends;
    double angle_i;
    Text force_x, force_y, torque;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
      TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<sdk::zero_planar>),
      sdk::in_frame(TRAMMEL_FIELD(Parameters, angle_i, "rad", "Direction of the marker's x axis in the first body."),
                    FrameUse::on_first_body)
          .otherwise("0"),
      TRAMMEL_LAW(force_x, "N" TRAMMEL_OVER_PLANAR, "Force along x on the second body, a formula."),
      TRAMMEL_LAW(force_y, "N" TRAMMEL_OVER_PLANAR, "Force along y on the second body."),
      TRAMMEL_LAW(torque, "N m" TRAMMEL_OVER_PLANAR, "Torque on the second body."));

  PlanarThreeComponent(const Parameters& p, const ModelInfo& model)
      : AutoForce(p.two.bodies[0], p.two.bodies[1]),
        s_i_(sdk::vec2(p.ends.point_i)),
        s_j_(sdk::vec2(p.ends.point_j)),
        axis_{std::cos(p.angle_i), std::sin(p.angle_i)},
        laws_({"x", "y", "phi", "vx", "vy", "omega", "t"}, {"force_x", "force_y", "torque"},
              {p.force_x, p.force_y, p.torque}, model) {
    sdk::require_two_bodies(p.two);
    drawn_.at(0, s_i_).at(1, s_j_);
    laws_.list_switches(switches_);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, StateLaws, LawSwitches, Drawing, ForceClaims>(
        id, this, this, &switches_, &drawn_, this);
  }

  template <class T>
  Status force(const T& t, const sdk::Motion<PlanarBodyState, T>* b, sdk::Load<PlanarBodyState, T>* loads) const {
    const Wrench<T> w(*this, t, b);
    loads[1].add_force(b[1], s_j_, w.f);  // (3)
    loads[1].add_torque(b[1], w.tau);
    loads[0].add_force(b[0], s_i_, -w.f);
    loads[0].add_torque(b[0], -(w.tau + sdk::dot(sdk::perp(w.d), w.f)));
    return w.status;
  }

 private:
  bool passive() const override { return false; }  // three formulas need not have a potential

  template <class T>
  struct Wrench {
    sdk::Vec2<T> d, f;
    T tau;
    T x[7];
    Status status;

    Wrench(const PlanarThreeComponent& element, const T& t, const sdk::Motion<PlanarBodyState, T>* b) {
      const sdk::Vec2<T> a = b[0].direction(element.axis_), c = sdk::perp(a);
      d = b[1].point(element.s_j_) - b[0].point(element.s_i_);
      const sdk::Vec2<T> v =
          b[1].point_velocity(element.s_j_) - b[0].point_velocity(element.s_i_) - b[0].omega * sdk::perp(d);
      x[0] = sdk::dot(a, d), x[1] = sdk::dot(c, d), x[2] = b[1].phi - b[0].phi;
      x[3] = sdk::dot(a, v), x[4] = sdk::dot(c, v), x[5] = b[1].omega - b[0].omega, x[6] = t;
      T law[3];
      status = element.laws_.evaluate(x, law);
      f = law[0] * a + law[1] * c;
      tau = law[2];
    }
  };

  Status switch_values(const ElementState& s, double* out) const {
    const sdk::Motion<PlanarBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    laws_.switches(Wrench<double>(*this, s.t, b).x, out);
    return Status::success();
  }

  // Arguments: x, y, phi with vx, vy, omega.
  Index law_count() const override { return 3; }
  Index law_argument_count() const override { return 3; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    const sdk::Motion<PlanarBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Wrench<double> w(*this, s.t, b);
    for (Index k = 0; k < 3; ++k) x[k] = w.x[k], rate[k] = w.x[3 + k];
    return Status::success();
  }
  Status law(Index i, const double* x, const double* rate, double t, double* force) const override {
    const double variables[7] = {x[0], x[1], x[2], rate[0], rate[1], rate[2], t};
    return laws_.law(i, variables, force);
  }
  Status law_bounds(Index i, const Box& box, double* force) const override {
    Interval variables[7];
    for (int k = 0; k < 3; ++k) {
      variables[k] = {box.x[0][k], box.x[1][k]}, variables[3 + k] = {box.rate[0][k], box.rate[1][k]};
    }
    variables[6] = {box.t[0], box.t[1]};
    return laws_.bounds(i, variables, force);
  }

  Index channel_count() const override { return 6; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"x", "y", "phi", "force.x", "force.y", "torque.z"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m", "rad", "N", "N", "N m"};
    return units[i];
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    const sdk::Motion<PlanarBodyState, double> b[2] = {motion(s, 0), motion(s, 1)};
    const Wrench<double> w(*this, s.t, b);
    out[0] = w.x[0], out[1] = w.x[1], out[2] = w.x[2];
    out[3] = w.f.x, out[4] = w.f.y, out[5] = w.tau;
    return w.status;
  }

  sdk::Vec2<> s_i_, s_j_, axis_;
  Laws<7, 3> laws_;
  sdk::OwnSwitches<PlanarThreeComponent> switches_{*this, &PlanarThreeComponent::switch_values};
  sdk::Drawn drawn_{Symbol::nothing};
};

}  // namespace trammel::six_component_force

TRAMMEL_PLUGIN("six_component_force", "1.0.0", "BSD-3-Clause",
               component<trammel::six_component_force::SpatialSixComponent>(
                   Host::spatial, "six_component_force",
                   "Force and torque between two bodies, six formulas of their relative motion."),
               component<trammel::six_component_force::PlanarThreeComponent>(
                   Host::planar, "six_component_force",
                   "Force and torque between two bodies, three formulas of their relative motion."));
