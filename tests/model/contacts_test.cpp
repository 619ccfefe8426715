// Velocity jumps of one and of several contacts against closed forms: velocities, impulses in the energy lost, work.
#include "model/contacts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "loaded_model.h"

using namespace trammel;

namespace {

/// A planar or spatial model at its start, struck there by its contacts.
struct Struck {
  explicit Struck(const std::string& system, const std::vector<char>& met)
      : loaded(system_file(system)), contacts(*loaded.model.assembly()), v(loaded.v) {
    REQUIRE(contacts.count() == static_cast<Index>(met.size()));
    REQUIRE(contacts.collide(loaded.numbers, 0, LoadedModel::view(loaded.q), {}, met, LoadedModel::view(v), approach,
                             impact));
  }
  LoadedModel loaded;
  Contacts contacts;
  std::vector<double> v, approach;
  Impact impact;
};

std::string number(double x) { return std::to_string(x); }

/// A contact whose bodies part at no speed of their own.
std::string stop(const std::string& bodies, double restitution, const std::string& points) {
  return R"({ "type": "impact", "rest_speed": 1e-13, "bodies": )" + bodies + R"(, "restitution": )" +
         number(restitution) + ", " + points + " }";
}

constexpr double rounding = 1e-12;

}  // namespace

TEST_CASE("a ball on an oblique plane: the normal velocity turns round with restitution 0, 1 and between") {
  const double m = 0.5, n[] = {2 / 3.0, -1 / 3.0, 2 / 3.0}, v[] = {-3, 1, -0.5};
  const double speed = -(n[0] * v[0] + n[1] * v[1] + n[2] * v[2]);
  REQUIRE(speed > 0);
  for (const double e : {0.0, 0.35, 1.0}) {
    CAPTURE(e);
    const Struck ball(R"("type": "spatial", "bodies": { "ball": { "mass": 0.5, "inertia": [0.1, 0.2, 0.3],
        "position": [0, 0, 0], "velocity": [-3, 1, -0.5] } }, "constraints": { "wall": )" +
                          stop(R"(["ground", "ball"])", e, R"("axis_i": [2, -1, 2])") + " }",
                      {1});
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(ball.v[k] - (v[k] + (1 + e) * speed * n[k])) < rounding);
    CHECK(ball.approach[0] == doctest::Approx(speed).epsilon(rounding));
    CHECK(ball.impact.dissipated == doctest::Approx(0.5 * m * (1 - e * e) * speed * speed).epsilon(1e-11));
    CHECK(std::abs(ball.impact.work) < rounding);
  }
}

TEST_CASE("two balls meet off the line of their velocities: momentum stays, the relative speed turns round") {
  const double m1 = 2, m2 = 3, e = 0.8, approach = 1.5 + 0.5, p = (1 + e) * approach * m1 * m2 / (m1 + m2);
  const Struck pair(R"("type": "planar", "bodies": {
      "a": { "mass": 2, "inertia": 1, "position": [0, 0], "velocity": [1.5, 4] },
      "b": { "mass": 3, "inertia": 1, "position": [1, 0], "velocity": [-0.5, 0] } }, "constraints": { "hit": )" +
                        stop(R"(["a", "b"])", e, R"("axis_i": [1, 0], "point_i": [1, 0])") + " }",
                    {1});
  CHECK(pair.v[0] == doctest::Approx(1.5 - p / m1).epsilon(rounding));
  CHECK(pair.v[1] == doctest::Approx(4));
  CHECK(pair.v[3] == doctest::Approx(-0.5 + p / m2).epsilon(rounding));
  const double lost = 0.5 * m1 * m2 / (m1 + m2) * (1 - e * e) * approach * approach;
  CHECK(pair.impact.dissipated == doctest::Approx(lost).epsilon(1e-11));
}

