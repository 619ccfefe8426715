// The default channels of analyses that show what drivers and supports bring about.
#pragma once

#include <string>
#include <vector>

#include "model/assembly.h"

namespace trammel {

struct OwnerChannels {
  bool accelerations = false, reactions = false;
};

/// Bodies and points, then joints, then what all runs have.
std::vector<std::string> owner_channels(const Assembly& assembly, OwnerChannels wanted);

}  // namespace trammel
