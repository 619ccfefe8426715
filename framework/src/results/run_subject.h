// RunSubject: what a run was of - run file, plugins, sizes of the model - and the methods that solved it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel {

/// "dimensions" of summary.json.
struct Dimensions {
  long bodies = 0, coordinates = 0, constraints = 0, redundant = 0, degrees_of_freedom = 0;
  long velocity_rows = 0;  ///< of the constraints, those that hold for velocities only; written where there are some

  void add_to(nlohmann::ordered_json& summary) const;
  std::string to_text() const;
};

/// "plugins" and "dimensions" of summary.json.
struct RunSubject {
  std::string title;
  std::vector<const PluginInfo*> plugins;
  Dimensions dimensions;

  void add_to(nlohmann::ordered_json& summary) const;
  std::string to_text() const;
};

/// Why the program took the methods, where it chose: "method_choice" of summary.json.
struct MethodReason {
  std::string formulation, integrator;  ///< types; "": none
  std::string reason;                   ///< "": nothing was chosen
  std::string text;                     ///< both sections, to paste into the run file

  void add_to(nlohmann::ordered_json& summary) const;
  /// Lines below the one that names the methods.
  std::string to_text() const;
};

/// "independent", "step_rule", "linear_solver", "linear_solver_plugin" and "rank_watch" of summary.json, where there are
/// any.
struct MethodsUsed {
  std::string name;                      ///< "dopri5 under projection"
  MethodReason choice;                   ///< where the program chose
  std::vector<std::string> independent;  ///< coordinates, where the formulation parts them
  std::string step_rule;                 ///< what steps follow where it is not the tolerances, else ""
  std::string linear_solver;             ///< its type, "" for problems without bodies
  std::string linear_solver_plugin;
  bool watches_rank = false;  ///< the solver measures at every evaluation how near rows are to being dependent

  void add_to(nlohmann::ordered_json& summary) const;
  /// `note`: the integrator's, or "".
  std::string to_text(const std::string& note) const;
};

}  // namespace trammel
