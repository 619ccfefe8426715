// Events that a run file asks for: the key `events` of `analysis`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/event_effect.h"
#include "config/problems.h"
#include "config/resolve.h"
#include "config/set_argument.h"
#include "trammel/extensions/event.h"

namespace trammel {

/// What a run file wants to happen where a formula passes zero.
struct RunEvent {
  std::string name;
  std::string when;  ///< formula of columns and t, the run file's parameters replaced by their values
  EventDirection direction = EventDirection::both;
  EventEffect effect = EventEffect::record;  ///< not `impact`
  std::vector<Setting> set;                  ///< paths below `system`: "forces.spring.stiffness"
  Place place;                               ///< of the formula
  std::string path;                          ///< JSON path of the event
};

/// Reads `analysis.events`; what is wrong that can be told without plugins goes to `problems`.
void read_events(const Node& analysis, const ParameterValues& parameters, std::vector<RunEvent>& events,
                 Problems& problems);
/// Adds the schema of the key to the properties of the analysis.
void add_events_schema(nlohmann::ordered_json& properties);

/// The parts of "forces.spring.stiffness".
struct ForceKey {
  std::string force, key;
};
ForceKey split_force_key(const std::string& path);

}  // namespace trammel
