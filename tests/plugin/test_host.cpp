// The plugin host with well-behaved plugins: catalogue without loading, lookup, errors thrown by plugin code.
#include <doctest/doctest.h>

#include <functional>

#include "model/no_model.h"
#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "plugin/host.h"
#include "plugin/manifest.h"
#include "plugin/manifest_reader.h"
#include "trammel/error.h"
#include "trammel/function.h"

using namespace trammel;

namespace {

const std::filesystem::path fixtures = TRAMMEL_FIXTURES;

/// The layout of the fixture's parameter struct (fixtures/good.cpp).
struct LevelParameters {
  double value;
  std::int32_t mood;
  double direction[3];
  double low, high;
};

std::string message_of(const std::function<void()>& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL("no trammel::Error was thrown");
  return "";
}

}  // namespace

TEST_CASE("the catalogue comes from manifests alone") {
  const PluginHost host({{fixtures / "good", "test"}});
  REQUIRE(host.catalogue().entries().size() == 2);
  const Catalogue::Entry* entry = host.catalogue().find(ComponentKind::function, Host::planar, "level");
  REQUIRE(entry != nullptr);
  CHECK(entry->plugin->id == "good");
  CHECK(entry->plugin->version == "1.2.3");
  const std::vector<ParameterInfo>& parameters = entry->component->parameters;
  REQUIRE(parameters.size() == 5);
  CHECK(parameters[0].minimum == -10);
  CHECK(parameters[0].exclusive_minimum);
  CHECK_FALSE(parameters[0].default_json.has_value());
  CHECK(parameters[1].choices == std::vector<std::string>{"calm", "angry"});
  CHECK(parameters[2].length == VectorLength::three);
  CHECK(parameters[4].default_json == "=low");
  CHECK(host.loaded().empty());
  CHECK(host.warnings().empty());
}

TEST_CASE("a type is loaded when it is asked for, and works") {
  PluginHost host({{fixtures / "good", "test"}});
  const LoadedComponent level = host.find(ComponentKind::function, Host::any, "level");
  REQUIRE(host.loaded().size() == 1);
  CHECK(level.record->parameters.count == 5);
  // The embedded group's offsets are those of the outer struct.
  CHECK(level.record->parameters.records[4].offset == offsetof(LevelParameters, high));
  const LevelParameters parameters{3, 0, {}, 0, 0};
  auto* function =
      static_cast<Function*>(create_component(*level.record, level.plugin->id, "", &parameters, no_model()));
  double value[2] = {};
  CHECK(function->evaluate(0, 1, value).ok());
  CHECK(value[0] == 3);
  level.record->destroy(function);
  host.find(ComponentKind::function, Host::any, "zero");
  CHECK(host.loaded().size() == 1);
}

TEST_CASE("what a constructor throws comes across the library boundary as a refusal, and is named") {
  PluginHost host({{fixtures / "good", "test"}});
  const LoadedComponent level = host.find(ComponentKind::function, Host::any, "level");
  const auto create = [&](double value, std::int32_t mood) {
    const LevelParameters parameters{value, mood, {}, 0, 0};
    create_component(*level.record, level.plugin->id, "spring", &parameters, no_model());
  };
  try {
    create(1, 1);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK(error.key() == "mood");
    CHECK(std::string(error.what()) == "angry is not a mood to work in");
  }
  CHECK(message_of([&] { create(7, 0); }, ErrorKind::plugin) ==
        "plugin 'good', 'spring', create: the plugin threw: seven");
  CHECK(message_of([&] { create(8, 0); }, ErrorKind::plugin) ==
        "plugin 'good', 'spring', create: the plugin threw something that is not a std::exception");
  CHECK(breadcrumb.plugin.load() == nullptr);
}

TEST_CASE("a type that is not there: nearest name, other kinds, search trace") {
  PluginHost host({{fixtures / "nowhere", "plugins.search"}, {fixtures / "good", "--plugin-path"}});
  const std::string trace = "\nsearched, in this order:\n  " + (fixtures / "nowhere").string() +
                            " (plugins.search): no such folder\n  " + (fixtures / "good").string() +
                            " (--plugin-path): 1 plugin";
  CHECK(message_of([&] { host.find(ComponentKind::function, Host::any, "levle"); }, ErrorKind::plugin) ==
        "no plugin offers a function of type 'levle'; did you mean 'level'?" + trace);
  CHECK(message_of([&] { host.find(ComponentKind::integrator, Host::any, "level"); }, ErrorKind::plugin) ==
        "no plugin offers an integrator of type 'level'; there is a function of this name" + trace);
  CHECK(message_of([&] { host.find(ComponentKind::force, Host::planar, "unheard_of"); }, ErrorKind::plugin) ==
        "no plugin offers a force of type 'unheard_of' for planar models" + trace);
  REQUIRE(host.warnings().size() == 1);
  CHECK(host.warnings()[0] == (fixtures / "nowhere").string() + ": plugin folder does not exist (plugins.search)");
}

TEST_CASE("an element made for the host wins over one for any host") {
  const ComponentInfo any{ComponentKind::force, Host::any, "wind", "", "", {}, {}};
  const ComponentInfo planar{ComponentKind::force, Host::planar, "wind", "", "", {}, {}};
  const PluginInfo plugin;
  const Catalogue catalogue({{&plugin, &planar}, {&plugin, &any}});
  CHECK(catalogue.find(ComponentKind::force, Host::planar, "wind")->component == &planar);
  CHECK(catalogue.find(ComponentKind::force, Host::spatial, "wind")->component == &any);
  CHECK(catalogue.available(ComponentKind::force, Host::planar).size() == 1);
  CHECK(catalogue.nearest(ComponentKind::force, Host::spatial, "wnid") == "wind");
}

TEST_CASE("a manifest read back is what was written") {
  const PluginInfo plugin = read_manifest(fixtures / "good" / "good.trammel.json");
  CHECK(manifest_difference(plugin, plugin).empty());
  PluginInfo other = plugin;
  other.components[0].parameters[0].maximum = 9;
  CHECK(manifest_difference(plugin, other) ==
        "/components/0/parameters/0/maximum is 10.0 in the manifest, 9.0 in the library");
}
