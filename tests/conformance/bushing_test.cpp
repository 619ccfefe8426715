// bushing against its deformations written down independently: rotation matrices instead of Euler parameters.
#include "force_check.h"
#include "scalar_oracle.h"
#include "trammel/extensions/element_extensions.h"

namespace conformance {
namespace {

constexpr double k[6] = {40, 25, 60, 9, 5, 7}, c[6] = {3, 2, 1, 0.5, 0.8, 0.3}, f0[6] = {4, -3, 2, 1, -2, 0.7};

struct SpatialDeformation {
  Vec3<> s_i, s_j;
  Vec3<> axes_i[3], axes_j[3];  ///< body-fixed
  int n;

  /// Half the vector of R - R^T and (tr R - 1) / 2 of the relative rotation, for attitudes of any |p|.
  template <class Poses>
  auto operator()(const Poses* b) const {
    using std::atan2;
    using std::sqrt;
    if (n < 3) return sdk::dot(turned(b[0], axes_i[n]), between(b[0], b[1], s_i, s_j));
    const auto scale = 1.0 / (sdk::dot(b[0].p, b[0].p) * sdk::dot(b[1].p, b[1].p));
    const auto R = [&](int row, int column) {
      return scale * sdk::dot(turned(b[0], axes_i[row]), turned(b[1], axes_j[column]));
    };
    const auto x = 0.5 * (R(2, 1) - R(1, 2)), y = 0.5 * (R(0, 2) - R(2, 0)), z = 0.5 * (R(1, 0) - R(0, 1));
    const auto sine = sqrt(x * x + y * y + z * z), cosine = 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0);
    return atan2(sine, cosine) / sine * (n == 3 ? x : n == 4 ? y : z);
  }
};

struct PlanarDeformation {
  Vec2<> s_i, s_j;
  double angle_i, psi_0;
  int n;

  template <class Poses>
  auto operator()(const Poses* b) const {
    const double u = std::cos(angle_i), w = std::sin(angle_i);
    const auto d = between(b[0], b[1], s_i, s_j);
    const auto x = sdk::dot(turned(b[0], n == 0 ? Vec2<>{u, w} : Vec2<>{-w, u}), d);
    return n < 2 ? x : b[1].phi - b[0].phi - psi_0;
  }
};

template <class State, class Deformation>
class BushingOracle final : public sdk::AutoForce<BushingOracle<State, Deformation>, State, 2> {
 public:
  BushingOracle(BodyRef i, BodyRef j, const Deformation& deformation)
      : sdk::AutoForce<BushingOracle, State, 2>(i, j), deformation_(deformation) {}

  template <class T>
  void force(const T& t, const Motion<State, T>* b, Load<State, T>* loads) const {
    for (int n = 0; n < (State::coordinates == 7 ? 6 : 3); ++n) {
      Deformation one = deformation_;
      one.n = n;
      const int law = State::coordinates == 3 && n == 2 ? 3 : n;  // the planar rotation has the first torsional law
      add_scalar_law(
          t, b, one,
          [law](const auto& x, const auto& rate, const auto&) { return f0[law] + k[law] * x + c[law] * rate; }, loads);
    }
  }

 private:
  Deformation deformation_;
};

const std::vector<std::vector<std::int32_t>> pairs = {{0, 1}, {-1, 1}, {0, -1}};

std::array<double, 4> random_rotation(Random& random) {
  std::array<double, 4> p;
  double length = 0;
  for (double& e : p) e = uniform(random), length += e * e;
  for (double& e : p) e /= std::sqrt(length);
  return p;
}

auto spatial_bushing(const std::vector<std::int32_t>& bodies, const Model<SpatialBodyState>& model, Random& random) {
  const ComponentRecord& record = find_component("bushing", ComponentKind::force, Host::spatial);
  SpatialDeformation x{random_vec3(random), random_vec3(random), {}, {}, 0};
  const std::array<double, 4> turn_i = random_rotation(random);
  double A[9], near[4];
  sdk::rotation_matrix(sdk::vec4(turn_i.data()), A);
  for (int n = 0; n < 3; ++n) x.axes_i[n] = {A[n], A[3 + n], A[6 + n]};
  // The second frame is turned by a little, so that the same pair of attitudes twists both by about the same angle.
  sdk::store(sdk::vec4(turn_i.data()) + 0.1 * sdk::vec4(random_rotation(random).data()), near);
  sdk::store(1 / sdk::norm(sdk::vec4(near)) * sdk::vec4(near), near);
  sdk::rotation_matrix(sdk::vec4(near), A);
  for (int n = 0; n < 3; ++n) x.axes_j[n] = {A[n], A[3 + n], A[6 + n]};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", bodies).vector("point_i", x.s_i).vector("point_j", x.s_j);
  fill.rotation("rotation_i", turn_i.data()).rotation("rotation_j", near);
  fill.vector("stiffness", k).vector("torsional_stiffness", k + 3).vector("damping", c);
  fill.vector("torsional_damping", c + 3).vector("preload", f0).vector("torsional_preload", f0 + 3);
  return std::pair(
      std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
      std::make_unique<BushingOracle<SpatialBodyState, SpatialDeformation>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, x));
}

