// The one place that knows which analyses there are.
#include "analysis/analysis_run.h"

#include "analysis/assembly.h"
#include "analysis/dynamics.h"
#include "analysis/equilibrium.h"
#include "analysis/inverse_dynamics.h"
#include "analysis/kinematics.h"
#include "analysis/modes.h"
#include "analysis/opened_analysis.h"

namespace trammel {

std::unique_ptr<AnalysisRun> make_analysis(const RunFile& run, PluginHost& host, Model& model) {
  switch (run.analysis.type) {
    case AnalysisType::assembly: return std::make_unique<AssemblyAnalysis>();
    case AnalysisType::kinematics: return std::make_unique<Kinematics>();
    case AnalysisType::inverse_dynamics: return std::make_unique<InverseDynamics>();
    case AnalysisType::equilibrium: return std::make_unique<Equilibrium>(run.analysis);
    case AnalysisType::modes: return std::make_unique<Modes>(run.analysis);
    case AnalysisType::plugin: return std::make_unique<OpenedAnalysis>(run, host, model);
    case AnalysisType::dynamics: break;
  }
  return std::make_unique<Dynamics>();
}

}  // namespace trammel
