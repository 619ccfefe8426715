// Level 3 of all kinds: the studies beside the run files come to what they expect. Closed forms are the author's to give:
// no other check knows what a stiffness or a mean is.
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>

#include "check/cases.h"
#include "check/expected_tables.h"
#include "study/case_run.h"
#include "study/study.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// s. Of all studies of a component together: a check ends after some time, and what did not fit is told.
double patience(const Subject& subject) { return subject.timeout / 2; }

class Patient final : public RunObserver {
 public:
  explicit Patient(Clock::time_point until) : until_(until) {}
  bool step(double, double, double, long) override { return !over(); }
  bool over() const { return Clock::now() > until_; }

 private:
  Clock::time_point until_;
};

/// Runs the cases in this process: a check has one of its own already.
class OwnEngine final : public CaseEngine {
 public:
  OwnEngine(const StudyFile& study, const StudyOptions& how, Patient& patient)
      : study_(study), runs_(study, how.folder, how.plugins), patient_(patient) {}
  bool run(const std::vector<CaseTask>& tasks, EngineObserver& observer) override {
    for (const CaseTask& task : tasks) {
      const CaseOutcome outcome = runs_.run(study_.cases.at(task.index), task.key, patient_);
      if (outcome.interrupted || patient_.over()) return false;
      observer.answered({task.index, outcome.record.dump(), ""});
      observer.pause(0);
    }
    return true;
  }

 private:
  const StudyFile& study_;
  CaseRuns runs_;
  Patient& patient_;
};

void require_expected(const StudyResult& result, const std::string& name) {
  for (const std::string& c : result.unexpected) fail("{}: its case '{}' fails", name, c);
  for (const ExpectationVerdict& verdict : result.verdicts) {
    if (verdict.outcome != ExpectationVerdict::Outcome::missed) continue;
    const Expectation& e = *verdict.expectation;
    const std::string wanted = !std::isnan(e.value)   ? fmt::format("{:.6g}", e.value)
                               : !std::isnan(e.below) ? fmt::format("less than {:g}", e.below)
                               : !std::isnan(e.above) ? fmt::format("more than {:g}", e.above)
                                                      : "another status";
    fail("{}: '{}'{} is {:.6g}, expected {}{}", name, e.metric,
         verdict.case_name.empty() ? "" : " of case '" + verdict.case_name + "'", verdict.obtained, wanted,
         e.source.empty() ? "" : " (" + e.source + ")");
  }
}

/// Files of cases, as curves of metrics are, in the folder expected/STUDY/CASE beside STUDY.json.
void require_files(const std::filesystem::path& study, const std::filesystem::path& done) {
  const std::filesystem::path expected = study.parent_path() / "expected" / study.stem();
  if (!std::filesystem::is_directory(expected)) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(expected)) {
    if (!entry.is_regular_file()) continue;
    const auto place = done / "cases" / entry.path().parent_path().lexically_relative(expected);
    try {
      require_file(place / file_of_results(entry.path()), entry.path());
    } catch (const Failed& failure) {
      fail("{}: {}", study.filename().string(), failure.what());
    }
  }
}

/// There once the study has passed: it says the same of all components of the plugin that stand in it.
std::filesystem::path mark_of_pass(const std::filesystem::path& study) {
  return check_folder() / fmt::format("passed_{}", std::hash<std::string>()(study.string()));
}

void studies(Subject& subject) {
  if (subject.studies.empty()) skip("no study beside its run files: give closed forms in one");
  const double most = patience(subject);
  Patient patient(Clock::now() + std::chrono::milliseconds(std::lround(1000 * most)));
  int done = 0;
  for (const std::filesystem::path& file : subject.studies) {
    if (std::filesystem::exists(mark_of_pass(file))) {
      ++done;
      continue;
    }
    Problems problems;
    const StudyFile study = load_study_file(file, problems);
    const StudyOptions how{check_folder() / fmt::format("study_{}", done), {{subject.file.parent_path()}}, false};
    if (problems.empty()) validate_study(study, how.plugins, problems);
    problems.raise();
    OwnEngine engine(study, how, patient);
    StudyObserver quiet;
    const StudyResult result = run_study(study, how, engine, quiet);
    if (result.interrupted || patient.over()) {
      skip("{} of {} studies come to what they expect; {:g} s are over with {}: 'trammel study' judges the rest", done,
           subject.studies.size(), most, file.filename().string());
    }
    require_expected(result, file.filename().string());
    require_files(file, how.folder);
    std::ofstream(mark_of_pass(file)).put('1');
    ++done;
  }
}

}  // namespace

void add_study_checks(const char* after, std::vector<Check>& checks) {
  checks.push_back({"math.study", Level::mathematics, "the studies beside its run files come to what they expect",
                    "a wrong coefficient: derivatives, powers and orders of a wrong law are right", studies, after});
}

}  // namespace trammel::conformance
