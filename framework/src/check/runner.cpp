// Runs checks in child processes with a timeout: whatever a plugin does ends a child only, and no check that fails has
// shared its process with another.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <sstream>
#include <string_view>

#include "check/cases.h"
#include "check/check.h"
#include "check/isolated.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

constexpr int passed_code = 0, failed_code = 1, skipped_code = 2;

std::string component_name(const ComponentInfo* component) {
  if (component == nullptr) return "";
  return fmt::format("{}/{}/{}", kind_name(component->kind), host_name(component->host), component->type);
}

/// The check itself, in its process.
int run_in_process(const Check& check, Subject& subject, std::string& text) {
  const std::string id = subject.plugin != nullptr ? subject.plugin->id : subject.file.stem().string();
  const std::string element = subject.component != nullptr ? subject.component->type : "";
  const PhaseScope phase(id.c_str(), element.c_str(), check.id);
  try {
    check.run(subject);
    return passed_code;
  } catch (const Skipped& reason) {
    text = reason.what();
    return skipped_code;
  } catch (const std::bad_alloc&) {
    text = "no memory is left (limit: --memory)";
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text = "the plugin threw an object that is no std::exception";
  }
  return failed_code;
}

/// What a process that did not come to the end of its check says about the plugin.
void explain(const IsolatedEnd& end, double timeout, Result& result) {
  switch (end.how) {
    case IsolatedEnd::How::done: return;
    case IsolatedEnd::How::late:
      result.message = fmt::format("does not return within {:g} s (--timeout)", timeout);
      result.cause = "an endless loop, or a wait for something that never comes";
      return;
    case IsolatedEnd::How::orphaned:
      result.message = fmt::format("ends its parent process with signal {}", end.code);
      result.cause = "a kill(getppid(), ...), or of another process than it means";
      return;
    case IsolatedEnd::How::by_signal:
      if (end.text.empty()) result.message = fmt::format("ends the process with signal {}", end.code);
      break;
    case IsolatedEnd::How::silent:
      if (end.text.empty()) result.message = fmt::format("ends the process with exit code {}", end.code);
      break;
  }
  result.cause = "a wild pointer, an array too short, a failed assertion or exit() in the plugin's code";
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of a check that has not run.
Result result_of(const Check& check, const Subject& subject, Outcome outcome, std::string message, double seconds) {
  const bool failed = outcome == Outcome::failed;
  return {check.id,   component_name(subject.component), check.level, outcome, std::move(message),
          check.what, failed ? check.cause : "",         seconds};
}

Result run_check(const Check& check, Subject& subject, const Request& request) {
  Result result = result_of(check, subject, Outcome::failed, "", 0);
  const auto begin = std::chrono::steady_clock::now();
  const std::string folder = check_folder().string();
  const IsolatedEnd end = run_isolated({request.timeout, request.memory, folder.c_str()},
                                       [&](std::string& text) { return run_in_process(check, subject, text); });
  result.seconds = seconds_since(begin);
  result.message = end.text;
  explain(end, request.timeout, result);
  const bool done = end.how == IsolatedEnd::How::done;
  if (!done || end.code == failed_code) return result;
  if (end.code == passed_code && !end.printed.empty() && std::string_view(check.id).ends_with(".process")) {
    result.message = fmt::format("it prints to stdout: {}", end.printed.substr(0, 200));
    return result;
  }
  result.outcome = end.code == passed_code ? Outcome::passed : Outcome::skipped;
  result.cause.clear();
  if (result.outcome == Outcome::passed) result.message.clear();
  return result;
}

/// Checks that change their process for good or end it, that compare what it was with what it is, or that take as long as
/// many others.
bool wants_own_process(const Check& check) {
  static constexpr const char* ids[] = {
      "contract.killed", "contract.no_room", "contract.allocation", "contract.run",
      "math.study",      "math.closed_path", "math.order",          "math.order_constrained"};
  const std::string_view id = check.id;
  return check.level == Level::fuzz || id.ends_with(".process") || id.ends_with(".modes") ||
         std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
}

/// Several checks one after another in one process, up to the first that does not pass: most of the time of short ones goes
/// into their processes. Whatever fails, crashes or is late in company has no result here, and is judged alone.
std::vector<Result> run_together(const std::vector<const Check*>& checks, Subject& subject, const Request& request) {
  const std::string folder = check_folder().string();
  const IsolatedEnd end = run_isolated({request.timeout, request.memory, folder.c_str()}, [&](std::string& text) {
    for (const Check* check : checks) {
      const auto begin = std::chrono::steady_clock::now();
      std::string message;
      subject.random.seed(request.seed);
      const int code = run_in_process(*check, subject, message);
      if (code == failed_code) break;
      text += fmt::format("{} {} {}\n{}\n", code, seconds_since(begin), message.size(), message);
    }
    return passed_code;
  });
  std::vector<Result> results;
  if (end.how != IsolatedEnd::How::done) return results;
  std::istringstream text(end.text + "\n");  // ends of lines at its end are gone
  int code = 0;
  double seconds = 0;
  std::size_t length = 0;
  while (results.size() < checks.size() && text >> code >> seconds >> length && text.get() == '\n') {
    std::string message(length, ' ');
    text.read(message.data(), static_cast<std::streamsize>(length));
    const Outcome outcome = code == passed_code ? Outcome::passed : Outcome::skipped;
    results.push_back(result_of(*checks[results.size()], subject, outcome, std::move(message), seconds));
  }
  return results;
}

bool matches(const std::vector<std::string>& list, const std::string& id) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& start) { return id.starts_with(start); });
}

