// Scenes: where shapes and joints come to lie, and what bodies without a shape look like.
#include "report/scene.h"

#include <doctest/doctest.h>

#include <numbers>

#include "report/body_motion.h"
#include "report/scene_reader.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

const ReportJson spatial = {{"host", "spatial"}}, planar = {{"host", "planar"}};

Scene scene_of(const char* system, const char* drawing = "null", const ReportJson& model = spatial) {
  return make_scene({{"system", ReportJson::parse(system)}}, model, ReportJson::parse(drawing));
}

std::vector<Piece> solids_of(const Scene& scene, int body) {
  std::vector<Piece> found;
  for (const Piece& piece : scene.pieces) {
    if (piece.body == body && !piece.marker) found.push_back(piece);
  }
  return found;
}

/// Ends of a unit cylinder.
std::pair<Vector3d, Vector3d> ends(const Piece& piece) {
  return {piece.place * Vector3d(0, 0, -0.5), piece.place * Vector3d(0, 0, 0.5)};
}

constexpr double tolerance = 1e-12;  // of products of a few numbers of order one

TEST_CASE("shapes as given") {
  const Scene scene = scene_of(R"({"type": "spatial", "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1], "shape": [
      {"type": "rod", "from": [0, 0, 0], "to": [0, 2, 0], "radius": 0.1, "color": "Red"},
      {"type": "box", "size": [1, 2, 3], "center": [4, 5, 6]},
      {"type": "disc", "radius": 0.5, "axis": [2, 0, 0]},
      {"type": "sphere", "radius": 0.25},
      {"type": "line", "points": [0, 0, 0, 1, 0, 0, 1, 1, 0], "closed": true},
      {"type": "none"}]}}})");
  const std::vector<Piece> pieces = solids_of(scene, 0);
  REQUIRE(pieces.size() == 6);  // the rod's ends are round
  CHECK(pieces[0].color == "#ff0000");
  CHECK((ends(pieces[0]).first - Vector3d(0, 0, 0)).norm() < tolerance);
  CHECK((ends(pieces[0]).second - Vector3d(0, 2, 0)).norm() < tolerance);
  CHECK((pieces[0].place.linear() * Vector3d::UnitX()).norm() == doctest::Approx(0.1));
  CHECK((pieces[3].place * Vector3d(0.5, 0.5, 0.5) - Vector3d(4.5, 6, 7.5)).norm() < tolerance);
  CHECK(pieces[4].solid == Solid::cylinder);
  CHECK((ends(pieces[4]).second - Vector3d(0.025, 0, 0)).norm() < tolerance);
  CHECK(pieces[5].solid == Solid::sphere);
  REQUIRE(scene.curves.size() == 1);
  CHECK(scene.curves[0].points.size() == 4);
}

TEST_CASE("rods from joint to joint, where nothing is said") {
  // The second body is turned by 90 degrees; its joints are at (1, 0, 0) and (1, 2, 0) of the ground.
  const Scene scene = scene_of(R"({"type": "spatial", "gravity": [0, -9.81, 0],
      "bodies": {"first": {"mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0.5, 0.2, 0]},
                 "second": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [1, 1, 0],
                            "rotation": {"axis": [0, 0, 1], "angle": 1.5707963267948966}}}})",
                               R"({"constraints": {
      "pin": {"symbol": "hinge", "bodies": ["ground", "first"], "points": [[0, 0, 0], [-0.5, -0.2, 0]], "axes": [null, [0, 0, 1]]},
      "knee": {"symbol": "hinge", "bodies": ["first", "second"], "points": [[0.5, -0.2, 0], [-1, 0, 0]], "axes": [null, [0, 0, 1]]}},
      "forces": {"spring": {"symbol": "spring", "bodies": ["ground", "second"], "points": [[0, 3, 0], [1, 0, 0]]}}})");
  CHECK(scene.up == Vector3d::UnitY());
  const std::vector<Piece> second = solids_of(scene, 1);
  REQUIRE_FALSE(second.empty());
  const auto [from, to] = ends(second[0]);
  CHECK((from - Vector3d(-1, 0, 0)).norm() < tolerance);  // the knee, body-fixed
  CHECK((to - Vector3d(1, 0, 0)).norm() < tolerance);     // the spring's end
  const std::vector<Piece> first = solids_of(scene, 0);
  CHECK((ends(first[0]).first - Vector3d(-0.5, -0.2, 0)).norm() < tolerance);
  CHECK(first.size() > 3);  // and a strut to the centre of mass, which is off the line
  REQUIRE(scene.links.size() == 1);
  CHECK(scene.links[0].kind == Link::Kind::spring);
  CHECK(scene.links[0].points[0] == Vector3d(0, 3, 0));
  CHECK(scene.links[0].bodies[0] == ground);
}

