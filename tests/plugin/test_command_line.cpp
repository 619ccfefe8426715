// The commands that look at plugins, as a user or a script calls them: exit codes, texts, JSON.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "manifest_for.h"

using namespace trammel;

namespace {

const std::string good = "--plugin-path '" TRAMMEL_FIXTURES "/good'";

ProcessResult trammel_command(const std::string& arguments) {
  return run_process("'" TRAMMEL_EXECUTABLE "' " + arguments);
}

}  // namespace

TEST_CASE("help and version succeed, misuse is exit 1") {
  CHECK(trammel_command("--help").code == 0);
  CHECK(trammel_command("--version").out == "trammel " TRAMMEL_VERSION "\n");
  for (const char* command : {"plugins", "describe", "doctor"}) {
    CHECK(trammel_command(std::string(command) + " --help").code == 0);
  }
  for (const char* misuse : {"danse", "describe", "plugins --jsn", "describe a/b/c"}) {
    const ProcessResult result = trammel_command(misuse);
    CAPTURE(misuse);
    CHECK(result.code == 1);
    CHECK(result.out.empty());
    CHECK_FALSE(result.err.empty());
  }
}

TEST_CASE("plugins lists without loading: even a library that would crash") {
  const TemporaryFolder folder;
  place("crashes_at_load", folder.path());
  const ProcessResult table = trammel_command("plugins --plugin-path '" + folder.path().string() + "'");
  CHECK(table.code == 0);
  CHECK(table.out.find("  hostile") != std::string::npos);
  CHECK(table.out.find("A function that does not work.") != std::string::npos);
}

TEST_CASE("plugins --json carries the whole manifest and the path") {
  const ProcessResult result = trammel_command("plugins --json " + good);
  REQUIRE(result.code == 0);
  const nlohmann::json list = nlohmann::json::parse(result.out);
  bool seen = false;
  for (const nlohmann::json& plugin : list) {
    if (plugin.at("id") != "good") continue;
    seen = true;
    CHECK(plugin.at("path") == TRAMMEL_FIXTURES "/good/good.so");
    CHECK(plugin.at("components").at(0).at("parameters").at(1).at("choices").size() == 2);
  }
  CHECK(seen);
}

TEST_CASE("describe: by type, kind and host; nearest name; JSON") {
  const ProcessResult text = trammel_command("describe function/level " + good);
  CHECK(text.code == 0);
  CHECK(text.out.starts_with("function 'level'\n  The same value everywhere.\n  source: None.\n  plugin: good 1.2.3 "));
  CHECK(text.out.find("    value      The value everywhere.\n"
                      "               number, m, > -10, <= 10, required\n") != std::string::npos);
  CHECK(text.out.find("               calm | angry, default \"calm\"\n") != std::string::npos);
  CHECK(trammel_command("describe function/any/zero " + good).code == 0);

  const nlohmann::json list = nlohmann::json::parse(trammel_command("describe level --json " + good).out);
  REQUIRE(list.size() == 1);
  CHECK(list[0].at("plugin").at("version") == "1.2.3");
  CHECK(list[0].at("parameters").size() == 5);

  const ProcessResult wrong = trammel_command("describe function/levle " + good);
  CHECK(wrong.code == 3);
  CHECK(
      wrong.err.starts_with("function/levle: no plugin offers this type; did you mean 'level'?\nsearched, in this "
                            "order:\n"));
  const ProcessResult other_kind = trammel_command("describe integrator/level " + good);
  CHECK(other_kind.code == 3);
  CHECK(other_kind.err.starts_with("integrator/level: no plugin offers this type; there is function/any/level\n"));
}

