// How a run starts: the keys of `analysis` that say what the initial state has to be, beside the constraints.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"

namespace trammel {

/// An extra initial condition: it holds at the start only (Haug, Eqs. 7.2.4 and 7.2.5).
struct StartCondition {
  std::string of;  ///< "crank.x", "tip.y", "pin.angle"
  double value;    ///< m or rad; NaN: free
  double rate;     ///< m/s or rad/s; NaN: free
};

/// Weight of the change of one coordinate ("crank.phi") or of all coordinates of a body ("crank").
struct StartWeight {
  std::string of;
  double weight;  ///< > 0; 1 where nothing is said
};

/// What conditions and constraints together have to determine.
enum class Determine : std::int32_t { none, positions, velocities, state };

struct StartOptions {
  double correction_limit = std::numeric_limits<double>::infinity();  ///< m or rad; m/s or rad/s
  bool limit_in_unit = false;  ///< that limit is one of the model's unit of length in place of metres: nobody gave it
  std::vector<StartCondition> conditions;
  std::vector<StartWeight> weights;
  Determine determine = Determine::none;
  bool equilibrium = false;  ///< from the static equilibrium found from there, with the velocities of the run file
  bool assemble = false;     ///< the smallest weighted change, however large; otherwise a correction of rounding

  bool demands() const { return assemble || !conditions.empty() || !weights.empty(); }
};

/// Fills `conditions` and `weights` from the analysis. Names are looked up later, by the model.
void read_start(const Node& analysis, StartOptions& options, Problems& problems);
/// Adds the schemas of those keys to the properties of the analysis.
void add_start_schema(nlohmann::ordered_json& properties);

}  // namespace trammel