TEST_CASE("a bar falls flat on two stops: both push, or the softer one is left alone") {
  const double m = 2, a = 0.5, v = 3, e2 = 1;
  // p1 + p2 = m v (1 + (e1 + e2)/2), (p2 - p1) a = I (e2 - e1) v/(2 a), as long as p1 > 0.
  struct Bar {
    double inertia, e1, rise, turn;
  };
  const double light = 0.1, heavy = 4 * m * a * a;
  const double alone = 2 * v / (1 / m + a * a / heavy);  // the impulse of the second stop if it is the only one
  for (const Bar& bar : {Bar{light, 0.4, 0.7 * v, 0.6 * v / (2 * a)}, Bar{light, 1, v, 0},
                         Bar{heavy, 0, alone / m - v, alone * a / heavy}}) {
    CAPTURE(bar.inertia);
    const Struck struck(R"("type": "planar", "bodies": { "bar": { "mass": 2, "inertia": )" + number(bar.inertia) +
                            R"(, "position": [0, 0], "velocity": [1, -3] } }, "constraints": { "left": )" +
                            stop(R"(["ground", "bar"])", bar.e1, R"("axis_i": [0, 1], "point_j": [-0.5, 0])") +
                            R"(, "right": )" +
                            stop(R"(["ground", "bar"])", e2, R"("axis_i": [0, 1], "point_j": [0.5, 0])") + " }",
                        {1, 1});
    CHECK(struck.v[0] == doctest::Approx(1));
    CHECK(std::abs(struck.v[1] - bar.rise) < 1e-11);
    CHECK(std::abs(struck.v[2] - bar.turn) < 1e-11);
    const double lost = 0.5 * m * (v * v - bar.rise * bar.rise) - 0.5 * bar.inertia * bar.turn * bar.turn;
    CHECK(std::abs(struck.impact.dissipated - lost) < 1e-10);
  }
}

TEST_CASE("contacts in a row are struck at once, also those that only touched") {
  // Equal masses, one at speed v: v_b - v_a = e v and v_c = v_b with p1 = 2 p2 = 2 m v (1 + e)/3.
  const double v = 1.5, e = 1;
  const Struck row(R"("type": "planar", "bodies": {
      "a": { "mass": 1, "inertia": 1, "position": [0, 0], "velocity": [1.5, 0] },
      "b": { "mass": 1, "inertia": 1, "position": [1, 0] }, "c": { "mass": 1, "inertia": 1, "position": [2, 0] },
      "far": { "mass": 1, "inertia": 1, "position": [4, 0] } }, "constraints": { "ab": )" +
                       stop(R"(["a", "b"])", e, R"("axis_i": [1, 0], "point_i": [1, 0])") + R"(, "bc": )" +
                       stop(R"(["b", "c"])", e, R"("axis_i": [1, 0], "point_i": [1, 0])") + R"(, "cd": )" +
                       stop(R"(["c", "far"])", e, R"("axis_i": [1, 0], "point_i": [1, 0])") + " }",
                   {1, 0, 0});
  CHECK(std::abs(row.v[0] + v / 3) < rounding);
  CHECK(std::abs(row.v[3] - 2 * v / 3) < rounding);
  CHECK(std::abs(row.v[6] - 2 * v / 3) < rounding);
  CHECK(row.v[9] == 0);
  CHECK(std::abs(row.impact.dissipated) < rounding);
  CHECK(row.approach[1] == 0);
}

TEST_CASE("constraints take part in the impulse: a rod on a hinge") {
  const double I = 0.2 + 3 * 0.25, w = 2, e = 0.6;  // about the hinge
  const Struck rod(R"("type": "planar", "bodies": { "rod": { "mass": 3, "inertia": 0.2, "position": [0.5, 0],
      "velocity": [0, -1], "angular_velocity": -2 } }, "constraints": {
      "hinge": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0] }, "floor": )" +
                       stop(R"(["ground", "rod"])", e, R"("axis_i": [0, 1], "point_j": [0.3, 0])") + " }",
                   {1});
  CHECK(std::abs(rod.v[0]) < rounding);
  CHECK(std::abs(rod.v[1] - 0.5 * e * w) < rounding);
  CHECK(std::abs(rod.v[2] - e * w) < rounding);
  CHECK(rod.approach[0] == doctest::Approx(0.8 * w).epsilon(rounding));
  CHECK(rod.impact.dissipated == doctest::Approx(0.5 * I * w * w * (1 - e * e)).epsilon(1e-11));
}

