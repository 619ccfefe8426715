// Columns are what the summary declares: the same names with other units are of another kind.
#include "verify/column_kinds.h"

#include <doctest/doctest.h>

namespace trammel {
namespace {

using Order = ColumnKinds::Order;

ColumnKinds kinds_of(const char* summary) { return ColumnKinds(VerifyJson::parse(summary)); }

// A system of a third party, whose names say nothing: u, w are lengths, theta the angle.
constexpr const char* strange = R"({
  "model": {"host": "planar", "coordinates": {"u": "m", "w": "m", "theta": "rad"}},
  "columns": {"t": "s", "a.u": "m", "a.w": "m", "a.theta": "rad", "a.p": "m/s", "a.phi": "rad/s", "a.x": "m/s^2",
    "pin.force.x": "N", "pin.lambda.0": "", "pin.lambda.1": "", "motor.vx": "m", "motor.length": "W",
    "energy.kinetic": "J", "energy.total": "J", "step": "s", "order": "1", "constraint.position": ""},
  "redundant": [{"elements": ["pin"], "reactions_unique": false}, {"elements": ["motor"], "reactions_unique": true}]})";

TEST_CASE("names do not matter") {
  const ColumnKinds kinds = kinds_of(strange);
  CHECK(kinds.order("a.u") == Order::position);
  CHECK(kinds.order("a.theta") == Order::position);
  CHECK(kinds.order("motor.vx") == Order::position);
  CHECK(kinds.order("a.p") == Order::rate);
  CHECK(kinds.order("a.phi") == Order::rate);
  CHECK(kinds.order("a.x") == Order::other);
  CHECK(kinds.order("pin.force.x") == Order::other);
  CHECK(kinds.order("motor.length") == Order::other);
  CHECK(kinds.least_scale("motor.vx", 3) == 3);
  CHECK(kinds.least_scale("a.theta", 3) == 1);
  CHECK(kinds.least_scale("motor.length", 3) == 0);
}

TEST_CASE("columns of one unit share a scale, numbers without one only within their owner") {
  const ColumnKinds kinds = kinds_of(strange);
  CHECK(kinds.kind("a.u") == kinds.kind("motor.vx"));
  CHECK(kinds.kind("a.u") != kinds.kind("a.theta"));
  CHECK(kinds.kind("pin.lambda.0") == kinds.kind("pin.lambda.1"));
  CHECK(kinds.kind("pin.lambda.0") != kinds.kind("other.lambda.0"));
  CHECK(kinds.is_energy("energy.total"));
  CHECK_FALSE(kinds.is_energy("a.u"));
}

TEST_CASE("what vanishes at rest") {
  const ColumnKinds kinds = kinds_of(strange);
  for (const char* column : {"a.p", "a.phi", "a.x", "motor.length", "energy.kinetic"}) {
    CAPTURE(column);
    CHECK(kinds.vanishes_at_rest(column));
  }
  for (const char* column : {"a.u", "motor.vx", "pin.force.x", "energy.total"}) {
    CAPTURE(column);
    CHECK_FALSE(kinds.vanishes_at_rest(column));
  }
}

TEST_CASE("reactions that redundancy leaves open, and what the method alone knows, are not compared") {
  const ColumnKinds kinds = kinds_of(strange);
  for (const char* column : {"pin.force.x", "pin.lambda.0", "step", "order", "constraint.position"}) {
    CAPTURE(column);
    CHECK_FALSE(kinds.is_comparable(column));
  }
  for (const char* column : {"a.u", "motor.length", "motor.vx", "energy.total"}) {
    CAPTURE(column);
    CHECK(kinds.is_comparable(column));
  }
}

TEST_CASE("Euler parameters are positions because they are coordinates, other numbers without unit are not") {
  const ColumnKinds kinds = kinds_of(R"({"model": {"host": "spatial", "coordinates": {"x": "m", "e0": "1"}},
    "columns": {"a.e0": "1", "tyre.slip": "1"}})");
  CHECK(kinds.order("a.e0") == Order::position);
  CHECK(kinds.least_scale("a.e0", 7) == 1);
  CHECK(kinds.order("tyre.slip") == Order::other);
}

TEST_CASE("coordinates of problems") {
  const ColumnKinds kinds = kinds_of(R"({"model": {"coordinates": {"x1": "1", "x2": "1"}},
    "columns": {"x1": "1", "x1_dot": "1/s", "x2": "1", "x2_dot": "1/s"}})");
  CHECK(kinds.order("x1") == Order::position);
  CHECK(kinds.order("x2_dot") == Order::rate);
  CHECK(kinds.kind("x1") != kinds.kind("x2"));
}

TEST_CASE("a summary without declarations makes no kinds") {
  for (const char* summary : {"null", "{}", R"({"columns": null})"}) {
    const ColumnKinds kinds = kinds_of(summary);
    CHECK(kinds.order("crank.vx") == Order::other);
    CHECK(kinds.is_comparable("crank.vx"));
  }
}

}  // namespace
}  // namespace trammel
