// What the plugins found on the search path say they offer, in owning form: read from their sidecar manifests alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/component_kind.h"
#include "trammel/plugin.h"

namespace trammel {

/// One ParameterRecord as text and numbers. Same order as the records of the table, so the two can be zipped.
struct ParameterInfo {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string unit;
  std::string description;
  std::optional<std::string> default_json;  ///< JSON text; none: required, unless `optional`
  double minimum = -no_bound;
  double maximum = no_bound;
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  bool optional = false;
  std::vector<std::string> choices;
  std::int32_t count_min = 0;
  std::int32_t count_max = std::numeric_limits<std::int32_t>::max();
  VectorLength length = VectorLength::host;

  bool operator==(const ParameterInfo&) const = default;
};

/// One ComponentRecord without its functions.
struct ComponentInfo {
  ComponentKind kind = ComponentKind::system;
  Host host = Host::any;
  std::string type;
  std::string summary;
  std::string citation;
  std::vector<ParameterInfo> parameters;
  std::vector<ParameterInfo> body_parameters;

  bool operator==(const ComponentInfo&) const = default;
};

struct UnreadDetails;

/// One plugin: a library and the sidecar manifest beside it.
struct PluginInfo {
  std::string id;
  std::string version;
  std::string licence;
  std::string abi_tag;   ///< lines "field=value"
  std::string build_id;  ///< hexadecimal, as in the library's GNU build-id note
  std::uint32_t interface_epoch = 0;
  std::uint32_t sdk_minor = 0;
  std::vector<ComponentInfo> components;
  std::filesystem::path library;  ///< not part of the manifest: where the host found it
  /// Of a manifest whose components are known by kind, host and type only: `read_details` (manifest_reader.h) does the
  /// rest. Everything that a Catalogue hands out has been read.
  std::shared_ptr<UnreadDetails> unread;
};

/// All component types that can be loaded. Pointers stay valid as long as the PluginHost that owns the catalogue.
class Catalogue {
 public:
  struct Entry {
    const PluginInfo* plugin;
    const ComponentInfo* component;
    const std::string* withheld = nullptr;  ///< why the plugin is not loaded, a whole message; nullptr: it may be
  };

  /// Sorted by kind, host, type; each (kind, host, type) once. Throws Error(plugin) as all of these do: a manifest that
  /// is broken behind its list of types.
  const std::vector<Entry>& entries() const;

  /// The type as a model of this host sees it: an element made for the host, else one for any host. For systems the
  /// host is not looked at. nullptr if there is none.
  const Entry* find(ComponentKind kind, Host host, std::string_view type) const;

  /// Everything that `find` could find for this kind and host, sorted by type.
  std::vector<const Entry*> available(ComponentKind kind, Host host) const;

  /// The available type whose spelling is nearest to `type`, or "" if none is near.
  std::string nearest(ComponentKind kind, Host host, std::string_view type) const;

  /// [setup] Used by the host; entries in any order, no duplicates.
  explicit Catalogue(std::vector<Entry> entries = {});

 private:
  const Entry* look_up(ComponentKind kind, Host host, std::string_view type) const;
  std::vector<const Entry*> look_up_all(ComponentKind kind, Host host) const;

  std::vector<Entry> entries_;
};

/// Word of a ParameterType in manifests, `describe` and messages ("number", "vector", ...), and back.
const char* parameter_type_name(ParameterType type);
std::optional<ParameterType> parameter_type_from_name(std::string_view name);
std::optional<ComponentKind> component_kind_from_name(std::string_view name);
std::optional<Host> host_from_name(std::string_view name);

/// Owning copies of the plain records of a checked descriptor.
std::vector<ParameterInfo> parameter_infos(const ParameterTable& table);
ComponentInfo component_info(const ComponentRecord& record);

}  // namespace trammel
