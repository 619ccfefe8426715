// ProcessState: what a process shares with all code in it, to see what a plugin did to it.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trammel {

/// Of Linux, from system calls and /proc. [setup]: some hundred microseconds.
class ProcessState {
 public:
  /// What belongs to a part of the state; a caller may leave out what it changes itself.
  enum Part : unsigned {
    folder = 1,        ///< the working directory
    handlers = 2,      ///< of signals, those ignored, and the signals that are blocked
    limits = 4,        ///< setrlimit, umask
    standard = 8,      ///< stdin, stdout, stderr: closed, or something else
    descriptors = 16,  ///< all others
    threads = 32,
    children = 64,
    environment = 128,
    timers = 256,
    everything = 511
  };
  /// What a run cannot do without.
  static constexpr unsigned needed_by_runs = folder | handlers | limits | standard;

  static ProcessState current();
  /// "the working directory (from /a to /)", one per difference in these parts.
  std::vector<std::string> differences(const ProcessState& now, unsigned parts = everything) const;

 private:
  static constexpr int signal_count = 65;  // 1 to 64
  std::string folder_;
  std::array<std::pair<const void*, int>, signal_count> handlers_{};  ///< address and flags
  std::vector<int> blocked_;
  std::vector<std::pair<unsigned long, unsigned long>> limits_;
  std::string mask_;
  std::map<int, std::string> descriptors_;
  std::set<std::string> threads_, children_;
  std::map<std::string, std::string> environment_;
  bool timers_ = false;  ///< one runs
};

}  // namespace trammel
