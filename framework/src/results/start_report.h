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

  /// A coordinate of a joint, driver or spring: what it counts from, and its values.
  struct Zero {
    std::string coordinate;  ///< "hinge.angle"
    const char* from;        ///< zero_name
    double drawn, start;     ///< in the drawing, and at the assembled start
  };
  std::vector<Zero> zeros;  ///< of the first thousand coordinates
  void note_zero(Zero zero);

  long redundant_rows() const;
  /// "coordinates" of summary.json, where the model has some.
  void add_zeros_to(nlohmann::ordered_json& summary) const;
  /// "assembly" of summary.json, where the start was assembled.
  void add_assembly_to(nlohmann::ordered_json& summary) const;
  /// "redundant" of summary.json.
  void add_redundant_to(nlohmann::ordered_json& summary) const;
  /// For people: assembly, where it was asked for, and the coordinates that count from the drawing.
  std::string to_text() const;
  /// "  Zero       in the drawing: hinge.angle, spring.angle", or "".
  std::string zeros_to_text() const;
};

}  // namespace trammel
