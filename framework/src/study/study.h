// A study from its file to its tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/host.h"
#include "study/case_record.h"
#include "study/study_file.h"

namespace trammel {

struct StudyOptions {
  std::filesystem::path program;  ///< the executable whose `study --case` runs one case
  std::filesystem::path folder;   ///< DIR
  PluginSearch plugins;
  int jobs = 1;
  bool judge_timing = true;
};

/// What an expectation came to.
struct ExpectationVerdict {
  const Expectation* expectation = nullptr;
  std::string case_name;  ///< one verdict per case meant
  std::string obtained_status;
  double obtained = 0;  ///< of the metric; NaN: there is none
  enum class Outcome { met, missed, not_judged } outcome = Outcome::missed;
};

/// A number for several cases: the slope of an order metric.
struct GroupResult {
  std::string name;  ///< what the names of its cases share
  std::string metric;
  double value = 0;
};

struct StudyResult {
  std::vector<StudyJson> records;  ///< by case, as in case.json; status "not run" after an interrupt
  std::vector<GroupResult> groups;
  std::vector<ExpectationVerdict> verdicts;
  std::vector<std::string> unexpected;  ///< cases that failed although nobody expected it
  bool interrupted = false;

  bool as_expected() const;
};

class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  /// Counts of cases; `name` is the one that changed last.
  virtual void progress(std::size_t done, std::size_t running, std::size_t total, const std::string& name) {
    (void)done, (void)running, (void)total, (void)name;
  }
  virtual bool stop() { return false; }
};

/// Everything wrong with a study and with the run files of its cases that can be told without running anything.
void validate_study(const StudyFile& study, const PluginSearch& plugins, Problems& problems);

/// Runs the cases that are not there yet and writes study.csv, study.json, study.md. Throws Error where nothing can be
/// written; failing cases are part of the result.
StudyResult run_study(const StudyFile& study, const StudyOptions& options, StudyObserver& observer);

/// Metrics of several cases, from the records; adds ratios to the records.
std::vector<GroupResult> evaluate_groups(const StudyFile& study, std::vector<StudyJson>& records);

/// Judges all expectations; fills `verdicts` and `unexpected`.
void judge(const StudyFile& study, bool judge_timing, StudyResult& result);

/// A metric of a record; NaN if it has none.
double metric_of(const StudyJson& record, const std::string& metric);

}  // namespace trammel
