// Points on splines: straight curves against the rows of lines, bent ones against difference quotients.
#include "row_oracle.h"
#include "trammel/error.h"

namespace conformance {
namespace {

TEST_CASE("a point on a straight spline is a point on a line") {
  const ComponentRecord& planar = find_component("point_on_spline", ComponentKind::constraint, Host::planar);
  check_constraint<PlanarBodyState>(
      "point_on_spline (straight)",
      [&](const std::vector<std::int32_t>& bodies, const Model<PlanarBodyState>& model, Random& random) {
        const Vec2<> s_j = random_vec2(random);
        ParameterFill fill(planar.parameters);
        fill.bodies("bodies", bodies).vector("point_j", s_j).numbers("points", {0.5, 0, 1.1, 0.8, 2, 2});
        return with_oracle<PlanarBodyState, 2, 1>(
            planar, std::move(fill), model, bodies, [s_j](const auto* b, auto* out, const double*) {
              out[0] = sdk::dot(turned(b[0], Vec2<>{-0.8, 0.6}), between(b[0], b[1], Vec2<>{0.5, 0}, s_j));
            });
      });
}

/// A bent curve, and states of both bodies near it.
template <class State>
struct Bent {
  static constexpr Index c = State::coordinates;
  Model<State> model;
  std::unique_ptr<Component<Constraint>> element;
  double q[2 * c], v[2 * c], reference = 0;

  Bent() {
    model.ground = ground_state<State>();
    const double planar[2][3] = {{0.3, -0.2, 0.4}, {1.1, 0.9, -0.7}};
    const double spatial[2][7] = {{0.3, -0.2, 0.1, 0.9, 0.1, -0.2, 0.3}, {1.1, 0.5, 0.2, 0.8, -0.3, 0.2, 0.4}};
    for (int b = 0; b < 2; ++b) {
      State s;
      for (Index k = 0; k < c; ++k) {
        q[b * c + k] = c == 3 ? planar[b][k % 3] : spatial[b][k];
        v[b * c + k] = 0.3 * std::sin(1.0 + 2 * (b * static_cast<int>(c) + static_cast<int>(k)));
      }
      set_state(s, q + b * c, v + b * c);
      model.states.push_back(s);
    }
    const ComponentRecord& record =
        find_component("point_on_spline", ComponentKind::constraint, c == 3 ? Host::planar : Host::spatial);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {0, 1}).boolean("closed", true);
    if (c == 3) fill.numbers("points", {1.1, 0, 0.7, 0.9, -0.2, 0.8, -1, 0.1, -0.6, -0.9, 0.4, -0.8});
    if (c == 7)
      fill.numbers("points", {1.1, 0, 0.2, 0.7, 0.9, 0, -0.2, 0.8, 0.3, -1, 0.1, 0, -0.6, -0.9, -0.2, 0.4, -0.8, 0.1});
    fill.vector("point_j", sdk::Vec3<>{0.05, -0.1, c == 7 ? 0.02 : 0});
    element = std::make_unique<Component<Constraint>>(record, std::move(fill), model);
    find_extension<CountedAngles>(**element)->initial_angles({&reference, 1});
  }

