// Drivers against independent definitions of their rows, differentiated automatically also with respect to time.
#include <functional>

#include "constraint_check.h"
#include "trammel/error.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

using sdk::Pose;

/// f(t) = 1.7 + 0.4 sin(1.3 t + 0.2), as the plugin gets it and as the oracle differentiates it.
class Wave final : public Function {
 public:
  explicit Wave(int max_order = 3) : max_order_(max_order) {}
  Status evaluate(double t, int order, double* value) const override {
    if (order > max_order_) return Status::failure(StatusCode::unsupported, "no such derivative");
    const double s = std::sin(1.3 * t + 0.2), c = std::cos(1.3 * t + 0.2), w = 1.3;
    const double all[4] = {1.7 + 0.4 * s, 0.4 * w * c, -0.4 * w * w * s, -0.4 * w * w * w * c};
    for (int k = 0; k <= order; ++k) value[k] = all[k];
    return Status::success();
  }
  int max_order() const override { return max_order_; }

 private:
  int max_order_;
};

template <class T>
T wave(const T& t) {
  using std::sin;
  return 1.7 + 0.4 * sin(1.3 * t + 0.2);
}

enum class Kind { angle, distance, translation, x, y, z, phi };

template <class State>
using Vector = std::conditional_t<State::coordinates == 7, Vec3<>, Vec2<>>;

template <class State>
struct Geometry {
  Vector<State> s_i{}, s_j{}, u_i{}, f_i{}, g_i{}, f_j{};
  double offset = 0;
};

template <class State, Kind kind>
class Oracle final : public sdk::AutoConstraint<Oracle<State, kind>, State, 2, 1> {
 public:
  Oracle(BodyRef i, BodyRef j, const Geometry<State>& g)
      : sdk::AutoConstraint<Oracle<State, kind>, State, 2, 1>(i, j), g_(g) {}
  bool rheonomic() const override { return true; }

  template <class T>
  void phi(const T& t, const Pose<State, T>* b, T* out) const {
    using std::atan2;
    const auto d = between(b[0], b[1], g_.s_i, g_.s_j);
    if constexpr (kind == Kind::distance) out[0] = sdk::norm(d) - wave(t);
    if constexpr (kind == Kind::translation) out[0] = sdk::dot(turned(b[0], g_.u_i), d) + g_.offset - wave(t);
    if constexpr (kind == Kind::x) out[0] = d.x - wave(t);
    if constexpr (kind == Kind::y) out[0] = d.y - wave(t);
    if constexpr (kind == Kind::z) out[0] = d.z - wave(t);
    if constexpr (kind == Kind::phi) out[0] = b[1].phi - wave(t);
    if constexpr (kind == Kind::angle && State::coordinates == 3) out[0] = b[1].phi - b[0].phi - wave(t);
    if constexpr (kind == Kind::angle && State::coordinates == 7) {
      const Vec3<T> f = turned(b[1], g_.f_j);
      const T x = sdk::dot(f, turned(b[0], g_.f_i)), y = sdk::dot(f, turned(b[0], g_.g_i));
      out[0] = atan2(y, x) + g_.offset - wave(t);
      // The branch nearest to the motion.
      const double two_pi = 2 * std::acos(-1.0);
      out[0] = out[0] - two_pi * std::round(sdk::base_value(out[0]) / two_pi);
    }
  }

 private:
  Geometry<State> g_;
};

Vec3<> random_vector(Random& random, const Vec3<>*) { return random_vec3(random); }
Vec2<> random_vector(Random& random, const Vec2<>*) { return random_vec2(random); }

Vec3<> displacement(const SpatialBodyState& i, const SpatialBodyState& j, const Vec3<>& s_i, const Vec3<>& s_j) {
  return sdk::position(j) + sdk::multiply(j.A, s_j) - sdk::position(i) - sdk::multiply(i.A, s_i);
}
Vec2<> displacement(const PlanarBodyState& i, const PlanarBodyState& j, const Vec2<>& s_i, const Vec2<>& s_j) {
  return sdk::position(j) + sdk::rotate(j, s_j) - sdk::position(i) - sdk::rotate(i, s_i);
}
Vec3<> to_global(const SpatialBodyState& b, const Vec3<>& s) { return sdk::multiply(b.A, s); }
Vec2<> to_global(const PlanarBodyState& b, const Vec2<>& s) { return sdk::rotate(b, s); }

