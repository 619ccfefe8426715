// A study from its file to its tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/host.h"
#include "study/case_record.h"
#include "study/engine.h"
#include "study/study_file.h"

namespace trammel {

struct StudyOptions {
  std::filesystem::path folder;  ///< DIR
  PluginSearch plugins;
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

/// A number for several cases: the slope of an order metric, an estimate of a sample.
struct GroupResult {
  std::string name;    ///< what the names of its cases share
  std::string metric;  ///< with its further part: "spread.mean"
  double value = 0;
  double low = 0, high = 0;  ///< ends of the confidence interval, for estimates; NaN: none
  bool estimate = false;
};

/// An estimate from the first `points` of a sample, to see whether it has converged.
struct ConvergenceRow {
  std::string name, metric;  ///< as in GroupResult
  std::size_t points = 0;
  double value = 0, low = 0, high = 0;
};

struct StudyResult {
  std::vector<StudyJson> records;  ///< by case, as in case.json; status "not run" after an interrupt
  std::vector<GroupResult> groups;
  std::vector<ConvergenceRow> convergence;
  std::string best;  ///< name of the best case; "": none is asked for, or none has the metric
  std::vector<ExpectationVerdict> verdicts;
  std::vector<std::string> unexpected;  ///< cases that failed although nobody expected it
  bool interrupted = false;

  bool as_expected() const;
  /// Cases without a result.
  std::size_t missing() const;
};

class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  /// Counts of cases: `known` were there already, `done` are (those among them); `name` is the one that was done last.
  virtual void progress(std::size_t known, std::size_t done, std::size_t running, std::size_t total,
                        const std::string& name) {
    (void)known, (void)done, (void)running, (void)total, (void)name;
  }
  virtual bool stop() { return false; }
};

/// Everything wrong with a study and with the run files of its cases that can be told without running anything.
void validate_study(const StudyFile& study, const PluginSearch& plugins, Problems& problems);

/// Cases of `cases` that two names have, for people: nothing that differs makes them two.
std::vector<std::string> equal_cases(const StudyFile& study);

/// Has the engine run the cases that are not there yet and writes study.db, study.csv, study.json, study.md. Throws Error
/// where nothing can be written: what was done is kept, and the same call continues. Failing cases are part of the result.
StudyResult run_study(const StudyFile& study, const StudyOptions& options, CaseEngine& engine, StudyObserver& observer);

/// Metrics of several cases, from the records; adds ratios to the records.
std::vector<GroupResult> evaluate_groups(const StudyFile& study, std::vector<StudyJson>& records);

/// Estimates of samples, and how they came about with growing numbers of points.
std::vector<GroupResult> evaluate_samples(const StudyFile& study, const std::vector<StudyJson>& records,
                                          std::vector<ConvergenceRow>& convergence);

/// The case with the best value of `best.metric`; "" without one.
std::string best_case(const StudyFile& study, const std::vector<StudyJson>& records);

/// Judges all expectations; fills `verdicts` and `unexpected`.
void judge(const StudyFile& study, bool judge_timing, StudyResult& result);

/// A metric of a record; NaN if it has none.
double metric_of(const StudyJson& record, const std::string& metric);
/// Whether it was computed, be it NaN.
bool has_metric(const StudyJson& record, const std::string& metric);

}  // namespace trammel
