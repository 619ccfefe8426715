// Scales of channels follow their declared units.
#include "verify/compare.h"

#include <doctest/doctest.h>

namespace trammel {
namespace {

/// Two rows over one second.
RunRecord record(const std::vector<std::string>& columns, const std::vector<double>& values, const char* summary) {
  RunRecord made;
  made.columns = columns, made.t = {0, 1}, made.values = values;
  made.summary = VerifyJson::parse(summary);
  return made;
}

TEST_CASE("a channel that rests is measured by the others of its unit") {
  const char* summary = R"({"columns": {"a.u": "m", "b.length": "m", "c.force": "N"}})";
  const RunRecord a = record({"a.u", "b.length", "c.force"}, {0, 5, 0, 1000, 5, 0}, summary);
  const Comparison c = compare(a, a, {1e-3, 0});
  REQUIRE(c.channels.size() == 3);
  CHECK(c.channels[1].scale == doctest::Approx(1));  // a thousandth of the largest length
  CHECK(c.channels[2].scale == doctest::Approx(0));  // nothing else is a force
  CHECK(c.agrees);
}

TEST_CASE("a conserved energy is measured by the largest of them") {
  const char* summary = R"({"columns": {"energy.kinetic": "J", "energy.total": "J"}})";
  const RunRecord a = record({"energy.kinetic", "energy.total"}, {0, 8, 8, 8}, summary);
  CHECK(compare(a, a, {1e-3, 0}).channels[1].scale == doctest::Approx(8));
}

TEST_CASE("what moves least is a unit, not a name") {
  const char* summary = R"({"model": {"host": "planar", "coordinates": {"u": "m", "theta": "rad"}},
    "columns": {"a.u": "m", "a.theta": "rad", "a.p": "m/s", "c.x": "N"}})";
  const RunRecord a = record({"a.u", "a.theta", "a.p", "c.x"}, {0, 0, 0, 0, 2, 0.5, 9, 0.1}, summary);
  const MovingKind least = least_moving(a, true);
  CHECK(least.channel == "a.theta");
  CHECK(least.range == doctest::Approx(0.5));
}

}  // namespace
}  // namespace trammel
