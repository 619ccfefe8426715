// study.db as text: rows of a query, and a dump that does not depend on who wrote it.
#include <fmt/format.h>

#include <algorithm>

#include "config/node.h"
#include "study/store.h"
#include "study/text_table.h"
#include "trammel/error.h"

namespace trammel {
namespace {

std::string shown(const Statement& row, int i) {
  switch (row.type(i)) {
    case SQLITE_INTEGER: return std::to_string(row.integer(i));
    case SQLITE_FLOAT: return number_text(row.number(i));
    case SQLITE_NULL: return "";
    default: return row.text(i);
  }
}

std::filesystem::path existing(const std::filesystem::path& folder) {
  std::error_code code;
  if (std::filesystem::is_regular_file(store_file(folder), code)) return store_file(folder);
  throw Error(ErrorKind::usage, store_file(folder).string() + ": there is none; run the study first");
}

/// Rows of a table by case, with its columns in the order of their names.
void dump_table(const Database& database, const std::string& table, std::string& text) {
  std::vector<std::pair<std::string, std::string>> columns;  // names of numbers, and the columns that have them
  Statement info(database, fmt::format("PRAGMA table_info({})", table));
  while (info.step()) {
    if (info.text(1) != "case_id") columns.emplace_back(name_of_column(info.text(1)), info.text(1));
  }
  std::sort(columns.begin(), columns.end());
  std::string names = "case_id";
  for (const auto& [name, column] : columns) names += ", " + sql_name(column);
  Statement rows(database, fmt::format("SELECT {} FROM {} ORDER BY case_id", names, table));
  while (rows.step()) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const int column = static_cast<int>(i) + 1;
      if (rows.is_null(column)) continue;
      text += fmt::format("{} {} {} {}\n", table, rows.integer(0), columns[i].first, json_quoted(shown(rows, column)));
    }
  }
}

/// For a column with a dot whose quotes are missing: parameters.L is to SQL the column L of a table.
std::string quoting_hint(const Database& database, const std::string& reason) {
  const std::string begin = "no such column: ";
  const std::size_t at = reason.find(begin);
  if (at == std::string::npos) return "";
  const std::string name = reason.substr(at + begin.size());
  if (name.find('.') == std::string::npos) return "";
  Statement columns(database, "PRAGMA table_info(results)");
  while (columns.step()) {
    if (sqlite3_stricmp(columns.text(1).c_str(), name.c_str()) == 0)
      return "a name with a dot needs double quotes: " + sql_name(columns.text(1));
  }
  return "";
}

}  // namespace

std::string canonical_dump(const std::filesystem::path& folder) {
  const Database database(existing(folder), Database::Use::read);
  std::string text;
  Statement cases(database, "SELECT id, name, key, finished, status, message, plugins, kernels FROM cases ORDER BY id");
  Statement plugins(database, "SELECT id, build_id FROM plugins WHERE set_id = ? ORDER BY rowid");
  while (cases.step()) {
    text += fmt::format("case {} {} {} {} {} {} {}\n", cases.integer(0), json_quoted(cases.text(1)), cases.text(2),
                        cases.integer(3), cases.text(4), json_quoted(cases.text(5)), cases.text(7));
    plugins.set(0, cases.integer(6));
    while (plugins.step()) text += fmt::format("plugin {} {} {}\n", cases.integer(0), plugins.text(0), plugins.text(1));
    plugins.reset();
  }
  for (const char* table : {"settings", "metrics", "statistics", "extremes", "dimensions"})
    dump_table(database, table, text);
  Statement nan(database, "SELECT 1 FROM sqlite_master WHERE name = 'not_a_number'");
  if (nan.step()) {
    Statement names(database, "SELECT case_id, name FROM not_a_number ORDER BY case_id, name");
    while (names.step()) text += fmt::format("not_a_number {} {}\n", names.integer(0), names.text(1));
  }
  Statement warnings(database, "SELECT case_id, text FROM warnings ORDER BY case_id, rowid");
  while (warnings.step()) text += fmt::format("warning {} {}\n", warnings.integer(0), json_quoted(warnings.text(1)));
  return text;
}

std::string query_text(const std::filesystem::path& folder, const std::string& sql) {
  const Database database(existing(folder), Database::Use::read);
  try {
    Statement rows(database, sql);
    std::vector<std::string> header;
    for (int i = 0; i < rows.columns(); ++i) header.push_back(rows.name(i));
    TextTable table(header);
    while (rows.step()) {
      std::vector<std::string> row;
      for (int i = 0; i < rows.columns(); ++i) row.push_back(shown(rows, i));
      table.add(row);
    }
    return table.aligned();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) throw;  // not the query's fault
    const std::string hint = quoting_hint(database, error.what());
    throw Error(
        ErrorKind::usage,
        fmt::format("{}; {}", error.what(), hint.empty() ? "'SELECT * FROM results LIMIT 3' shows the columns" : hint));
  }
}

}  // namespace trammel
