// Which formulations give an integrator the view that it needs: for messages.
#pragma once

#include <string>

#include "model/component.h"
#include "model/model.h"
#include "trammel/integrator.h"

namespace trammel {

/// [setup] "'baumgarte', 'projection'": of the installed ones, made with their defaults to see what they offer.
std::string formulations_for(PluginHost& host, const RunFile& run, Model& model, ViewKind view);
/// [setup] The same of those whose first-order view carries rows that hold for velocities only.
std::string formulations_with_velocity_rows(PluginHost& host, const RunFile& run, Model& model);

}  // namespace trammel
