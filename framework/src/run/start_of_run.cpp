// Implements start_of_run.h.
#include "run/start_of_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/choice/method_chooser.h"

namespace trammel {
namespace {

// Corrections of the initial state beyond this are refused unless analysis.correction_limit says otherwise: half a
// centimetre or half a degree is a typing error, not rounding of a printed figure.
constexpr double default_correction_limit = 5e-3;
// Smaller corrections are rounding and are not worth a warning.
constexpr double noteworthy_correction = 1e-9;

}  // namespace

StartOptions start_options(const RunFile& run) {
  StartOptions options = run.start;
  if (given(run.analysis.correction_limit))
    options.correction_limit = run.analysis.correction_limit;
  else if (!options.demands())
    options.correction_limit = default_correction_limit, options.limit_in_unit = true;
  return options;
}

void refuse_start(const Error& thrown, const RunFile& run, const AnalysisRun& analysis, const Model& model) {
  if (thrown.kind() != ErrorKind::input) throw thrown;
  const Error error = Error::parameter(thrown.key(), thrown.what() + analysis.explain_refusal(model));
  const std::string section = error.key().substr(0, error.key().find('/'));
  const std::vector<std::string> of_analysis = {"solver", "determine", "conditions", "weights", "start"};
  if (std::find(of_analysis.begin(), of_analysis.end(), section) != of_analysis.end())
    throw locate(error, *run.document->find("analysis"), "/analysis");
  if (!error.key().empty()) throw locate(error, *run.system.node, "/system");
  throw Error(ErrorKind::input, message_at(run.system.node->place, "/system", error.what()));
}

std::vector<std::string> remarks_on_start(const ModelStart& start, const ConstrainedModel& numbers, bool asked) {
  std::vector<std::string> remarks;
  const InitialReport& report = start.report;
  if (!asked && report.position_change > noteworthy_correction) {
    remarks.push_back(
        fmt::format("the initial positions violated the constraints by {:.3g}; a minimal "
                    "correction moved {} by {:.3g}",
                    report.positions.violation, report.position_coordinate, report.positions.correction));
  }
  if (!asked && report.velocity_change > noteworthy_correction) {
    remarks.push_back(
        fmt::format("the initial velocities violated the constraints by {:.3g}; a minimal "
                    "correction changed the rate of {} by {:.3g}",
                    report.velocities.violation, report.velocity_coordinate, report.velocities.correction));
  }
  if (!start.redundant.empty()) remarks.push_back(describe(start.redundant, numbers.constraints()));
  if (numbers.coordinates() <= numbers.constraints() - numbers.rank().redundant() && !numbers.rheonomic())
    remarks.emplace_back("no degree of freedom is left and nothing is driven: the mechanism cannot move");
  if (!start.near_dependence.empty()) remarks.push_back(start.near_dependence);
  return remarks;
}

std::optional<ModelStart> choose_method(PluginHost& host, RunFile& run, Model& model, const AnalysisRun& analysis,
                                        Methods& methods) {
  refuse_unaccepted(analysis.accepts(), run, model);
  std::optional<ModelStart> made;
  MethodChooser chooser(host, run, model);
  if (chooser.needs_start()) {
    if (model.assembly() != nullptr) {
      try {
        made = make_start(model, start_options(run));
      } catch (const Error& error) {
        refuse_start(error, run, analysis, model);
      }
    }
    chooser.look(made ? &*made : nullptr);
  }
  methods.chosen(chooser.choose(run));
  return made;
}

}  // namespace trammel