  template <class F>
  void at_state(const F& f) {
    State states[2];
    for (int b = 0; b < 2; ++b) set_state(states[b], q + b * c, v + b * c);
    const void* attached[2] = {&states[0], &states[1]};
    ElementState s;
    s.bodies = attached, s.angle_references = &reference;
    f(s);
  }
  /// Phi, Phi_q (row by row) and gamma.
  std::vector<double> values() {
    const Index m = (*element)->rows();
    std::vector<double> Phi(static_cast<std::size_t>(m)), gamma(Phi), all;
    Blocks Phi_q(m, c, {true, true}, 0);
    at_state([&](const ElementState& s) {
      ConstraintOutput out;
      out.Phi = {Phi.data(), m}, out.gamma = {gamma.data(), m}, out.Phi_q = Phi_q.views();
      REQUIRE((*element)->evaluate(s, out).ok());
    });
    for (Index r = 0; r < m; ++r) {
      all.push_back(Phi[static_cast<std::size_t>(r)]);
      for (Index k = 0; k < 2 * c; ++k) all.push_back(Phi_q.views()[k / c](r, k % c));
      all.push_back(gamma[static_cast<std::size_t>(r)]);
    }
    return all;
  }
};

template <class State>
void check_bent() {
  Bent<State> bent;
  constexpr Index c = State::coordinates, n = 2 * c;
  const Index m = (*bent.element)->rows(), width = n + 2;
  std::vector<double> a(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) a[static_cast<std::size_t>(k)] = 0.2 * std::cos(3.0 * static_cast<double>(k));
  const ConstVectorView views[2] = {{a.data(), c}, {a.data() + c, c}};
  Blocks Pq(m, c, {true, true}, 0), psi_q(m, c, {true, true}, 0), psi_v(m, c, {true, true}, 0);
  bent.at_state([&](const ElementState& s) {
    REQUIRE((*bent.element)->jacobian_gradient(s, views, Pq.views()).ok());
    REQUIRE((*bent.element)->acceleration_gradient(s, views, psi_q.views(), psi_v.views()).ok());
  });
  const std::vector<double> centre = bent.values();
  const auto difference = [&](double& x, Index r, Index which) {  // 0: Phi, 1: Phi_q a, 2: Phi_q a - gamma
    const double x0 = x, h = 1e-5;
    double side[2];
    for (int k = 0; k < 2; ++k) {
      x = x0 + (k == 0 ? h : -h);
      const std::vector<double> f = bent.values();
      const double* row = f.data() + r * width;
      double sum = 0;
      for (Index i = 0; i < n; ++i) sum += row[1 + i] * a[static_cast<std::size_t>(i)];
      side[k] = which == 0 ? row[0] : which == 1 ? sum : sum - row[1 + n];
    }
    x = x0;
    return (side[0] - side[1]) / (2 * h);
  };
  // Truncation of the differences about 1e-9 times third derivatives of size 10 to 100, rounding about 1e-10.
  constexpr double tolerance = 1e-6;
  for (Index r = 0; r < m; ++r) {
    const double* row = centre.data() + r * width;
    CHECK(std::abs(row[0]) < 1);  // near the curve, not on it
    for (Index k = 0; k < n; ++k) {
      CHECK(std::abs(row[1 + k] - difference(bent.q[k], r, 0)) < tolerance);
      CHECK(std::abs(Pq.views()[k / c](r, k % c) - difference(bent.q[k], r, 1)) < tolerance);
      CHECK(std::abs(psi_q.views()[k / c](r, k % c) - difference(bent.q[k], r, 2)) < tolerance);
      CHECK(std::abs(psi_v.views()[k / c](r, k % c) - difference(bent.v[k], r, 2)) < tolerance);
    }
    // gamma = -d/dt (Phi_q v) along q' = v.
    double rates[2];
    const Bent<State> start = {};
    for (int side = 0; side < 2; ++side) {
      const double h = side == 0 ? 1e-5 : -1e-5;
      for (Index k = 0; k < n; ++k) bent.q[k] = start.q[k] + h * start.v[k];
      const std::vector<double> f = bent.values();
      rates[side] = 0;
      for (Index k = 0; k < n; ++k) rates[side] += f[static_cast<std::size_t>(r * width + 1 + k)] * bent.v[k];
    }
    for (Index k = 0; k < n; ++k) bent.q[k] = start.q[k];
    CHECK(std::abs(row[1 + n] + (rates[0] - rates[1]) / 2e-5) < tolerance);
  }
}

TEST_CASE("every derivative of a bent spline's rows is the difference quotient of the one before") {
  SUBCASE("planar") { check_bent<PlanarBodyState>(); }
  SUBCASE("spatial, off |p| = 1") { check_bent<SpatialBodyState>(); }
}

TEST_CASE("curves that are none are refused") {
  const ComponentRecord& record = find_component("point_on_spline", ComponentKind::constraint, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {model.ground, model.ground};
  const auto refusal = [&](const std::vector<double>& points, bool closed) -> std::string {
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {0, 1}).numbers("points", points).boolean("closed", closed);
    try {
      const Component<Constraint> element(record, std::move(fill), model);
    } catch (const Error& error) {
      return error.key() + ": " + error.what();
    }
    return "";
  };
  CHECK(refusal({0, 0, 1, 0, 1}, false) == "points: needs 2 numbers for each point, has 5 numbers");
  CHECK(refusal({0, 0, 1, 0}, true) == "points: a closed curve needs at least three points");
  CHECK(refusal({0, 0, 1, 0, 1, 0}, false) == "points: point 3 repeats the one before it");
  CHECK(refusal({0, 1, 1, 0, 0, -1, 0, 1}, true) ==
        "points: the last point repeats the first: leave it out, a closed curve closes itself");
}

}  // namespace
}  // namespace conformance