auto planar_bushing(const std::vector<std::int32_t>& bodies, const Model<PlanarBodyState>& model, Random& random) {
  const ComponentRecord& record = find_component("bushing", ComponentKind::force, Host::planar);
  const PlanarDeformation x{random_vec2(random), random_vec2(random), 0.4, 0.4 - 1.1, 0};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", bodies).vector("point_i", x.s_i).vector("point_j", x.s_j);
  fill.number("angle_i", 0.4).number("angle_j", 1.1);
  fill.vector("stiffness", Vec2<>{k[0], k[1]}).number("torsional_stiffness", k[3]);
  fill.vector("damping", Vec2<>{c[0], c[1]}).number("torsional_damping", c[3]);
  fill.vector("preload", Vec2<>{f0[0], f0[1]}).number("torsional_preload", f0[3]);
  return std::pair(
      std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
      std::make_unique<BushingOracle<PlanarBodyState, PlanarDeformation>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, x));
}

/// Twisted by 10 to 150 degrees: the oracle's quotient wants a sine that is not small.
bool moderately_twisted(const std::vector<SpatialBodyState>& b) {
  const sdk::Vec4<> p = sdk::parameters(b[0]), q = sdk::parameters(b[1]);
  const double half = std::abs(sdk::dot(p, q)) / (sdk::norm(p) * sdk::norm(q));
  return half > 0.35 && half < 0.98;
}

TEST_CASE("bushing: force, gradients and power equal the oracle's, on and off |p| = 1") {
  check_force<SpatialBodyState>("bushing", pairs, spatial_bushing, moderately_twisted);
  check_force<PlanarBodyState>("bushing (planar)", pairs, planar_bushing);
}

template <class State, class Make, class Wanted>
double worst_potential_error(const Make& make, const Wanted& wanted) {
  Random random(15);
  Model<State> model;
  model.ground = ground_state<State>();
  double worst = 0;
  for (const std::vector<std::int32_t>& bodies : pairs) {
    const auto made = make(bodies, model, random);
    for (int sample = 0; sample < 9; ++sample) {
      const double length = sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97;
      std::vector<State> states;
      do {
        states.clear();
        for (const std::int32_t b : bodies) {
          states.push_back(b == -1 ? model.ground : random_state<State>(random, length));
        }
      } while (!wanted(states));
      worst = std::max(worst, potential_error(**made.first, states, {bodies[0] != -1, bodies[1] != -1}, 0.0));
    }
  }
  return worst;
}

TEST_CASE("bushing: V_q^T = -Q at rest") {
  // Differences of a potential with singularities at 180 degrees lose two digits more than those of the springs.
  CHECK(worst_potential_error<SpatialBodyState>(spatial_bushing, moderately_twisted) < 1e-9);
  CHECK(worst_potential_error<PlanarBodyState>(planar_bushing, [](const auto&) { return true; }) < 1e-11);
}

TEST_CASE("bushing: nearly untwisted attitudes, where the rotation vector is a series") {
  // About an axis fixed in both frames the rotation is the angle itself, whatever its size.
  const ComponentRecord& record = find_component("bushing", ComponentKind::force, Host::spatial);
  Model<SpatialBodyState> model;
  model.ground = ground_state<SpatialBodyState>();
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).vector("point_i", Vec3<>{0, 0, 0}).vector("point_j", Vec3<>{0, 0, 0});
  fill.vector("torsional_stiffness", Vec3<>{1, 2, 3});
  const Component<ForceElement> element(record, std::move(fill), model);
  const ElementChannels* channels = find_extension<ElementChannels>(*element);
  REQUIRE(channels != nullptr);
  for (const double angle : {0.0, 1e-9, 1e-3, 0.19, 0.21, 1.0, -2.5, 3.1}) {
    CAPTURE(angle);
    // -p is the same attitude.
    for (const double sign : {1.0, -1.0}) {
      const double q[7] = {0, 0, 0, sign * std::cos(angle / 2), 0, 0, sign * std::sin(angle / 2)}, v[7] = {};
      SpatialBodyState body;
      set_state(body, q, v);
      const void* attached[2] = {&model.ground, &body};
      ElementState s;
      s.bodies = attached;
      double values[18];
      const Status status = channels->channel_values(s, {values, 18});
      CHECK(status.ok() == (std::abs(angle) < 2.9));  // 170 degrees are 2.97
      CHECK(values[10] == doctest::Approx(angle).epsilon(1e-14));
      CHECK(values[17] == doctest::Approx(-3 * angle).epsilon(1e-13));
    }
  }
}

}  // namespace
}  // namespace conformance
