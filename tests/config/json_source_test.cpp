// Strict reading: places of everything, and the wording for each kind of malformed text.
#include "config/json_source.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "refusal.h"

using trammel::Node;
using trammel::parse_json;

namespace {

std::string refused(const std::string& text) {
  return refusal([&] { parse_json(text, "f.json"); });
}

}  // namespace

TEST_CASE("every key and value knows its line and column, comments and escapes notwithstanding") {
  const Node node =
      parse_json("// one\n{ \"a\": 12.50, /* two\n lines */ \"b\\\"\": [true, \"x\\\\\",\n -3e2,null ] }", "f.json");
  REQUIRE(node.is_object());
  CHECK(node.place.text() == "f.json:2");
  const trammel::Member& a = node.members[0];
  CHECK(a.place.line == 2);
  CHECK(a.place.column == 3);
  CHECK(a.value.place.column == 8);
  CHECK(a.value.number == 12.5);
  CHECK(a.value.text == "12.50");
  CHECK_FALSE(a.value.is_integer());
  const trammel::Member& b = node.members[1];
  CHECK(b.key == "b\"");
  CHECK(b.place.line == 3);
  CHECK(b.place.column == 11);
  const auto& items = b.value.items;
  REQUIRE(items.size() == 4);
  CHECK(items[0].kind == Node::Kind::boolean);
  CHECK(items[1].text == "x\\");
  CHECK(items[2].number == -300);
  CHECK(items[2].is_integer());
  CHECK(items[2].place.line == 4);
  CHECK(items[2].place.column == 2);
  CHECK(items[3].kind == Node::Kind::null);
}

TEST_CASE("a byte order mark is skipped") {
  CHECK(parse_json("\xef\xbb\xbf{\"a\": 1}", "f.json").find("a")->number == 1);
}

TEST_CASE("malformed JSON is refused with the line and what to do") {
  CHECK(refused("{\"a\": 1,\n}") == "f.json:2: a comma before '}'; the last entry has none behind it");
  CHECK(refused("[1, 2,]") == "f.json:1: a comma before ']'; the last entry has none behind it");
  CHECK(refused("[1,,2]") == "f.json:1: a value is missing before ','");
  CHECK(refused("{\"a\": 1\n \"b\": 2}") == "f.json:2: a comma is missing before \"b\"");
  CHECK(refused("{\"a\" 1}") == "f.json:1: no valid JSON: unexpected number literal; expected ':'");
  CHECK(refused("{\"a\": {\n \"b\": 1\n") ==
        "f.json:2: the file ends too early: a '}' is missing for the one opened in line 1");
  CHECK(refused("{'a': 1}") == "f.json:1: texts stand in double quotes, not in single ones");
  CHECK(refused("{\"a\": tru}") == "f.json:1: 'tru' is no JSON value; texts stand in double quotes");
  CHECK(refused("{\"a\": \"x\ny\"}") == "f.json:1: a text is not closed in its line");
  CHECK(refused("{\"a\": 1 # no\n}") == "f.json:1: '#' starts no comment in JSON; use //");
  CHECK(refused("{\"a\": 01}") == "f.json:1: 01 is no JSON number; it starts with 0");
  CHECK(refused("{\"a\": .5}") == "f.json:1: .5 is no JSON number; write a digit first");
  CHECK(refused("") == "f.json:1: the file is empty");
  CHECK(refused(" \n\n") == "f.json:2: the file is empty");
  CHECK(refused("{\"a\": \"\xff\"}") == "f.json:1: no valid JSON: invalid string: ill-formed UTF-8 byte");
}

TEST_CASE("numbers must be finite") {
  CHECK(refused("{\"a\": NaN}") == "f.json:1: NaN is no JSON number; numbers must be finite");
  CHECK(refused("{\"a\": Infinity}") == "f.json:1: Infinity is no JSON number; numbers must be finite");
  CHECK(refused("{\"a\":\n 1e999}") == "f.json:2: a number is too large for a double");
}

TEST_CASE("duplicate keys are refused with both lines") {
  CHECK(refused("{\"a\":\n1,\n\n\"a\":2}") == "f.json:4: duplicate key 'a'; it stands in line 1 already");
}

TEST_CASE("nesting is limited") {
  CHECK(refused(std::string(100000, '[')) == "f.json:1: nested deeper than 100 levels");
}

TEST_CASE("files that cannot be read say why") {
  using trammel::read_text_file;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "trammel_json_source_test";
  std::filesystem::create_directories(folder);
  CHECK(refusal([&] { read_text_file(folder); }) == folder.string() + ": this is a folder, not a file");
  const std::filesystem::path absent = folder / "absent.json";
  CHECK(refusal([&] { read_text_file(absent); }) == absent.string() + ": no such file");
  const std::filesystem::path large = folder / "large.json";
  std::ofstream(large) << "[";
  std::filesystem::resize_file(large, trammel::json_size_limit + 1);
  CHECK(refusal([&] { read_text_file(large); }) == large.string() + ": larger than 1024 MiB");
  std::filesystem::remove_all(folder);
}

TEST_CASE("what is written reads back the same") {
  const std::string text =
      "{\n  \"a\": [1, -2.5e-3, true, null, \"\\\"q\\n\\u0001\"],\n  \"b\": {},\n  \"c\": [\n    [1]\n  ]\n}";
  CHECK(trammel::to_json(parse_json(text, "f.json")) == text);
}
