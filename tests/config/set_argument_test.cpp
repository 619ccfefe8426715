// --set: what it may write, and how it refuses.
#include "config/set_argument.h"

#include <doctest/doctest.h>

#include "config/json_source.h"
#include "refusal.h"

using namespace trammel;

namespace {

Node example() {
  return parse_json(R"({"title": "t", "system": {"bodies": {"crank": {"mass": 1, "position": [1, 2, 3]}}}})", "f.json");
}

Node with(const std::string& argument) {
  Node node = example();
  apply_set(node, argument);
  return node;
}

std::string refused(const std::string& argument, ErrorKind kind = ErrorKind::input) {
  return refusal([&] { with(argument); }, kind);
}

}  // namespace

TEST_CASE("a value is JSON, else a text") {
  CHECK(with("system.bodies.crank.mass=2.5").find("system")->find("bodies")->find("crank")->find("mass")->number ==
        2.5);
  CHECK(with("title=[1, 2]").find("title")->items.size() == 2);
  CHECK(with("title=true").find("title")->kind == Node::Kind::boolean);
  CHECK(with("title=my title").find("title")->text == "my title");
  CHECK(with("title=\"5\"").find("title")->text == "5");
  CHECK(with("title==2*L").find("title")->text == "=2*L");
  CHECK(with("title=").find("title")->text == "");
}

TEST_CASE("array entries are addressed by number") {
  const Node node = with("system.bodies.crank.position.1=7");
  CHECK(node.find("system")->find("bodies")->find("crank")->find("position")->items[1].number == 7);
}

TEST_CASE("objects may be replaced and keys and sections added") {
  CHECK(with("integrator.step=0.1").find("integrator")->find("step")->number == 0.1);
  const Node node = with("system.bodies.rod={\"mass\": 3}");
  CHECK(node.find("system")->find("bodies")->find("rod")->find("mass")->number == 3);
  CHECK(node.find("system")->find("bodies")->find("rod")->find("mass")->place.text() ==
        "--set system.bodies.rod={\"mass\": 3}");
}

TEST_CASE("null removes a key that is there") {
  CHECK(with("system.bodies.crank=null").find("system")->find("bodies")->find("crank") == nullptr);
  CHECK(refused("system.bodies.crnak=null") ==
        "--set system.bodies.crnak=null: /system/bodies: null removes a key, and there is no 'crnak' here; did you "
        "mean 'crank'?");
}

TEST_CASE("paths that lead nowhere are refused in the name of the argument") {
  CHECK(refused("system.bodies.crnak.mass=1") ==
        "--set system.bodies.crnak.mass=1: /system/bodies: there is no 'crnak' here; did you mean 'crank'?");
  CHECK(refused("system.bodies.crank.position.3=1") ==
        "--set system.bodies.crank.position.3=1: /system/bodies/crank/position: this is an array of 3 entries, counted "
        "from 0; it has no entry '3'");
  CHECK(refused("system.bodies.crank.position.x=1") ==
        "--set system.bodies.crank.position.x=1: /system/bodies/crank/position: this is an array of 3 entries, counted "
        "from 0; it has no entry 'x'");
  CHECK(refused("system.bodies.crank.mass.x=1") ==
        "--set system.bodies.crank.mass.x=1: /system/bodies/crank/mass: this is 1 and has no 'x' in it");
  CHECK(refused("title", ErrorKind::usage) ==
        "--set title: expected PATH=VALUE, for example system.bodies.crank.mass=2");
  CHECK(refused("a..b=1", ErrorKind::usage) == "--set a..b=1: the path has an empty part");
  CHECK(refused("title={\"a\": 1, \"a\": 2}") == "--set title={\"a\": 1, \"a\": 2}: duplicate key 'a'");
}
