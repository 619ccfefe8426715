// What a plugin library exports: one symbol, a plain-C descriptor, checked field by field before anything else.
#pragma once

#include <cstdint>

#include "trammel/parameters.h"

namespace trammel {

/// Changes when any interface header changes incompatibly; a plugin of another epoch is refused. The rules:
/// docs/abi.md.
inline constexpr std::uint32_t interface_epoch = 2;
/// Grows when extensions or enumerators are added; records and virtual functions stay. A plugin may be older than the
/// kernel, not newer.
inline constexpr std::uint32_t sdk_minor = 0;
/// The minor that a plugin says it needs. Compile with TRAMMEL_TARGET_MINOR=<n> to ask for an earlier one than these
/// headers have: what came later is not declared then, so that the plugin runs with every Trammel from that minor on.
/// Additions of minor k stand in `#if !defined(TRAMMEL_TARGET_MINOR) || TRAMMEL_TARGET_MINOR >= k`.
#ifdef TRAMMEL_TARGET_MINOR
inline constexpr std::uint32_t target_minor = TRAMMEL_TARGET_MINOR;
static_assert(target_minor <= sdk_minor, "TRAMMEL_TARGET_MINOR asks for more than these headers have");
#else
inline constexpr std::uint32_t target_minor = sdk_minor;
#endif
/// "TRAMMEL" and a format digit, little endian.
inline constexpr std::uint64_t descriptor_magic = 0x314c454d4d415254ull;
/// Name of the one exported symbol, of type `const PluginDescriptor`.
inline constexpr const char* descriptor_symbol = "trammel_plugin";

/// Which models an element fits. Systems say with it which elements they host; everything else is `any`.
enum class Host : std::int32_t { any, planar, spatial };

/// What a component may ask of the model while it is created. Implemented by the kernel; see model_info.h.
class ModelInfo;
struct Refusal;

/// One component type. Plain data with static storage in the plugin.
struct ComponentRecord {
  std::uint32_t struct_size;  ///< sizeof(ComponentRecord) as the plugin saw it
  Host host;
  const char* kind;      ///< id of the interface that `create` returns: "trammel.force/1" (ForceElement::kind_id)
  const char* type;      ///< [vendor.]snake_case
  const char* summary;   ///< one sentence, for lists and reference pages
  const char* citation;  ///< source of the equations, "" if there is none
  ParameterTable parameters;
  ParameterTable body_parameters;  ///< systems that host bodies: the keys of each body; otherwise empty
  /// [setup] Creates the component from its filled parameter struct, which stays valid and in place until `destroy`.
  /// Returns a pointer to the interface class of the kind (System, Constraint, ...), or nullptr and why. Never throws.
  void* (*create)(const void* parameters, const ModelInfo* model, Refusal* refusal);
  /// Ends it. Never throws.
  void (*destroy)(void* component);
};

struct PluginDescriptor {
  std::uint64_t magic;
  std::uint32_t struct_size;
  std::uint32_t interface_epoch;
  std::uint32_t sdk_minor;
  std::uint32_t component_count;
  const char* abi_tag;  ///< see abi_tag.h: lines "field=value"
  const char* id;       ///< also the file's name: <id>.so beside <id>.trammel.json
  const char* version;
  const char* licence;  ///< SPDX
  const ComponentRecord* components;
};

constexpr const char* host_name(Host host) {
  constexpr const char* names[] = {"any", "planar", "spatial"};
  return names[static_cast<int>(host)];
}

}  // namespace trammel
