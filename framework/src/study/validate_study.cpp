// Static validation: the run file of every case, the metrics' keys, and all names that refer to metrics and cases.
#include <algorithm>
#include <map>
#include <set>

#include "compose/compose.h"
#include "config/includes.h"
#include "config/parameter_use.h"
#include "config/validate.h"
#include "study/host_cache.h"
#include "study/metric_types.h"
#include "study/study.h"
#include "study/summary_numbers.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

class StudyValidator {
 public:
  StudyValidator(const StudyFile& study, const PluginSearch& plugins, Problems& problems)
      : study_(study), plugins_(plugins), problems_(problems), hosts_(plugins) {
    for (const StudyCase& c : study.cases) case_names_.push_back(c.name);
    for (const MetricSection& metric : study.metrics) metric_names_.push_back(metric.name);
  }

  void run() {
    // Points of a sample differ by numbers; the first and the last show what is wrong with all of them, and a case of
    // its own kind is a row.
    for (const StudyCase& c : study_.cases) {
      if (c.point <= 1 || c.point == study_.sample.points) check_case(c);
    }
    refuse_idle_settings();
    const PluginHost host(search_folders({}, plugins_));
    for (const MetricSection& metric : study_.metrics) check_metric(metric, host);
    for (const Expectation& expectation : study_.expect) check_expectation(expectation);
    if (!study_.best.metric.empty())
      require_metric(study_.best.metric, study_.document->find("best")->find("metric")->place, "/best/metric");
    for (std::size_t i = 0; i < study_.table_columns.size(); ++i) {
      const Node& column = study_.document->find("table")->find("columns")->items[i];
      require_metric(study_.table_columns[i], column.place, "/table/columns/" + std::to_string(i));
    }
  }

 private:
  /// What is wrong with the run file they share is said once.
  void check_case(const StudyCase& c) {
    Problems problems;
    try {
      RunFile run = load_run_file(c.base, c.set, problems);
      const Catalogue& catalogue = hosts_.of(run).catalogue();
      compose(run, catalogue, problems);
      if (problems.empty() || !is_composed(*run.document)) validate(run, catalogue, problems);
      if (problems.empty()) note_use(c, run);
    } catch (const Error& error) {
      problems.add(error);
    }
    for (const std::string& line : problems.lines()) {
      if (!told_.insert(line).second) continue;
      problems_.add(Error(problems.kind(), line));
    }
  }

  /// A parameter may be without effect in some cases of a study, not in all of them.
  void note_use(const StudyCase& c, const RunFile& run) {
    for (const Setting& setting : c.set) {
      if (is_text_only(setting)) {
        idle_.try_emplace(setting.path, Error(ErrorKind::input, message_at(setting.value.place, "/" + setting.path,
                                                                           "changes no number of the run, so all cases "
                                                                           "with other values are the same case")));
      }
      if (parameter_of(setting).empty()) continue;
      if (!is_idle(setting, run.parameters)) {
        effective_.insert(setting.path);
      } else {
        idle_.try_emplace(setting.path, Error(ErrorKind::input,
                                              message_at(setting.value.place, "/parameters/" + parameter_of(setting),
                                                         idle_text(parameter_of(setting), run.parameters))));
      }
    }
  }

  void refuse_idle_settings() {
    for (const auto& [path, error] : idle_) {
      if (effective_.count(path) == 0) problems_.add(error);
    }
  }

  void check_metric(const MetricSection& metric, const PluginHost& host) {
    const OwnMetricType* own = find_own_metric(metric.type);
    BindContext context = metric_context(study_, metric);
    if (own == nullptr) {
      const Catalogue::Entry* entry = host.catalogue().find(ComponentKind::metric, Host::any, metric.type);
      if (entry == nullptr) return refuse_type(metric, host);
      std::vector<ParameterInfo> table = entry->component->parameters;
      const std::vector<ParameterInfo> sampling = parameter_infos(sampling_table());
      table.insert(table.end(), sampling.begin(), sampling.end());
      return check(table, *metric.node, context, problems_);
    }
    const std::size_t before = problems_.size();
    check(parameter_infos(own->table), *metric.node, context, problems_);
    if (problems_.size() > before) return;
    const auto place = [&](const char* key) { return metric.node->find_member(key)->value.place; };
    const auto text = [&](const char* key) { return metric.node->find(key)->text; };
    if (own->of_several_cases) require_metric(text("of"), place("of"), metric.path + "/of");
    if (own->of_sample) require_sample(metric, *own);
    if (own->needs_files && study_.keep == Keep::numbers) refuse_without_files(metric, place("type"));
    if (own->kind == OwnMetric::counter) check_counter(metric, text("of"), place("of"));
    if (own->kind == OwnMetric::ratio) require_case(text("to"), place("to"), metric.path + "/to");
    if (own->kind == OwnMetric::order && case_values(text("over")) == 0) {
      problems_.add(place("over"), metric.path + "/over", "no case gives a number to '" + text("over") + "'");
    }
    if (own->kind != OwnMetric::error) return;
    read_columns(metric, problems_);
    std::error_code code;
    const std::string against = text("against");
    if (study_.find_case(against) != nullptr) {
      if (study_.keep == Keep::numbers) refuse_without_files(metric, place("against"));
      return;
    }
    if (std::filesystem::is_regular_file(study_.folder / against, code)) return;
    problems_.add(place("against"), metric.path + "/against",
                  "'" + against + "' is neither a file (looked for " + (study_.folder / against).string() +
                      ") nor a case" + did_you_mean(against, case_names_));
  }

