// The search: order, shadowing, twins in one folder, manifests missing or broken.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "manifest_for.h"
#include "plugin/found_plugins.h"
#include "plugin/manifest_reader.h"

using namespace trammel;

namespace {

const std::filesystem::path fixtures = TRAMMEL_FIXTURES;

const Catalogue::Entry& zero_of(const PluginHost& host) {
  const Catalogue::Entry* entry = host.catalogue().find(ComponentKind::function, Host::any, "zero");
  REQUIRE(entry != nullptr);
  return *entry;
}

}  // namespace

TEST_CASE("the same type twice in one folder is an error that names both files") {
  try {
    const PluginHost host({{fixtures / "twins", "test"}});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::plugin);
    CHECK(error.what() == (fixtures / "twins/twin_b.so").string() + ": offers function 'zero', and so does " +
                              (fixtures / "twins/twin_a.so").string() + " in the same folder; remove one of them");
  }
}

TEST_CASE("the same type in two folders: the first wins, with a warning") {
  const std::string good = fixtures / "good/good.so", other = fixtures / "second_folder/other_zero.so";
  const PluginHost forward({{fixtures / "good", "a"}, {fixtures / "second_folder", "b"}});
  CHECK(zero_of(forward).plugin->library == good);
  CHECK(forward.warnings() == std::vector<std::string>{other + ": its function 'zero' is not used, " + good +
                                                       " comes first in the search order"});
  const PluginHost backward({{fixtures / "second_folder", "b"}, {fixtures / "good", "a"}});
  CHECK(zero_of(backward).plugin->library == other);
  CHECK(backward.catalogue().find(ComponentKind::function, Host::any, "level") != nullptr);
}

TEST_CASE("the same plugin id in two folders: the first wins as a whole") {
  const std::string good = fixtures / "good/good.so", again = fixtures / "third_folder/good.so";
  const PluginHost host({{fixtures / "third_folder", "a"}, {fixtures / "good", "b"}});
  CHECK(zero_of(host).plugin->version == "9.9.9");
  CHECK(host.catalogue().find(ComponentKind::function, Host::any, "level") == nullptr);
  CHECK(host.warnings() ==
        std::vector<std::string>{good + ": not used, " + again + " comes first in the search order"});
}

TEST_CASE("a folder named twice is searched once") {
  const PluginHost host({{fixtures / "good", "a"}, {fixtures / "good" / ".", "b"}});
  CHECK(host.warnings().empty());
}

TEST_CASE("subfolders are not searched") {
  const PluginHost host({{fixtures, "test"}});
  CHECK(host.catalogue().entries().empty());
}

TEST_CASE("missing and broken manifests are warned of, and the plugin is left out") {
  const TemporaryFolder folder;
  const std::filesystem::path library = place("acceptable", folder.path());
  const std::filesystem::path manifest = manifest_path(library);
  const std::string honest = text_of(manifest);
  const auto warning = [&] {
    const PluginHost host({{folder.path(), "test"}});
    CHECK(host.catalogue().entries().empty());
    REQUIRE(host.warnings().size() == 1);
    return host.warnings()[0];
  };
  write_text(manifest, honest.substr(0, honest.size() / 2));
  CHECK(warning().starts_with(manifest.string() + ": is not a plugin manifest ("));
  write_text(manifest, "{}");
  CHECK(warning() == manifest.string() + ": is not a plugin manifest of version 1; plugin left out");
  std::filesystem::remove(manifest);
  std::filesystem::create_directory(manifest);
  CHECK(warning() == manifest.string() + ": cannot be read; plugin left out");
  std::filesystem::remove(manifest);
  CHECK(warning() == library.string() +
                         ": has no manifest acceptable.trammel.json beside it, hence is not looked at; "
                         "'trammel-sidecar " +
                         library.string() + "' writes it");
  std::filesystem::remove(library);
  write_text(manifest, honest);
  CHECK(warning() == manifest.string() + ": there is no acceptable.so beside it; plugin left out");
}

