// Warnings about what coordinates count from: files of format 1, and drawings that assembly moved.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"
#include "model/constrained_model.h"
#include "model/model.h"
#include "record/assembly_report.h"

namespace trammel {

/// [setup] Of a run file of format 1: one warning that names every coordinate which the newest format counts from
/// elsewhere, and by how much; none if there is no such coordinate.
std::vector<std::string> format_warnings(const RunFile& run, const Model& model);

/// [setup] At the start: drivers whose coordinate is zero in the drawing, where assembly moved anything; where the drawing
/// is a sketch, which joints do not fit, the other coordinates that count from it and are asked for, and joints whose axes
/// assembly left opposed; and drivers in space that start more than half a turn from the drawing.
std::vector<std::string> sketch_warnings(const RunFile& run, const Model& model, const ConstrainedModel& numbers,
                                         const AssemblyReport& assembly);

}  // namespace trammel
