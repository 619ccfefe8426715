// Units: factors against their definitions.
#include "compose/units.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "config/json_source.h"

using namespace trammel;

namespace {

Units units(const std::string& json) {
  Problems problems;
  const Units made = read_units(parse_json(json, "f.json"), problems);
  problems.raise();
  return made;
}

}  // namespace

TEST_CASE("millimetres, tonnes and degrees") {
  const Units u = units(R"({"length": "mm", "mass": "t", "angle": "deg"})");
  CHECK((*u.factor("m"))(300) == 0.3);  // the nearest double, not a product with 0.001
  CHECK((*u.factor("kg m^2"))(45) == 0.045);
  CHECK((*u.factor("N"))(7) == 7);  // t mm/s^2
  CHECK((*u.factor("N/m"))(2) == 2000);
  CHECK((*u.factor("N m"))(250) == 0.25);
  CHECK((*u.factor("rad"))(180) == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  CHECK((*u.factor("rad/s"))(30) == 30 * (std::numbers::pi / 180));  // the digits of 30*deg
  CHECK((*u.factor("N m/rad"))(1) == doctest::Approx(1e-3 * 180 / std::numbers::pi).epsilon(1e-15));
  CHECK((*u.factor("kg/m^3"))(7.85e-9) == doctest::Approx(7850).epsilon(1e-15));
  CHECK((*u.factor("m^3/(kg s^2)"))(1) == doctest::Approx(1e-12).epsilon(1e-15));
  CHECK((*u.factor("N/m^n", 1.5))(1) == doctest::Approx(std::pow(1000.0, 1.5)).epsilon(1e-14));
  CHECK((*u.factor("s"))(3) == 3);
  CHECK((*u.factor("1"))(3) == 3);
  CHECK_FALSE(u.factor("V").has_value());
  CHECK_FALSE(u.is_si());
}

TEST_CASE("force follows mass and length, unless it is given") {
  CHECK((*units(R"({"length": "mm", "mass": "kg"})").factor("N"))(1000) == 1);
  CHECK((*units(R"({"length": "mm", "mass": "kg", "force": "N"})").factor("N/m"))(2) == 2000);
  CHECK((*units(R"({"length": "in", "force": "lbf"})").factor("N m"))(1) ==
        doctest::Approx(0.1129848290276167).epsilon(1e-15));
  CHECK(units(R"({"length": "m"})").is_si());
}

TEST_CASE("words that are no units are refused with those that are") {
  Problems problems;
  read_units(parse_json(R"({"length": "mmm", "lenght": "mm", "mass": 3})", "f.json"), problems);
  REQUIRE(problems.size() == 3);
  const std::string all = problems.lines()[0] + problems.lines()[1] + problems.lines()[2];
  CHECK(all.find("must be one of m, mm, cm") != std::string::npos);
  CHECK(all.find("did you mean 'length'?") != std::string::npos);
}
