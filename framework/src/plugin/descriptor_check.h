// The checks of a plugin's plain-C descriptor, made before anything else of the plugin is touched.
#pragma once

#include <string>
#include <string_view>

#include "trammel/plugin.h"

namespace trammel {

/// What is wrong with the descriptor, naming the differing field and both values; "" if it can be trusted. Reads the
/// fields in the order in which they become trustworthy: magic, struct_size, interface_epoch, sdk_minor, abi_tag, then
/// texts, component records and parameter tables. `file_id` is the library's file name without ".so".
std::string descriptor_fault(const PluginDescriptor& descriptor, std::string_view file_id);

/// The same for the few fields that a manifest repeats, so that a foreign plugin is refused before its code is loaded.
std::string abi_fault(std::uint32_t epoch, std::uint32_t minor, std::string_view plugin_abi_tag);

/// [vendor.]snake_case, as type ids and plugin ids are written.
bool is_type_id(std::string_view text);

}  // namespace trammel
