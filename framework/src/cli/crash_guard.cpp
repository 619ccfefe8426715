// Signal handlers, exit hook and watchdog around plugin code. Inside handlers: no allocation, no locks, only write().
#include "cli/crash_guard.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include "cli/end_record.h"
#include "cli/interrupt.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

constexpr int broken_plugin = static_cast<int>(ErrorKind::plugin);

void told(bool printed) {
  if (printed) end_record().told.store(true);
}

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
  told(line.print());
  return true;
}

const char* signal_words(int signal) {
  switch (signal) {
    case SIGSEGV: return "crashed (SIGSEGV: invalid memory access)";
    case SIGBUS: return "crashed (SIGBUS: invalid memory access)";
    case SIGFPE: return "crashed (SIGFPE: arithmetic error, such as an integer divided by zero)";
    case SIGILL: return "crashed (SIGILL: an instruction this processor does not know)";
    default: return "aborted (SIGABRT: failed assertion, damaged heap, or an exception nobody may catch)";
  }
}

/// Where the thread was when the signal came.
std::uintptr_t place_of(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  (void)context;
  return 0;
#endif
}

bool is_foreign(const LoadedLibraries& libraries, const char* id) {
  for (std::size_t i = 0; i < libraries.count.load(); ++i) {
    if (std::strcmp(libraries.entries[i].id, id) == 0) return !libraries.entries[i].own;
  }
  return true;  // still loading
}

/// Code of a plugin from elsewhere outranks the mark: it may run in a thread of its own, at the end of the process, or
/// where an element asked for something. If what runs is Trammel's own, plugins from elsewhere may have damaged memory.
extern "C" void on_crash(int signal, siginfo_t*, void* context) {
  const EndRecord& record = end_record();
  const LoadedLibrary* at = record.libraries.find(place_of(context));
  const char* marked = breadcrumb.plugin.load();
  const char* words = signal_words(signal);
  const Suspects suspects(record);
  PlainLine line;
  if (at != nullptr && (marked == nullptr || (!at->own && std::strcmp(at->id, marked) != 0))) {
    const bool ending = record.exit_code.load() != EndRecord::not_ending;
    line << "plugin '" << at->id << "', ";
    if (marked != nullptr)
      line << "while plugin '" << marked << "' was called";
    else
      line << (ending ? "at the end of the process" : "outside of any call");
    line << ": the plugin " << words;
    if (at->own && suspects.count > 0) line << "; memory damaged by " << suspects.names << " can be the cause";
    told(line.print());
    end_process(broken_plugin);
  }
  if (marked != nullptr) {
    line << "the plugin " << words;
    if (suspects.count > 0 && !is_foreign(record.libraries, marked))
      line << "; memory damaged by " << suspects.names << " can be the cause";
    print_culprit(breadcrumb, line.text());
    end_process(broken_plugin);
  }
  if (suspects.count > 0) {
    line << "trammel: the program " << words << " outside of any plugin's call; memory damaged by " << suspects.names
         << " can be the cause";
    told(line.print());
    end_process(broken_plugin);
  }
  // Not a plugin's fault: as if there were no handler.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Returns where the process ends as it should.
void refuse_foreign_end(const char* how) {
  PlainLine in_a_call;
  in_a_call << "the plugin ended the process with " << how;
  if (print_culprit(breadcrumb, in_a_call.text())) end_process(broken_plugin);
  const EndRecord& record = end_record();
  const Suspects suspects(record);
  if (record.exit_code.load() != EndRecord::not_ending || record.worker.load() != ::getpid() || suspects.count == 0)
    return;
  PlainLine line;
  line << "trammel: the process was ended with " << how << " outside of any plugin's call, by one of "
       << suspects.names;
  told(line.print());
  end_process(broken_plugin);
}

extern "C" void on_exit_called() { refuse_foreign_end("exit()"); }

/// Counts its own ticks instead of reading a clock: a stopped or suspended process does not age.
void watch(const Breadcrumb& watched, double limit_seconds) {
  constexpr auto tick = std::chrono::milliseconds(100);
  const auto limit = static_cast<std::uint64_t>(limit_seconds * 10);
  std::uint64_t seen = watched.sequence.load(), ticks = 0, ending_ticks = 0;
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
    // Handlers of exit and destructors of libraries run then.
    if (end_record().exit_code.load() == EndRecord::not_ending || ++ending_ticks <= limit) continue;
    const Suspects suspects(end_record());
    PlainLine line;
    line << "trammel: everything is done, but the process does not end (limit: TRAMMEL_WATCHDOG seconds, 0 for none)";
    if (suspects.count > 0) line << "; handlers of exit can be the cause, of one of " << suspects.names;
    told(line.print());
    end_process(broken_plugin);
  }
}

void start_watchdog() {
  const double limit = watchdog_seconds();
  if (!(limit > 0)) return;
  // Interrupts belong to the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(watch, std::cref(breadcrumb), limit).detach();  // the main thread outlives it
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

double watchdog_seconds() {
  const char* text = std::getenv("TRAMMEL_WATCHDOG");
  return text == nullptr ? 60 : std::atof(text);
}

void install_crash_guard() {
  keep_end_record_in(end_record());
  end_record().worker.store(::getpid());
  end_record().mark.store(&breadcrumb);
  told_of_request = [](bool again) {
    end_record().signals.fetch_add(1);
    if (again) end_process(exit_interrupted);
  };
  // A stack of its own: the plugin may have used up the ordinary one.
  static char stack[64 * 1024];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::atexit(on_exit_called);
  start_watchdog();
}

}  // namespace trammel::cli

/// In place of the C library's, which plugins would find otherwise: they could end the process without a word.
extern "C" void _exit(int status) {
  using namespace trammel::cli;
  refuse_foreign_end("_exit()");
  while (true) syscall(SYS_exit_group, status);
}