TEST_CASE("a driver that goes on moving does work; velocities that do not fit it are made to") {
  const double m = 0.5, u = 0.7, v = 2, e = 0.5, table = 10;
  for (const bool fits : {true, false}) {
    CAPTURE(fits);
    const std::string drive = R"({ "type": "coordinate_driver", "body": "table", "coordinate": )";
    const std::string rest = R"(, "function": { "type": "constant", "value": 0 } })";
    const Struck struck(R"("type": "planar", "bodies": {
        "table": { "mass": 10, "inertia": 1, "position": [0, 0], "velocity": [0, )" +
                            number(fits ? u : 0) + R"(] }, "ball": { "mass": 0.5, "inertia": 1, "position": [0.2, 0],
        "velocity": [0, -2] } }, "constraints": { "x": )" +
                            drive + "\"x\"" + rest + R"(, "phi": )" + drive + "\"phi\"" + rest + R"(, "y": )" + drive +
                            R"("y", "function": { "type": "polynomial", "coefficients": [0, 0.7] } }, "hit": )" +
                            stop(R"(["table", "ball"])", e, R"("axis_i": [0, 1])") + " }",
                        {1});
    CHECK(std::abs(struck.v[1] - u) < rounding);
    CHECK(std::abs(struck.v[4] - (u + e * (u + v))) < rounding);
    // The impulse (1 + e) m (u + v) acts on the driver at the speed u; pulling the table to it loses half the work.
    const double jerk = fits ? 0 : table * u * u;
    CHECK(struck.impact.work == doctest::Approx((1 + e) * m * (u + v) * u + jerk).epsilon(1e-11));
    const double lost = 0.5 * m * (1 - e * e) * (u + v) * (u + v) + 0.5 * jerk;
    CHECK(struck.impact.dissipated == doctest::Approx(lost).epsilon(1e-11));
  }
}

TEST_CASE("a body that meets its stop slowly parts with the smallest speed; gaps and the time of flight") {
  const std::string ball = R"("type": "planar", "bodies": { "ball": { "mass": 1, "inertia": 1, "position": [0, 0],
      "velocity": [0, -0.01] } }, "constraints": { "floor": { "type": "impact", "bodies": ["ground", "ball"],
      "axis_i": [0, 1], "restitution": 0.2, "rest_speed": 0.005 } })";
  Struck struck(ball, {1});
  CHECK(struck.v[1] == doctest::Approx(0.005).epsilon(rounding));
  CHECK(struck.contacts.rest_speed(0) == 0.005);
  std::vector<double> a{0, -9.81, 0}, gap(1);
  double time = 0;
  REQUIRE(
      struck.contacts.time_of_flight(struck.loaded.numbers, LoadedModel::view(struck.v), LoadedModel::view(a), time));
  CHECK(time == doctest::Approx(2 * 0.005 / 9.81).epsilon(rounding));
  a[1] = 1;
  REQUIRE(
      struck.contacts.time_of_flight(struck.loaded.numbers, LoadedModel::view(struck.v), LoadedModel::view(a), time));
  CHECK(std::isinf(time));
  struck.loaded.q[1] = 0.25;
  REQUIRE(struck.loaded.evaluate(0u));
  REQUIRE(struck.contacts.gaps(struck.loaded.numbers, LoadedModel::view(gap)));
  CHECK(gap[0] == 0.25);
}
