// A piece of work in a process of its own, which may end in any way without harm to this one.
#pragma once

#include <functional>
#include <string>

namespace trammel::conformance {

struct Isolation {
  double seconds = 20;   ///< the work may take; killed then. Up to four times that where others take the processors
  double gibibytes = 4;  ///< of address space; 0: no limit. Sanitizers reserve more than any limit
  const char* folder = nullptr;  ///< working directory
};

/// How the work ended.
struct IsolatedEnd {
  enum class How {
    done,       ///< `code` and `text` are the work's
    late,       ///< killed
    by_signal,  ///< `code` is its number
    silent,     ///< with exit code `code`, without having said so
    orphaned    ///< its parent was killed, by the signal `code`
  };
  How how = How::silent;
  int code = 0;
  std::string text;     ///< what the work says, else what it printed to stderr
  std::string printed;  ///< to stdout, cut after some kB
};

/// The work returns a code and a text. It runs in a group of processes of its own, which is ended with it, with stdin from
/// /dev/null, without core files. A process between this one and the work's is the parent that it sees. Throws
/// Error(compute): no process could be started.
IsolatedEnd run_isolated(const Isolation& isolation, const std::function<int(std::string& text)>& work);

}  // namespace trammel::conformance
