// The loop of a worker process.
#include "study/worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>
#include <string>

#include "plugin/floating_point_mode.h"
#include "study/case_run.h"
#include "study/worker_processes.h"
#include "trammel/error.h"

namespace trammel {
namespace {

void say(const std::string& line) {
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t now = ::write(answers_descriptor, line.data() + sent, line.size() - sent);
    if (now < 0 && errno != EINTR) ::_exit(exit_renew);  // nobody listens
    if (now > 0) sent += static_cast<std::size_t>(now);
  }
}

/// What is said about one case alone.
void empty_log() {
  if (::lseek(STDOUT_FILENO, 0, SEEK_END) > 0 && ::ftruncate(STDOUT_FILENO, 0) != 0) return;
}

}  // namespace

void limit_memory(double bytes) {
  if (bytes <= 0) return;
  const auto limit = static_cast<rlim_t>(bytes);
  const rlimit both{limit, limit};
  ::setrlimit(RLIMIT_AS, &both);
}

int serve_cases(const StudyFile& study, const std::filesystem::path& folder, const PluginSearch& plugins, pid_t parent,
                RunObserver& observer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) return exit_renew;
  limit_memory(study.limits.memory);
  const FloatingPointMode floating_point = FloatingPointMode::current();
  CaseRuns runs(study, std::filesystem::absolute(folder), plugins);  // whatever folder plugins go to
  say("ready\n");
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::size_t blank = line.find(' '), index = std::stoul(line);
    empty_log();
    std::string answer;
    bool renew = false;
    const auto begin = std::chrono::steady_clock::now();
    const auto answer_with = [&](const std::string& record) {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      answer = fmt::format("{} {:.3e} {}\n", index, seconds.count(), record);
    };
    try {
      const CaseOutcome outcome = runs.run(study.cases.at(index), line.substr(blank + 1), observer);
      answer_with(outcome.record.dump());
      renew = outcome.plugin_failed || outcome.interrupted;
    } catch (const std::bad_alloc&) {
      answer_with(ended_record(too_much_memory(study.limits), true));
      renew = true;
    } catch (const Error& error) {
      std::string message = error.what();
      for (char& c : message) c = c == '\n' ? ' ' : c;
      answer = "fatal " + message + "\n";
    }
    say(answer);
    renew = renew || floating_point.difference(FloatingPointMode::current()) != nullptr;
    if (renew) return exit_renew;
  }
  return 0;
}

}  // namespace trammel
