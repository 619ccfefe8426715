// Mobility of a model at its state: freedoms, redundant constraints, loose bodies, motions without stiffness.
#pragma once

#include <string>
#include <vector>

#include "model/rank_report.h"

namespace trammel {

/// A motion of the linearized mechanism against which no force acts.
struct ZeroMode {
  std::string coordinate;  ///< that moves most
};

struct Mobility {
  Index bodies, coordinates, rows, redundant;
  Index degrees_of_freedom;  ///< of velocity
  Index velocity_rows;       ///< of the rows, those that hold for velocities only
  Index position_freedoms;   ///< more than those of velocity where there are such rows
  std::vector<RedundantSet> sets;
  Index nearby_redundant;  ///< after a small admissible motion; less where the state is singular
  std::vector<std::vector<std::string>> floating;  ///< groups of bodies that no chain of constraints joins to ground
  std::vector<std::string> untouched;              ///< bodies that no constraint and no force acts on
  std::string modes_unknown;                       ///< why the modes were not computed, or ""
  std::vector<ZeroMode> zero_modes;
  Index unstable_modes;  ///< with negative stiffness
};

/// [setup] At a consistent state; the model is left at it, with the same choice of rows.
Mobility analyse_mobility(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z);
/// A few lines for people.
std::string to_text(const Mobility& mobility);

}  // namespace trammel
