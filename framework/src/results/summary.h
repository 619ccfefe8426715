// Summary: what a run was and how it went; written atomically as summary.json.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/rank_report.h"
#include "plugin/catalogue.h"
#include "record/assembly_report.h"
#include "record/check_results.h"
#include "record/declared_names.h"
#include "record/model_drawing.h"
#include "record/statistics.h"
#include "results/static_report.h"
#include "trammel/host/run_status.h"

namespace trammel {

/// The largest of the whole run, at steps and rows: norms of the constraints and their derivatives, of the equations of
/// motion's residual, J of energy.
struct RunMaxima {
  double constraint_position = 0, constraint_velocity = 0, constraint_acceleration = 0, multiplier_residual = 0,
         energy_drift = 0, energy_exchanged = 0, energy_drift_relative = 0;
};

struct Summary {
  RunStatus status = RunStatus::completed;
  std::string message;     ///< why it failed or stopped, or ""
  bool by_plugin = false;  ///< a plugin's fault
  std::string title;
  std::string run_json;  ///< resolved run file
  std::vector<const PluginInfo*> plugins;
  struct Dimensions {
    long bodies = 0, coordinates = 0, constraints = 0, redundant = 0, degrees_of_freedom = 0;
  } dimensions;
  Statistics statistics;
  const ToleranceResult* tolerance_check = nullptr;              ///< of a finished run with loose tolerances
  const FixedStepResult* fixed_step_check = nullptr;             ///< of a finished run with fixed steps
  std::vector<std::pair<std::string, long>> formulation_counts;  ///< beside `statistics`
  std::vector<std::string> independent;                          ///< coordinates, where the formulation parts them
  std::string step_rule;      ///< what steps follow where it is not the tolerances, else ""
  std::string linear_solver;  ///< "" for problems without bodies
  struct Timing {
    double setup_s = 0, solve_s = 0, output_s = 0;
  } timing;
  /// Nothing wider than `width`, s, in the functions of time was passed over.
  struct TimeScan {
    double width = 0;
    long functions = 0;
  } time_scan;
  double final_t = 0;
  bool over_time = true;  ///< false: final_t means nothing
  std::vector<std::pair<std::string, double>> final_channels;
  RunMaxima max;
  std::vector<RedundantSet> redundant;
  AssemblyReport assembly;                ///< written where the start was assembled
  const StaticReport* statics = nullptr;  ///< of equilibrium and modes
  ModelDrawing drawing;
  DeclaredNames names;
  std::vector<std::string> warnings;
  std::vector<std::string> predictions;
  std::string note;  ///< the integrator's, or ""

  /// A warning of what is to be expected, which the check of fixed steps may refute; "" is none.
  void predict(const std::string& warning);
  /// Takes back the predictions that did not come true, and says so in `note`.
  void withdraw_predictions();

  std::string to_json() const;
  /// The same for people, in a few lines.
  std::string to_text() const;
  std::string method;  ///< "dopri5 under projection"
  /// Through a temporary file beside it and a rename. Throws Error(compute).
  void write(const std::filesystem::path& file) const;
};

}  // namespace trammel
