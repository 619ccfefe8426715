// StartReport: how a run's start was assembled, and which constraints repeat others there.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/rank_report.h"
#include "record/assembly_report.h"

namespace trammel {

struct StartReport {
  AssemblyReport assembly;
  std::vector<RedundantSet> redundant;

  long redundant_rows() const;
  /// "assembly" of summary.json, where the start was assembled.
  void add_assembly_to(nlohmann::ordered_json& summary) const;
  /// "redundant" of summary.json.
  void add_redundant_to(nlohmann::ordered_json& summary) const;
  /// A line for people, where assembly was asked for.
  std::string to_text() const;
};

}  // namespace trammel
