// The scanner of manifests: what it passes, nlohmann-json passes with the same events; what it does not know, it leaves.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "manifest_for.h"
#include "plugin/json_scanner.h"
#include "plugin/manifest_reader.h"

using namespace trammel;

namespace {

/// All events as text; numbers to the last bit. `last`: how many of them it wants.
struct Events final : nlohmann::json_sax<nlohmann::json> {
  std::string all;
  int last = std::numeric_limits<int>::max();

  bool note(const std::string& event) {
    all += event + "\n";
    return --last > 0;
  }
  bool null() override { return note("null"); }
  bool boolean(bool value) override { return note(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return number_float(static_cast<double>(value), ""); }
  bool number_unsigned(number_unsigned_t value) override { return number_float(static_cast<double>(value), ""); }
  bool number_float(number_float_t value, const string_t&) override { return note(fmt::format("{:a}", value)); }
  bool string(string_t& value) override { return note("\"" + value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return note("{"); }
  bool key(string_t& value) override { return note("key " + value); }
  bool end_object() override { return note("}"); }
  bool start_array(std::size_t) override { return note("["); }
  bool end_array() override { return note("]"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
};

Scan scan(const std::string& text, Events& events) { return JsonScanner(text, events).scan(); }

/// Whether the scanner passed the text; then nlohmann-json says the same.
bool passes(const std::string& text) {
  Events ours, theirs;
  if (scan(text, ours) != Scan::whole) return false;
  INFO(text);
  CHECK(nlohmann::json::sax_parse(text, &theirs));
  CHECK(ours.all == theirs.all);
  return true;
}

}  // namespace

TEST_CASE("plain texts are passed") {
  for (const char* text : {"{}",
                           "[]",
                           " [ ] ",
                           "\"\"",
                           "0",
                           "-0",
                           "-0.0",
                           "12",
                           "1e5",
                           "1E+5",
                           "-1.25e-3",
                           "0.1",
                           "true",
                           "false",
                           "null",
                           "[1, 2,3 ]",
                           "{\"a\": {\"b\": [\"c\", null, true]}}",
                           "\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\te\"",
                           "\"\x7f\"",
                           "9007199254740993",
                           "18446744073709551615",
                           "-9223372036854775808",
                           "123456789012345678901234567890",
                           "2.2250738585072014e-308",
                           "5e-324",
                           "0.1000000000000000055511151231257827021181583404541015625",
                           "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]"})
    CHECK_MESSAGE(passes(text), text);
}

TEST_CASE("mistakes, and what is not plain, are left to others") {
  for (const char* text : {"",
                           " ",
                           "1e-400",
                           "{",
                           "[",
                           "\"",
                           "\"a",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{a:1}",
                           "{1:1}",
                           "01",
                           "-",
                           "+1",
                           ".5",
                           "1.",
                           "1.e5",
                           "1e",
                           "1e+",
                           "-.5",
                           "0x10",
                           "nan",
                           "inf",
                           "-inf",
                           "Infinity",
                           "1e999",
                           "tru",
                           "truex",
                           "nul",
                           "\"\n\"",
                           "\"\x01\"",
                           "\"\\x\"",
                           "\"\\u0041\"",
                           "\"\xc3\xa9\"",
                           "\"\xff\"",
                           "{} {}",
                           "1 2",
                           "[1]]",
                           "// c\n1",
                           "\xef\xbb\xbf{}",
                           "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]"})
    CHECK_MESSAGE(!passes(text), text);
  CHECK(!passes(std::string("{}\0", 3)));
  CHECK(!passes(std::string("\"a\0b\"", 5)));
}

TEST_CASE("a handler ends the scan wherever it wants") {
  const std::string text = "{\"a\": [1, true, null, \"b\", {}], \"c\": 2}";
  Events whole;
  REQUIRE(scan(text, whole) == Scan::whole);
  const auto events = std::count(whole.all.begin(), whole.all.end(), '\n');
  for (int last = 1; last <= events; ++last) {
    Events some;
    some.last = last;
    CHECK(scan(text, some) == Scan::ended);
    CHECK(whole.all.starts_with(some.all));
    CHECK(std::count(some.all.begin(), some.all.end(), '\n') == last);
  }
}

TEST_CASE("every manifest is plain, and read as nlohmann-json reads it") {
  const TemporaryFolder folder;
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(TRAMMEL_BUILD_DIR) / "lib/trammel/plugins")) {
    if (!entry.path().string().ends_with(".trammel.json")) continue;
    const std::string text = text_of(entry.path());
    CHECK_MESSAGE(passes(text), entry.path());
    CHECK(manifest_text(read_manifest(entry.path())) == text);
    ++count;
  }
  CHECK(count > 50);
  // An accent takes the other way, to the same result.
  const std::filesystem::path library = place("acceptable", folder.path());
  const std::filesystem::path manifest = manifest_path(library);
  PluginInfo plugin = read_manifest(manifest);
  plugin.components[0].summary =
      "Gr\xc3\xb6\xc3\x9f"
      "e \xe2\x82\xac";
  plugin.components[0].parameters[0].minimum = 0.1;
  write_text(manifest, manifest_text(plugin));
  CHECK(!passes(text_of(manifest)));
  CHECK(manifest_text(read_manifest(manifest)) == manifest_text(plugin));
}

TEST_CASE("damaged manifests: nothing is passed that nlohmann-json refuses, or read otherwise") {
  const TemporaryFolder folder;
  const std::string honest = text_of(manifest_path(place("acceptable", folder.path())));
  std::mt19937 random(20);
  const std::string characters = "{}[]\",:\\/0123456789.eE+- \n\ttfnulrs\x01\x7f\x80\xc3";
  int passed = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = honest;
    for (unsigned changes = 1 + random() % 2; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      const char other = characters[random() % characters.size()];
      switch (random() % 3) {
        case 0: text[at] = other; break;
        case 1: text.insert(at, 1, other); break;
        default: text.erase(at, 1 + random() % 3);
      }
    }
    passed += passes(text) ? 1 : 0;
  }
  CHECK(passed > 1000);   // changes of words
  CHECK(passed < 15000);  // changes of the grammar
}
