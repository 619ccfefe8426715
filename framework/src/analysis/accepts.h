// Accepts: what an analysis takes of a model and of the run file, and the one place that refuses the rest.
#pragma once

#include "config/run_file.h"
#include "model/model.h"
#include "results/run_remarks.h"
#include "run/plant/plant.h"

namespace trammel {

/// A row of the table that analyses make, one each.
struct Accepts {
  enum class Stops { all, open, none };           ///< `open`: those that touch at the start are refused
  enum class States { used, refused, stay };      ///< internal ones of forces; `stay`: at their start, with a warning
  enum class Methods { used, unused, reported };  ///< formulation and integrator; `reported`: unused, with a warning

  const char* what = "";  ///< the analysis in messages: "a search for an equilibrium"
  Stops rigid_stops = Stops::all;
  States internal_states = States::used;
  const char* no_states = "";  ///< why they are refused: "depends on the past motion, ..."
  bool at_rest = false;        ///< bodies never move: dry friction and what the last step did mean nothing
  /// Why rows that hold for velocities only are refused: "..., use dynamics"; "": they are used.
  const char* no_velocity_rows = "";
  Methods methods = Methods::unused;
};

/// [setup] Before the start of the model is made. Rigid stops act on the velocities of dynamics only. Throws
/// Error(input) with file, line and path.
void refuse_unaccepted(const Accepts& accepts, const RunFile& run, const Model& model);
/// [setup] At the start: stops that touch; and, as warnings, what is not used.
void refuse_touching_stops(const Accepts& accepts, const RunFile& run, Plant& plant);
void report_unused(const Accepts& accepts, const RunFile& run, const Model& model, RunRemarks& remarks);

}  // namespace trammel
