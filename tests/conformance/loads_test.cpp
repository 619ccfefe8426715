// Point gravity, drag, joint friction, six-component force and actuator against independent definitions.
#include "force_check.h"
#include "force_oracle.h"
#include "trammel/error.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

const std::vector<std::vector<std::int32_t>> pairs = {{0, 1}, {-1, 1}, {0, -1}};

template <class Oracle>
using Checked = std::pair<std::unique_ptr<Component<ForceElement>>, std::unique_ptr<Oracle>>;

class OnePlusSquare final : public Function {
 public:
  Status evaluate(double x, int order, double* value) const override {
    const double all[4] = {1 + x * x, 2 * x, 2, 0};
    std::copy(all, all + order + 1, value);
    return Status::success();
  }
};

// --- Point gravity: the potential alone
// --------------------------------------------------------------------------------

template <class State>
class GravityOracle final : public sdk::AutoForce<GravityOracle<State>, State, 2> {
 public:
  using sdk::AutoForce<GravityOracle<State>, State, 2>::AutoForce;
  template <class T>
  T potential(const T&, const Pose<State, T>* b) const {
    return -0.7 * 2.0 * 3.0 / sdk::norm(b[1].r - b[0].r);
  }
};

template <class State>
void check_gravity(const std::string& name) {
  check_force<State>(name, pairs, [](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random&) {
    const ComponentRecord& record = find_component("point_gravity", ComponentKind::force, model.host());
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).number("constant", 0.7).number("mass_i", 2).number("mass_j", 3);
    return Checked<GravityOracle<State>>(
        std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
        std::make_unique<GravityOracle<State>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}));
  });
}

// --- Drag
// ----------------------------------------------------------------------------------------------------------------

template <class State>
class DragOracle final : public sdk::AutoForce<DragOracle<State>, State, 1> {
 public:
  DragOracle(BodyRef body, const LocalVector<State>& s, const LocalVector<State>& wind)
      : sdk::AutoForce<DragOracle<State>, State, 1>(body), s_(s), wind_(wind) {}
  template <class T>
  void force(const T& t, const Motion<State, T>* b, Load<State, T>* loads) const {
    const MovingPoint<State, T, LocalVector<State>> P(b[0], s_);
    const auto u = P.velocity - (1.0 + t * t) * wind_;
    P.add_force(-(0.5 * 1.2 * 0.9 * 0.4 * sdk::norm(u) + 0.3) * u, loads[0]);
  }

 private:
  LocalVector<State> s_, wind_;
};

template <class State>
void check_drag(const std::string& name) {
  static const OnePlusSquare gust;
  check_force<State>(
      name, {{0}}, [](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const ComponentRecord& record = find_component("aerodynamic_drag", ComponentKind::force, model.host());
        const LocalVector<State> s = random_local<State>(random), wind = 3.0 * random_local<State>(random);
        ParameterFill fill(record.parameters);
        fill.body("body", bodies[0]).vector("point", s).vector("wind", wind).function("function", &gust);
        fill.number("area", 0.4).number("coefficient", 0.9).number("density", 1.2).number("linear", 0.3);
        return Checked<DragOracle<State>>(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                                          std::make_unique<DragOracle<State>>(BodyRef{bodies[0]}, s, wind));
      });
}

// --- Vertical tyre on the road 1 + x^2
// -------------------------------------------------------------------------------------------------------------------

template <class State>
class TyreOracle final : public sdk::AutoForce<TyreOracle<State>, State, 1> {
 public:
  TyreOracle(BodyRef body, const LocalVector<State>& s) : sdk::AutoForce<TyreOracle<State>, State, 1>(body), s_(s) {}
  template <class T>
  void force(const T&, const Motion<State, T>* b, Load<State, T>* loads) const {
    const MovingPoint<State, T, LocalVector<State>> P(b[0], s_);
    auto F = 0.0 * P.velocity;
    const T x = P.at.x, slope = 2.0 * x;
    if constexpr (State::coordinates == 3) {
      F.y = 3.0 * (0.4 + 1.0 + x * x - P.at.y) + 0.7 * (slope * P.velocity.x - P.velocity.y);
    } else {
      F.z = 3.0 * (0.4 + 1.0 + x * x - P.at.z) + 0.7 * (slope * P.velocity.x - P.velocity.z);
    }
    P.add_force(F, loads[0]);
  }

 private:
  LocalVector<State> s_;
};

