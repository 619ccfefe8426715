// One case of a study, run in this process.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/search_folder.h"
#include "study/case_record.h"
#include "study/study_file.h"
#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

namespace trammel {

/// What running a case came to.
struct CaseOutcome {
  StudyJson record;  ///< as in case.json
  int code = 0;      ///< exit code that tells it
  bool plugin_failed = false, interrupted = false;
};

/// What is known of a case before it runs.
struct CasePreparation;

/// Runs cases of a study one after another. What a case comes to does not depend on those before it: what is kept are run
/// files as they were read, and what the plugins offer; numbers meet them in a model made for the case.
class CaseRuns {
 public:
  /// `folder`: DIR of the study.
  CaseRuns(const StudyFile& study, std::filesystem::path folder, PluginSearch plugins)
      : study_(study), folder_(std::move(folder)), plugins_(std::move(plugins)) {}

  /// Runs the case and takes its metrics; a study that keeps files gets results and case.json, last. The case's failure
  /// is part of its record. Throws Error(compute) if nothing can be written.
  CaseOutcome run(const StudyCase& c, const std::string& key, RunObserver& observer);

 private:
  /// By what cases share that differ by numbers alone.
  std::map<std::string, std::shared_ptr<CasePreparation>> prepared_;
  std::map<std::filesystem::path, std::unique_ptr<RunDescription>> files_;
  const StudyFile& study_;
  std::filesystem::path folder_;
  PluginSearch plugins_;
};

/// The message of a case that took longer than the limit.
std::string out_of_time(const CaseLimits& limits);
/// The message of a case that needed more memory than the limit, or than there is.
std::string too_much_memory(const CaseLimits& limits);

}  // namespace trammel
