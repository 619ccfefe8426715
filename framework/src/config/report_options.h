// The run file's `report` section: how the page of the results is set up at first. Nothing of a run depends on it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"

namespace trammel {

/// A channel that a diagram or a label names; the columns of the results are known later.
struct ReportChannel {
  std::string name;
  Place place;
  std::string path;
};

/// Names that a view may follow and trace.
struct ReportNames {
  std::vector<std::string> bodies, points;
};

/// Checks the section; everything wrong is added to `problems`. Returns the channels it names.
std::vector<ReportChannel> check_report(const Node& report, const ReportNames& names, Problems& problems);

/// Of a run file whose section is right, if it has one: throws Error(input) if a channel is none of the columns
/// `recorded`, with the nearest of those `available`; where it is one of them, the message says how it gets recorded.
void check_report_channels(const Node& document, const std::vector<std::string>& recorded,
                           const std::vector<std::string>& available);

/// The section's schema.
nlohmann::ordered_json report_schema();

}  // namespace trammel
