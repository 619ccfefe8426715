// Which plugin's code is running, so that any way of its failing can be told with names; and the catch around it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace trammel {

/// Of the thread: simulations may run in several at a time, each in one. Read by signal handlers and by the watchdog's
/// thread, hence lock-free atomics of plain pointers.
struct Breadcrumb {
  std::atomic<const char*> plugin{nullptr};   ///< id, nullptr: no plugin's code is running
  std::atomic<const char*> element{nullptr};  ///< name in the run file, "" for none
  std::atomic<const char*> phase{nullptr};    ///< "loading", "create", "step", ...
  std::atomic<std::uint64_t> sequence{0};     ///< changes with every phase begun or ended
};

/// At a fixed place of the thread's memory: hot calls write it.
extern thread_local constinit Breadcrumb breadcrumb __attribute__((tls_model("initial-exec")));

/// [hot] Two plain stores inside a running phase: whose element is evaluated now. Left in place until the phase ends.
inline void mark_element(const char* plugin, const char* element) {
  breadcrumb.plugin.store(plugin, std::memory_order_relaxed);
  breadcrumb.element.store(element, std::memory_order_relaxed);
}

/// [hot] Marks whose code runs inside a phase, and gives the mark back at the end - but not if an exception passes, so
/// that the one who catches it can read the culprit.
class ElementMark {
 public:
  ElementMark(const char* plugin, const char* element)
      : plugin_(breadcrumb.plugin.load(std::memory_order_relaxed)),
        element_(breadcrumb.element.load(std::memory_order_relaxed)),
        exceptions_(std::uncaught_exceptions()) {
    mark_element(plugin, element);
  }
  ~ElementMark() {
    if (std::uncaught_exceptions() == exceptions_) mark_element(plugin_, element_);
  }
  ElementMark(const ElementMark&) = delete;
  ElementMark& operator=(const ElementMark&) = delete;

 private:
  const char* plugin_;
  const char* element_;
  int exceptions_;
};

/// Whose code an exception came from that passed the end of a phase: copies, as the marks are set back there and their
/// texts may end. Of the thread.
struct Culprit {
  bool known = false;
  char plugin[96], element[96], phase[48];
  /// From the marks, unless an inner phase has seen the exception before.
  void note();
};
extern thread_local constinit Culprit culprit;

/// Marks a phase for its lifetime and restores the outer one. The texts must outlive it. [hot]: some relaxed stores.
class PhaseScope {
 public:
  PhaseScope(const char* plugin, const char* element, const char* phase)
      : plugin_(breadcrumb.plugin.load(relaxed)),
        element_(breadcrumb.element.load(relaxed)),
        phase_(breadcrumb.phase.load(relaxed)),
        exceptions_(std::uncaught_exceptions()) {
    if (exceptions_ == 0) culprit.known = false;  // what went before was caught
    set(plugin, element, phase);
  }
  ~PhaseScope() {
    if (std::uncaught_exceptions() > exceptions_) culprit.note();
    set(plugin_, element_, phase_);
  }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  static void set(const char* plugin, const char* element, const char* phase) {
    breadcrumb.plugin.store(plugin, relaxed);
    breadcrumb.element.store(element, relaxed);
    breadcrumb.phase.store(phase, relaxed);
    breadcrumb.sequence.store(breadcrumb.sequence.load(relaxed) + 1, relaxed);
  }

  const char* plugin_;
  const char* element_;
  const char* phase_;
  int exceptions_;
};

/// Turns the exception being handled into a trammel::Error that names plugin, element and phase and rethrows that. A
/// trammel::Error keeps its kind and key; everything else becomes ErrorKind::plugin, with the names of the inner phase
/// that it came from. Nothing of the plugin's exception object survives: its text is copied.
[[noreturn]] void rethrow_named(const char* plugin, const char* element, const char* phase);

/// The same with the names of the mark, in a phase.
[[noreturn]] void rethrow_marked(const char* phase);

/// Rethrows the exception being handled as `rethrow_named` does, with the names of the mark; as it is if it is an Error
/// or if no plugin is marked.
[[noreturn]] void blame_marked();

/// Runs a plugin's code in a named phase. Once per phase, not per call in inner loops.
template <class F>
auto guarded(const std::string& plugin, const std::string& element, const char* phase, F&& call) -> decltype(call()) {
  const PhaseScope scope(plugin.c_str(), element.c_str(), phase);
  try {
    return std::forward<F>(call)();
  } catch (...) {
    rethrow_named(plugin.c_str(), element.c_str(), phase);
  }
}

/// Runs what may evaluate plugins outside of any phase: hot calls are not guarded one by one. What the plugin marked
/// last throws becomes a trammel::Error that names it; Errors, and exceptions while no plugin is marked, pass.
template <class F>
auto blamed(F&& call) -> decltype(call()) {
  const PhaseScope scope(nullptr, nullptr, nullptr);
  try {
    return std::forward<F>(call)();
  } catch (...) {
    blame_marked();
  }
}

}  // namespace trammel
