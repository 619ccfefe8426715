// StaticReport: what an equilibrium and its modes were; part of summary.json, and files of their own.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/modes.h"
#include "record/equilibrium_report.h"

namespace trammel {

struct StaticReport {
  bool equilibrium_sought = false, equilibrium_found = false;
  std::string method;  ///< "minimum_potential (dfp)"
  EquilibriumReport search;
  long evaluations = 0;
  double potential = 0;  ///< J, where it is known
  bool potential_known = false;
  double settling_time = 0;  ///< s
  Stability stability;
  bool stability_known = false;

  bool modes_taken = false;
  LinearModel linear;
  std::vector<Mode> modes;

  /// "stable", "equilibrium" and "modes" of summary.json.
  void add_to(nlohmann::ordered_json& summary) const;
  /// A line or two for people.
  std::string to_text() const;
  /// modes.csv and mode_shapes.csv; with `matrices` state_matrix.csv and output_matrix.csv, too. Throws Error(compute).
  void write_modes(const ConstrainedModel& model, const std::filesystem::path& folder, bool matrices) const;
};

}  // namespace trammel
