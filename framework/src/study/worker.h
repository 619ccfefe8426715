// A worker process of a study: runs the cases whose numbers it is told.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "plugin/search_folder.h"
#include "study/study_file.h"
#include "trammel/host/simulation.h"

namespace trammel {

/// What a worker process does until its standard input ends; the other side is WorkerProcesses. `parent`: the process that
/// it must not outlive. The observer may interrupt. Returns the exit code.
int serve_cases(const StudyFile& study, const std::filesystem::path& folder, const PluginSearch& plugins, pid_t parent,
                RunObserver& observer);

/// Bounds the address space of this process, in bytes; 0: no bound.
void limit_memory(double bytes);

}  // namespace trammel
