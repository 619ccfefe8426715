// Tables of a study.
#include "study/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/atomic_file.h"
#include "results/json_number.h"
#include "study/metric_types.h"
#include "study/stability_metrics.h"
#include "study/store.h"
#include "study/text_table.h"

namespace trammel {
namespace {

const char* outcome_name(const ExpectationVerdict& verdict) {
  switch (verdict.outcome) {
    case ExpectationVerdict::Outcome::met: return "met";
    case ExpectationVerdict::Outcome::missed: return "missed";
    case ExpectationVerdict::Outcome::not_judged: break;
  }
  return "not judged";
}

/// Columns of the cases' table: the metrics and their further numbers, in the order of the study.
std::vector<std::string> metric_columns(const StudyFile& study, const StudyResult& result, bool further) {
  std::vector<std::string> columns;
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if (own != nullptr && own->of_groups) continue;
    columns.push_back(metric.name);
    if (!further) continue;
    std::vector<std::string> names;  // of the first record that has them
    for (const StudyJson& record : result.records) {
      if (!names.empty() || !record.contains("metrics")) continue;
      for (const auto& entry : record["metrics"].items()) {
        if (entry.key().rfind(metric.name + ".", 0) == 0) names.push_back(entry.key());
      }
    }
    columns.insert(columns.end(), names.begin(), names.end());
  }
  return columns;
}

/// Rows of cases that people look at; the others are in study.csv and study.db.
constexpr std::size_t most_rows_shown = 200;
/// Cases of study.json, which pages read whole.
constexpr std::size_t most_json_cases = 20000;

class Tables {
 public:
  Tables(const StudyFile& study, const StudyResult& result) : study_(study), result_(result) {}

  TextTable cases() const {
    std::vector<std::string> columns = study_.table_columns;
    if (columns.empty()) columns = metric_columns(study_, result_, false);
    std::vector<std::string> header = {"case", "status"};
    header.insert(header.end(), columns.begin(), columns.end());
    TextTable table(header);
    for (std::size_t i = 0; i < result_.records.size(); ++i) {
      const StudyJson& record = result_.records[i];
      const std::string name = record.value("name", "");
      if (i >= most_rows_shown && name != result_.best) continue;
      std::vector<std::string> row = {name + (name == result_.best ? " (best)" : ""), record.value("status", "")};
      for (const std::string& column : columns) row.push_back(shown(metric_of(record, column)));
      table.add(row);
    }
    return table;
  }

  TextTable orders() const {
    TextTable table({"order", "along", "slope"});
    for (const GroupResult& group : result_.groups) {
      if (group.estimate) continue;
      const Node* over = study_.find_metric(group.metric)->node->find("over");
      table.add({group.metric + (group.name.empty() ? "" : " of " + group.name), over->text, shown(group.value)});
    }
    return table;
  }

  TextTable estimates() const {
    TextTable table({"estimate", "value", "from", "to"});
    for (const GroupResult& group : result_.groups) {
      if (!group.estimate) continue;
      const std::string name = group.metric + (group.name.empty() ? "" : " of " + group.name);
      table.add({name, shown(group.value), shown(group.low), shown(group.high)});
    }
    return table;
  }

  TextTable expectations() const {
    TextTable table({"expectation", "printed", "expected", "obtained", "verdict", "source"});
    const std::vector<ExpectationVerdict>& all = result_.verdicts;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i + 1;  // cases of one expectation that came to the same share a row
      while (end < all.size() && all[end].expectation == all[i].expectation && all[end].outcome == all[i].outcome &&
             all[i].outcome != ExpectationVerdict::Outcome::missed) {
        ++end;
      }
      const Expectation& e = *all[i].expectation;
      const std::string subject = e.metric.empty() ? "status" : e.metric;
      const std::string cases = end - i > 1 ? fmt::format("{} cases", end - i) : all[i].case_name;
      table.add({cases.empty() ? subject : cases + ": " + subject, given(e.printed) ? number_text(e.printed) : "",
                 expected(e), e.status >= 0 ? all[i].obtained_status : range(i, end),
                 std::string(outcome_name(all[i])) + (e.timing ? " (timing)" : ""), e.source});
      i = end;
    }
    return table;
  }

  std::string failures() const {
    std::string text;
    std::size_t count = 0;
    for (const StudyJson& record : result_.records) {
      const std::string message = record.value("message", "");
      if (message.empty() || ++count > most_rows_shown) continue;
      text += fmt::format("  {}: {}\n", record.value("name", ""), message);
    }
    if (count > most_rows_shown) text += fmt::format("  and {} more\n", count - most_rows_shown);
    return text;
  }

