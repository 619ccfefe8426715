// Child processes, several at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trammel {

struct ProcessJob {
  std::vector<std::string> command;  ///< program and arguments
  std::filesystem::path log;         ///< gets what it prints
};

/// Told about a batch of processes; called between waits.
class ProcessObserver {
 public:
  virtual ~ProcessObserver() = default;
  virtual void started(std::size_t job) = 0;
  /// `code`: exit code, or 128 + the signal that ended it, or 127 if it could not be started.
  virtual void ended(std::size_t job, int code) = 0;
  /// Asked some hundred times a second; true ends the batch: the running processes get SIGTERM and are waited for.
  virtual bool stop() = 0;
};

/// Runs all jobs in order, at most `parallel` at a time. False: stopped.
bool run_processes(const std::vector<ProcessJob>& jobs, int parallel, ProcessObserver& observer);

}  // namespace trammel