  void require_sample(const MetricSection& metric, const OwnMetricType& own) {
    if (study_.sample.paths.empty())
      problems_.add(metric.place, metric.path, "a metric of type '" + metric.type + "' needs a \"sample\"");
    else if (own.kind == OwnMetric::sobol_indices && study_.sample.base_points == 0)
      problems_.add(metric.place, metric.path, "needs the design of \"sample\": {\"indices\": true}");
  }

  void refuse_without_files(const MetricSection& metric, const Place& place) {
    problems_.add(place, metric.path,
                  "needs files of cases, and this study keeps numbers only; set \"keep\": \"files\"");
  }

  /// Numbers that no summary has. Formulations may count things of their own among the statistics: there only what
  /// looks like a slip of the pen is refused.
  void check_counter(const MetricSection& metric, const std::string& of, const Place& place) {
    std::string name = of;
    if (name.compare(0, 6, "modes.") == 0) {  // all modes have the numbers of the first
      const std::size_t last = name.find_last_not_of("0123456789");
      if (last + 1 < name.size() && name[last] == '.') name = name.substr(0, last + 1) + "1";
    }
    const std::vector<std::string> known = possible_numbers();
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string hint = did_you_mean(of, known);
    if (of.find('.') == std::string::npos && hint.empty()) return;
    problems_.add(place, metric.path + "/of", "a summary has no number '" + of + "'" + hint);
  }

  void refuse_type(const MetricSection& metric, const PluginHost& host) {
    std::vector<std::string> known;
    for (const OwnMetricType& own : own_metric_types()) known.push_back(own.type);
    for (const Catalogue::Entry* entry : host.catalogue().available(ComponentKind::metric, Host::any)) {
      known.push_back(entry->component->type);
    }
    problems_.add(metric.node->find("type")->place, metric.path + "/type",
                  "there is no metric type '" + metric.type + "'" + did_you_mean(metric.type, known),
                  ErrorKind::plugin);
  }

  long case_values(const std::string& path) const {
    return std::count_if(study_.cases.begin(), study_.cases.end(), [&](const StudyCase& c) {
      const Node* value = c.find(path);
      return value != nullptr && value->is_number();
    });
  }

  void check_expectation(const Expectation& e) {
    const auto place = [&](const char* key) { return e.node->find(key)->place; };
    if (!e.metric.empty()) require_metric(e.metric, place("metric"), e.path + "/metric");
    if (e.case_name.empty()) return;
    const MetricSection* metric = study_.find_metric(e.metric.substr(0, e.metric.find('.')));
    const OwnMetricType* own = metric == nullptr ? nullptr : find_own_metric(metric->type);
    if (own == nullptr || !own->of_groups) return require_case(e.case_name, place("case"), e.path + "/case");
    if (own->of_sample) return require_group(e);
    const Node* over = metric->node->find("over");
    std::vector<std::string> groups;
    for (const StudyCase& c : study_.cases) groups.push_back(c.name_without(over == nullptr ? "" : over->text));
    if (std::find(groups.begin(), groups.end(), e.case_name) != groups.end()) return;
    problems_.add(
        place("case"), e.path + "/case",
        "no cases along the order's path share the name '" + e.case_name + "'" + did_you_mean(e.case_name, groups));
  }

  void require_case(const std::string& name, const Place& place, const std::string& path) {
    if (study_.find_case(name) != nullptr) return;
    problems_.add(place, path, "there is no case '" + name + "'" + did_you_mean(name, case_names_));
  }

  /// `case` of an estimate: what the names of the cases of a sample share.
  void require_group(const Expectation& e) {
    std::vector<std::string> groups;
    for (const StudyCase& c : study_.cases) {
      const std::string group = c.point == 1 ? c.sampled_group() : "";
      if (!group.empty()) groups.push_back(group);
    }
    if (std::find(groups.begin(), groups.end(), e.case_name) != groups.end()) return;
    problems_.add(e.node->find("case")->place, e.path + "/case",
                  "no cases of a sample share the name '" + e.case_name + "'" + did_you_mean(e.case_name, groups));
  }

  void require_metric(const std::string& name, const Place& place, const std::string& path) {
    const std::string own = name.substr(0, name.find('.'));
    if (study_.find_metric(own) != nullptr) return;
    problems_.add(place, path, "there is no metric '" + own + "'" + did_you_mean(own, metric_names_));
  }

  const StudyFile& study_;
  const PluginSearch& plugins_;
  Problems& problems_;
  HostCache hosts_;
  std::vector<std::string> case_names_, metric_names_;
  std::set<std::string> told_;
  std::set<std::string> effective_;  ///< paths of parameters that make a difference in some case
  std::map<std::string, Error> idle_;
};

}  // namespace

void validate_study(const StudyFile& study, const PluginSearch& plugins, Problems& problems) {
  StudyValidator(study, plugins, problems).run();
}

}  // namespace trammel