  std::string conclusion() const {
    std::size_t met = 0, missed = 0;
    for (const ExpectationVerdict& verdict : result_.verdicts) {
      met += verdict.outcome == ExpectationVerdict::Outcome::met;
      missed += verdict.outcome == ExpectationVerdict::Outcome::missed;
    }
    std::string text = fmt::format("{} cases; {} expectations met, {} missed", result_.records.size(), met, missed);
    if (result_.interrupted) text += fmt::format("; interrupted, {} cases are missing", result_.missing());
    if (result_.records.size() > most_rows_shown)
      text += fmt::format("; the first {} are shown, study.csv has all", most_rows_shown);
    if (!result_.best.empty()) text += fmt::format("\nbest case: {}", result_.best);
    for (std::size_t i = 0; i < std::min(result_.unexpected.size(), most_rows_shown); ++i)
      text += fmt::format("\nfailed unexpectedly: {}", result_.unexpected[i]);
    if (result_.unexpected.size() > most_rows_shown)
      text += fmt::format("\nand {} more", result_.unexpected.size() - most_rows_shown);
    return text + "\n";
  }

 private:
  std::string shown(double value) const {
    return std::isnan(value) ? "-" : fmt::format("{:.{}g}", value, study_.table_digits);
  }

  /// "0.1", or "0.1 .. 0.3" for the verdicts from `begin` to before `end`.
  std::string range(std::size_t begin, std::size_t end) const {
    double least = result_.verdicts[begin].obtained, largest = least;
    for (std::size_t i = begin; i < end; ++i) {
      least = std::min(least, result_.verdicts[i].obtained);
      largest = std::max(largest, result_.verdicts[i].obtained);
    }
    return shown(least) == shown(largest) ? shown(least) : shown(least) + " .. " + shown(largest);
  }

  static std::string expected(const Expectation& e) {
    if (e.status >= 0) return e.expects_failure() ? "failed" : "completed";
    if (given(e.value)) {
      return number_text(e.value) + " +- " + (given(e.abs) ? number_text(e.abs) : "") +
             (given(e.rel) ? (given(e.abs) ? " or " : "") + fmt::format("{:.6g} %", 100 * e.rel) : "");
    }
    return (given(e.above) ? ">= " + number_text(e.above) : "") + (given(e.above) && given(e.below) ? ", " : "") +
           (given(e.below) ? "<= " + number_text(e.below) : "");
  }

  const StudyFile& study_;
  const StudyResult& result_;
};

/// One cell of a CSV file: quoted where a comma, a quote or a line break would be misread.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text) quoted_text += c == '"' ? "\"\"" : std::string(1, c);
  return quoted_text + "\"";
}

std::string csv_text(const StudyFile& study, const StudyResult& result) {
  const std::vector<std::string> paths = setting_paths(study), metrics = metric_columns(study, result, true);
  const std::vector<std::string> counters = {"steps",     "rejected",       "evaluations",
                                             "jacobians", "factorizations", "newton_iterations"};
  std::vector<std::string> header = {"case", "status", "solve_s", "message"};  // names as in study.db: no two are equal
  std::string text = "case,status";
  for (const auto* names : {&paths, &metrics, &counters}) {
    for (const std::string& name : *names) {
      header.push_back(column_for(name, header));
      text += "," + cell(header.back());
    }
  }
  text += ",solve_s,message\n";
  for (std::size_t i = 0; i < study.cases.size(); ++i) {
    const StudyJson& record = result.records[i];
    text += cell(study.cases[i].name) + "," + record.value("status", "");
    for (const std::string& path : paths) {
      const Node* value = study.cases[i].find(path);
      text += "," + (value == nullptr ? "" : cell(value->is_text() ? value->text : to_line(*value)));
    }
    for (const std::string& metric : metrics) {
      const double value = metric_of(record, metric);
      text += "," + (!has_metric(record, metric) ? "" : std::isnan(value) ? "nan" : fmt::format("{:.17g}", value));
    }
    for (const std::string& counter : counters) {
      text += ",";
      if (record.contains("statistics")) text += record["statistics"][counter].dump();
    }
    text += "," + (record.contains("timing") ? record["timing"]["solve_s"].dump() : "") + "," +
            cell(record.value("message", "")) + "\n";
  }
  return text;
}