TEST_CASE("one joint: a rod that goes on if the inertia says so, else a bob") {
  const auto system = [](double inertia) {
    return R"({"type": "planar", "bodies": {"rod": {"mass": 3, "inertia": )" + std::to_string(inertia) +
           R"(, "position": [1, 0]}}})";
  };
  constexpr const char* pin =
      R"({"constraints": {"pin": {"symbol": "hinge", "bodies": ["ground", "rod"], "points": [[0, 0, 0], [-1, 0, 0]]}}})";
  const Scene rod = scene_of(system(1).c_str(), pin, planar);  // m d^2 / 3
  CHECK((ends(solids_of(rod, 0)[0]).second - Vector3d(1, 0, 0)).norm() < tolerance);
  const Scene bob = scene_of(system(0.01).c_str(), pin, planar);
  CHECK((ends(solids_of(bob, 0)[0]).second).norm() < tolerance);
}

TEST_CASE("a free body is a box of its inertia") {
  // A cuboid 0.2 x 0.4 x 0.6 of mass 12: I_xx = m (b^2 + c^2) / 12, ...
  const Scene scene = scene_of(R"({"type": "spatial", "bodies": {"brick": {"mass": 12, "inertia": [0.52, 0.4, 0.2]}},
      "points": {"far": {"body": "ground", "point": [1, 0, 0]}}})");
  const std::vector<Piece> pieces = solids_of(scene, 0);
  REQUIRE(pieces.size() == 1);
  CHECK((pieces[0].place.linear().diagonal() - Vector3d(0.2, 0.4, 0.6)).norm() < 1e-9);
}

/// What the elements of a drawing add to two bodies, the second one turned by 90 degrees about z.
Scene drawn(const char* drawing) {
  return scene_of(R"({"type": "spatial", "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]},
      "b": {"mass": 1, "inertia": [1, 1, 1], "position": [2, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": 1.5707963267948966}}}})",
                  drawing);
}

std::vector<Piece> markers_of(const Scene& scene, int body) {
  std::vector<Piece> found;
  for (const Piece& piece : scene.pieces) {
    if (piece.body == body && piece.marker) found.push_back(piece);
  }
  return found;
}

TEST_CASE("a hinge is a pin on the second body, with a pedestal on ground") {
  const Scene scene = drawn(R"({"constraints": {"pin": {"symbol": "hinge", "bodies": ["ground", "b"],
      "points": [[1, 0, 0], [0, 1, 0]], "axes": [[2, 0, 0], null]}}})");
  REQUIRE(markers_of(scene, 1).size() == 1);
  const Piece pin = markers_of(scene, 1)[0];
  CHECK(pin.solid == Solid::cylinder);
  const auto [from, to] = ends(pin);
  CHECK(((to - from).normalized() - Vector3d(0, -1, 0)).norm() < tolerance);  // x of ground in the turned body
  CHECK((0.5 * (from + to) - Vector3d(0, 1, 0)).norm() < tolerance);
  CHECK(markers_of(scene, ground).size() == 2);
  const Scene reversed = drawn(R"({"constraints": {"pin": {"symbol": "hinge", "bodies": ["b", "ground"],
      "points": [[0, 1, 0], [1, 0, 0]], "axes": [null, [1, 0, 0]]}}})");
  REQUIRE(markers_of(reversed, 1).size() == 1);
  CHECK(markers_of(reversed, 1)[0].solid == Solid::cylinder);
  CHECK(markers_of(reversed, ground).size() == 2);
}

TEST_CASE("a slider has its line, fixed in the first body") {
  const Scene scene = drawn(R"({"constraints": {"rail": {"symbol": "slider", "bodies": ["b", "a"],
      "points": [[0, 1, 0], [1, 0, 0]], "axes": [null, [0, 1, 0]]}}})");
  REQUIRE(scene.curves.size() == 1);
  CHECK(scene.curves[0].body == 1);
  const Vector3d along = scene.curves[0].points[1] - scene.curves[0].points[0];
  CHECK((along.normalized() - Vector3d(1, 0, 0)).norm() < tolerance);  // y of the first body in the turned one
  REQUIRE(markers_of(scene, 0).size() == 1);
  CHECK(markers_of(scene, 0)[0].solid == Solid::sphere);
}

TEST_CASE("links between two points: those of constraints hold their ends") {
  const auto kind_of = [](const char* group, const char* symbol) {
    const std::string drawing = std::string("{\"") + group + R"(": {"it": {"symbol": ")" + symbol +
                                R"(", "bodies": ["a", "b"], "points": [[0, 0, 0], [0, 0, 1]]}}})";
    const Scene scene = drawn(drawing.c_str());
    REQUIRE(scene.links.size() == 1);
    CHECK(scene.links[0].name == "it");
    CHECK(markers_of(scene, 0).size() == (std::string(group) == "constraints" ? 1u : 0u));
    return scene.links[0].kind;
  };
  CHECK(kind_of("constraints", "rod") == Link::Kind::rod);
  CHECK(kind_of("constraints", "actuator") == Link::Kind::actuator);
  CHECK(kind_of("forces", "actuator") == Link::Kind::actuator);
  CHECK(kind_of("forces", "spring") == Link::Kind::spring);
  CHECK(kind_of("forces", "damper") == Link::Kind::damper);
  CHECK(kind_of("forces", "spring_damper") == Link::Kind::spring_damper);
}

