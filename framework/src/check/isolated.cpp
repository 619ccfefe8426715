// Three processes: this one listens, the next one is the parent that the work may kill, the third does the work. What it says
// comes through shared memory: it may close what it likes.
#include "check/isolated.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <string>

#include "trammel/error.h"

namespace trammel::conformance {
namespace {

using Clock = std::chrono::steady_clock;

struct Shared {
  static constexpr std::size_t capacity = 100'000;
  std::atomic<bool> said{false}, over{false};
  std::atomic<int> code{0}, status{0};
  std::atomic<pid_t> worker{0};
  std::atomic<std::size_t> size{0};
  char text[capacity];
};

class SharedPlace {
 public:
  SharedPlace() {
    void* place = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw Error(ErrorKind::compute, "no memory could be shared with a process");
    shared_ = new (place) Shared;
  }
  ~SharedPlace() { ::munmap(shared_, sizeof(Shared)); }
  SharedPlace(const SharedPlace&) = delete;
  SharedPlace& operator=(const SharedPlace&) = delete;
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

/// What a process printed, through a pipe.
struct Printed {
  Printed() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorKind::compute, "no pipe could be opened");
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  ~Printed() { ::close(ends[0]), close_end(); }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  void close_end() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  /// False: nobody can write any more.
  bool take() {
    char buffer[4096];
    while (true) {
      const ssize_t count = ::read(ends[0], buffer, sizeof buffer);
      if (count == 0) return false;
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      if (text.size() < Shared::capacity) text.append(buffer, static_cast<std::size_t>(count));
    }
  }
  int ends[2] = {-1, -1};
  std::string text;
};

[[noreturn]] void leave(int status) {
  while (true) ::syscall(SYS_exit_group, status);
}

/// Address space is what AddressSanitizer and the others need without end.
bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "san.so") != nullptr;
#endif
}

void set_limits(const Isolation& isolation) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (isolation.gibibytes > 0 && !sanitized()) {
    const auto bytes = static_cast<rlim_t>(isolation.gibibytes * 1073741824.0);
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
}

[[noreturn]] void do_work(const Isolation& isolation, const std::function<int(std::string&)>& work, Shared& shared,
                          Printed& out, Printed& err) {
  const pid_t own = ::getpid();
  shared.worker.store(own);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out.ends[1], STDOUT_FILENO);
  ::dup2(err.ends[1], STDERR_FILENO);
  for (Printed* one : {&out, &err}) ::close(one->ends[0]), one->close_end();
  ::close(nothing);
  set_limits(isolation);
  if (isolation.folder != nullptr && ::chdir(isolation.folder) != 0) leave(0);
  std::string text;
  const int code = work(text);
  std::fflush(nullptr);
  if (::getpid() != own) leave(0);  // a copy that the work made of itself
  const std::size_t size = std::min(text.size(), Shared::capacity);
  std::memcpy(shared.text, text.data(), size);
  shared.size.store(size), shared.code.store(code), shared.said.store(true);
  leave(0);
}

[[noreturn]] void be_parent(Shared& shared, pid_t worker) {
  int status = 0;
  while (::waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  shared.status.store(status), shared.over.store(true);
  leave(0);
}

/// The work had less than the time on a processor, and waits for one: others keep the machine busy.
bool starved(const Shared& shared, double seconds) {
  const pid_t worker = shared.worker.load();
  clockid_t clock{};
  timespec used{};
  if (worker <= 0 || ::clock_getcpuclockid(worker, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return false;
  if (static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec) >= seconds) return false;
  std::ifstream file("/proc/" + std::to_string(worker) + "/stat");
  std::string stat;
  std::getline(file, stat);
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat.compare(name_end + 2, 1, "R") == 0;
}

/// True: the time is up. On a busy machine work that never sleeps gets some times as long.
bool listen(int process, const Shared& shared, double seconds, Printed& out, Printed& err) {
  const auto after = [begin = Clock::now()](double s) {
    return begin + std::chrono::milliseconds(static_cast<long>(1000 * s));
  };
  const Clock::time_point last = after(4 * seconds);
  Clock::time_point until = after(seconds);
  pollfd ready[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {process, POLLIN, 0}};
  while (true) {
    const Clock::time_point now = Clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now).count();
    if (left <= 0) {
      if (now >= last || !starved(shared, seconds)) return true;
      until = now + std::chrono::milliseconds(100);
      continue;
    }
    // Without a handle on the process it is looked at now and then.
    const long patience = process < 0 ? std::min<long>(left, 20) : left;
    ::poll(ready, 3, static_cast<int>(std::min<long>(patience, 1'000'000)));
    // A closed pipe is ready for ever.
    if (!out.take()) ready[0].fd = -1;
    if (!err.take()) ready[1].fd = -1;
    const bool over = process < 0 ? ready[0].fd < 0 && ready[1].fd < 0 : (ready[2].revents & POLLIN) != 0;
    if (over) return false;
  }
}

}  // namespace

IsolatedEnd run_isolated(const Isolation& isolation, const std::function<int(std::string& text)>& work) {
  const SharedPlace place;
  Shared& shared = *place;
  Printed out, err;
  std::fflush(nullptr);
  const pid_t parent = ::fork();
  if (parent < 0) throw Error(ErrorKind::compute, "no process could be started");
  if (parent == 0) {
    ::setpgid(0, 0);
    const pid_t worker = ::fork();
    if (worker < 0) leave(1);
    if (worker == 0) do_work(isolation, work, shared, out, err);
    // Only the work holds the other ends.
    for (Printed* one : {&out, &err}) one->close_end();
    be_parent(shared, worker);
  }
  ::setpgid(parent, parent);  // whoever comes first
  for (Printed* one : {&out, &err}) one->close_end();
  const auto process = static_cast<int>(::syscall(SYS_pidfd_open, parent, 0));
  const bool late = listen(process, shared, isolation.seconds, out, err);
  if (process >= 0) ::close(process);
  ::kill(-parent, SIGKILL);  // all that is left of the group
  int status = 0;
  while (::waitpid(parent, &status, 0) < 0 && errno == EINTR) {
  }
  out.take(), err.take();
  IsolatedEnd end;
  end.printed = std::move(out.text);
  end.text = shared.said.load() ? std::string(shared.text, shared.size.load()) : std::move(err.text);
  while (!end.text.empty() && end.text.back() == '\n') end.text.pop_back();
  const int ended = shared.status.load();
  if (late) {
    end.how = IsolatedEnd::How::late;
  } else if (!shared.over.load() && WIFSIGNALED(status)) {
    end.how = IsolatedEnd::How::orphaned, end.code = WTERMSIG(status);
  } else if (shared.said.load()) {
    end.how = IsolatedEnd::How::done, end.code = shared.code.load();
  } else if (WIFSIGNALED(ended)) {
    end.how = IsolatedEnd::How::by_signal, end.code = WTERMSIG(ended);
  } else {
    end.how = IsolatedEnd::How::silent, end.code = WEXITSTATUS(ended);
  }
  return end;
}

}  // namespace trammel::conformance