TEST_CASE("describe shows a plugin's equations, channels, frames and signs, once for all of its types") {
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string revolute = trammel_command("describe revolute").out;
  CHECK(count(revolute, "\nconstraint 'revolute', ") == 1);  // the other one stands at the beginning
  CHECK(count(revolute, "\n  equations:\n    Spatial: common point and common axis") == 1);
  CHECK(count(revolute, "\n        rows 0..2   P_j - P_i = 0 ") == 1);
  CHECK(count(revolute, "\n  channels:\n    `.angle .rate`") == 1);
  CHECK(count(revolute, "act on the second body about P_j") == 1);
  CHECK(count(revolute, "\n  example:\n    ```json\n") == 1);
  CHECK(revolute.find("\n  equations:") < revolute.find("\n  parameters:"));
  CHECK(revolute.find("\n  channels:") > revolute.find("    initial_angle  "));

  // Links to other plugins' pages become their names, tables of parameters are the manifest's alone.
  const std::string stop = trammel_command("describe force/planar/stop").out;
  CHECK(count(stop, "see impact.\n") == 1);
  CHECK(count(stop, "](") == 0);
  CHECK(count(stop, "| key |") == 0);

  const nlohmann::json list = nlohmann::json::parse(trammel_command("describe revolute --json").out);
  REQUIRE(list.size() == 2);
  for (const nlohmann::json& type : list) {
    REQUIRE(type.at("notes").size() == 3);
    CHECK(type.at("notes")[0].at("title") == "Equations");
    CHECK(type.at("notes")[1].at("title") == "Channels");
    CHECK(type.at("notes")[2].at("title") == "Example");
  }
  CHECK(nlohmann::json::parse(trammel_command("describe level --json " + good).out)[0].at("notes").empty());
}

TEST_CASE("describe tells the keys that every integrator takes, the kernel's step control") {
  const ProcessResult text = trammel_command("describe integrator/rk4");
  REQUIRE(text.code == 0);
  for (const char* key : {"    step  ", "    rtol  ", "    max_step  ", "    controller  "}) {
    CAPTURE(key);
    CHECK(text.out.find(key) != std::string::npos);
  }
  CHECK(trammel_command("describe function/constant").out.find("    rtol  ") == std::string::npos);
}

TEST_CASE("describe knows the metrics of studies that are no plugins") {
  for (const char* query : {"describe error", "describe metric/counter", "describe metric/any/cpu_time",
                            "describe order", "describe ratio"}) {
    CAPTURE(query);
    const ProcessResult text = trammel_command(query);
    CHECK(text.code == 0);
    CHECK(text.out.find("part of Trammel itself") != std::string::npos);
  }
  CHECK(trammel_command("describe error").out.find("    threshold  ") != std::string::npos);
  const nlohmann::json list = nlohmann::json::parse(trammel_command("describe ratio --json").out);
  REQUIRE(list.size() == 1);
  CHECK(list[0]["kind"] == "metric");
  CHECK(list[0]["type"] == "ratio");
  CHECK(trammel_command("describe force/error").code == 3);
}

TEST_CASE("describe knows the analyses of the kernel, each with its own keys") {
  for (const char* query :
       {"describe equilibrium", "describe analysis/equilibrium", "describe analysis/any/equilibrium"}) {
    CAPTURE(query);
    const ProcessResult text = trammel_command(query);
    CHECK(text.code == 0);
    CHECK(text.out.find("analysis 'equilibrium'") != std::string::npos);
    CHECK(text.out.find("    optimizer  ") != std::string::npos);
    CHECK(text.out.find("    matrices  ") == std::string::npos);
    CHECK(text.out.find("    events  ") == std::string::npos);
  }
  CHECK(trammel_command("describe analysis/dynamics").out.find("    events  ") != std::string::npos);
  const nlohmann::json list = nlohmann::json::parse(trammel_command("describe analysis/modes --json").out);
  REQUIRE(list.size() == 1);
  CHECK(list[0]["kind"] == "analysis");
  CHECK(trammel_command("describe force/equilibrium").code == 3);
}

TEST_CASE("a type that is not found is told with what lies in the folders and was left out") {
  const TemporaryFolder folder;
  place("crashes_at_load", folder.path());
  std::filesystem::remove(folder.path() / "crashes_at_load.trammel.json");
  const ProcessResult lone =
      trammel_command("describe function/hostile --plugin-path '" + folder.path().string() + "'");
  CHECK(lone.code == 3);
  CHECK(lone.err.find("crashes_at_load.so: has no manifest crashes_at_load.trammel.json beside it") !=
        std::string::npos);
}

TEST_CASE("doctor: exit 0 when all is well, 3 when the type is not there") {
  const ProcessResult fine = trammel_command("doctor level " + good);
  CHECK(fine.code == 0);
  CHECK(fine.out.find("ok       good 1.2.3 (types: 2): ") != std::string::npos);
  CHECK(trammel_command("doctor levle " + good).code == 3);
}
