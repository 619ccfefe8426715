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

 private:
  std::string job_name() const;
  /// Ids of jobs of this study that have not ended.
  std::vector<std::string> alive() const;
  void submit(const std::vector<CaseTask>& tasks);

  const StudyFile& study_;
  StudyOptions study_options_;
  ArrayOptions options_;
  std::string note_;
};

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
