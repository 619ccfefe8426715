// Chooses the verification that fits the analysis, and writes its outcome beside the results.
#include <fmt/format.h>

#include <fstream>

#include "compose/compose.h"
#include "config/method_request.h"
#include "config/run_file.h"
#include "plugin/host.h"
#include "results/atomic_file.h"
#include "trammel/error.h"
#include "verify/verification.h"
#include "verify/verify_dynamics.h"
#include "verify/verify_other.h"

namespace trammel {
namespace {

Verification verified(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                      VerifyObserver& observer) {
  switch (run.analysis.type) {
    case AnalysisType::dynamics: return verify_dynamics(run, host, own, order, observer);
    case AnalysisType::kinematics: return verify_kinematics(run, own, order, observer);
    case AnalysisType::inverse_dynamics: return verify_inverse_dynamics(run, own, order, observer);
    case AnalysisType::equilibrium: return verify_equilibrium(run, host, own, order, observer);
    case AnalysisType::modes: return verify_modes(run, host, own, order, observer);
    case AnalysisType::assembly:
    case AnalysisType::plugin: break;
  }
  return verify_assembly(run, host, own, order, observer);
}

}  // namespace

Verification verify_run(const VerifyOrder& order, VerifyObserver& observer) {
  Problems problems;
  RunFile run = load_run_file(order.file, order.set, problems);
  problems.raise();
  PluginHost host(search_folders(run.plugin_search, order.plugins));
  run = composed(std::move(run), host.catalogue());
  const RunRecord own = read_record_of(order.folder);
  if (!own.completed)
    throw Error(ErrorKind::compute, order.folder.string() + ": the run did not complete: there is nothing to verify");
  if (const auto choice = own.summary.find("method_choice"); choice != own.summary.end()) {
    const auto type = [&](const char* key) {
      return choice->contains(key) && (*choice)[key].is_string() ? (*choice)[key].get<std::string>() : std::string();
    };
    put_method(run, {type("formulation"), type("integrator")});
  }
  const Verification result = verified(run, host, own, order, observer);
  const VerifyJson json = to_json(result);
  write_atomically(order.folder / "verification.json", json.dump(2) + "\n");
  VerifyJson summary = own.summary;
  summary["verification"] = json;
  write_atomically(order.folder / "summary.json", summary.dump(2) + "\n");
  return result;
}

}  // namespace trammel