template <class State, Kind kind>
void check(const char* type, const char* name) {
  constexpr bool planar = State::coordinates == 3, relative = kind <= Kind::translation;
  const ComponentRecord& record =
      find_component(type, ComponentKind::constraint, planar ? Host::planar : Host::spatial);
  static const Wave motion;
  check_constraint<State>(
      std::string(name) + (planar ? " (planar)" : ""),
      [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        using V = Vector<State>;
        Geometry<State> g;
        ParameterFill fill(record.parameters);
        fill.function("function", &motion);
        const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
        const State& i = *static_cast<const State*>(model.initial_state(refs[0]));
        const State& j = *static_cast<const State*>(model.initial_state(refs[1]));
        if (relative) fill.bodies("bodies", bodies);
        if constexpr (kind == Kind::distance || kind == Kind::translation) {
          g.s_i = random_vector(random, static_cast<V*>(nullptr)),
          g.s_j = random_vector(random, static_cast<V*>(nullptr));
          fill.vector("point_i", g.s_i).vector("point_j", g.s_j);
        }
        if constexpr (kind == Kind::translation) {
          const V axis = random_vector(random, static_cast<V*>(nullptr));
          fill.vector("axis_i", axis).number("initial_displacement", 0.3);
          g.u_i = (1 / sdk::norm(axis)) * axis;
          g.offset = 0.3 - sdk::dot(to_global(i, g.u_i), displacement(i, j, g.s_i, g.s_j));
        }
        if constexpr (kind == Kind::angle && !planar) {
          const double none = left_out();
          const Vec3<> axis_i = random_vec3(random), axis_j = random_vec3(random);
          fill.vector("axis_i", axis_i).vector("axis_j", axis_j).number("initial_angle", 0.4);
          const sdk::AxisKeys keys{{none, none, none}, {axis_i.x, axis_i.y, axis_i.z}, {axis_j.x, axis_j.y, axis_j.z}};
          const sdk::SpatialAxes axes = sdk::spatial_axes({{refs, 2}}, keys, model);
          g.f_i = axes.f_i, g.g_i = axes.g_i, g.f_j = axes.f_j, g.offset = 0.4;
        }
        if constexpr (!relative) {
          fill.body("body", bodies[1]);
          fill.choice("coordinate", kind == Kind::x ? 0 : kind == Kind::y ? 1 : 2);
          if constexpr (kind != Kind::phi) {
            g.s_j = random_vector(random, static_cast<V*>(nullptr));
            fill.vector("point", g.s_j);
          }
        }
        return std::pair(std::make_unique<Component<Constraint>>(record, std::move(fill), model),
                         std::make_unique<Oracle<State, kind>>(refs[0], refs[1], g));
      },
      relative ? std::vector<std::vector<std::int32_t>>{{0, 1}, {-1, 1}, {0, -1}}
               : std::vector<std::vector<std::int32_t>>{{-1, 0}, {-1, 1}});
}

TEST_CASE("rows, contractions and time derivatives of drivers equal the oracle's") {
  check<SpatialBodyState, Kind::angle>("angle_driver", "angle_driver");
  check<SpatialBodyState, Kind::distance>("distance_driver", "distance_driver");
  check<SpatialBodyState, Kind::translation>("translation_driver", "translation_driver");
  check<SpatialBodyState, Kind::x>("coordinate_driver", "coordinate_driver x");
  check<SpatialBodyState, Kind::y>("coordinate_driver", "coordinate_driver y");
  check<SpatialBodyState, Kind::z>("coordinate_driver", "coordinate_driver z");
  check<PlanarBodyState, Kind::angle>("angle_driver", "angle_driver");
  check<PlanarBodyState, Kind::distance>("distance_driver", "distance_driver");
  check<PlanarBodyState, Kind::translation>("translation_driver", "translation_driver");
  check<PlanarBodyState, Kind::x>("coordinate_driver", "coordinate_driver x");
  check<PlanarBodyState, Kind::y>("coordinate_driver", "coordinate_driver y");
  check<PlanarBodyState, Kind::phi>("coordinate_driver", "coordinate_driver phi");
}

