// LiveRun: a run file that is watched, and the run of it that goes on, stops, and starts again.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "report/report.h"
#include "trammel/host/simulation.h"
#include "view/live_rows.h"

namespace trammel {

struct LiveOptions {
  std::filesystem::path file, folder;  ///< run file; where results go
  SimulationOptions simulation;
  bool run = true;  ///< at once, and again after every change
};

/// What is to be seen; one thread works behind it. All methods may be called from any thread.
class LiveRun {
 public:
  explicit LiveRun(LiveOptions options);
  /// Stops the run, whose results stay readable.
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  void start();
  void stop();
  void run_after_changes(bool on) { again_ = on; }

  /// Where things stand: revision of the model, number of the run, phase, progress, what is wrong with the file.
  ReportJson progress() const;
  /// The page of the model as it is now, without rows; of a run that is over with what the summary says.
  ReportJson content() const;
  /// Of the run that goes on; null: none has begun.
  std::shared_ptr<const LiveRows> rows() const;
  /// Page of the results of the last run; throws Error(input): there is none.
  Page finished() const;

 private:
  class Progress;
  enum class Phase { loading, wrong, ready, running, completed, failed, interrupted };
  enum class Wish { nothing, start, stop };

  void work();
  /// Whether the file has changed into another that is right; its model is the one shown from now on. While it is wrong
  /// the model of before stays, and `errors` tell why.
  bool changed();
  void run();
  void publish(const std::string& summary);
  void set_phase(Phase phase, const std::string& message = "");

  const LiveOptions options_;
  std::unique_ptr<Simulation> simulation_;  ///< of the model shown, before it has run

  mutable std::mutex mutex_;  ///< of the following
  ReportJson content_;
  std::shared_ptr<LiveRows> rows_;
  Phase phase_ = Phase::loading;
  std::string message_, errors_;
  double t_ = 0, t_end_ = 0, h_ = 0, seconds_ = 0;
  long steps_ = 0, revision_ = 0, run_ = 0;
  bool results_ = false;

  std::string seen_ = "nothing was read yet";  ///< text of the file as it was read last
  std::atomic<bool> again_, over_ = false;
  std::atomic<Wish> wish_ = Wish::nothing;
  std::thread thread_;
};

}  // namespace trammel
