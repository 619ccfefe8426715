// Starting, feeding, hearing and burying worker processes.
#include "study/worker_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trammel/error.h"

extern char** environ;

namespace trammel {
namespace {

// Somebody's kill, or the kernel's for want of memory, says little about a case: it gets other processes before it counts.
constexpr int most_kills = 3, most_failed_starts = 20;
// Tasks are told ahead for so long, so that a worker never waits for its next one.
constexpr double ahead_seconds = 0.02;
constexpr std::size_t longest_queue = 64;

std::string last_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line, last;
  while (std::getline(stream, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::compute, std::string("no pipe to a worker: ") + std::strerror(errno));
  return {ends[0], ends[1]};
}

bool from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

}  // namespace

std::string ended_record(const std::string& message, bool finished, bool interrupted) {
  const nlohmann::ordered_json record = {{"finished", finished},
                                         {"status", interrupted ? "interrupted" : "failed"},
                                         {"message", message},
                                         {"plugins", nlohmann::ordered_json::array()},
                                         {"files", nlohmann::ordered_json::array()}};
  return record.dump();
}

WorkerProcesses::WorkerProcesses(WorkerSetup setup) : setup_(std::move(setup)) {
  ::signal(SIGPIPE, SIG_IGN);  // a worker that is gone is noticed by what it does not answer
  std::filesystem::create_directories(setup_.logs);
  workers_.resize(static_cast<std::size_t>(setup_.workers));
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i].log = setup_.logs / fmt::format("{}-{}.log", setup_.log_prefix, i + 1);
    start(workers_[i]);
  }
}

WorkerProcesses::~WorkerProcesses() {
  for (Worker& worker : workers_) {
    if (worker.pid > 0 && !worker.tasks.empty()) ::kill(worker.pid, SIGKILL);
    close(worker);  // an idle one ends by itself
    if (worker.pid > 0) ::waitpid(worker.pid, nullptr, 0);
    std::error_code ignored;
    if (std::filesystem::file_size(worker.log, ignored) == 0) std::filesystem::remove(worker.log, ignored);
  }
  std::error_code ignored;
  std::filesystem::remove(setup_.logs, ignored);  // if it is empty
}

void WorkerProcesses::start(Worker& worker) {
  const Pipe tasks = make_pipe(), answers = make_pipe();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, worker.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
                                   0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, tasks.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, answers.write, answers_descriptor);
  std::vector<std::string> command = setup_.command;
  command.push_back(std::to_string(::getpid()));
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Whatever the caller blocks or ignores, a worker can be ended.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> environment;  // no process between us and the worker (TRAMMEL_GUARD): we are its guard
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "TRAMMEL_GUARD=", 14) != 0) environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, command[0].c_str(), &files, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(tasks.read);
  ::close(answers.write);
  if (failed != 0) {
    ::close(tasks.write);
    ::close(answers.read);
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be started: {}", command[0], std::strerror(failed)));
  }
  ::fcntl(answers.read, F_SETFL, O_NONBLOCK);
  worker.pid = pid, worker.to = tasks.write, worker.from = answers.read;
  worker.ready = worker.ended_by_us = false;
  worker.heard.clear();
  worker.since = Clock::now();
  for (const CaseTask& task : worker.tasks) send(worker, task);
}

void WorkerProcesses::close(Worker& worker) {
  if (worker.to >= 0) ::close(worker.to);
  if (worker.from >= 0) ::close(worker.from);
  worker.to = worker.from = -1;
}

std::size_t WorkerProcesses::depth() const {
  if (mean_seconds_ <= 0) return 1;
  return std::clamp<std::size_t>(static_cast<std::size_t>(ahead_seconds / mean_seconds_), 1, longest_queue);
}

bool WorkerProcesses::wants_task() const {
  return !interrupted_ && std::any_of(workers_.begin(), workers_.end(),
                                      [&](const Worker& worker) { return worker.tasks.size() < depth(); });
}

void WorkerProcesses::give(const CaseTask& task) {
  Worker& least = *std::min_element(workers_.begin(), workers_.end(),
                                    [](const Worker& a, const Worker& b) { return a.tasks.size() < b.tasks.size(); });
  if (least.tasks.empty()) least.since = Clock::now();
  least.tasks.push_back(task);
  if (least.pid > 0) send(least, task);
}

void WorkerProcesses::send(Worker& worker, const CaseTask& task) {
  const std::string line = fmt::format("{} {}\n", task.index, task.key);
  for (std::size_t sent = 0; sent < line.size();) {  // far less than a pipe takes at once
    const ssize_t now = ::write(worker.to, line.data() + sent, line.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return;  // it is gone; bury() gives its tasks to the next
    sent += static_cast<std::size_t>(now);
  }
}

std::size_t WorkerProcesses::open_tasks() const {
  std::size_t count = 0;
  for (const Worker& worker : workers_) count += worker.tasks.size();
  return count;
}

std::size_t WorkerProcesses::running() const {
  return static_cast<std::size_t>(
      std::count_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return !worker.tasks.empty(); }));
}

