// Three processes: the first is the one that was called, the second watches, the third works. The second is there to be
// killed by a plugin that kills its parent.
#include "cli/guarded_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "cli/crash_guard.h"
#include "cli/end_record.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

constexpr int plugin_broke = static_cast<int>(ErrorKind::plugin);
constexpr timespec tick{0, 100'000'000};
constexpr int requests[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

bool is_asked_for(int argc, char** argv) {
  const char* variable = std::getenv("TRAMMEL_GUARD");
  bool asked = variable != nullptr && std::string_view(variable) == "1";
  bool one_case = false;
  for (int i = 2; i < argc; ++i) {
    asked = asked || std::string_view(argv[i]) == "--guard";
    one_case = one_case || std::string_view(argv[i]).substr(0, 6) == "--case";
  }
  const std::string_view command = argc < 2 ? "" : argv[1];
  if (asked && command == "study" && !one_case) {
    ::setenv("TRAMMEL_GUARD", "1", 1);  // its cases run in processes of their own
    return false;
  }
  return asked && (command == "run" || command == "verify" || command == "validate" || command == "study");
}

/// A text in the worker's memory; "" if it cannot be read.
void copy_text(pid_t worker, const char* from, char* to, std::size_t capacity) {
  std::size_t used = 0;
  while (from != nullptr && used + 1 < capacity) {
    iovec local{to + used, 1}, remote{const_cast<char*>(from) + used, 1};
    if (::process_vm_readv(worker, &local, 1, &remote, 1, 0) != 1 || to[used] == 0) break;
    ++used;
  }
  to[used] = 0;
}

/// "plugin 'x', 'element', phase: " of a worker that is still there, or whom to suspect.
void name_culprit(const EndRecord& record, PlainLine& line) {
  struct {
    const char *plugin, *element, *phase;
  } mark{};
  static_assert(sizeof mark <= sizeof(Breadcrumb));
  iovec local{&mark, sizeof mark}, remote{const_cast<Breadcrumb*>(record.mark.load()), sizeof mark};
  char texts[3][128] = {"", "", ""};
  if (::process_vm_readv(record.worker.load(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof mark)) {
    copy_text(record.worker.load(), mark.plugin, texts[0], sizeof texts[0]);
    copy_text(record.worker.load(), mark.element, texts[1], sizeof texts[1]);
    copy_text(record.worker.load(), mark.phase, texts[2], sizeof texts[2]);
  }
  if (texts[0][0] == 0) {
    const Suspects suspects(record);
    line << "trammel: one of the plugins " << (suspects.count > 0 ? suspects.names : "of this run") << ": ";
    return;
  }
  line << "plugin '" << texts[0] << "', ";
  if (texts[1][0] != 0) line << "'" << texts[1] << "', ";
  line << (texts[2][0] != 0 ? texts[2] : "evaluation") << ": ";
}

/// Whether a stopped worker stays stopped for so many seconds. Its owner may have stopped it, and goes on in time.
bool stays_stopped(pid_t worker, double seconds) {
  for (int ticks = 0; ticks < seconds * 10; ++ticks) {
    ::nanosleep(&tick, nullptr);
    siginfo_t state{};
    if (::waitid(P_PID, static_cast<id_t>(worker), &state, WEXITED | WCONTINUED | WNOHANG | WNOWAIT) != 0) return false;
    if (state.si_pid == 0) continue;
    if (state.si_code == CLD_CONTINUED) ::waitid(P_PID, static_cast<id_t>(worker), &state, WCONTINUED | WNOHANG);
    return false;
  }
  return true;
}

[[noreturn]] void watch_worker(EndRecord& record, pid_t worker) {
  for (const int signal : requests) ::signal(signal, SIG_IGN);
  const double limit = watchdog_seconds();
  int status = 0;
  while (true) {
    const pid_t known = ::waitpid(worker, &status, WUNTRACED);
    if (known < 0 && errno == EINTR) continue;
    if (known != worker || !WIFSTOPPED(status)) break;
    // Stops from the keyboard and of job control are meant.
    if (WSTOPSIG(status) != SIGSTOP || !(limit > 0) || !stays_stopped(worker, limit)) continue;
    PlainLine line;
    name_culprit(record, line);
    line << "the process was stopped (SIGSTOP) and not continued (limit: TRAMMEL_WATCHDOG seconds, 0 for none)";
    record.told.store(line.print());
    record.exit_code.store(plugin_broke);
    ::kill(worker, SIGKILL);
  }
  record.wait_status.store(status);
  record.ended.store(true);
  end_process(0);
}

/// Hands requests to stop on that came to this process alone: those of a terminal or to the group reach the worker, too.
void hand_on(const EndRecord& record, const siginfo_t& request) {
  const bool sent = request.si_code == SI_USER || request.si_code == SI_QUEUE || request.si_code == SI_TKILL;
  const pid_t worker = record.worker.load();
  if (!sent || worker == 0 || request.si_pid == worker) return;
  const unsigned before = record.signals.load();
  ::nanosleep(&tick, nullptr);
  if (record.signals.load() == before) ::kill(worker, request.si_signo);
}

[[noreturn]] void end_by_signal(int number) {
  ::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  ::raise(number);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  end_process(128 + number);
}

/// The exit code of the worker as it is to be told; says what the worker could not say.
[[noreturn]] void end_as(const EndRecord& record, int watcher_status) {
  const Suspects suspects(record);
  const char* names = suspects.count > 0 ? suspects.names : "those of this run";
  const int code = record.exit_code.load();
  PlainLine line;
  if (!record.ended.load()) {
    if (WIFSIGNALED(watcher_status)) {
      line << "trammel: the parent of the run's process was ended by signal " << WTERMSIG(watcher_status)
           << ", from outside or by one of the plugins " << names;
      line.print();
    }
    end_process(plugin_broke);
  }
  const int status = record.wait_status.load();
  if (WIFEXITED(status) && code == WEXITSTATUS(status) && (code == 0 || record.told.load())) end_process(code);
  if (record.told.load()) end_process(code == EndRecord::not_ending || code == 0 ? plugin_broke : code);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const bool from_outside = signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
    line << "trammel: the run's process was ended by signal " << signal << " (" << strsignal(signal) << ")"
         << (code == 0 ? " after the run" : "");
    if (suspects.count > 0) line << (from_outside ? ", from outside or" : "") << " by one of the plugins " << names;
    if (suspects.count > 0 || !from_outside) line.print();
    if (suspects.count > 0 && !from_outside) end_process(plugin_broke);
    end_by_signal(signal);
  }
  if (code == EndRecord::not_ending) {
    line << "trammel: the run's process ended with status " << WEXITSTATUS(status)
         << " before it was done, by one of the plugins " << names;
    line.print();
    end_process(plugin_broke);
  }
  if (code != 0 && !record.told.load()) {
    line << "trammel: the run's process could not say why it ended with status " << code
         << "; its stderr was closed or full, by one of the plugins " << names;
    line.print();
  }
  end_process(code);  // whatever status handlers of exit made of it
}

[[noreturn]] void attend(const EndRecord& record, pid_t watcher, const sigset_t& awaited) {
  while (true) {
    int status = 0;
    const pid_t known = ::waitpid(watcher, &status, WNOHANG);
    if (known == watcher || (known < 0 && errno == ECHILD)) end_as(record, status);
    siginfo_t request{};
    const int signal = ::sigtimedwait(&awaited, &request, &tick);
    if (signal > 0 && signal != SIGCHLD) hand_on(record, request);
  }
}

/// Dies with its parent. False: that is gone already.
bool follow(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return ::getppid() == parent;
}

}  // namespace

void guard_this_process(int argc, char** argv) {
  if (!is_asked_for(argc, argv)) return;
  void* shared = ::mmap(nullptr, sizeof(EndRecord), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw Error(ErrorKind::compute, "--guard: no memory could be shared between processes");
  EndRecord& record = *new (shared) EndRecord;
  keep_end_record_in(record);
  sigset_t awaited, before;
  sigemptyset(&awaited);
  for (const int signal : requests) sigaddset(&awaited, signal);
  sigaddset(&awaited, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &awaited, &before);
  const pid_t first = ::getpid(), watcher = ::fork();
  if (watcher < 0) throw Error(ErrorKind::compute, "--guard: no process could be started");
  if (watcher > 0) attend(record, watcher, awaited);
  const pid_t second = ::getpid();
  const pid_t worker = follow(first) ? ::fork() : -1;
  if (worker < 0) end_process(static_cast<int>(ErrorKind::compute));
  if (worker > 0) watch_worker(record, worker);
  if (!follow(second)) end_process(static_cast<int>(ErrorKind::compute));
  record.worker.store(::getpid());
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace trammel::cli