std::string json_text(const StudyFile& study, const StudyResult& result) {
  StudyJson json = {{"title", study.title}, {"source", study.source}, {"study", study.file.string()}};
  json["status"] = result.interrupted ? "interrupted" : result.as_expected() ? "as expected" : "not as expected";
  StudyJson& cases = json["cases"] = StudyJson::array();
  if (study.cases.size() > most_json_cases)
    json["cases_left_out"] = study.cases.size() - most_json_cases;  // study.csv and study.db have them
  for (std::size_t i = 0; i < std::min(study.cases.size(), most_json_cases); ++i) {
    const StudyJson& record = result.records[i];
    StudyJson set = StudyJson::object();
    for (const Setting& setting : study.cases[i].set) set[setting.path] = StudyJson::parse(to_json(setting.value));
    StudyJson entry = {{"name", study.cases[i].name}, {"set", set}};
    if (study.keep == Keep::files) entry["folder"] = "cases/" + study.cases[i].folder;
    for (const char* key : {"status", "message", "metrics", "statistics", "timing", "max", "dimensions"}) {
      entry[key] = record.contains(key) ? record[key] : StudyJson(nullptr);
    }
    cases.push_back(entry);
  }
  StudyJson& metrics = json["metrics"] = StudyJson::object();
  for (const MetricSection& metric : study.metrics) metrics[metric.name] = StudyJson::parse(to_json(*metric.node));
  json["columns"] = study.table_columns.empty() ? metric_columns(study, result, false) : study.table_columns;
  json["digits"] = study.table_digits;
  if (!result.best.empty()) json["best"] = result.best;
  if (!study.sample.paths.empty()) json["sampled"] = study.sample.paths;
  StudyJson& orders = json["orders"] = StudyJson::array();
  StudyJson estimates = StudyJson::array();
  for (const GroupResult& group : result.groups) {
    if (group.estimate) {
      estimates.push_back({{"metric", group.metric},
                           {"cases", group.name},
                           {"value", json_number(group.value)},
                           {"low", json_number(group.low)},
                           {"high", json_number(group.high)}});
      continue;
    }
    orders.push_back({{"metric", group.metric}, {"cases", group.name}, {"slope", json_number(group.value)}});
  }
  if (!estimates.empty()) json["estimates"] = estimates;
  StudyJson& expectations = json["expectations"] = StudyJson::array();
  for (const ExpectationVerdict& verdict : result.verdicts) {
    StudyJson entry = StudyJson::parse(to_json(*verdict.expectation->node));
    entry["case"] = verdict.case_name;
    if (verdict.expectation->status >= 0)
      entry["obtained"] = verdict.obtained_status;
    else
      entry["obtained"] = json_number(verdict.obtained);
    entry["verdict"] = outcome_name(verdict);
    if (!study.row.empty() && !entry.contains("row")) entry["row"] = study.row;
    expectations.push_back(entry);
  }
  json["unexpected_failures"] = result.unexpected;
  return json.dump(2) + "\n";
}

std::string convergence_text(const StudyResult& result) {
  std::string text = "cases,estimate,points,value,low,high\n";
  const auto number = [](double value) { return std::isnan(value) ? std::string() : number_text(value); };
  for (const ConvergenceRow& row : result.convergence) {
    text += fmt::format("{},{},{},{},{},{}\n", cell(row.name), cell(row.metric), row.points, number(row.value),
                        number(row.low), number(row.high));
  }
  return text;
}

std::string markdown_text(const StudyFile& study, const StudyResult& result, const std::vector<std::string>& pictures) {
  const Tables tables(study, result);
  std::string text = "# " + (study.title.empty() ? study.file.stem().string() : study.title) + "\n";
  if (!study.source.empty()) text += "\nSource: " + study.source + "\n";
  text += "\n" + tables.cases().markdown();
  if (!tables.orders().empty()) text += "\n" + tables.orders().markdown();
  if (!tables.estimates().empty()) text += "\n" + tables.estimates().markdown();
  if (!result.verdicts.empty()) text += "\n" + tables.expectations().markdown();
  for (const std::string& picture : pictures) text += fmt::format("\n![{0}]({0})\n", picture);
  const std::string failures = tables.failures();
  if (!failures.empty()) text += "\nMessages:\n\n" + failures;
  return text + "\n" + tables.conclusion();
}

}  // namespace

void write_study(const StudyFile& study, const StudyResult& result, const std::filesystem::path& folder) {
  write_atomically(folder / "study.csv", csv_text(study, result));
  if (!study.sample.paths.empty()) write_atomically(folder / "convergence.csv", convergence_text(result));
  write_atomically(folder / "study.json", json_text(study, result));
  write_atomically(folder / "study.md", markdown_text(study, result, draw_stability(study, folder)));
}

std::string study_text(const StudyFile& study, const StudyResult& result) {
  const Tables tables(study, result);
  std::string text = (study.title.empty() ? study.file.stem().string() : study.title) + "\n" + tables.cases().aligned();
  if (!tables.orders().empty()) text += "\n" + tables.orders().aligned();
  if (!tables.estimates().empty()) text += "\n" + tables.estimates().aligned();
  if (!result.verdicts.empty()) text += "\n" + tables.expectations().aligned();
  const std::string failures = tables.failures();
  if (!failures.empty()) text += "\n" + failures;
  return text + "\n" + tables.conclusion();
}

}  // namespace trammel
