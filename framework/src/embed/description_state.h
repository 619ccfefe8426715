// What a RunDescription holds. Shared with Simulation, which runs it.
#pragma once

#include "config/node.h"
#include "trammel/run_description.h"

namespace trammel {

struct RunDescription::State {
  std::string name;
  std::filesystem::path folder;  ///< empty: the current one
  Node document;
};

}  // namespace trammel
