// What single forces do: signs, clamping, coincident points, the bodies gravity acts on.
#include "force_check.h"
#include "paper_row.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/sdk/math/euler_parameters.h"

namespace conformance {
namespace {

using sdk::Vec3;

/// tsda between ground and a body at distance 1 along x, with `one_sided` and free length 1 + shift.
ForceEnergy one_sided(std::int32_t side, double shift, double speed, double& force) {
  const ComponentRecord& record = find_component("tsda", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  PlanarBodyState b;
  const double q[3] = {1, 0, 0}, v[3] = {speed, 0, 0};
  set_state(b, q, v);
  model.states = {b};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).number("stiffness", 100).number("damping", 2).number("free_length", 1 + shift);
  fill.choice("one_sided", side);
  const Component<ForceElement> element(record, std::move(fill), model);
  const std::vector<PlanarBodyState> states{model.ground, b};
  const void* attached[2] = {&states[0], &states[1]};
  ElementState s;
  s.bodies = attached;
  const ElementChannels* channels = find_extension<ElementChannels>(*element);
  REQUIRE(channels != nullptr);
  double values[3];
  REQUIRE(channels->channel_values(s, {values, 3}).ok());
  CHECK(values[0] == doctest::Approx(1));
  CHECK(values[1] == doctest::Approx(speed));
  force = values[2];
  return energy_at(*element, states, 0);
}

TEST_CASE("tsda: tension positive, clamped at zero where one-sided") {
  double force = 0;
  CHECK(one_sided(0, 0.1, 0, force).potential == doctest::Approx(0.5));
  CHECK(force == doctest::Approx(-10));
  CHECK(one_sided(1, 0.1, 0, force).potential == doctest::Approx(0.5));  // compression: pushes
  CHECK(force == doctest::Approx(-10));
  CHECK(one_sided(2, 0.1, 0, force).potential == doctest::Approx(0));  // tension only: slack
  CHECK(force == doctest::Approx(0));
  CHECK(one_sided(1, -0.1, 0, force).potential == doctest::Approx(0));
  CHECK(force == doctest::Approx(0));
  // Expanding so fast that the damper would pull: clamped, the spring's power is lost.
  CHECK(one_sided(1, 0.1, 20, force).dissipation == doctest::Approx(200));
  CHECK(force == doctest::Approx(0));
}

TEST_CASE("tsda: coincident end points") {
  const ComponentRecord& record = find_component("tsda", ComponentKind::force, Host::spatial);
  Model<SpatialBodyState> model;
  model.ground = ground_state<SpatialBodyState>();
  model.states = {model.ground};
  for (const double free_length : {0.0, 0.5}) {
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {-1, 0}).number("stiffness", 10).number("free_length", free_length);
    const Component<ForceElement> element(record, std::move(fill), model);
    const void* attached[2] = {&model.ground, &model.states[0]};
    ElementState s;
    s.bodies = attached;
    double Q[7] = {};
    const VectorView views[2] = {{}, {Q, 7}};
    const Status status = element->force(s, views);
    CHECK(status.ok() == (free_length == 0));
    if (free_length > 0) {
      CHECK(status.code == StatusCode::out_of_domain);
      continue;
    }
    for (const double x : Q) CHECK(x == 0);
    Blocks Q_q(7, 7, {false, false, false, true}, 0), Q_v(7, 7, {false, false, false, true}, 0);
    CHECK(element->gradients(s, Q_q.views(), Q_v.views()).ok());
    CHECK(Q_q.views()[3](0, 0) == doctest::Approx(-10));  // the limit from every direction
    CHECK(Q_q.views()[3](1, 0) == doctest::Approx(0));
  }
}

TEST_CASE("gravity: m g on the listed bodies, potential zero at the origin" * doctest::test_suite("papers")) {
  const ComponentRecord& record = find_component("gravity", ComponentKind::force, Host::spatial);
  Random random(5);
  Model<SpatialBodyState> model;
  model.ground = ground_state<SpatialBodyState>();
  model.states = {random_state<SpatialBodyState>(random, 1), random_state<SpatialBodyState>(random, 1)};
  model.masses = {2, 3};
  const Vec3<> g{1, -2, 9};
  const Component<ForceElement> all(record, ParameterFill(record.parameters).vector("acceleration", g), model);
  CHECK(all->body_count() == 2);
  const Component<ForceElement> one(
      record, ParameterFill(record.parameters).vector("acceleration", g).bodies("bodies", {1}), model);
  REQUIRE(one->body_count() == 1);
  CHECK(one->body(0).index == 1);
  const void* attached[1] = {&model.states[1]};
  ElementState s;
  s.bodies = attached;
  double Q[7] = {};
  const VectorView view{Q, 7};
  CHECK(one->force(s, &view).ok());
  CHECK(Q[0] == 3);
  CHECK(Q[1] == -6);
  CHECK(Q[2] == 27);
  const double V_F = -3 * sdk::dot(g, sdk::position(model.states[1]));
  check_paper_row({"Haug, (7.5.5) to (7.5.14)", "gravity: V_F over -F^T r, (7.5.7)", PaperFigure::none, 1, 1e-14},
                  energy_at<SpatialBodyState>(*one, {model.states[1]}, 0).potential / V_F);
}

}  // namespace
}  // namespace conformance