TEST_CASE("a curve as its element tells it, with a ball on it; nothing still holds its bodies") {
  const Scene cam =
      drawn(R"({"constraints": {"cam": {"symbol": "curve", "bodies": ["a", "b"], "points": [null, [0, 1, 0]],
      "curve": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}}})");
  REQUIRE(cam.curves.size() == 1);
  CHECK(cam.curves[0].points.size() == 3);
  CHECK(markers_of(cam, 1).size() == 1);
  const Scene load = drawn(R"({"forces": {"load": {"symbol": "nothing", "bodies": ["b"], "points": [[0, 3, 0]]}}})");
  CHECK(markers_of(load, 1).empty());
  CHECK((ends(solids_of(load, 1)[0]).first - Vector3d(0, 3, 0)).norm() < tolerance);
}

TEST_CASE("a body held at its mass centre only is as large as a free one") {
  const Scene held = drawn(R"({"constraints": {"ball": {"symbol": "point", "bodies": ["ground", "a"],
      "points": [[0, 0, 0], [0, 0, 0]]}}})");
  const Scene free = drawn("null");
  CHECK(held.size == free.size);
  CHECK(held.unit == free.unit);
}

TEST_CASE("whatever cannot be read is left out") {
  CHECK_FALSE(scene_of(R"({"type": "oscillator", "omega": 3})").has_bodies);
  const Scene scene = scene_of(R"({"type": "spatial", "bodies": {"a": {"shape": {"type": "vendor.cloud"}}, "b": {}}})",
                               R"({"constraints": {"odd": {"symbol": "hinge", "bodies": "a"}, "list": [], "number": 3,
      "absent": {"symbol": "point", "bodies": ["a", "c"], "points": [[1, 0, 0], [1, 0, 0]]},
      "unknown": {"symbol": "cloud", "bodies": ["a", "b"], "points": [null, ["x", 1, 2]], "curve": 3},
      "no_ends": {"symbol": "rod", "bodies": ["a", "b"]}, "no_axis": {"symbol": "hinge_slider", "bodies": ["a", "b"]}},
      "forces": 7})");
  CHECK(scene.links.empty());
  CHECK(scene.curves.empty());
  for (int body = ground; body < 2; ++body) CHECK(markers_of(scene, body).empty());
  CHECK(scene.bodies.size() == 2);
  CHECK(solids_of(scene, 0).empty());
  CHECK(make_scene(ReportJson::object(), nullptr).bodies.empty());
}

TEST_CASE("the host is what the run declares, whatever the system's type is called") {
  const char* system = R"({"type": "vendor.flat", "bodies": {"a": {"mass": 1, "inertia": 1, "angle": 0.5}}})";
  const ReportJson model = {{"host", "planar"}, {"coordinates", {{"u", "m"}, {"v", "m"}, {"theta", "rad"}}}};
  const Scene scene = scene_of(system, "null", model);
  CHECK(scene.planar);
  CHECK(scene.up == Vector3d::UnitY());
  const ReportJson json = scene_json(scene);
  CHECK(json["bodies"][0]["q"][2].get<double>() == doctest::Approx(0.5));
  CHECK(json["coordinates"] == ReportJson::parse(R"([["u", "m"], ["v", "m"], ["theta", "rad"]])"));
  ResultTable table;
  table.columns = {"t", "a.u", "a.v", "a.theta"};
  table.rows = 1;
  table.values = {0, 3, 4, 0.25};
  const BodyMotion motion(scene, table);
  REQUIRE(motion.has(0));
  CHECK((motion.place(0, 0).r - Vector3d(3, 4, 0)).norm() < tolerance);
  CHECK(Eigen::AngleAxisd(motion.place(0, 0).p).angle() == doctest::Approx(0.25));
}

TEST_CASE("a model that says nothing, or too little, of its coordinates has no motion") {
  ResultTable table;
  table.columns = {"t", "a.x"};
  table.rows = 1;
  table.values = {0, 1};
  const char* system = R"({"type": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}}})";
  for (const char* model : {"null", "3", R"({"host": 3, "coordinates": []})", R"({"coordinates": {"x": "m"}})"}) {
    const Scene scene = scene_of(system, "null", ReportJson::parse(model));
    CHECK_FALSE(scene.planar);
    CHECK_FALSE(BodyMotion(scene, table).has(0));
  }
}

TEST_CASE("colours of HTML") {
  CHECK(canonical_color("#abc") == "#aabbcc");
  CHECK(canonical_color("#12aBcD") == "#12abcd");
  CHECK(canonical_color("SteelBlue") == "#4682b4");
  CHECK(canonical_color("javascript:alert(1)") == "");
  CHECK(canonical_color("#12345g") == "");
}

}  // namespace
}  // namespace trammel
