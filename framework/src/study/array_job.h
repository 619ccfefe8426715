// Studies as array jobs of Slurm: chunks of cases, each a task that writes a part of its own, and their gathering.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "study/engine.h"
#include "study/study.h"

namespace trammel {

struct ArrayOptions {
  std::filesystem::path program;    ///< the executable that chunks run
  std::vector<std::string> sbatch;  ///< options that go on to sbatch
  std::size_t most_chunks = 1001;   ///< what the site lets an array have (MaxArraySize)
  bool wait = false;                ///< until the job is done; else submitting is all
  bool judge_timing = true;
};

/// Runs cases by an array job. Where one of this study is on its way, it is waited for, not submitted again.
class ArrayEngine final : public CaseEngine {
 public:
  ArrayEngine(const StudyFile& study, StudyOptions study_options, ArrayOptions options)
      : study_(study), study_options_(std::move(study_options)), options_(std::move(options)) {}

  /// With `wait` true when the job is done, and all that its parts have was answered. Else false: the cases are on
  /// their way.
  bool run(const std::vector<CaseTask>& tasks, EngineObserver& observer) override;

  /// What happened, for people: "submitted job 17: 8 chunks of at most 125 cases", or "".
  const std::string& note() const { return note_; }
  /// Why cases are missing after a job that was waited for, or "".
  const std::string& failure() const { return failure_; }

 private:
  void submit(const std::vector<CaseTask>& tasks);

  const StudyFile& study_;
  StudyOptions study_options_;
  ArrayOptions options_;
  std::string note_, failure_;
};

/// Ids of Slurm's jobs of this study that have not ended; none where no job was ever submitted. Throws Error(compute).
std::vector<std::string> jobs_on_their_way(const std::filesystem::path& folder);

/// What became of the last job of a study whose cases are not all there, for people: "job 17 (FAILED 2, COMPLETED 6); its
/// tasks' words are in DIR/slurm", or "" where none was submitted.
std::string last_job_text(const std::filesystem::path& folder);

/// Runs no case: what is there is gathered, and the others are missing.
class NoEngine final : public CaseEngine {
 public:
  bool run(const std::vector<CaseTask>&, EngineObserver&) override { return true; }
};

/// Task `number` of the `count` of an array job: its cases of those that were submitted, but for those that are done.
/// False: interrupted. Throws Error as run_study.
bool run_chunk(const StudyFile& study, const StudyOptions& options, std::size_t number, std::size_t count,
               CaseEngine& engine, StudyObserver& observer);

}  // namespace trammel