template <class State>
void check_tyre(const std::string& name) {
  static const OnePlusSquare road;
  check_force<State>(
      name, {{0}}, [](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const ComponentRecord& record = find_component("tyre_vertical", ComponentKind::force, model.host());
        const LocalVector<State> s = random_local<State>(random);
        ParameterFill fill(record.parameters);
        fill.body("body", bodies[0]).vector("point", s).function("road", &road).choice("contact", 0);
        fill.number("stiffness", 3).number("damping", 0.7).number("radius", 0.4);
        return Checked<TyreOracle<State>>(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                                          std::make_unique<TyreOracle<State>>(BodyRef{bodies[0]}, s));
      });
}

// --- Forces on a joint's coordinates
// -------------------------------------------------------------------------------------

/// A model with one joint made before the force.
template <class State>
class JointedModel final : public ModelInfo {
 public:
  JointedModel(const Model<State>& model, const Constraint* joint) : model_(model), joint_(joint) {}
  Host host() const override { return model_.host(); }
  Index body_count() const override { return model_.body_count(); }
  const char* body_name(Index body) const override { return model_.body_name(body); }
  const void* body_parameters(Index) const override { return nullptr; }
  double body_mass(Index) const override { return 1; }
  const void* initial_state(BodyRef body) const override { return model_.initial_state(body); }
  const Constraint* constraint(ElementRef e) const override { return e.index == 0 ? joint_ : nullptr; }

 private:
  const Model<State>& model_;
  const Constraint* joint_;
};

/// The joints made for elements under test; they live as long as the program.
std::unique_ptr<Component<Constraint>>& new_joint() {
  static std::vector<std::unique_ptr<Component<Constraint>>> joints;
  return joints.emplace_back();
}

/// A cylindrical joint through `at` along `axis`, its angle and displacement as functions of the poses.
struct Cylinder {
  const Constraint* joint;
  sdk::SpatialAxes axes;
  sdk::SpatialPoints points;

  Cylinder(const std::vector<std::int32_t>& bodies, const Model<SpatialBodyState>& model, Random& random) {
    const Vec3<> at = random_vec3(random), h = random_vec3(random);
    const ComponentRecord& record = find_component("cylindrical", ComponentKind::constraint, Host::spatial);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).vector("at", at).vector("axis", h);
    auto& made = new_joint();
    made = std::make_unique<Component<Constraint>>(record, std::move(fill), model);
    joint = made->get();
    const double none = left_out();
    const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
    const double gap[3] = {none, none, none};
    const sdk::SpatialJointGeometry geometry =
        sdk::spatial_joint_geometry({{refs, 2}}, {{at.x, at.y, at.z}, {none, none, none}, {none, none, none}},
                                    {{h.x, h.y, h.z}, {gap[0], gap[1], gap[2]}, {none, none, none}}, model);
    axes = geometry.axes, points = geometry.points;
  }
  RelativeAngle angle() const { return {axes}; }
  /// Up to a constant.
  auto displacement() const {
    return [a = axes, s = points](const auto* p) {
      return sdk::dot(turned(p[0], a.h_i), between(p[0], p[1], s.s_i, s.s_j));
    };
  }
};

class FrictionOracle final : public sdk::AutoForce<FrictionOracle, SpatialBodyState, 2> {
 public:
  static constexpr bool dissipative = true;
  FrictionOracle(BodyRef i, BodyRef j, const Cylinder& joint) : AutoForce(i, j), joint_(joint) {}
  template <class T>
  void force(const T&, const Motion<SpatialBodyState, T>* b, Load<SpatialBodyState, T>* loads) const {
    T value, rate;
    value_and_rate(b, joint_.angle(), value, rate);
    add_along(b, loads, -0.4 * rate, joint_.angle());
    value_and_rate(b, joint_.displacement(), value, rate);
    add_along(b, loads, -1.7 * rate, joint_.displacement());
  }

 private:
  Cylinder joint_;
};

class PlanarFrictionOracle final : public sdk::AutoForce<PlanarFrictionOracle, PlanarBodyState, 2> {
 public:
  using AutoForce::AutoForce;
  template <class T>
  void force(const T&, const Motion<PlanarBodyState, T>* b, Load<PlanarBodyState, T>* loads) const {
    const T torque = 0.4 * (b[1].omega - b[0].omega);
    loads[0].Q[2] += torque, loads[1].Q[2] -= torque;
  }
};