TEST_CASE("what is broken behind the list of types is told by who uses it, and hurts nobody else") {
  const TemporaryFolder folder;
  const std::filesystem::path library = place("acceptable", folder.path());
  const std::filesystem::path manifest = manifest_path(library);
  const std::string honest = text_of(manifest);
  const PluginInfo plugin = read_manifest(manifest);
  const ComponentInfo& first = plugin.components.at(0);
  const auto used = [&](const std::string& text) -> std::string {
    write_text(manifest, text);
    PluginHost host({{folder.path(), "test"}, {fixtures / "good", "other"}});
    CHECK(host.warnings().empty());
    CHECK(zero_of(host).plugin->library == fixtures / "good/good.so");
    try {
      host.find(first.kind, first.host, first.type);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::plugin);
      return error.what();
    }
    return "accepted";
  };
  CHECK(used(honest) == "accepted");
  const std::size_t components = honest.find("\"components\"");
  REQUIRE(components != std::string::npos);
  CHECK(used(honest.substr(0, components) + "}").starts_with(manifest.string() + ": is not a plugin manifest ("));
  std::string renamed = honest;
  renamed.replace(honest.rfind("\"" + first.type + "\""), first.type.size() + 2, "\"renamed\"");
  CHECK(used(renamed) ==
        manifest.string() + ": its \"offers\" are not its components; run 'trammel-sidecar " + library.string() + "'");
  std::string without = honest;
  const std::size_t offers = honest.find(" \"offers\"");
  without.erase(offers, honest.find(" \"abi_tag\"") - offers);
  CHECK(used(without) == "accepted");
}

TEST_CASE("a process remembers what a search found, until something changes there") {
  namespace fs = std::filesystem;
  // Changes of the last seconds are not relied on: the clocks of file systems are coarse.
  const auto settle = [] { std::this_thread::sleep_for(std::chrono::milliseconds(3100)); };
  const TemporaryFolder folder;
  const fs::path library = place("acceptable", folder.path()), manifest = manifest_path(library);
  const std::vector<SearchFolder> folders = {{folder.path(), "test"}};
  CHECK(find_plugins(folders) != find_plugins(folders));  // just written
  settle();
  const auto found = find_plugins(folders);
  CHECK(find_plugins(folders) == found);
  CHECK(found->plugins.size() == 1);
  CHECK(find_plugins({{folder.path(), "another"}}) != found);
  const ComponentInfo first = read_manifest(manifest).components.at(0);
  const auto loaded = [&] {
    PluginHost host({{folder.path(), "test"}});
    return host.find(first.kind, first.host, first.type).record;
  };
  const ComponentRecord* record = loaded();
  CHECK(loaded() == record);
  // A manifest of the same size and age with other content.
  const std::string honest = text_of(manifest);
  const auto age = fs::last_write_time(manifest);
  std::string other = honest;
  const std::size_t version = other.find("\"version\": \"") + 12;
  other[version] = other[version] == '9' ? '8' : '9';
  write_text(manifest, other);
  fs::last_write_time(manifest, age);
  CHECK(find_plugins(folders)->plugins.at(0)->version != found->plugins.at(0)->version);
  write_text(manifest, honest);
  // One plugin less.
  settle();
  const auto before = find_plugins(folders);
  CHECK(find_plugins(folders) == before);
  fs::rename(manifest, folder.path() / "elsewhere");
  CHECK(find_plugins(folders)->plugins.empty());
  fs::rename(folder.path() / "elsewhere", manifest);
  CHECK(find_plugins(folders)->plugins.size() == 1);
  // A library that was written since it was checked is looked at again.
  settle();
  CHECK(loaded() == record);
  CHECK(loaded() == record);
  fs::rename(library, folder.path() / "elsewhere");
  write_text(library, "no library");
  CHECK_THROWS_AS(loaded(), Error);
}

TEST_CASE("search order: run file, command line, environment, beside libtrammel") {
  setenv("TRAMMEL_PLUGIN_PATH", "/c::/d", 1);
  const std::vector<SearchFolder> folders = search_folders({"/a"}, {{"/b"}});
  unsetenv("TRAMMEL_PLUGIN_PATH");
  REQUIRE(folders.size() == 5);
  CHECK(folders[0].path == "/a");
  CHECK(folders[0].origin == "plugins.search");
  CHECK(folders[1].path == "/b");
  CHECK(folders[1].origin == "--plugin-path");
  CHECK(folders[2].path == "/c");
  CHECK(folders[3].path == "/d");
  CHECK(folders[3].origin == "TRAMMEL_PLUGIN_PATH");
  CHECK(folders[4].path == std::filesystem::path(TRAMMEL_BUILD_DIR) / "lib/trammel/plugins");
  CHECK(folders[4].origin == "beside libtrammel");
}
