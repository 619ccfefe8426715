// One case of a study, run in this process.
#pragma once

#include <filesystem>
#include <vector>

#include "plugin/search_folder.h"
#include "study/study_file.h"
#include "trammel/host/simulation.h"

namespace trammel {

/// Runs the case, takes its metrics, and writes results and case.json into `folder` (DIR of the study). The case's
/// failure is part of its record; the return value is the exit code that tells it. Throws Error if nothing can be
/// written.
int run_case(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
             const PluginSearch& plugins, RunObserver* observer);

}  // namespace trammel
