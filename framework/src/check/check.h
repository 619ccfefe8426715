// The conformance kit of `trammel check`: what one check is, what it works on, and what comes out.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugin/host.h"
#include "trammel/status.h"

namespace trammel::conformance {

enum class Level : int { load = 1, contract, mathematics, fuzz };

/// What the user asks for.
struct Request {
  std::filesystem::path plugin;  ///< the library
  int level = 3;                 ///< all checks up to it
  unsigned seed = 1;
  std::vector<std::string> include, exclude;  ///< ids, or their beginnings ("math.", "fuzz"); include empty: all
  std::vector<std::string> types;             ///< component types; empty: all
  std::vector<std::filesystem::path> cases;   ///< run files and folders with run files; empty: those beside the plugin
  double timeout = 20;                        ///< s, for each check
  double memory = 4;                          ///< GiB, for each check; 0: no limit
  int fingerprint = 0;                        ///< calls of each component to compare builds by, in place of checks
};

/// Thrown by a check to say that the component fails it, or that it does not apply.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Failed(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void skip(fmt::format_string<Args...> text, Args&&... args) {
  throw Skipped(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void require(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) fail(text, std::forward<Args>(args)...);
}
inline void require_ok(const Status& status, const char* what) {
  if (!status) fail("{} fails: {} ({})", what, status.what, status_name(status.code));
}

/// Stands before and behind what a component may write to; no number that it should find by chance.
inline constexpr double canary = -7.25e77;

/// What a check works on, in its own process. Level 1 has no component and may have no plugin.
struct Subject {
  std::filesystem::path file;
  PluginHost* host = nullptr;
  const PluginInfo* plugin = nullptr;
  const ComponentInfo* component = nullptr;
  std::vector<std::filesystem::path> cases;    ///< run files that use the component
  std::vector<std::filesystem::path> studies;  ///< made from these, or naming its type
  std::vector<std::filesystem::path> given;    ///< files and folders of the command line
  double timeout = 20;                         ///< s that one check may take
  std::mt19937 random;

  /// The component's record, from the loaded library. Throws Error if it is refused.
  const ComponentRecord& record() const;
};

struct Check {
  const char* id;  ///< "math.jacobian"
  Level level;
  const char* what;   ///< what holds if it passes, one sentence without full stop
  const char* cause;  ///< what usually is wrong if it fails
  std::function<void(Subject&)> run;
  const char* needs = "";  ///< id of a check without which this one has no meaning
};

/// All checks of one kind of component, in the order they run; those of the library as a whole.
const std::vector<Check>& library_checks();
std::vector<Check> checks_of(ComponentKind kind);

// Parts of checks_of, one source each.
void add_contract_checks(ComponentKind kind, std::vector<Check>& checks);
/// Those of level 2 that have no meaning unless the check `after` passed.
void add_run_checks(ComponentKind kind, const char* after, std::vector<Check>& checks);
/// Of all kinds that run files create: their keys.
void add_key_check(std::vector<Check>& checks);
void add_constraint_checks(std::vector<Check>& checks);
void add_force_checks(std::vector<Check>& checks);
void add_force_symmetry_checks(std::vector<Check>& checks);
void add_switch_check(std::vector<Check>& checks);
/// Of constraints and forces.
void add_channel_checks(ComponentKind kind, std::vector<Check>& checks);
/// Of forces: channels that signals may follow.
void add_channel_gradient_checks(std::vector<Check>& checks);
void add_system_checks(std::vector<Check>& checks);
void add_frame_checks(std::vector<Check>& checks);
/// Of systems: what results see of bodies, and the row that bodies carry.
void add_body_output_checks(std::vector<Check>& checks);
/// Of systems: the bits of several threads.
void add_worker_checks(std::vector<Check>& checks);
/// Of systems, and of constraints: bodies and joints in twists.
void add_body_twist_checks(std::vector<Check>& checks);
void add_joint_twist_checks(std::vector<Check>& checks);
/// Of constraints, forces and systems: derivatives with respect to their numbers.
void add_parameter_checks(ComponentKind kind, std::vector<Check>& checks);
/// Of constraints and forces: what they keep from step to step.
void add_memory_checks(ComponentKind kind, std::vector<Check>& checks);
void add_integrator_checks(std::vector<Check>& checks);
void add_integrator_step_checks(std::vector<Check>& checks);
/// Of integrators: steps that another program computed.
void add_expected_step_check(std::vector<Check>& checks);
void add_formulation_checks(std::vector<Check>& checks);
void add_formulation_motion_checks(std::vector<Check>& checks);
void add_function_checks(std::vector<Check>& checks);
void add_metric_checks(std::vector<Check>& checks);
/// Of all kinds: what their studies expect.
void add_study_checks(const char* after, std::vector<Check>& checks);
void add_writer_checks(std::vector<Check>& checks);
void add_importer_checks(std::vector<Check>& checks);
void add_analysis_checks(std::vector<Check>& checks);
void add_linear_solver_checks(std::vector<Check>& checks);
void add_linear_solver_model_checks(std::vector<Check>& checks);
void add_fuzz_checks(ComponentKind kind, std::vector<Check>& checks);

enum class Outcome { passed, failed, skipped };

struct Result {
  std::string id, component;  ///< "constraint/spatial/revolute", "" for the library
  Level level = Level::load;
  Outcome outcome = Outcome::passed;
  std::string message, what, cause;
  double seconds = 0;
};

/// What a component gives in so many random calls, as a number of 16 hexadecimal digits; "none" where nothing can be told.
/// In a process of its own.
std::string fingerprint(Subject& subject, int calls, double timeout);

/// Runs everything asked for, each check in a process of its own. `told` sees every result as it comes.
std::vector<Result> run_checks(const Request& request, const std::function<void(const Result&)>& told);

/// Calls told(component, fingerprint) for each component asked for, without any check.
void run_fingerprints(const Request& request, const std::function<void(const std::string&, const std::string&)>& told);

}  // namespace trammel::conformance
