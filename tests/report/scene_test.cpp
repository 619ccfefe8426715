// Scenes: where shapes and joints come to lie, and what bodies without a shape look like.
#include "report/scene.h"

#include <doctest/doctest.h>

#include <numbers>

#include "report/scene_reader.h"

namespace trammel {
namespace {

using Eigen::Vector3d;

Scene scene_of(const char* system) { return make_scene({{"system", ReportJson::parse(system)}}); }

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
                            "rotation": {"axis": [0, 0, 1], "angle": 1.5707963267948966}}},
      "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "first"], "at": [0, 0, 0], "axis": [0, 0, 1]},
                      "knee": {"type": "revolute", "bodies": ["first", "second"], "at": [1, 0, 0], "axis": [0, 0, 1]}},
      "forces": {"spring": {"type": "tsda", "bodies": ["ground", "second"], "point_i": [0, 3, 0], "point_j": [1, 0, 0],
                            "stiffness": 10, "damping": 0}}})");
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
           R"(, "position": [1, 0]}}, "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}}})";
  };
  const Scene rod = scene_of(system(1).c_str());  // m d^2 / 3
  CHECK((ends(solids_of(rod, 0)[0]).second - Vector3d(1, 0, 0)).norm() < tolerance);
  const Scene bob = scene_of(system(0.01).c_str());
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

TEST_CASE("whatever cannot be read is left out") {
  CHECK_FALSE(scene_of(R"({"type": "oscillator", "omega": 3})").has_bodies);
  const Scene scene = scene_of(R"({"type": "spatial", "bodies": {"a": {"shape": {"type": "vendor.cloud"}}, "b": {}},
      "constraints": {"odd": {"type": "vendor.odd", "bodies": "a"}, "own": {"type": "vendor.own", "bodies": ["a", "b"], "at": ["x", 1]}}})");
  CHECK(scene.bodies.size() == 2);
  CHECK(solids_of(scene, 0).empty());
  CHECK(make_scene(ReportJson::object()).bodies.empty());
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
