// "[KIND/][HOST/]TYPE" as `describe` and `doctor` read it.
#pragma once

#include <string>
#include <vector>

#include "plugin/host.h"

namespace trammel::cli {

/// All entries of the catalogue that match. Throws Error(plugin), with the nearest name and the search trace, if there
/// is none, Error(usage) if a word before a slash is neither a kind nor a host.
std::vector<Catalogue::Entry> entries_matching(const PluginHost& host, const std::string& query);

}  // namespace trammel::cli
