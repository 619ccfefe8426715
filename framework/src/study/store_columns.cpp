// Columns of study.db: those that a study has, and the view that shows them side by side.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "study/metric_types.h"
#include "study/store.h"

namespace trammel {
namespace {

bool same_for_sql(const std::string& a, const std::string& b) {
  return a.size() == b.size() && sqlite3_strnicmp(a.c_str(), b.c_str(), static_cast<int>(a.size())) == 0;
}

}  // namespace

std::string column_for(const std::string& name, const std::vector<std::string>& taken) {
  std::string column = name;
  const auto is_taken = [&](const std::string& other) { return same_for_sql(other, column); };
  for (int i = 2; std::any_of(taken.begin(), taken.end(), is_taken); ++i) column = name + "~" + std::to_string(i);
  return column;
}

std::string name_of_column(const std::string& column) {
  const std::size_t mark = column.rfind('~');
  const bool numbered = mark != std::string::npos && mark + 1 < column.size() &&
                        column.find_first_not_of("0123456789", mark + 1) == std::string::npos;
  return numbered ? column.substr(0, mark) : column;
}

std::vector<std::string> setting_paths(const StudyFile& study) {
  std::vector<std::string> paths;
  std::unordered_set<std::string_view> known;
  for (const StudyCase& c : study.cases) {
    for (const Setting& setting : c.set) {
      if (known.insert(setting.path).second) paths.push_back(setting.path);
    }
  }
  return paths;
}

void StudyStore::read_sections() {
  for (const auto& [key, table] : {std::pair{"", "settings"},
                                   {"metrics", "metrics"},
                                   {"statistics", "statistics"},
                                   {"max", "extremes"},
                                   {"dimensions", "dimensions"},
                                   {"timing", "timing"}}) {
    database_.execute(fmt::format("CREATE TABLE IF NOT EXISTS {}(case_id INTEGER PRIMARY KEY);", table));
    Section section{key, table, {}, {}, {}, nullptr, nullptr};
    Statement columns(database_, fmt::format("PRAGMA table_info({})", table));
    while (columns.step()) {
      if (columns.text(1) == "case_id") continue;
      section.columns.push_back(columns.text(1));
      section.names.push_back(name_of_column(columns.text(1)));
      section.places.push_back(RowChecksum::place(table, section.names.back()));
    }
    sections_.push_back(std::move(section));
  }
}

void StudyStore::declare_columns() {
  Section &settings = sections_[0], &metrics = sections_[1];
  const std::vector<std::string> paths = setting_paths(study_);
  for (const std::string& path : paths) add_column(settings, path);
  for (const MetricSection& metric : study_.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if (own == nullptr || !own->of_groups) add_column(metrics, metric.name);
  }
}

void StudyStore::add_columns(Section& section, const StudyJson& numbers, bool metrics) {
  for (const auto& [name, value] : numbers.get_ref<const StudyJson::object_t&>()) {
    // A metric that is NaN in every case is a metric; of other parts null means that there is no such number.
    if (value.is_structured() || (value.is_null() && !metrics)) continue;
    add_column(section, name);
  }
}

void StudyStore::add_column(Section& section, const std::string& name) {
  if (std::find(section.names.begin(), section.names.end(), name) != section.names.end()) return;
  section.insert.reset(), section.select.reset();
  std::vector<std::string> taken = section.columns;
  taken.emplace_back("case_id");
  const std::string column = column_for(name, taken);
  database_.execute(fmt::format("ALTER TABLE {} ADD COLUMN {}", section.table, sql_name(column)));
  section.columns.push_back(column);
  section.names.push_back(name);
  section.places.push_back(RowChecksum::place(section.table, name));
  old_view_ = true;
}

void StudyStore::drop_column(Section& section, std::size_t i) {
  section.insert.reset(), section.select.reset();
  database_.execute("DROP VIEW IF EXISTS results");  // which would not let it go
  old_view_ = true;
  database_.execute(fmt::format("ALTER TABLE {} DROP COLUMN {}", section.table, sql_name(section.columns[i])));
  const auto at = static_cast<std::ptrdiff_t>(i);
  section.columns.erase(section.columns.begin() + at);
  section.names.erase(section.names.begin() + at);
  section.places.erase(section.places.begin() + at);
}

void StudyStore::drop_empty_columns() {
  begin();
  const std::vector<std::string> paths = setting_paths(study_);
  std::set<std::string> declared(paths.begin(), paths.end());
  for (const MetricSection& metric : study_.metrics) declared.insert(metric.name);
  Statement nan(database_, "SELECT 1 FROM not_a_number WHERE name = ? LIMIT 1");
  for (Section& section : sections_) {
    for (std::size_t i = section.columns.size(); i-- > 0;) {
      if (&section - sections_.data() < 2 && declared.count(section.names[i]) != 0) continue;
      bool used = false;
      {
        Statement look(database_, fmt::format("SELECT 1 FROM {} WHERE {} IS NOT NULL LIMIT 1", section.table,
                                              sql_name(section.columns[i])));
        used = look.step();
      }
      if (!used && &section == &sections_[1]) {
        nan.set(0, std::string_view(section.names[i]));
        used = nan.step();
        nan.reset();
      }
      if (!used) drop_column(section, i);
    }
  }
}

void StudyStore::make_view() {
  std::vector<std::string> taken = {"id", "name", "status", "message"};
  std::string columns = "cases.id, cases.name, cases.status, cases.message", tables = "cases";
  for (const Section& section : sections_) {
    tables += fmt::format(" LEFT JOIN {0} ON {0}.case_id = cases.id", section.table);
    for (std::size_t i = 0; i < section.columns.size(); ++i) {
      const std::string shown = column_for(section.names[i], taken);
      taken.push_back(shown);
      columns += fmt::format(", {}.{} AS {}", section.table, sql_name(section.columns[i]), sql_name(shown));
    }
  }
  database_.execute("DROP VIEW IF EXISTS results");
  database_.execute(fmt::format("CREATE VIEW results AS SELECT {} FROM {}", columns, tables));
  old_view_ = false;
}

}  // namespace trammel
