// Static validation of a run file against what the plugins' manifests say; no plugin code is loaded.
#pragma once

#include "config/problems.h"
#include "config/run_file.h"
#include "plugin/catalogue.h"

namespace trammel {

/// Adds everything wrong to `problems`: types that do not exist for the model's host (of kind `plugin`), illegal or
/// missing keys, values of wrong type or out of bounds, references that lead nowhere, unknown output channels. Whether
/// formulation and integrator fit each other only the kernel can tell.
void validate(const RunFile& run, const Catalogue& catalogue, Problems& problems);

/// Throws Error if anything is wrong; `search_trace` (PluginHost) is appended where types are missing.
void require_valid(const RunFile& run, const Catalogue& catalogue, const std::string& search_trace);

/// Host of the model: that of the system's type, `any` for systems without bodies or of unknown type.
Host model_host(const RunFile& run, const Catalogue& catalogue);

}  // namespace trammel
