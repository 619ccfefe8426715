// Runs checks, each in a child process with a timeout: whatever a plugin does ends the child only.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>

#include "check/cases.h"
#include "check/check.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What a child ends with; anything else is not its own doing.
constexpr int exit_passed = 90, exit_failed = 91, exit_skipped = 92;

std::string component_name(const ComponentInfo* component) {
  if (component == nullptr) return "";
  return fmt::format("{}/{}/{}", kind_name(component->kind), host_name(component->host), component->type);
}

/// The check itself, in the child. Its text goes to `out`.
int run_in_child(const Check& check, Subject& subject, int out) {
  const auto say = [&](const std::string& text) {
    const ssize_t written = write(out, text.data(), text.size());
    (void)written;  // the parent sees the exit code
  };
  const std::string id = subject.plugin != nullptr ? subject.plugin->id : subject.file.stem().string();
  const std::string element = subject.component != nullptr ? subject.component->type : "";
  const PhaseScope phase(id.c_str(), element.c_str(), check.id);
  try {
    check.run(subject);
    return exit_passed;
  } catch (const Failed& failure) {
    say(failure.what());
    return exit_failed;
  } catch (const Skipped& reason) {
    say(reason.what());
    return exit_skipped;
  } catch (const std::exception& error) {
    say(error.what());
    return exit_failed;
  } catch (...) {
    say("the plugin threw an object that is no std::exception");
    return exit_failed;
  }
}

/// Everything the child writes until it ends or its time is up.
std::string listen(int pipe, Clock::time_point until, bool& late) {
  std::string text;
  char buffer[4096];
  pollfd readable{pipe, POLLIN, 0};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    const int ready = poll(&readable, 1, static_cast<int>(std::max<long>(0, left)));
    if (ready == 0) {
      late = true;
      return text;
    }
    const ssize_t count = ready < 0 ? -1 : read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    if (text.size() < 100000) text.append(buffer, static_cast<std::size_t>(count));
  }
}

Result run_check(const Check& check, Subject& subject, double timeout) {
  Result result{check.id, component_name(subject.component), check.level, Outcome::passed, "", check.what, "", 0};
  int ends[2];
  if (pipe(ends) != 0) throw Error(ErrorKind::compute, "check: no pipe could be opened");
  std::fflush(nullptr);
  const Clock::time_point begin = Clock::now();
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorKind::compute, "check: no process could be started");
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    const int code = run_in_child(check, subject, ends[1]);
    _exit(code);
  }
  close(ends[1]);
  bool late = false;
  std::string text = listen(ends[0], begin + std::chrono::milliseconds(static_cast<long>(1000 * timeout)), late);
  close(ends[0]);
  if (late) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.message = text;
  if (late) {
    result.outcome = Outcome::failed;
    result.message = fmt::format("does not return within {:g} s (--timeout)", timeout);
    result.cause = "an endless loop, or a wait for something that never comes";
    return result;
  }
  if (code == exit_passed || code == exit_skipped) {
    result.outcome = code == exit_passed ? Outcome::passed : Outcome::skipped;
    if (code == exit_passed) result.message.clear();
    return result;
  }
  result.outcome = Outcome::failed;
  result.cause = check.cause;
  if (code != exit_failed) {
    result.cause = "a wild pointer, an array too short, a failed assertion or exit() in the plugin's code";
    if (text.empty()) {
      result.message = WIFSIGNALED(status) ? fmt::format("ends the process with signal {}", WTERMSIG(status))
                                           : fmt::format("ends the process with exit code {}", code);
    }
  }
  return result;
}

bool matches(const std::vector<std::string>& list, const std::string& id) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& start) { return id.starts_with(start); });
}

class Session {
 public:
  Session(const Request& request, const std::function<void(const Result&)>& told) : request_(request), told_(told) {}

  void run(const std::vector<Check>& checks, Subject& subject) {
    std::set<std::string> bad;
    for (const Check& check : checks) {
      if (static_cast<int>(check.level) > request_.level || matches(request_.exclude, check.id)) continue;
      if (!request_.include.empty() && !matches(request_.include, check.id)) continue;
      Result result;
      const bool rests_on_bad = *check.needs != 0 && bad.count(check.needs) != 0;
      if (rests_on_bad) {
        result = {check.id,
                  component_name(subject.component),
                  check.level,
                  Outcome::skipped,
                  fmt::format("not judged: it rests on {}", check.needs),
                  check.what,
                  "",
                  0};
      } else {
        subject.random.seed(request_.seed);
        result = run_check(check, subject, request_.timeout);
      }
      if (result.outcome == Outcome::failed) failed_ = true;
      if (result.outcome == Outcome::failed || rests_on_bad) bad.insert(check.id);
      told_(result);
      results.push_back(std::move(result));
    }
  }
  bool failed() const { return failed_; }

  std::vector<Result> results;

 private:
  const Request& request_;
  const std::function<void(const Result&)>& told_;
  bool failed_ = false;
};

}  // namespace

const ComponentRecord& Subject::record() const {
  return *host->find(component->kind, component->host, component->type).record;
}

std::vector<Check> checks_of(ComponentKind kind) {
  std::vector<Check> checks, own;
  add_contract_checks(kind, checks);
  switch (kind) {
    case ComponentKind::constraint:
      add_constraint_checks(own);
      add_parameter_checks(kind, own);
      add_memory_checks(kind, own);
      break;
    case ComponentKind::force:
      add_force_checks(own);
      add_parameter_checks(kind, own);
      add_memory_checks(kind, own);
      break;
    case ComponentKind::system:
      add_system_checks(own);
      add_frame_checks(own);
      add_parameter_checks(kind, own);
      break;
    case ComponentKind::integrator: add_integrator_checks(own); break;
    case ComponentKind::formulation: add_formulation_checks(own); break;
    case ComponentKind::function: add_function_checks(own); break;
    case ComponentKind::writer: add_writer_checks(own); break;
    case ComponentKind::analysis: add_analysis_checks(own); break;
    case ComponentKind::linear_solver: add_linear_solver_checks(own); break;
    case ComponentKind::importer: add_importer_checks(checks); return checks;
    case ComponentKind::metric: return checks;
  }
  // What is written where comes first, then what the kernel makes of it, then mathematics.
  for (const Check& check : own) {
    if (check.level == Level::contract) checks.push_back(check);
  }
  add_run_checks(kind, checks.back().id, checks);
  for (const Check& check : own) {
    if (check.level != Level::contract) checks.push_back(check);
  }
  add_fuzz_checks(kind, checks);
  return checks;
}

std::vector<Result> run_checks(const Request& request, const std::function<void(const Result&)>& told) {
  Session session(request, told);
  Subject subject;
  subject.file = fs::absolute(request.plugin).lexically_normal();
  session.run(library_checks(), subject);
  if (session.failed()) return session.results;

  // What the manifest says can be trusted now. The library itself stays unloaded here: only children load it.
  PluginHost host(search_folders({subject.file.parent_path()}, {}));
  subject.host = &host;
  const PluginCases cases(request.cases, subject.file);
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    if (entry.plugin->library != subject.file) continue;
    const auto& types = request.types;
    if (!types.empty() && std::find(types.begin(), types.end(), entry.component->type) == types.end()) continue;
    subject.plugin = entry.plugin;
    subject.component = entry.component;
    subject.cases = cases.using_component(*entry.component, host.catalogue());
    session.run(checks_of(entry.component->kind), subject);
  }
  std::error_code ignored;
  fs::remove_all(temporary_folder(::getpid()), ignored);
  return session.results;
}

}  // namespace trammel::conformance