class Session {
 public:
  Session(const Request& request, const std::function<void(const Result&)>& told) : request_(request), told_(told) {}

  void run(const std::vector<Check>& checks, Subject& subject) {
    std::set<std::string> bad;
    std::vector<const Check*> together;
    for (const Check& check : checks) {
      if (static_cast<int>(check.level) > request_.level || matches(request_.exclude, check.id)) continue;
      if (!request_.include.empty() && !matches(request_.include, check.id)) continue;
      if (!wants_own_process(check)) {
        together.push_back(&check);
        continue;
      }
      run_pending(together, subject, bad);
      run_alone(check, subject, bad);
    }
    run_pending(together, subject, bad);
  }
  bool failed() const { return failed_; }

  std::vector<Result> results;

 private:
  void run_pending(std::vector<const Check*>& checks, Subject& subject, std::set<std::string>& bad) {
    std::size_t told = 0;
    if (checks.size() > 1 && bad.empty()) {
      std::vector<Result> together = run_together(checks, subject, request_);
      for (Result& result : together) tell(std::move(result));
      told = together.size();
    }
    for (; told < checks.size(); ++told) run_alone(*checks[told], subject, bad);
    checks.clear();
  }
  void run_alone(const Check& check, Subject& subject, std::set<std::string>& bad) {
    const bool rests_on_bad = *check.needs != 0 && bad.count(check.needs) != 0;
    subject.random.seed(request_.seed);
    Result result = rests_on_bad ? result_of(check, subject, Outcome::skipped,
                                             fmt::format("not judged: it rests on {}", check.needs), 0)
                                 : run_check(check, subject, request_);
    if (result.outcome == Outcome::failed) failed_ = true;
    if (result.outcome == Outcome::failed || rests_on_bad) bad.insert(check.id);
    tell(std::move(result));
  }
  void tell(Result result) {
    told_(result);
    results.push_back(std::move(result));
  }

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
      add_joint_twist_checks(own);
      add_channel_checks(kind, own);
      add_parameter_checks(kind, own);
      add_memory_checks(kind, own);
      break;
    case ComponentKind::force:
      add_force_checks(own);
      add_force_symmetry_checks(own);
      add_switch_check(own);
      add_channel_checks(kind, own);
      add_channel_gradient_checks(own);
      add_parameter_checks(kind, own);
      add_memory_checks(kind, own);
      break;
    case ComponentKind::system:
      add_system_checks(own);
      add_body_twist_checks(own);
      add_frame_checks(own);
      add_body_output_checks(own);
      add_worker_checks(own);
      add_parameter_checks(kind, own);
      break;
    case ComponentKind::integrator:
      add_integrator_checks(own);
      add_integrator_step_checks(own);
      break;
    case ComponentKind::formulation:
      add_formulation_checks(own);
      add_formulation_motion_checks(own);
      break;
    case ComponentKind::function: add_function_checks(own); break;
    case ComponentKind::writer: add_writer_checks(own); break;
    case ComponentKind::analysis: add_analysis_checks(own); break;
    case ComponentKind::linear_solver:
      add_linear_solver_checks(own);
      add_linear_solver_model_checks(own);
      break;
    case ComponentKind::importer: add_importer_checks(checks); return checks;
    case ComponentKind::metric:
      add_key_check(checks);
      add_metric_checks(checks);
      add_study_checks("contract.feeding", checks);
      return checks;
  }
  // What is written where comes first, then what the kernel makes of it, then mathematics.
  for (const Check& check : own) {
    if (check.level == Level::contract) checks.push_back(check);
  }
  add_run_checks(kind, checks.back().id, checks);
  add_key_check(checks);
  for (const Check& check : own) {
    if (check.level != Level::contract) checks.push_back(check);
  }
  add_study_checks("contract.run", checks);
  add_fuzz_checks(kind, checks);
  return checks;
}

namespace {

/// Calls `look` for every component asked for. The library itself stays unloaded here: only children load it.
void each_component(const Request& request, Subject& subject, const std::function<void()>& look) {
  // What the manifest says can be trusted by now.
  PluginHost host(search_folders({}, {{subject.file.parent_path()}}));
  subject.host = &host;
  // Checks have a working directory of their own.
  std::vector<fs::path> given;
  for (const fs::path& path : request.cases) given.push_back(fs::absolute(path));
  const PluginCases cases(given, subject.file);
  subject.given = given;
  subject.timeout = request.timeout;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    if (entry.plugin->library != subject.file) continue;
    const auto& types = request.types;
    if (!types.empty() && std::find(types.begin(), types.end(), entry.component->type) == types.end()) continue;
    subject.plugin = entry.plugin;
    subject.component = entry.component;
    subject.cases = cases.using_component(*entry.component, host.catalogue());
    subject.studies = cases.studies_of(*entry.component, subject.cases);
    look();
  }
}

}  // namespace

std::vector<Result> run_checks(const Request& request, const std::function<void(const Result&)>& told) {
  const CheckFolder folder;
  Session session(request, told);
  Subject subject;
  subject.file = fs::absolute(request.plugin).lexically_normal();
  session.run(library_checks(), subject);
  if (session.failed()) return session.results;
  each_component(request, subject, [&] { session.run(checks_of(subject.component->kind), subject); });
  return session.results;
}

void run_fingerprints(const Request& request, const std::function<void(const std::string&, const std::string&)>& told) {
  const CheckFolder folder;
  Subject subject;
  subject.file = fs::absolute(request.plugin).lexically_normal();
  each_component(request, subject, [&] {
    subject.random.seed(request.seed);
    told(component_name(subject.component), fingerprint(subject, request.fingerprint, request.timeout));
  });
}

}  // namespace trammel::conformance