/// A planar angle driver between two bodies at phi = 0 and 1.
struct AngleDriver {
  Model<PlanarBodyState> model;
  const ComponentRecord& record = find_component("angle_driver", ComponentKind::constraint, Host::planar);

  AngleDriver() {
    Random random(5);
    model.ground = ground_state<PlanarBodyState>();
    model.states = {random_state<PlanarBodyState>(random, 1)};
  }
  std::unique_ptr<Component<Constraint>> make(FunctionRef function, FunctionRef rate) const {
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {-1, 0}).function("function", function).function("rate", rate);
    return std::make_unique<Component<Constraint>>(record, std::move(fill), model);
  }
};

TEST_CASE("a function without third derivative is unsupported where one is needed, and only there") {
  const AngleDriver set;
  const Wave second(2);
  const auto driver = set.make(&second, nullptr);
  const void* attached[2] = {&set.model.ground, &set.model.states[0]};
  ElementState s;
  s.bodies = attached;
  double Phi_tt = NAN, third = NAN;
  ConstraintTimeDerivatives out;
  out.Phi_tt = {&Phi_tt, 1};
  CHECK((*driver)->time_derivatives(s, nullptr, out).ok());
  CHECK(Phi_tt == doctest::Approx(0.4 * 1.69 * std::sin(0.2)));
  out.acceleration_t = {&third, 1};
  CHECK((*driver)->time_derivatives(s, nullptr, out).code == StatusCode::unsupported);
}

TEST_CASE("a driver takes a function or a rate; a rate must know its integral") {
  const AngleDriver set;
  const Wave motion;
  CHECK_THROWS_WITH_AS(set.make(nullptr, nullptr), "a driver takes either 'function' or 'rate'", Error);
  CHECK_THROWS_WITH_AS(set.make(&motion, &motion), "a driver takes either 'function' or 'rate'", Error);
  CHECK_THROWS_WITH_AS(set.make(nullptr, &motion), doctest::Contains("does not know its integral"), Error);
}

/// Sum of forces and of moments about the origin of one row on both bodies.
double unbalanced(const MatrixView* Phi_q, const SpatialBodyState* b) {
  Vec3<> force{0, 0, 0}, moment{0, 0, 0};
  for (int k = 0; k < 2; ++k) {
    double Q[7];
    for (Index n = 0; n < 7; ++n) Q[n] = Phi_q[k](0, n);
    force = force + sdk::vec3(Q);
    moment = moment + sdk::cross(sdk::position(b[k]), sdk::vec3(Q)) +
             0.5 * sdk::E_apply(sdk::parameters(b[k]), sdk::vec4(Q + 3));
  }
  return std::max(sdk::norm(force), sdk::norm(moment));
}
double unbalanced(const MatrixView* Phi_q, const PlanarBodyState* b) {
  Vec2<> force{0, 0};
  double moment = 0;
  for (int k = 0; k < 2; ++k) {
    const Vec2<> F{Phi_q[k](0, 0), Phi_q[k](0, 1)};
    force = force + F;
    moment += b[k].r[0] * F.y - b[k].r[1] * F.x + Phi_q[k](0, 2);
  }
  return std::max(sdk::norm(force), std::abs(moment));
}

