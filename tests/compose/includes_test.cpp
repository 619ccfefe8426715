// Included files: what becomes of the document, and what is refused.
#include "config/includes.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "config/json_source.h"
#include "refusal.h"

using namespace trammel;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / "trammel_includes_test") {
    fs::remove_all(path);
    fs::create_directories(path / "parts");
  }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  Node merged(const std::string& text) const {
    Node document = parse_json(text, (path / "run.json").string());
    merge_includes(document, path / "run.json", path);
    return document;
  }
  std::string refused(const std::string& text) const {
    return refusal([&] { merged(text); }, ErrorKind::input);
  }

  fs::path path;
};

}  // namespace

TEST_CASE("sections of files join, and keep their places") {
  const Folder folder;
  folder.write("a.json", "{ \"include\": \"parts/b.json\",\n  \"parameters\": { \"k\": 1 } }");
  folder.write("parts/b.json", "{ \"system\": { \"bodies\": { \"b\": { \"mass\": 1 } } } }");
  const Node document = folder.merged(R"({ "trammel": 2, "include": "a.json", "system": { "bodies": { "a": {} } } })");
  CHECK(is_composed(document));
  CHECK(document.find("include") == nullptr);
  CHECK(document.find("parameters")->find("k")->place.text() == (folder.path / "a.json").string() + ":2");
  const Node& bodies = *document.find("system")->find("bodies");
  REQUIRE(bodies.members.size() == 2);
  CHECK(folder_of(bodies.find("b")->place, folder.path / "run.json", folder.path) == folder.path / "parts");
  CHECK(folder_of(bodies.find("a")->place, folder.path / "run.json", folder.path) == folder.path);
}

TEST_CASE("a sub-model may be a file, whose own files are beside it") {
  const Folder folder;
  folder.write("parts/leg.json",
               R"({ "trammel": 2, "submodels": { "toe": { "include": "toe.json" } }, "bodies": {} })");
  folder.write("parts/toe.json", R"({ "bodies": { "nail": {} } })");
  const Node document = folder.merged(R"({ "system": { "submodels": { "leg": { "include": "parts/leg.json" } } } })");
  const Node& leg = *document.find("system")->find("submodels")->find("leg");
  CHECK(leg.find("trammel") == nullptr);
  CHECK(leg.find("submodels")->find("toe")->find("bodies")->find("nail") != nullptr);
}

TEST_CASE("what is wrong with includes") {
  const Folder folder;
  folder.write("same.json", R"({ "parameters": { "a": 2 } })");
  CHECK(folder.refused(R"({ "parameters": { "a": 1 }, "include": "same.json" })").find("/parameters/a: stands in") !=
        std::string::npos);
  CHECK(folder.refused(R"({ "include": "none.json" })").find("/include: there is no file 'none.json'") !=
        std::string::npos);
  CHECK(folder.refused(R"({ "include": 3 })").find("must be a file, or an array of files, not 3") != std::string::npos);
  folder.write("self.json", R"({ "include": "self.json" })");
  CHECK(folder.refused(R"({ "include": "self.json" })").find("in a circle: self.json -> self.json") !=
        std::string::npos);
  folder.write("code.json", R"({ "plugins": { "search": ["/"] } })");
  CHECK(folder.refused(R"({ "include": "code.json" })").find("names no plugins") != std::string::npos);
  CHECK(folder.refused(R"({ "units": { "length": "mm" }, "include": "same.json" })").find("have the same 'units'") !=
        std::string::npos);
  folder.write("old.json", R"({ "trammel": 1 })");
  CHECK(folder.refused(R"({ "include": "old.json" })").find("has format 2") != std::string::npos);
}
