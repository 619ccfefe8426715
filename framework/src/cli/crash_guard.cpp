// Signal handlers, exit hook and watchdog around plugin code. Inside handlers: no allocation, no locks, only write().
#include "cli/crash_guard.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

constexpr int broken_plugin = static_cast<int>(ErrorKind::plugin);

/// A line put together without allocation.
class PlainLine {
 public:
  PlainLine& operator<<(const char* text) {
    while (*text != 0 && size_ + 1 < sizeof data_) data_[size_++] = *text++;
    return *this;
  }
  void print() {
    data_[size_++] = '\n';
    const ssize_t written = ::write(STDERR_FILENO, data_, size_);
    (void)written;  // there is nobody left to tell
  }

 private:
  char data_[512];
  std::size_t size_ = 0;
};

/// "plugin 'x', 'element', phase: what". False if no plugin's code is running.
bool print_culprit(const Breadcrumb& running, const char* what) {
  const char* plugin = running.plugin.load();
  const char* element = running.element.load();
  const char* phase = running.phase.load();
  if (plugin == nullptr) return false;
  PlainLine line;
  line << "plugin '" << plugin << "', ";
  if (element != nullptr && *element != 0) line << "'" << element << "', ";
  line << (phase == nullptr || *phase == 0 ? "evaluation" : phase) << ": " << what;
  line.print();
  return true;
}

/// What `_exit` below does in the end.
[[noreturn]] void end_process(int status) {
  while (true) syscall(SYS_exit_group, status);
}

const char* signal_words(int signal) {
  switch (signal) {
    case SIGSEGV: return "the plugin crashed (SIGSEGV: invalid memory access)";
    case SIGBUS: return "the plugin crashed (SIGBUS: invalid memory access)";
    case SIGFPE: return "the plugin crashed (SIGFPE: arithmetic error, such as an integer divided by zero)";
    case SIGILL: return "the plugin crashed (SIGILL: an instruction this processor does not know)";
    default: return "the plugin aborted (SIGABRT: failed assertion, or an exception nobody may catch)";
  }
}

extern "C" void on_crash(int signal) {
  if (print_culprit(breadcrumb, signal_words(signal))) end_process(broken_plugin);
  // Not a plugin's fault: as if there were no handler.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

extern "C" void on_exit_called() {
  if (print_culprit(breadcrumb, "the plugin ended the process with exit()")) end_process(broken_plugin);
}

/// Counts its own ticks instead of reading a clock: a stopped or suspended process does not age.
void watch(const Breadcrumb& watched, double limit_seconds) {
  constexpr auto tick = std::chrono::milliseconds(100);
  const auto limit = static_cast<std::uint64_t>(limit_seconds * 10);
  std::uint64_t seen = watched.sequence.load(), ticks = 0;
  while (true) {
    std::this_thread::sleep_for(tick);
    const std::uint64_t now = watched.sequence.load();
    // Without a mark the kernel itself works, and what is marked a little later began then.
    const bool marked = watched.plugin.load() != nullptr;
    ticks = now == seen && marked ? ticks + 1 : 0;
    seen = now;
    if (ticks > limit && marked &&
        print_culprit(watched, "the plugin does not return (limit: TRAMMEL_WATCHDOG seconds, 0 for none)")) {
      end_process(broken_plugin);
    }
  }
}

void start_watchdog() {
  const char* text = std::getenv("TRAMMEL_WATCHDOG");
  const double limit = text == nullptr ? 60 : std::atof(text);
  if (!(limit > 0)) return;
  // Interrupts belong to the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(watch, std::cref(breadcrumb), limit).detach();  // the main thread outlives it
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void install_crash_guard() {
  // A stack of its own: the plugin may have used up the ordinary one.
  static char stack[64 * 1024];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::atexit(on_exit_called);
  start_watchdog();
}

}  // namespace trammel::cli

/// In place of the C library's, which plugins would find otherwise: they could end the process without a word.
extern "C" void _exit(int status) {
  using namespace trammel::cli;
  end_process(print_culprit(trammel::breadcrumb, "the plugin ended the process with _exit()") ? broken_plugin : status);
}
