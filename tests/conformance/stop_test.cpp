// The compliant stop and dry friction against oracles: values, gradients, potential, power.
#include "force_check.h"
#include "force_oracle.h"
#include "oracle_pose.h"

namespace conformance {
namespace {

template <class State>
struct Gap {
  LocalVector<State> n, s_i, s_j;

  template <class T>
  T operator()(const trammel::sdk::Pose<State, T>* b) const {
    return sdk::dot(turned(b[0], n), b[1].point(s_j) - b[0].point(s_i));
  }
};

template <class State>
class StopOracle final : public sdk::AutoForce<StopOracle<State>, State, 2> {
 public:
  StopOracle(BodyRef i, BodyRef j, const Gap<State>& gap)
      : sdk::AutoForce<StopOracle<State>, State, 2>(i, j), gap_(gap) {}

  template <class T>
  void force(const T&, const Motion<State, T>* b, Load<State, T>* loads) const {
    T g, rate;
    value_and_rate<State, T>(b, gap_, g, rate);
    if (sdk::base_value(g) >= 0 || sdk::base_value(rate) >= 1 / 0.3) return;
    using std::sqrt;
    const T d = -1.0 * g, F = 70.0 * d * sqrt(d) * (1.0 - 0.3 * rate);
    add_along(b, loads, F, gap_);
  }

 private:
  Gap<State> gap_;
};

template <class State>
void check_stop(const std::string& name) {
  Gap<State> gap;
  check_force<State>(
      name, {{0, 1}, {-1, 1}, {0, -1}},
      [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const ComponentRecord& record = find_component("stop", ComponentKind::force, model.host());
        gap = {random_local<State>(random), random_local<State>(random), random_local<State>(random)};
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", gap.s_i).vector("point_j", gap.s_j).vector("axis_i", gap.n);
        fill.number("stiffness", 70).number("exponent", 1.5).number("dissipation", 0.3);
        gap.n = (1 / sdk::norm(gap.n)) * gap.n;
        return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                         std::make_unique<StopOracle<State>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, gap));
      },
      [&](const std::vector<State>& states) {  // clear of the kinks
        double q[2][7], v[2][7];
        for (int k = 0; k < 2; ++k) sdk::coordinates_of(states[static_cast<std::size_t>(k)], q[k], v[k]);
        const Motion<State, double> b[2] = {Motion<State, double>(q[0], v[0]), Motion<State, double>(q[1], v[1])};
        double g, rate;
        value_and_rate<State, double>(b, gap, g, rate);
        return std::abs(g) > 0.05 && std::abs(rate - 1 / 0.3) > 0.05;
      });
}

TEST_CASE("the compliant stop equals its oracle on both sides of contact") {
  check_stop<SpatialBodyState>("stop");
  check_stop<PlanarBodyState>("stop (planar)");
}

template <class State>
class FrictionOracle final : public sdk::AutoForce<FrictionOracle<State>, State, 2> {
 public:
  FrictionOracle(BodyRef i, BodyRef j, const LocalVector<State>& s_i, const LocalVector<State>& s_j)
      : sdk::AutoForce<FrictionOracle<State>, State, 2>(i, j), s_i_(s_i), s_j_(s_j) {}

  template <class T>
  void force(const T&, const Motion<State, T>* b, Load<State, T>* loads) const {
    using std::exp;
    const auto d = b[1].point(s_j_) - b[0].point(s_i_);
    const auto d1 = b[1].point_velocity(s_j_) - b[0].point_velocity(s_i_);
    const T l = sdk::norm(d), rate = sdk::dot(d, d1) / l, e = exp(2.0 / 0.8 * rate);
    const T F = 9.0 * ((e - 1.0) / (e + 1.0));  // tanh
    const auto pull = (F / l) * d;
    loads[0].add_force(b[0], s_i_, pull);
    loads[1].add_force(b[1], s_j_, -pull);
  }

 private:
  LocalVector<State> s_i_, s_j_;
};

TEST_CASE("dry friction of a tsda equals its oracle") {
  check_force<SpatialBodyState>(
      "tsda friction", {{0, 1}, {-1, 1}}, [](const auto& bodies, const auto& model, Random& random) {
        const ComponentRecord& record = find_component("tsda", ComponentKind::force, model.host());
        const auto s_i = random_local<SpatialBodyState>(random), s_j = random_local<SpatialBodyState>(random);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
        fill.number("friction", 9).number("friction_speed", 0.8);
        return std::pair(
            std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
            std::make_unique<FrictionOracle<SpatialBodyState>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, s_i, s_j));
      });
}

}  // namespace
}  // namespace conformance
