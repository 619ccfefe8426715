// RunFigures: what summary.json says but for its long parts, for studies that run many cases.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel {

struct RunFigures {
  /// Without the run file, the drawing, what the model and its columns are called, and plugins.
  nlohmann::ordered_json summary;
  std::vector<const PluginInfo*> plugins;  ///< that the run loaded; they live as long as the simulation
};

}  // namespace trammel
