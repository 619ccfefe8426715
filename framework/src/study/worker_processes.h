// WorkerProcesses: processes that run one case after another, watched, ended and started again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trammel {

/// What a worker is asked: the case of this number, whose key is known.
struct CaseTask {
  std::size_t index = 0;
  std::string key;
};

/// What came of it.
struct CaseAnswer {
  std::size_t index = 0;
  std::string record;  ///< JSON, as case.json; name and key are left to the receiver where the process ended
  std::string fatal;   ///< not "": nothing more can be run (a full disk); the case counts as not run
  double seconds = 0;  ///< on the clock, that its worker was at it; 0: it did not say
};

/// A worker writes answers here: standard output is its plugins'.
inline constexpr int answers_descriptor = 3;
/// Exit code of a worker that asks for a fresh process in its place, between two cases.
inline constexpr int exit_renew = 75;

/// How a worker is started: `command` and the number of this process as its last word. The program reads tasks from its
/// standard input, lines "INDEX KEY", and writes to answers_descriptor: "ready" first, then "INDEX SECONDS RECORD" for each
/// task in their order, or "fatal MESSAGE".
struct WorkerSetup {
  std::vector<std::string> command;
  std::filesystem::path logs;  ///< folder for what workers print
  std::string log_prefix = "worker";
  double time_limit = 0;  ///< s per case; 0: none
  int workers = 1;
};

class WorkerProcesses {
 public:
  explicit WorkerProcesses(WorkerSetup setup);
  /// Ends all processes at once.
  ~WorkerProcesses();
  WorkerProcesses(const WorkerProcesses&) = delete;
  WorkerProcesses& operator=(const WorkerProcesses&) = delete;

  /// Whether a task given now would wait for less than the others of its worker take to be told.
  bool wants_task() const;
  void give(const CaseTask& task);
  /// Answers that came within the time; a process that ended, or was ended, has given its own.
  std::vector<CaseAnswer> wait(int milliseconds);
  /// Cases that were given and not answered.
  std::size_t open_tasks() const;
  /// Cases that processes are at.
  std::size_t running() const;
  /// SIGTERM: cases that run are interrupted, those that wait are given back as not run (no answer).
  void interrupt();

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    pid_t pid = -1;
    int to = -1, from = -1;  ///< pipes
    bool ready = false, ended_by_us = false;
    std::string heard;           ///< the beginning of a line
    std::deque<CaseTask> tasks;  ///< given; the first is the one it is at
    Clock::time_point since;     ///< it is at its first task
    std::filesystem::path log;
  };

  void start(Worker& worker);
  void close(Worker& worker);
  void send(Worker& worker, const CaseTask& task);
  void listen(Worker& worker, std::vector<CaseAnswer>& answers);
  void hear(Worker& worker, const std::string& line, std::vector<CaseAnswer>& answers);
  /// The process is gone: why, and what becomes of its tasks.
  void bury(Worker& worker, std::vector<CaseAnswer>& answers);
  void end_endless(Worker& worker, std::vector<CaseAnswer>& answers);
  std::size_t depth() const;

  WorkerSetup setup_;
  std::vector<Worker> workers_;
  std::map<std::size_t, int> killed_;  ///< how often a case's process was ended by somebody else
  double mean_seconds_ = 0;            ///< of the last cases
  int failed_starts_ = 0;              ///< in a row: processes that ended before they were ready
  bool interrupted_ = false;
};

/// The record of a case whose process could not write one.
std::string ended_record(const std::string& message, bool finished, bool interrupted = false);

}  // namespace trammel
