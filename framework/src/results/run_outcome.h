// RunOutcome: how a run stands or ended, why, and what time it took; the state that it ended in.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "record/statistics.h"
#include "trammel/error.h"
#include "trammel/host/run_status.h"

namespace trammel {

/// "timing" of summary.json.
struct RunTiming {
  double setup_s = 0, solve_s = 0, output_s = 0;

  void add_to(nlohmann::ordered_json& summary) const;
};

/// "final" of summary.json.
struct FinalState {
  double t = 0;
  bool over_time = true;  ///< false: t means nothing
  std::vector<std::pair<std::string, double>> channels;

  void add_to(nlohmann::ordered_json& summary) const;
};

class RunOutcome {
 public:
  RunStatus status() const { return status_; }
  bool completed() const { return status_ == RunStatus::completed; }
  bool failed() const { return status_ == RunStatus::failed; }
  bool interrupted() const { return status_ == RunStatus::interrupted; }
  /// Why it failed or stopped, or "".
  const std::string& message() const { return message_; }
  bool by_plugin() const { return by_plugin_; }
  /// Whether a step was asked for.
  bool begun() const { return begun_; }

  void begin() { begun_ = true; }
  /// So far, or to the end.
  void complete(std::string message) { set(RunStatus::completed, std::move(message), false); }
  void interrupt(std::string message) { set(RunStatus::interrupted, std::move(message), false); }
  void fail(std::string message, bool by_plugin = false) { set(RunStatus::failed, std::move(message), by_plugin); }
  void fail(const Failure& failure) { fail(failure.message, failure.by_plugin); }
  void fail(const Error& error) { fail(error.what(), error.kind() == ErrorKind::plugin); }

  /// "status" and "message" of summary.json.
  void add_to(nlohmann::ordered_json& summary) const;
  /// A line for people.
  std::string to_text(const FinalState& end) const;

  RunTiming timing;

 private:
  void set(RunStatus status, std::string message, bool by_plugin) {
    status_ = status, message_ = std::move(message), by_plugin_ = by_plugin;
  }

  bool begun_ = false, by_plugin_ = false;
  RunStatus status_ = RunStatus::completed;
  std::string message_;
};

}  // namespace trammel