template <class State>
void check_balance(const char* type, bool at, bool axis) {
  constexpr bool planar = State::coordinates == 3;
  CAPTURE(type);
  CAPTURE(planar);
  Random random(77);
  Model<State> model;
  model.ground = ground_state<State>();
  model.states = {random_state<State>(random, 1), random_state<State>(random, 1)};
  const ComponentRecord& record =
      find_component(type, ComponentKind::constraint, planar ? Host::planar : Host::spatial);
  const Wave motion;
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {0, 1}).function("function", &motion);
  if (at) fill.vector("at", random_vec3(random));
  if (axis) fill.vector("axis", random_vec3(random));
  const Component<Constraint> driver(record, std::move(fill), model);
  CHECK(find_extension<DriverEffort>(*driver)->effort_sign() == -1);
  CHECK(find_extension<ReactionPoint>(*driver)->reaction_body() == 1);
  for (int sample = 0; sample < 5; ++sample) {
    const State states[2] = {random_state<State>(random, 1), random_state<State>(random, 1)};
    const void* attached[2] = {&states[0], &states[1]};
    ElementState s;
    s.t = 0.4;
    s.bodies = attached;
    Blocks Phi_q(1, State::coordinates, {true, true}, 0);
    double nu = 0;
    ConstraintOutput out;
    out.Phi_q = Phi_q.views();
    out.nu = {&nu, 1};
    REQUIRE(driver->evaluate(s, out).ok());
    CHECK(unbalanced(Phi_q.views(), states) < 1e-13);
    // nu is the rate of the motion.
    CHECK(nu == doctest::Approx(0.4 * 1.3 * std::cos(1.3 * 0.4 + 0.2)));
  }
}

TEST_CASE("drivers between two bodies: action equals reaction, so no rigid motion of both changes the coordinate") {
  check_balance<SpatialBodyState>("angle_driver", false, true);
  check_balance<SpatialBodyState>("distance_driver", false, false);
  check_balance<SpatialBodyState>("translation_driver", true, true);
  check_balance<PlanarBodyState>("angle_driver", false, false);
  check_balance<PlanarBodyState>("distance_driver", false, false);
  check_balance<PlanarBodyState>("translation_driver", true, true);
}

