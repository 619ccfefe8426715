// Starting and waiting for child processes.
#include "study/processes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

extern char** environ;

namespace trammel {
namespace {

struct Running {
  pid_t pid;
  std::size_t job;
};

pid_t start(const ProcessJob& job) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, job.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : job.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, job.command[0].c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? pid : -1;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

bool run_processes(const std::vector<ProcessJob>& jobs, int parallel, ProcessObserver& observer) {
  std::vector<Running> running;
  std::size_t next = 0;
  bool stopped = false;
  while (!running.empty() || (next < jobs.size() && !stopped)) {
    if (!stopped && observer.stop()) {
      stopped = true;
      for (const Running& child : running) ::kill(child.pid, SIGTERM);
    }
    while (!stopped && next < jobs.size() && running.size() < static_cast<std::size_t>(parallel)) {
      observer.started(next);
      const pid_t pid = start(jobs[next]);
      if (pid < 0)
        observer.ended(next, 127);
      else
        running.push_back({pid, next});
      ++next;
    }
    bool any = false;
    for (std::size_t i = 0; i < running.size();) {
      int status = 0;
      const pid_t done =
          ::waitpid(running[i].pid, &status, WNOHANG);  // only children of ours: the caller may have others
      if (done != running[i].pid) {
        ++i;
        continue;
      }
      any = true;
      const std::size_t job = running[i].job;
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      observer.ended(job, code_of(status));
    }
    if (!any && !running.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return !stopped;
}

}  // namespace trammel