const Constraint* planar_hinge(const std::vector<std::int32_t>& bodies, const Model<PlanarBodyState>& model) {
  const ComponentRecord& record = find_component("revolute", ComponentKind::constraint, Host::planar);
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", bodies).vector("at", Vec2<>{0.1, 0.2});
  auto& made = new_joint();
  made = std::make_unique<Component<Constraint>>(record, std::move(fill), model);
  return made->get();
}

// --- Six components
// --------------------------------------------------------------------------------------------------------

Vec3<> turned_by(const double* p, const Vec3<>& s) {
  double q[7] = {0, 0, 0, p[0], p[1], p[2], p[3]};
  return turned(Pose<SpatialBodyState, double>(q), s);
}

class SixOracle final : public sdk::AutoForce<SixOracle, SpatialBodyState, 2> {
 public:
  SixOracle(BodyRef i, BodyRef j, const Vec3<>& s_i, const Vec3<>& s_j, const double* p_i, const double* p_j)
      : AutoForce(i, j), s_i_(s_i), s_j_(s_j) {
    for (int k = 0; k < 3; ++k) {
      const Vec3<> unit{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
      u_i_[k] = turned_by(p_i, unit), u_j_[k] = turned_by(p_j, unit);
    }
  }
  template <class T>
  void force(const T& t, const Motion<SpatialBodyState, T>* b, Load<SpatialBodyState, T>* loads) const {
    using std::atan2;
    using std::sqrt;
    const MovingPoint<SpatialBodyState, T, Vec3<>> P_i(b[0], s_i_), P_j(b[1], s_j_);
    Vec3<T> a[3], c[3];
    for (int k = 0; k < 3; ++k) a[k] = turned(b[0], u_i_[k]), c[k] = turned(b[1], u_j_[k]);
    const Vec3<T> d = P_j.at - P_i.at, w_i = spin(b[0]), w = spin(b[1]) - w_i;
    const Vec3<T> v = P_j.velocity - P_i.velocity - sdk::cross(w_i, d);
    const T x = sdk::dot(a[0], d), y = sdk::dot(a[1], d), z = sdk::dot(a[2], d);
    const T R11 = sdk::dot(a[0], c[0]), R12 = sdk::dot(a[0], c[1]);
    const T rx = atan2(-sdk::dot(a[1], c[2]), sdk::dot(a[2], c[2])), rz = atan2(-R12, R11);
    const T ry = atan2(sdk::dot(a[0], c[2]), sqrt(R11 * R11 + R12 * R12));
    const Vec3<T> f = (-3.0 * x * (1.0 + y * y) - 0.5 * sdk::dot(a[0], v) * t) * a[0] +
                      (-2.0 * y + 0.1 * rz * sdk::dot(a[1], v)) * a[1] + (sin(t) - z * sdk::dot(a[2], v)) * a[2];
    const Vec3<T> tau = (-rx - 0.2 * sdk::dot(a[0], w)) * a[0] + (-2.0 * ry + x * z) * a[1] +
                        (-rz * exp(-0.1 * t) - 0.3 * sdk::dot(a[1], w) * sdk::dot(a[2], w)) * a[2];
    P_j.add_force(f, loads[1]);
    P_i.add_force(-f, loads[0]);
    turn(b[1], tau, loads[1]);
    turn(b[0], -(tau + sdk::cross(d, f)), loads[0]);
  }
  static constexpr const char* laws[6] = {
      "-3*x*(1 + y^2) - 0.5*vx*t",  "-2*y + 0.1*rz*vy", "sin(t) - z*vz", "-rx - 0.2*wx", "-2*ry + x*z",
      "-rz*exp(-0.1*t) - 0.3*wy*wz"};

 private:
  /// 2 E(p) entry by entry.
  template <class T>
  static void twice_E(const Motion<SpatialBodyState, T>& b, T (&E)[3][4]) {
    const T e[4] = {b.p.e0, b.p.e.x, b.p.e.y, b.p.e.z};
    const T rows[3][4] = {{-e[1], e[0], -e[3], e[2]}, {-e[2], e[3], e[0], -e[1]}, {-e[3], -e[2], e[1], e[0]}};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 4; ++k) E[i][k] = 2.0 * rows[i][k];
    }
  }
  template <class T>
  static Vec3<T> spin(const Motion<SpatialBodyState, T>& b) {
    T E[3][4], w[3], rate[4] = {b.pdot.e0, b.pdot.e.x, b.pdot.e.y, b.pdot.e.z};
    twice_E(b, E);
    for (int i = 0; i < 3; ++i) {
      w[i] = T(0.0);
      for (int k = 0; k < 4; ++k) w[i] += E[i][k] * rate[k];
    }
    return {w[0], w[1], w[2]};
  }
  template <class T>
  static void turn(const Motion<SpatialBodyState, T>& b, const Vec3<T>& torque, Load<SpatialBodyState, T>& load) {
    T E[3][4];
    twice_E(b, E);
    for (int k = 0; k < 4; ++k) load.Q[3 + k] += E[0][k] * torque.x + E[1][k] * torque.y + E[2][k] * torque.z;
  }

  Vec3<> s_i_, s_j_, u_i_[3], u_j_[3];
};

