// Parameters in terms of each other, expressions anywhere, and what is said about wrong ones.
#include "config/resolve.h"

#include <doctest/doctest.h>

#include "config/json_source.h"

using namespace trammel;

namespace {

/// Messages about a document after resolving its parameters and expressions.
std::vector<std::string> messages(const std::string& text, Node* result = nullptr) {
  Node document = parse_json(text, "f.json");
  Problems problems;
  ParameterValues values;
  if (Node* parameters = document.find("parameters")) values = resolve_parameters(*parameters, "/parameters", problems);
  for (Member& member : document.members) {
    if (member.key != "parameters") resolve_expressions(member.value, "/" + member.key, values, problems);
  }
  if (result != nullptr) *result = document;
  return problems.lines();
}

}  // namespace

TEST_CASE("parameters may refer to each other in any order") {
  Node document;
  const std::string text = R"({"parameters": {"b": "=2*a + c", "a": 3, "c": "=a^2"}, "x": [{"y": "=-b/2"}], "z": "b"})";
  CHECK(messages(text, &document).empty());
  CHECK(document.find("parameters")->find("b")->number == 15);
  const Node& y = *document.find("x")->items[0].find("y");
  CHECK(y.number == -7.5);
  CHECK(y.text == "-7.5");
  CHECK(y.expression.str() == "=-b/2");
  CHECK(describe(y) == "-7.5 (from '=-b/2')");
  CHECK(document.find("z")->text == "b");
}

TEST_CASE("a cycle is named") {
  const std::vector<std::string> found =
      messages("{\"parameters\": {\n\"a\": \"=b\",\n\"b\": \"=2*c\",\n\"c\": \"=a + d\", \"d\": 1}, \"x\": \"=d\"}");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "f.json:2: /parameters/a: the parameters refer to each other in a circle: a -> b -> c -> a");
  CHECK(messages(R"({"parameters": {"a": "=a"}})")[0] ==
        "f.json:1: /parameters/a: the parameters refer to each other in a circle: a -> a");
}

TEST_CASE("wrong parameters and expressions are named, each once") {
  const auto only = [](const std::string& text) {
    const std::vector<std::string> found = messages(text);
    return found.size() == 1 ? found[0] : std::to_string(found.size()) + " messages";
  };
  CHECK(only(R"({"parameters": {"a": true}})") ==
        "f.json:1: /parameters/a: must be a number or a text '=expression', not true");
  CHECK(only(R"({"parameters": [1]})") == "f.json:1: /parameters: must be an object of numbers, not an array");
  CHECK(only(R"({"parameters": {"2a": 1}})") ==
        "f.json:1: /parameters/2a: a name consists of letters, digits and '_', and starts with no digit");
  CHECK(only(R"({"parameters": {"pi": 3}})") ==
        "f.json:1: /parameters/pi: the name 'pi' has a meaning in expressions; choose another");
  CHECK(only(R"({"parameters": {"L": 3}, "x": [1, "=2*Lx"]})") ==
        "f.json:1: /x/1: in the expression '=2*Lx': unknown name 'Lx' at column 4; did you mean 'L'?");
  CHECK(only(R"({"x": "=2*t"})") ==
        "f.json:1: /x: in the expression '=2*t': unknown name 't' at column 4; a formula of a variable is written "
        "without '=', a function as {\"type\": \"expression\", \"formula\": \"2*t\"}");
  CHECK(only(R"({"x": "=1/0"})") == "f.json:1: /x: the expression '=1/0' has no finite value");
  CHECK(only(R"({"x": "="})") ==
        "f.json:1: /x: in the expression '=': the formula ends where a value was expected at column 2");
}

TEST_CASE("formulas get the values of parameters, not of what looks like them") {
  const ParameterValues parameters{{"A", "e5", "w"}, {2, 7, -0.5}, {}, {}};
  CHECK(substitute_parameters("A*sin(w*t) + Ab + 1e5 + e5 + 2.e+5", parameters) ==
        "(2)*sin((-0.5)*t) + Ab + 1e5 + (7) + 2.e+5");
}
