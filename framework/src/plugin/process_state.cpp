// Reading what /proc and system calls say of this process.
#include "plugin/process_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<int, const char*> limit_names[] = {{RLIMIT_FSIZE, "file size"},    {RLIMIT_AS, "memory"},
                                                       {RLIMIT_DATA, "data"},          {RLIMIT_STACK, "stack"},
                                                       {RLIMIT_CPU, "processor time"}, {RLIMIT_NOFILE, "open files"},
                                                       {RLIMIT_NPROC, "processes"},    {RLIMIT_CORE, "core files"}};

std::set<std::string> names_in(const char* folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    names.insert(entry.path().filename().string());
  return names;
}

std::string line_of_status(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return line.substr(line.find_first_not_of(" \t", key.size()));
  }
  return "";
}

std::string list(const std::vector<std::string>& words) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > most ? text + fmt::format(" and {} more", words.size() - most) : text;
}

template <class Map>
void compare(const Map& before, const Map& now, std::vector<std::string>& gone, std::vector<std::string>& changed,
             std::vector<std::string>& added) {
  for (const auto& [key, value] : before) {
    const auto other = now.find(key);
    if (other == now.end())
      gone.push_back(fmt::format("{}", key));
    else if (other->second != value)
      changed.push_back(fmt::format("{}", key));
  }
  for (const auto& [key, value] : now) {
    if (before.find(key) == before.end()) added.push_back(fmt::format("{}", key));
  }
}

void tell(const char* subject, const char* verb, const std::vector<std::string>& words,
          std::vector<std::string>& found) {
  if (!words.empty()) found.push_back(fmt::format("{} {}: {}", subject, verb, list(words)));
}

std::vector<std::string> missing_from(const std::set<std::string>& these, const std::set<std::string>& all) {
  std::vector<std::string> missing;
  for (const std::string& one : all) {
    if (these.find(one) == these.end()) missing.push_back(one);
  }
  return missing;
}

}  // namespace

ProcessState ProcessState::current() {
  ProcessState state;
  std::error_code error;
  state.folder_ = fs::read_symlink("/proc/self/cwd", error).string();
  sigset_t blocked;
  ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
  for (int i = 1; i < signal_count; ++i) {
    struct sigaction action {};
    if (::sigaction(i, nullptr, &action) == 0)
      state.handlers_[static_cast<std::size_t>(i)] = {reinterpret_cast<const void*>(action.sa_sigaction),
                                                      action.sa_flags};
    if (::sigismember(&blocked, i) == 1) state.blocked_.push_back(i);
  }
  for (const auto& [resource, name] : limit_names) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    state.limits_.emplace_back(limit.rlim_cur, limit.rlim_max);
  }
  state.mask_ = line_of_status("Umask:");
  for (const std::string& name : names_in("/proc/self/fd")) {
    const std::string to = fs::read_symlink("/proc/self/fd/" + name, error).string();
    if (!error) state.descriptors_[std::atoi(name.c_str())] = to;  // not that of the folder itself, which is closed
  }
  state.threads_ = names_in("/proc/self/task");
  for (const std::string& thread : state.threads_) {
    std::ifstream children("/proc/self/task/" + thread + "/children");
    for (std::string child; children >> child;) state.children_.insert(child);
  }
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string text = *at;
    const std::size_t equal = text.find('=');
    state.environment_[text.substr(0, equal)] = equal == std::string::npos ? "" : text.substr(equal + 1);
  }
  for (const auto which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer{};
    ::getitimer(which, &timer);
    state.timers_ = state.timers_ || timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
  }
  return state;
}

std::vector<std::string> ProcessState::differences(const ProcessState& now, unsigned parts) const {
  std::vector<std::string> found;
  if ((parts & folder) != 0 && folder_ != now.folder_)
    found.push_back(fmt::format("the working directory (from {} to {})", folder_, now.folder_));
  if ((parts & handlers) != 0) {
    std::vector<std::string> changed;
    for (int i = 1; i < signal_count; ++i) {
      if (handlers_[static_cast<std::size_t>(i)] == now.handlers_[static_cast<std::size_t>(i)]) continue;
      const char* name = ::sigabbrev_np(i);
      changed.push_back(name == nullptr ? fmt::format("signal {}", i) : fmt::format("SIG{}", name));
    }
    if (!changed.empty()) found.push_back(fmt::format("the handlers of {}", fmt::join(changed, ", ")));
    if (blocked_ != now.blocked_) found.emplace_back("the signals that are blocked");
  }
  if ((parts & limits) != 0) {
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      if (limits_[i] != now.limits_[i])
        found.push_back(fmt::format("the limit of {} (from {} to {})", limit_names[i].second,
                                    static_cast<long>(limits_[i].first), static_cast<long>(now.limits_[i].first)));
    }
    if (mask_ != now.mask_)
      found.push_back(fmt::format("the mask of new files' modes (from {} to {})", mask_, now.mask_));
  }
  std::vector<std::string> gone, changed, added;
  const auto among = [](const std::map<int, std::string>& all, bool standard_ones) {
    std::map<int, std::string> some;
    for (const auto& one : all) {
      if ((one.first <= STDERR_FILENO) == standard_ones) some.insert(one);
    }
    return some;
  };
  for (const bool standard_ones : {true, false}) {
    if ((parts & (standard_ones ? standard : descriptors)) == 0) continue;
    gone.clear(), changed.clear(), added.clear();
    compare(among(descriptors_, standard_ones), among(now.descriptors_, standard_ones), gone, changed, added);
    const char* subject = standard_ones ? "stdin, stdout or stderr" : "file descriptors";
    tell(subject, "closed", gone, found);
    tell(subject, "replaced", changed, found);
    tell(subject, "left open", added, found);
  }
  if ((parts & threads) != 0) {
    const std::size_t more = missing_from(threads_, now.threads_).size();
    if (more > 0) found.push_back(fmt::format("threads that go on: {}", more));
  }
  if ((parts & children) != 0) {
    const std::size_t more = missing_from(children_, now.children_).size();
    if (more > 0) found.push_back(fmt::format("processes that go on: {}", more));
  }
  if ((parts & environment) != 0) {
    gone.clear(), changed.clear(), added.clear();
    compare(environment_, now.environment_, gone, changed, added);
    tell("environment variables", "removed", gone, found);
    tell("environment variables", "changed", changed, found);
    tell("environment variables", "added", added, found);
  }
  if ((parts & timers) != 0 && timers_ != now.timers_) found.emplace_back("a timer that runs (setitimer, alarm)");
  return found;
}

}  // namespace trammel