void WorkerProcesses::interrupt() {
  if (interrupted_) return;
  interrupted_ = true;
  for (Worker& worker : workers_) {
    if (worker.tasks.size() > 1) worker.tasks.erase(worker.tasks.begin() + 1, worker.tasks.end());
    if (!worker.ready) worker.tasks.clear();
    worker.ended_by_us = true;
    if (worker.pid > 0) ::kill(worker.pid, SIGTERM);
  }
}

std::vector<CaseAnswer> WorkerProcesses::wait(int milliseconds) {
  std::vector<CaseAnswer> answers;
  std::vector<pollfd> watched;
  for (const Worker& worker : workers_) watched.push_back({worker.from, POLLIN, 0});  // those without one are left out
  ::poll(watched.data(), watched.size(), milliseconds);
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if ((watched[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) listen(workers_[i], answers);
    if (setup_.time_limit > 0) end_endless(workers_[i], answers);
  }
  return answers;
}

void WorkerProcesses::listen(Worker& worker, std::vector<CaseAnswer>& answers) {
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(worker.from, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // nothing more for now
    if (count == 0) return bury(worker, answers);
    worker.heard.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = worker.heard.find('\n', begin)) != std::string::npos; begin = end + 1)
      hear(worker, worker.heard.substr(begin, end - begin), answers);
    worker.heard.erase(0, begin);
  }
}

/// A line is "ready", "fatal MESSAGE" or "INDEX SECONDS RECORD".
void WorkerProcesses::hear(Worker& worker, const std::string& line, std::vector<CaseAnswer>& answers) {
  if (line == "ready") {
    worker.ready = true;
    worker.since = Clock::now();
    return;
  }
  if (worker.tasks.empty()) return;
  const std::size_t blank = line.find(' '), second = line.find(' ', blank + 1);
  CaseAnswer answer{worker.tasks.front().index, {}, {}};
  if (line.compare(0, blank, "fatal") == 0) {
    answer.fatal = line.substr(blank + 1);
  } else if (line.compare(0, blank, std::to_string(answer.index)) == 0 && second != std::string::npos) {
    answer.seconds = std::atof(line.c_str() + blank + 1);
    answer.record = line.substr(second + 1);
  } else {
    return;  // what a plugin wrote to a descriptor that is not its own
  }
  // Its own time alone: with that of the way to it and back, a machine with other work would look like one with long
  // cases, few would be told ahead, and all workers would wait for their turn twice per case.
  constexpr double weight = 0.1;
  mean_seconds_ = mean_seconds_ == 0 ? answer.seconds : (1 - weight) * mean_seconds_ + weight * answer.seconds;
  worker.since = Clock::now();
  worker.tasks.pop_front();
  answers.push_back(std::move(answer));
}

void WorkerProcesses::bury(Worker& worker, std::vector<CaseAnswer>& answers) {
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(worker);
  worker.pid = -1;
  const std::string said = last_line(worker.log);
  const bool renewed = WIFEXITED(status) && WEXITSTATUS(status) == exit_renew;
  const bool killed = WIFSIGNALED(status) && from_outside(WTERMSIG(status));
  failed_starts_ = worker.ready ? 0 : failed_starts_ + 1;
  if (!worker.ready && !worker.ended_by_us && (!killed || failed_starts_ > most_failed_starts)) {
    throw Error(ErrorKind::compute, said.empty() ? "a worker process ended before its first case" : said);
  }
  if (!worker.tasks.empty() && worker.ready && !renewed) {
    const std::size_t index = worker.tasks.front().index;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const bool asked = worker.ended_by_us || (WIFEXITED(status) && WEXITSTATUS(status) == 130);
    std::string record;
    if (asked) {
      record = ended_record("interrupted", false, true);
    } else if (killed) {
      if (++killed_[index] == most_kills)
        record =
            ended_record(fmt::format("its process was ended {} times by signal {} from outside, as for want of memory",
                                     most_kills, signal),
                         false);
    } else if (!said.empty()) {
      record = ended_record(said, false);
    } else if (signal != 0) {
      record = ended_record(fmt::format("ended by signal {}", signal), false);
    } else {
      record = ended_record(fmt::format("the process ended with exit code {}", WEXITSTATUS(status)), false);
    }
    if (!record.empty()) {
      answers.push_back({index, record, {}});
      worker.tasks.pop_front();
    }
  }
  if (interrupted_)
    worker.tasks.clear();
  else
    start(worker);
}

void WorkerProcesses::end_endless(Worker& worker, std::vector<CaseAnswer>& answers) {
  if (worker.tasks.empty() || !worker.ready || worker.ended_by_us || worker.pid < 0) return;
  if (std::chrono::duration<double>(Clock::now() - worker.since).count() < setup_.time_limit) return;
  ::kill(worker.pid, SIGKILL);
  answers.push_back({worker.tasks.front().index,
                     ended_record(fmt::format("not done after {:g} s, the limit of time", setup_.time_limit), true),
                     {}});
  worker.tasks.pop_front();
  ::waitpid(worker.pid, nullptr, 0);
  close(worker);
  start(worker);
}

}  // namespace trammel
