// The metrics of one run: plugins and errors, fed with the columns they ask for.
#pragma once

#include <deque>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "model/component.h"
#include "results/column_expression.h"
#include "study/error_metric.h"
#include "study/step_sampler.h"
#include "study/study_file.h"
#include "trammel/host/simulation.h"
#include "trammel/metric.h"

namespace trammel {

class CaseMetrics final : public StepObserver {
 public:
  /// [setup] Metrics that accumulate over the run of this case; the others are left out. References that are cases are
  /// read from `folder`, the study's. Throws Error.
  CaseMetrics(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder, PluginHost& host);

  /// [setup] Watches the run. Throws Error (input) at the metric whose column does not exist.
  void attach(Simulation& simulation);

  void sample(At at, double t, double h, ConstVectorView values) override;
  void inside(double from, double to, const Look& look) override;

  /// Results of a metric and the names of its further numbers, "" for the metric itself; empty: not taken in this run.
  std::vector<std::pair<std::string, double>> results(const MetricSection& metric);
  /// The curve of a metric that has one (MetricCurve), as a table; otherwise "".
  std::string curve(const MetricSection& metric);
  /// Why a metric could not go on, or "".
  const std::string& failure() const { return failure_; }

 private:
  struct FromPlugin {
    const MetricSection* section;
    Component component;
    bool at_output, of_motion;
    std::vector<ColumnExpression> channels;
    std::vector<double> values, state, scratch, cache;
    std::vector<double> before_jump{};  ///< values at the end of the last step, before what happened there
    bool of_steps() const { return !of_motion && !at_output; }
    bool jumps() const;
    /// The channels' values at t, out of those of the columns.
    void evaluate(double t, const double* columns) {
      for (std::size_t i = 0; i < channels.size(); ++i) values[i] = channels[i].evaluate(t, columns);
    }
    Memory memory() { return {state.data(), scratch.data(), cache.data()}; }
    std::string name() const;  ///< of messages
    /// [step] Throws Error(plugin) if the metric wrote behind its memory.
    void require_fences() const;
  };
  struct FromReference {
    const MetricSection* section;
    ErrorMetric metric;
  };

  void accumulate(FromPlugin& plugin, double t, double h) { accumulate(plugin, plugin.values, t, h); }
  void accumulate(FromPlugin& plugin, const std::vector<double>& values, double t, double h);
  std::vector<double> motion(double t, const double* columns);
  void add_plugin(const StudyFile& study, const MetricSection& section, PluginHost& host);
  void add_error(const StudyFile& study, const StudyCase& c, const std::filesystem::path& folder,
                 const MetricSection& section);

  ColumnSet columns_;
  std::vector<const MetricSection*> owner_;  ///< of each column: the metric that asked first
  std::deque<FromPlugin> plugins_;
  std::deque<FromReference> errors_;
  std::string failure_;
  StepSampler sampler_;  ///< of all channels of metrics of the motion
  bool of_motion_ = false, of_steps_ = false;
  double step_end_ = -std::numeric_limits<double>::infinity();    ///< s, of `before_jump`
  double seen_until_ = -std::numeric_limits<double>::infinity();  ///< s, of the motion inside steps
};

}  // namespace trammel
