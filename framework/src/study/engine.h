// Engines: who runs the cases of a study. On this machine by worker processes; others are linked by the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/search_folder.h"
#include "study/study_file.h"
#include "study/worker_processes.h"

namespace trammel {

/// Told about the work of an engine.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  /// Once per case, in any order.
  virtual void answered(const CaseAnswer& answer) = 0;
  /// Between answers, some hundred times a second: so many cases run. Answers up to here may be kept.
  virtual void pause(std::size_t running) = 0;
  /// True ends the work: cases that run are interrupted.
  virtual bool stop() = 0;
};

class CaseEngine {
 public:
  virtual ~CaseEngine() = default;
  /// Runs the cases. False: stopped. Throws Error if no more can be run.
  virtual bool run(const std::vector<CaseTask>& tasks, EngineObserver& observer) = 0;
};

/// Worker processes on this machine.
class LocalEngine final : public CaseEngine {
 public:
  explicit LocalEngine(WorkerSetup setup) : setup_(std::move(setup)) {}
  bool run(const std::vector<CaseTask>& tasks, EngineObserver& observer) override;

 private:
  WorkerSetup setup_;
};

/// Workers of a study: `program study STUDY -o DIR --worker`.
WorkerSetup worker_setup(const StudyFile& study, const std::filesystem::path& program,
                         const std::filesystem::path& folder, const PluginSearch& plugins, int workers);

}  // namespace trammel
