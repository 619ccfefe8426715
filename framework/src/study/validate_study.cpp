// Static validation: the run file of every case, the metrics' keys, and all names that refer to metrics and cases.
#include <algorithm>
#include <map>
#include <set>

#include "compose/compose.h"
#include "config/includes.h"
#include "config/parameter_use.h"
#include "config/validate.h"
#include "study/host_cache.h"
#include "study/metric_numbers.h"
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
  }

  void run() {
    // Points of a sample differ by numbers; the first and the last show what is wrong with all of them, and a case of
    // its own kind is a row.
    for (const StudyCase& c : study_.cases) {
      if (c.point <= 1 || c.point == study_.sample.points) check_case(c);
    }
    tell_of_cases();
    refuse_idle_settings();
    const PluginHost host(search_folders({}, plugins_));
    for (const MetricSection& metric : study_.metrics) check_metric(metric, host);
    const bool right_so_far = problems_.empty();
    for (const Expectation& expectation : study_.expect) check_expectation(expectation);
    // Which numbers a metric has, its options tell: only of right ones.
    for (const MetricReference& reference : metric_references(study_)) {
      if (!right_so_far && study_.find_metric(reference.name.substr(0, reference.name.find('.'))) != nullptr) continue;
      const std::string wrong = wrong_reference(study_, reference);
      if (!wrong.empty()) problems_.add(reference.place, reference.path, wrong);
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
    ++checked_;
    for (const std::string& line : problems.lines()) {
      const auto [at, is_new] = told_.try_emplace(line, found_.size());
      if (is_new) found_.push_back({line, problems.kind(), c.name, 0});
      ++found_[at->second].cases;
    }
  }

  void tell_of_cases() {
    for (const Found& found : found_) {
      const std::string in = found.cases == checked_
                                 ? ""
                                 : " (in the case '" + found.first_case + "'" +
                                       (found.cases == 1 ? ")" : " and " + std::to_string(found.cases - 1) + " more)");
      problems_.add(Error(found.kind, found.line + in));
    }
  }

  /// A parameter may be without effect in some cases of a study, not in all of them.
  void note_use(const StudyCase& c, const RunFile& run) {
    for (const Setting& setting : c.set) {
      if (is_text_only(setting)) {
        idle_.try_emplace(setting.path, Error(ErrorKind::input, message_at(setting.value.place, path_of(c, setting),
                                                                           "changes no number of the run, so all cases "
                                                                           "with other values are the same case")));
      }
      if (parameter_of(setting).empty()) continue;
      if (!is_idle(setting, run.parameters)) {
        effective_.insert(setting.path);
      } else {
        idle_.try_emplace(setting.path,
                          Error(ErrorKind::input, message_at(setting.value.place, path_of(c, setting),
                                                             idle_text(parameter_of(setting), run.parameters))));
      }
    }
  }

  /// Where the study has the setting: "/vary/parameters.k".
  std::string path_of(const StudyCase& c, const Setting& setting) const {
    const auto at = static_cast<std::size_t>(&setting - c.set.data());
    if (at + c.sampled >= c.set.size()) return "/sample/distributions/" + setting.path;
    if (at + c.sampled + c.varied >= c.set.size()) return "/vary/" + setting.path;
    const Node* cases = study_.document->find("cases");
    for (std::size_t i = 0; cases != nullptr && cases->is_array() && i < cases->items.size(); ++i) {
      const Node *name = cases->items[i].find("name"), *set = cases->items[i].find("set");
      const Node* own =
          name != nullptr && name->text == c.own_name && set != nullptr ? set->find(setting.path) : nullptr;
      if (own != nullptr && own->place.text() == setting.value.place.text())
        return "/cases/" + std::to_string(i) + "/set/" + setting.path;
    }
    return "/set/" + setting.path;
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
    if (own->of_sample) require_sample(metric, *own);
    if (own->kind == OwnMetric::estimate) refuse_equal_quantiles(metric);
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

  void refuse_equal_quantiles(const MetricSection& metric) {
    const Node* quantiles = metric.node->find("quantiles");
    std::set<double> known;
    for (std::size_t i = 0; quantiles != nullptr && quantiles->is_array() && i < quantiles->items.size(); ++i) {
      const Node& p = quantiles->items[i];
      if (known.insert(p.number).second) continue;
      problems_.add(p.place, metric.path + "/quantiles/" + std::to_string(i),
                    "the quantile " + number_text(p.number) + " is given twice");
    }
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

  const StudyFile& study_;
  const PluginSearch& plugins_;
  Problems& problems_;
  HostCache hosts_;
  std::vector<std::string> case_names_;
  struct Found {
    std::string line;
    ErrorKind kind;
    std::string first_case;
    std::size_t cases;
  };
  std::vector<Found> found_;                 ///< what is wrong with cases
  std::map<std::string, std::size_t> told_;  ///< by line: where in `found_`
  std::size_t checked_ = 0;
  std::set<std::string> effective_;  ///< paths of parameters that make a difference in some case
  std::map<std::string, Error> idle_;
};

}  // namespace

std::vector<std::string> equal_cases(const StudyFile& study) {
  std::vector<std::string> found;
  std::map<std::string, std::string> known;
  std::set<std::string> seen;
  for (const StudyCase& c : study.cases) {
    if (c.own_name.empty() || !seen.insert(c.own_name).second) continue;
    // Without what `vary` and `sample` set, whose values differ.
    std::map<std::string, std::string> last;
    for (std::size_t i = 0; i + c.sampled + c.varied < c.set.size(); ++i) last[c.set[i].path] = setting_text(c.set[i]);
    std::string what = c.base.string();
    for (const auto& [path, text] : last) what += "\n" + text;
    const auto [first, is_new] = known.try_emplace(what, c.own_name);
    if (!is_new)
      found.push_back("the cases '" + first->second + "' and '" + c.own_name + "' have equal base and settings");
  }
  return found;
}

void validate_study(const StudyFile& study, const PluginSearch& plugins, Problems& problems) {
  StudyValidator(study, plugins, problems).run();
}

}  // namespace trammel
