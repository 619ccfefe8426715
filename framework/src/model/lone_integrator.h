// An integrator without a run around it: what it says of itself.
#pragma once

#include "model/component.h"

namespace trammel {

/// [setup] Of a section `integrator`, whose keys of step control are passed over. Throws as make_component does.
Component lone_integrator(const RunFile& run, const Section& section, PluginHost& host);

}  // namespace trammel