class ThreeOracle final : public sdk::AutoForce<ThreeOracle, PlanarBodyState, 2> {
 public:
  ThreeOracle(BodyRef i, BodyRef j, const Vec2<>& s_i, const Vec2<>& s_j, double angle)
      : AutoForce(i, j),
        s_i_(s_i),
        s_j_(s_j),
        u_{std::cos(angle), std::sin(angle)},
        w_{-std::sin(angle), std::cos(angle)} {}
  template <class T>
  void force(const T& t, const Motion<PlanarBodyState, T>* b, Load<PlanarBodyState, T>* loads) const {
    // x and y are scalar coordinates of the two poses; planar rates are their rates.
    const auto along = [&](const Vec2<>& u) {
      return [this, u](const auto* p) { return sdk::dot(turned(p[0], u), between(p[0], p[1], s_i_, s_j_)); };
    };
    T x, y, vx, vy;
    value_and_rate(b, along(u_), x, vx);
    value_and_rate(b, along(w_), y, vy);
    const T phi = b[1].phi - b[0].phi, omega = b[1].omega - b[0].omega;
    add_along(b, loads, -3.0 * x * (1.0 + y * y) - 0.5 * vx * t, along(u_));
    add_along(b, loads, -2.0 * y + 0.1 * phi * vy, along(w_));
    const T torque = -phi * exp(-0.1 * t) - 0.3 * omega * x;
    loads[1].Q[2] += torque, loads[0].Q[2] -= torque;
  }
  static constexpr const char* laws[3] = {"-3*x*(1 + y^2) - 0.5*vx*t", "-2*y + 0.1*phi*vy",
                                          "-phi*exp(-0.1*t) - 0.3*omega*x"};

 private:
  Vec2<> s_i_, s_j_, u_, w_;
};

// --- Actuator
// --------------------------------------------------------------------------------------------------------------

/// The law "7 - 3*x - 0.8*rate*t + 0.1*force" (or without a law 1 + t^2) with lag 0.4, along `coordinate`.
template <class State, class Coordinate>
class ActuatorOracle final : public sdk::AutoForce<ActuatorOracle<State, Coordinate>, State, 2, 1> {
 public:
  static constexpr const char* law = "7 - 3*x - 0.8*rate*t + 0.1*force";
  ActuatorOracle(BodyRef i, BodyRef j, const Coordinate& x, bool has_law)
      : sdk::AutoForce<ActuatorOracle, State, 2, 1>(i, j), x_(x), has_law_(has_law) {}
  template <class T>
  void force(const T&, const Motion<State, T>* b, const T* z, Load<State, T>* loads) const {
    add_along(b, loads, z[0], x_);
  }
  template <class T>
  void rate(const T& t, const Motion<State, T>* b, const T* z, T* z_rate) const {
    T x, x_rate;
    value_and_rate(b, x_, x, x_rate);
    const T u = has_law_ ? 7.0 - 3.0 * x - 0.8 * x_rate * t + 0.1 * z[0] : 1.0 + t * t;
    z_rate[0] = (u - z[0]) / 0.4;
  }

 private:
  Coordinate x_;
  bool has_law_;
};
template <class State, class Coordinate>
auto actuator_oracle(const std::vector<std::int32_t>& bodies, const Coordinate& x, bool has_law) {
  return std::make_unique<ActuatorOracle<State, Coordinate>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, x, has_law);
}

template <class State>
void check_line_actuator(const std::string& name, bool has_law) {
  static const OnePlusSquare command;
  check_force<State>(name, pairs,
                     [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
                       const ComponentRecord& record = find_component("actuator", ComponentKind::force, model.host());
                       const LocalVector<State> s_i = random_local<State>(random), s_j = random_local<State>(random);
                       ParameterFill fill(record.parameters);
                       fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j).number("lag", 0.4);
                       if (has_law)
                         fill.text("law", ActuatorOracle<State, int>::law);
                       else
                         fill.function("function", &command);
                       const LengthBetween<LocalVector<State>> length{s_i, s_j};
                       return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                                        actuator_oracle<State>(bodies, length, has_law));
                     });
}

