// The heavy top built three ways: spherical joint; point primitive; dot2 and distance primitives.
#include <doctest/doctest.h>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

/// Two planes x = 0 and y = 0 of the ground, and the distance 1 m from (0, 0, -1), hold the top's point in the origin.
const char* const dot_and_distance = R"(system.constraints={
  "across_x": {"type": "dot2", "bodies": ["ground", "top"], "at": [0, 0, 0], "axis": [1, 0, 0]},
  "across_y": {"type": "dot2", "bodies": ["ground", "top"], "at": [0, 0, 0], "axis": [0, 1, 0]},
  "rod": {"type": "distance", "bodies": ["ground", "top"], "point_i": [0, 0, -1], "point_j": [0, -1, 0], "length": 1}})";

/// Force on the top along x, y, z, whatever constraints it comes from.
Column force(const Table& run, const std::vector<std::string>& constraints, const char* axis) {
  Column sum(run.rows(), 0);
  for (const std::string& name : constraints) {
    const Column& part = run[name + ".force." + axis];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  return sum;
}

}  // namespace

TEST_CASE("heavy top by a spherical joint, a point primitive, and dot2 and distance primitives: one motion") {
  const std::string tight = R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";
  const std::string all = "output={\"step\": 0.002, \"channels\": \"all\"}";
  const Table expected = reference("heavy_top.csv"), spherical = results(example("heavy_top"), {tight, all});
  const struct {
    const char* name;
    const char* set;
    std::vector<std::string> constraints;
    const char* elements;
  } ways[] = {
      {"spherical", "system.constraints.pivot.type=spherical", {"pivot"}, "spatial spherical"},
      {"point", "system.constraints.pivot.type=point", {"pivot"}, "spatial point"},
      {"dot2 and distance", dot_and_distance, {"across_x", "across_y", "rod"}, "spatial dot2, spatial distance"}};
  for (const auto& way : ways) {
    CAPTURE(way.name);
    const Table run = results(example("heavy_top"), {tight, all, way.set});
    for (const std::string axis : {"x", "y", "z"}) {
      CAPTURE(axis);
      // The same motion, and the true one: the reference is of another formulation.
      CHECK(difference(run["top." + axis], spherical["top." + axis]) < 1e-9);
      CHECK(difference(run["top.v" + axis], spherical["top.v" + axis]) < 1e-9);
      CHECK(noted(way.elements, "heavy top, from another formulation", difference(run["top." + axis], expected[axis])) <
            1e-9);
      // 756 N at most, and 5000 times as sensitive to the spin's phase as the position.
      CHECK(difference(force(run, way.constraints, axis.c_str()), expected["R" + axis]) < 1e-6);
    }
    for (const char* name : {"top.e0", "top.e1", "top.e2", "top.e3"}) {
      CAPTURE(name);
      CHECK(difference(run[name], spherical[name]) < 1e-9);
    }
  }
}
