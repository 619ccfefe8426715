// What `trammel study` and `trammel-mpi study` share: options, and a study from its file to its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/plugin_options.h"
#include "study/engine.h"
#include "study/study.h"

namespace trammel::cli {

struct StudyArguments : PluginOptions {
  std::filesystem::path file, folder;
  int jobs = 1;
  bool no_timing = false, quiet = false, report = false;
  bool gather = false;  ///< nothing is run

  std::filesystem::path results() const {
    return folder.empty() ? std::filesystem::path("results") / file.stem() : folder;
  }
};

void declare_study_options(CLI::App& app, StudyArguments& arguments);

using MakeEngine = std::function<std::unique_ptr<CaseEngine>(const StudyFile&, const WorkerSetup&)>;
/// Runs the study with the engine, prints its tables, and returns the exit code that tells what came of it.
int execute_study(const StudyArguments& arguments, const MakeEngine& make_engine);
/// What an engine has to tell at the end.
struct StudyEnd {
  int code = -1;        ///< exit code; -1: that of the result, after its tables
  std::string missing;  ///< why cases are missing, in place of the interrupt
};
/// The same, after which `ended` says what else there is to tell.
int execute_study(const StudyArguments& arguments, const MakeEngine& make_engine,
                  const std::function<StudyEnd(const StudyResult&)>& ended);

/// The study as its workers read it: whoever started them has validated it.
StudyFile study_of_worker(const StudyArguments& arguments);
/// How workers of the study are started: by `trammel` beside this executable.
WorkerSetup workers_of(const StudyArguments& arguments, const StudyFile& study);

}  // namespace trammel::cli