TEST_CASE("loads, gradients, internal states and power equal the oracle's") {
  check_gravity<SpatialBodyState>("point_gravity");
  check_gravity<PlanarBodyState>("point_gravity (planar)");
  check_drag<SpatialBodyState>("aerodynamic_drag");
  check_drag<PlanarBodyState>("aerodynamic_drag (planar)");
  check_tyre<SpatialBodyState>("tyre_vertical");
  check_tyre<PlanarBodyState>("tyre_vertical (planar)");
  check_force<SpatialBodyState>("joint_friction", pairs, [](const auto& bodies, const auto& model, Random& random) {
    const ComponentRecord& record = find_component("joint_friction", ComponentKind::force, Host::spatial);
    const Cylinder joint(bodies, model, random);
    ParameterFill fill(record.parameters);
    fill.element("joint", 0).numbers("damping", {0.4, 1.7});
    return Checked<FrictionOracle>(std::make_unique<Component<ForceElement>>(
                                       record, std::move(fill), JointedModel<SpatialBodyState>(model, joint.joint)),
                                   std::make_unique<FrictionOracle>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, joint));
  });
  check_force<PlanarBodyState>("joint_friction (planar)", pairs, [](const auto& bodies, const auto& model, Random&) {
    const ComponentRecord& record = find_component("joint_friction", ComponentKind::force, Host::planar);
    ParameterFill fill(record.parameters);
    fill.element("joint", 0).numbers("damping", {0.4});
    return Checked<PlanarFrictionOracle>(
        std::make_unique<Component<ForceElement>>(record, std::move(fill),
                                                  JointedModel<PlanarBodyState>(model, planar_hinge(bodies, model))),
        std::make_unique<PlanarFrictionOracle>(BodyRef{bodies[0]}, BodyRef{bodies[1]}));
  });
  check_force<SpatialBodyState>(
      "six_component_force", pairs, [](const auto& bodies, const auto& model, Random& random) {
        const ComponentRecord& record = find_component("six_component_force", ComponentKind::force, Host::spatial);
        const Vec3<> s_i = random_vec3(random), s_j = random_vec3(random);
        const double p_i[4] = {0.5, -0.5, 0.1, 0.7}, p_j[4] = {0.8, 0.36, 0.48, 0};  // unit length
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
        fill.rotation("rotation_i", p_i).rotation("rotation_j", p_j);
        const char* keys[] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
        for (int k = 0; k < 6; ++k) fill.text(keys[k], SixOracle::laws[k]);
        return Checked<SixOracle>(
            std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
            std::make_unique<SixOracle>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, s_i, s_j, p_i, p_j));
      });
  check_force<PlanarBodyState>(
      "six_component (planar)", pairs, [](const auto& bodies, const auto& model, Random& random) {
        const ComponentRecord& record = find_component("six_component_force", ComponentKind::force, Host::planar);
        const Vec2<> s_i = random_vec2(random), s_j = random_vec2(random);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j).number("angle_i", 0.6);
        const char* keys[] = {"force_x", "force_y", "torque"};
        for (int k = 0; k < 3; ++k) fill.text(keys[k], ThreeOracle::laws[k]);
        return Checked<ThreeOracle>(
            std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
            std::make_unique<ThreeOracle>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, s_i, s_j, 0.6));
      });
  check_line_actuator<SpatialBodyState>("actuator (law)", true);
  check_line_actuator<SpatialBodyState>("actuator (function)", false);
  check_line_actuator<PlanarBodyState>("actuator (planar, law)", true);
  check_force<SpatialBodyState>(
      "actuator (joint angle)", pairs, [](const auto& bodies, const auto& model, Random& random) {
        const ComponentRecord& record = find_component("actuator", ComponentKind::force, Host::spatial);
        const Cylinder joint(bodies, model, random);
        ParameterFill fill(record.parameters);
        fill.element("joint", 0).number("lag", 0.4).text("law", ActuatorOracle<SpatialBodyState, int>::law);
        return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill),
                                                                   JointedModel<SpatialBodyState>(model, joint.joint)),
                         actuator_oracle<SpatialBodyState>(bodies, joint.angle(), true));
      });
}

}  // namespace
}  // namespace conformance