TEST_CASE("an angle driver follows many turns, and channels give the counted angle") {
  const ComponentRecord& record = find_component("angle_driver", ComponentKind::constraint, Host::spatial);
  Model<SpatialBodyState> model;
  model.ground = ground_state<SpatialBodyState>();
  model.states = {model.ground};
  struct Ramp final : Function {
    Status evaluate(double t, int order, double* value) const override {
      const double all[4] = {3 * t, 3, 0, 0};
      for (int k = 0; k <= order; ++k) value[k] = all[k];
      return Status::success();
    }
  } ramp;
  ParameterFill fill(record.parameters);
  const double z[3] = {0, 0, 1};
  fill.bodies("bodies", {-1, 0}).vector("axis", z).function("function", &ramp);
  const Component<Constraint> driver(record, std::move(fill), model);
  for (const double t : {0.0, 1.0, 40.0, -25.0}) {
    const double angle = 3 * t + 0.2, q[7] = {0, 0, 0, std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    const double v[7] = {0, 0, 0, -1.5 * q[6], 0, 0, 1.5 * q[3]};  // 3 rad/s
    SpatialBodyState body;
    set_state(body, q, v);
    const void* attached[2] = {&model.ground, &body};
    ElementState s;
    s.t = t;
    s.bodies = attached;
    double Phi = 0, value[2];
    ConstraintOutput out;
    out.Phi = {&Phi, 1};
    REQUIRE(driver->evaluate(s, out).ok());
    CHECK(Phi == doctest::Approx(0.2));
    REQUIRE(find_extension<ElementChannels>(*driver)->channel_values(s, {value, 2}).ok());
    CHECK(value[0] == doctest::Approx(angle));
    CHECK(value[1] == doctest::Approx(3));
  }
}

template <class State>
void check_refused(const char* type, const std::function<void(ParameterFill&)>& change, const char* message) {
  CAPTURE(type);
  Random random(3);
  Model<State> model;
  model.ground = ground_state<State>();
  model.states = {random_state<State>(random, 1)};
  const ComponentRecord& record =
      find_component(type, ComponentKind::constraint, State::coordinates == 3 ? Host::planar : Host::spatial);
  const Wave motion;
  ParameterFill fill(record.parameters);
  fill.function("function", &motion);
  change(fill);
  CHECK_THROWS_WITH_AS(Component<Constraint>(record, std::move(fill), model), doctest::Contains(message), Error);
}

TEST_CASE("drivers refuse wrong bodies and geometry") {
  using Fill = ParameterFill;
  const double x[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
  const auto same = [](Fill& f) { f.bodies("bodies", {0, 0}); };
  check_refused<PlanarBodyState>("angle_driver", same, "the two bodies must differ");
  check_refused<PlanarBodyState>("distance_driver", same, "the two bodies must differ");
  check_refused<SpatialBodyState>("distance_driver", same, "the two bodies must differ");
  const auto on_ground = [](Fill& f) { f.body("body", -1); };
  check_refused<PlanarBodyState>("coordinate_driver", on_ground, "ground does not move");
  check_refused<SpatialBodyState>("coordinate_driver", on_ground, "ground does not move");
  check_refused<PlanarBodyState>(
      "coordinate_driver", [&](Fill& f) { f.body("body", 0).choice("coordinate", 2).vector("point", x); },
      "the angle phi belongs to the body");
  check_refused<SpatialBodyState>(
      "angle_driver",
      [](Fill& f) {
        f.bodies("bodies", {-1, 0});
      },
      "needs 'axis' (global), or both");
  check_refused<SpatialBodyState>(
      "translation_driver",
      [&](Fill& f) {
        f.bodies("bodies", {-1, 0}).vector("at", x);
      },
      "needs either 'axis' (global) or 'axis_i'");
  check_refused<SpatialBodyState>(
      "translation_driver",
      [&](Fill& f) {
        f.bodies("bodies", {-1, 0}).vector("at", x).vector("axis_i", x);
      },
      "'at' is global and cannot be mixed");
  check_refused<PlanarBodyState>(
      "translation_driver",
      [&](Fill& f) {
        f.bodies("bodies", {-1, 0}).vector("at", x).vector("axis", zero);
      },
      "an axis may not be zero");
}

TEST_CASE("drivers refuse motions whose value or rate jumps, not those whose acceleration does") {
  /// c (t - 1)^power from t = 1 on: the derivative of this order jumps.
  struct Kink final : Function {
    int power;
    explicit Kink(int p) : power(p) {}
    Status evaluate(double t, int order, double* value) const override {
      const double u = t - 1, all[3][4] = {{3, 0, 0, 0}, {3 * u, 3, 0, 0}, {3 * u * u, 6 * u, 6, 0}};
      for (int k = 0; k <= order; ++k) value[k] = t < 1 ? 0 : all[power][k];
      return Status::success();
    }
    Index break_points(double* t, Index capacity) const override {
      if (capacity > 0) t[0] = 1;
      return 1;
    }
  };
  const AngleDriver set;
  const Kink position(0), rate(1), acceleration(2);
  CHECK_THROWS_WITH_AS(set.make(&position, nullptr), doctest::Contains("the driven coordinate jumps by 3.0"), Error);
  CHECK_THROWS_WITH_AS(set.make(&rate, nullptr), doctest::Contains("the driven rate jumps by 3.0"), Error);
  CHECK_NOTHROW(set.make(&acceleration, nullptr));
}

TEST_CASE("a distance driver refuses coincident points and a distance that is not positive") {
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {model.ground};
  const ComponentRecord& record = find_component("distance_driver", ComponentKind::constraint, Host::planar);
  struct Negative final : Function {
    Status evaluate(double, int order, double* value) const override {
      for (int k = 0; k <= order; ++k) value[k] = -1;
      return Status::success();
    }
  } negative;
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).function("function", &negative);
  CHECK_THROWS_WITH_AS(Component<Constraint>(record, fill, model), doctest::Contains("the two points coincide"), Error);
  model.states[0].r[0] = 1;
  const Component<Constraint> driver(record, fill, model);
  const void* attached[2] = {&model.ground, &model.states[0]};
  ElementState s;
  s.bodies = attached;
  double Phi = 0;
  ConstraintOutput out;
  out.Phi = {&Phi, 1};
  CHECK(driver->evaluate(s, out).code == StatusCode::out_of_domain);
}

}  // namespace
}  // namespace conformance
