// EndRecord: how this process means to end, where another one can see it.
#pragma once

#include <sys/types.h>

#include <atomic>

#include "plugin/breadcrumb.h"
#include "plugin/loaded_libraries.h"

namespace trammel::cli {

/// Plain data; handlers of signals read and write it, and with --guard two other processes do.
struct EndRecord {
  static constexpr int not_ending = -1;

  LoadedLibraries libraries;
  std::atomic<pid_t> worker{0};            ///< the process that loads plugins
  std::atomic<int> exit_code{not_ending};  ///< what it is about to end with
  std::atomic<bool> told{false};           ///< a failure was explained, on a stderr that took it
  std::atomic<unsigned> signals{0};        ///< requests to stop that it has got
  std::atomic<const Breadcrumb*> mark{nullptr};
  std::atomic<bool> ended{false};  ///< wait_status is set
  std::atomic<int> wait_status{0};
};

/// Of this process, or of the one that this one watches.
EndRecord& end_record();
/// Memory that other processes see takes its place. Before anything is loaded.
void keep_end_record_in(EndRecord& place);

/// "'a', 'b'" of all plugins that were not installed with Trammel, cut at the end of the buffer.
struct Suspects {
  explicit Suspects(const EndRecord& record) : count(record.libraries.foreign_names(names, sizeof names)) {}
  char names[1024];
  std::size_t count;
};

/// A line put together without allocation, for handlers of signals.
class PlainLine {
 public:
  PlainLine& operator<<(const char* text);
  PlainLine& operator<<(long number);
  const char* text();
  /// To stderr. False: it did not take it.
  bool print();

 private:
  char data_[2048];
  std::size_t size_ = 0;
};

/// From here on this process is ending with that exit code, unless it is a copy that a plugin made of it.
void begin_to_end(int exit_code);

/// Ends this process at once, without handlers of exit: nothing of a plugin runs any more.
[[noreturn]] void end_process(int status);

}  // namespace trammel::cli
