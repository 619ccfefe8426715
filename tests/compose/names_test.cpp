// Names of parts of sub-models, alone and in paths.
#include <doctest/doctest.h>

#include "config/json_source.h"
#include "config/part_name.h"
#include "config/set_argument.h"
#include "results/column_expression.h"

using namespace trammel;

TEST_CASE("the grammar of names") {
  for (const char* good : {"crank", "_a1", "arm.elbow", "leg[2].knee", "robot.leg[10].toe[0].tip"})
    CHECK(is_part_name(good));
  for (const char* bad : {"", "2a", "a.", ".a", "a..b", "leg[2]", "leg[].knee", "leg[02].knee", "leg[-1].knee",
                          "leg[2]knee", "leg[2.knee", "leg2].knee", "[2].knee", "leg[a].knee", "leg knee"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_part_name(bad));
  }
}

TEST_CASE("the owner of a channel is the one name that fits") {
  const auto known = [](std::string_view name) { return name == "leg[2].knee" || name == "pin"; };
  CHECK(owner_length("leg[2].knee.angle", known) == 11);
  CHECK(owner_length("leg[2].knee", known) == 11);
  CHECK(owner_length("pin.force.x", known) == 3);
  CHECK(owner_length("leg[2].hip.angle", known) == std::string_view::npos);
}

TEST_CASE("paths follow keys with dots, and others as before") {
  Node document =
      parse_json(R"({"system": {"bodies": {"leg[2].knee": {"mass": 1}, "leg": {"x": {"mass": 2}}}}})", "f.json");
  apply_set(document, "system.bodies.leg[2].knee.mass=3");
  apply_set(document, "system.bodies.leg.x.mass=4");
  const Node& bodies = *document.find("system")->find("bodies");
  CHECK(bodies.find("leg[2].knee")->find("mass")->number == 3);
  CHECK(bodies.find("leg")->find("x")->find("mass")->number == 4);
  apply_set(document, "system.bodies.leg[2].knee=null");
  CHECK(document.find("system")->find("bodies")->members.size() == 1);
}

TEST_CASE("formulas of columns know the names") {
  ColumnSet columns;
  ColumnExpression formula("=2*leg[0].knee.x - leg[1].knee.x*t", columns);
  REQUIRE(columns.names().size() == 2);
  CHECK(columns.names()[1] == "leg[1].knee.x");
  const double values[] = {5, 3};
  CHECK(formula.evaluate(2, values) == 4);
  ColumnExpression plain("leg[1].knee.x", columns);
  CHECK(plain.evaluate(0, values) == 3);
}
