// Versions in order, ranges of them, and `plugins.require` of run files, held against what semantic versioning says.
#include "config/version_range.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "config/json_source.h"
#include "config/run_file.h"
#include "config/validate.h"
#include "example_catalogue.h"

namespace trammel {
namespace {

bool in_range(const char* range, const char* version) {
  const std::optional<VersionRange> read = VersionRange::parse(range);
  REQUIRE(read);
  const std::optional<Version> of = Version::parse(version);
  REQUIRE(of);
  return read->contains(*of);
}

/// What is wrong with a valid run file to which this `plugins.require` was added.
std::string judged_requirement(const std::string& require, ErrorKind kind) {
  const std::string text = R"({"trammel": 2, "plugins": {"require": )" + require + R"(},
    "system": {"type": "spinning_top", "mass": 1}, "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "baumgarte", "alpha": 1}, "integrator": {"type": "rk4", "step": 0.1}})";
  const ExampleCatalogue catalogue;
  Problems problems;
  const WrittenDocument written{parse_json(text, "run.json")};
  const RunFile run = make_run_file(written, "run.json", "/", {}, problems);
  validate(run, catalogue, problems);
  if (problems.empty()) return "valid";
  CHECK(problems.kind() == kind);
  std::string all;
  for (const std::string& line : problems.lines()) all += (all.empty() ? "" : "\n") + line;
  return all;
}

}  // namespace

TEST_CASE("versions have the order of semantic versioning") {
  // The list of its section 11, and numbers that texts would put the other way round.
  const std::vector<const char*> ascending = {"0.9",        "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                              "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                                              "1.0.0",      "1.0.1",        "1.9",           "1.10",
                                              "2.0.0",      "2.1.0",        "2.1.1",         "10"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      CAPTURE(ascending[i]);
      CAPTURE(ascending[j]);
      const int order = Version::parse(ascending[i])->compare(*Version::parse(ascending[j]));
      CHECK((order < 0) == (i < j));
      CHECK((order > 0) == (i > j));
    }
  }
  CHECK(Version::parse("1.2")->compare(*Version::parse("1.2.0")) == 0);
  CHECK(Version::parse("1.2.0+build.7")->compare(*Version::parse("1.2")) == 0);
  CHECK(Version::parse("1.2rc1")->compare(*Version::parse("1.2")) < 0);
  CHECK(Version::parse("99999999999999999999999.1")->compare(*Version::parse("4")) > 0);
  for (const char* text : {"", "v1.2", "latest", "1.", "-1", "1 2", ".5", "1.2_a"}) {
    CAPTURE(text);
    CHECK_FALSE(Version::parse(text));
  }
}

TEST_CASE("a range is comparisons that all hold") {
  CHECK(in_range(">=1.2", "1.2.0"));
  CHECK(in_range(">=1.2", "1.10"));
  CHECK_FALSE(in_range(">=1.2", "1.2-rc1"));
  CHECK(in_range(">=1.2, <2", "1.99.7"));
  CHECK_FALSE(in_range(">=1.2, <2", "2.0"));
  CHECK_FALSE(in_range(" > 1.2 ", "1.2"));
  CHECK(in_range("<=1.2", "1.2"));
  CHECK(in_range("1.2", "1.2.0"));
  CHECK_FALSE(in_range("1.2", "1.2.1"));
  for (const char* text : {"", ">=", ">=1.2,", "~1.2", "^1", "*", ">=1.2 <2", ">>1"}) {
    CAPTURE(text);
    CHECK_FALSE(VersionRange::parse(text));
  }
}

TEST_CASE("a run file says which versions of plugins it needs") {
  CHECK(judged_requirement(R"({"example": ">=1.2, <2"})", ErrorKind::plugin) == "valid");
  CHECK(judged_requirement(R"({"example": "1.2.3"})", ErrorKind::plugin) == "valid");
  CHECK(judged_requirement("{}", ErrorKind::plugin) == "valid");
  CHECK(judged_requirement(R"({"example": ">=1.3"})", ErrorKind::plugin) ==
        "run.json:1: /plugins/require/example: plugin 'example' is required in version >=1.3; found is version 1.2.3, "
        "/plugins/example.so");
  CHECK(judged_requirement(R"({"exmaple": ">=1"})", ErrorKind::plugin) ==
        "run.json:1: /plugins/require/exmaple: plugin 'exmaple' is required in version >=1, and none is found; did you "
        "mean 'example'?");
  const std::string how =
      "must be comparisons of versions such as \">=1.2\" or \">=1.2, <2\" (>=, >, <=, <; a version alone is that one "
      "and "
      "no other), not ";
  CHECK(judged_requirement(R"({"example": 1.2})", ErrorKind::input) ==
        "run.json:1: /plugins/require/example: " + how + "1.2");
  CHECK(judged_requirement(R"({"example": "newest"})", ErrorKind::input) ==
        "run.json:1: /plugins/require/example: " + how + "the text 'newest'");
  CHECK(judged_requirement(R"({"Acme Tyre": ">=1"})", ErrorKind::input) ==
        "run.json:1: /plugins/require/Acme Tyre: must be the id of a plugin, [vendor.]snake_case");
  CHECK(
      judged_requirement(R"(["example"])", ErrorKind::input) ==
      "run.json:1: /plugins/require: must be an object of versions by plugin, such as {\"acme.tyre\": \">=1.2\"}, not "
      "an array");
}

}  // namespace trammel
