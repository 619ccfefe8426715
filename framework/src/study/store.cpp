// Tables of study.db, and records in and out of them.
#include "study/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/error.h"
#include "version.h"

namespace trammel {
namespace {

constexpr int store_version = 1;

/// A number as SQLite keeps it: integers stay integers.
void bind_number(Statement& statement, int i, const StudyJson& value) {
  if (value.is_number_integer())
    statement.set(i, value.get<std::int64_t>());
  else if (value.is_number())
    statement.set(i, value.get<double>());
  else if (value.is_boolean())
    statement.set(i, static_cast<std::int64_t>(value.get<bool>()));
  else
    statement.set_null(i);
}

bool same_for_sql(const std::string& a, const std::string& b) {
  return a.size() == b.size() && sqlite3_strnicmp(a.c_str(), b.c_str(), static_cast<int>(a.size())) == 0;
}

/// A column for a number that has none yet: its name, or with "~2" and so on, which no name has.
std::string column_for(const std::string& name, const std::vector<std::string>& taken) {
  std::string column = name;
  const auto is_taken = [&](const std::string& other) { return same_for_sql(other, column); };
  for (int i = 2; std::any_of(taken.begin(), taken.end(), is_taken); ++i) column = name + "~" + std::to_string(i);
  return column;
}

}  // namespace

std::string name_of_column(const std::string& column) { return column.substr(0, column.find('~')); }

std::filesystem::path store_file(const std::filesystem::path& folder) { return folder / "study.db"; }

StudyStore::StudyStore(const std::filesystem::path& folder, const StudyFile& study)
    : study_(study), database_(store_file(folder), Database::Use::write) {
  make_tables();
  insert_case_ = std::make_unique<Statement>(
      database_,
      "INSERT OR REPLACE INTO cases(id, name, key, finished, status, message, plugins, kernels) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  select_case_ = std::make_unique<Statement>(
      database_, "SELECT name, finished, status, message, plugins, kernels FROM cases WHERE id = ? AND key = ?");
  delete_warnings_ = std::make_unique<Statement>(database_, "DELETE FROM warnings WHERE case_id = ?");
  insert_warning_ = std::make_unique<Statement>(database_, "INSERT INTO warnings VALUES(?, ?)");
  select_warnings_ =
      std::make_unique<Statement>(database_, "SELECT text FROM warnings WHERE case_id = ? ORDER BY rowid");
}

StudyStore::~StudyStore() {
  // One plain file, for readers that may not write beside it; after a failure SQLite does without.
  insert_case_.reset(), select_case_.reset(), delete_warnings_.reset(), insert_warning_.reset(),
      select_warnings_.reset();
  sections_.clear();
  sqlite3_exec(database_.handle(),
               sqlite3_get_autocommit(database_.handle()) == 0 ? "ROLLBACK; PRAGMA journal_mode = DELETE"
                                                               : "PRAGMA journal_mode = DELETE",
               nullptr, nullptr, nullptr);
}

void StudyStore::make_tables() {
  Statement user_version(database_, "PRAGMA user_version");
  user_version.step();
  const std::int64_t found = user_version.integer(0);
  user_version.reset();
  if (found != 0 && found != store_version) {
    throw Error(
        ErrorKind::input,
        fmt::format("{}: its version is {}, this program writes version {}; move it away to run the study again",
                    database_.file().string(), found, store_version));
  }
  refuse_other(found == 0);
  // Until here the file is as it was, to the byte. What was committed is there after the process is killed, and whole after
  // the power failed.
  database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT");
  begin();
  database_.execute(fmt::format("PRAGMA user_version = {}", store_version));
  database_.execute(
      "CREATE TABLE IF NOT EXISTS study(name TEXT PRIMARY KEY, value TEXT);"
      "CREATE TABLE IF NOT EXISTS plugins(set_id INTEGER, id TEXT, build_id TEXT);"
      "CREATE TABLE IF NOT EXISTS cases(id INTEGER PRIMARY KEY, name TEXT, key TEXT, finished INTEGER, status TEXT, "
      "message TEXT, plugins INTEGER, kernels TEXT);"
      "CREATE TABLE IF NOT EXISTS warnings(case_id INTEGER, text TEXT);"
      "CREATE INDEX IF NOT EXISTS warnings_of_cases ON warnings(case_id);");
  for (const auto& [key, table] : {std::pair{"", "settings"},
                                   {"metrics", "metrics"},
                                   {"statistics", "statistics"},
                                   {"max", "extremes"},
                                   {"dimensions", "dimensions"},
                                   {"timing", "timing"}}) {
    database_.execute(fmt::format("CREATE TABLE IF NOT EXISTS {}(case_id INTEGER PRIMARY KEY);", table));
    Section section{key, table, {}, {}, nullptr, nullptr};
    Statement columns(database_, fmt::format("PRAGMA table_info({})", table));
    while (columns.step()) {
      if (columns.text(1) == "case_id") continue;
      section.columns.push_back(columns.text(1));
      section.names.push_back(name_of_column(columns.text(1)));
    }
    sections_.push_back(std::move(section));
  }
  Statement sets(database_, "SELECT set_id, id, build_id FROM plugins ORDER BY set_id, rowid");
  while (sets.step()) {
    StudyJson& set = plugins_.try_emplace(sets.integer(0), StudyJson::array()).first->second;
    set.push_back({{"id", sets.text(1)}, {"build_id", sets.text(2)}});
  }
  for (const auto& [id, set] : plugins_) sets_[set.dump()] = id;
  Statement about(database_, "INSERT OR REPLACE INTO study VALUES(?, ?)");
  about.set(0, std::string_view("title")).set(1, study_.title).run();
  about.set(0, std::string_view("file")).set(1, study_.file.string()).run();
  about.set(0, std::string_view("trammel")).set(1, std::string_view(version())).run();
  commit();
}

/// What is no store of a study, or was one once, and would give rows that nobody computed.
void StudyStore::refuse_other(bool is_new) {
  Statement look(database_, is_new ? "SELECT count(*) FROM sqlite_master" : "PRAGMA quick_check(1)");
  look.step();
  if (is_new && look.integer(0) != 0) {
    throw Error(ErrorKind::input, database_.file().string() +
                                      ": is a database of another program; move it away, or name another folder (-o)");
  }
  if (!is_new && look.text(0) != "ok") database_.refuse_damaged(look.text(0));
}

void StudyStore::begin() {
  if (!open_) database_.execute("BEGIN");
  open_ = true;
}

void StudyStore::commit() {
  // After a failure, as of a full disk, SQLite may have ended the transaction itself.
  if (open_ && sqlite3_get_autocommit(database_.handle()) == 0) database_.execute("COMMIT");
  open_ = false;
}

std::int64_t StudyStore::plugin_set(const StudyJson& plugins) {
  if (last_set_ != 0 && plugins_.at(last_set_) == plugins) return last_set_;
  const auto [at, is_new] = sets_.try_emplace(plugins.dump(), 0);
  if (!is_new) return last_set_ = at->second;
  at->second = plugins_.empty() ? 1 : plugins_.rbegin()->first + 1;
  plugins_[at->second] = plugins;
  Statement insert(database_, "INSERT INTO plugins VALUES(?, ?, ?)");
  for (const StudyJson& plugin : plugins) {
    insert.set(0, at->second).set(1, plugin.at("id").get<std::string>());
    insert.set(2, plugin.at("build_id").get<std::string>()).run();
  }
  return last_set_ = at->second;
}

const StudyJson& StudyStore::plugins_of(std::int64_t set) {
  return plugins_.try_emplace(set, StudyJson::array()).first->second;
}

void StudyStore::put(std::size_t id, const StudyJson& record) {
  begin();
  const auto number = static_cast<std::int64_t>(id);
  const std::string name = record.at("name"), key = record.value("key", ""), status = record.value("status", ""),
                    message = record.value("message", ""), kernels = record.value("kernels", "");
  insert_case_->set(0, number).set(1, name).set(2, key);
  insert_case_->set(3, static_cast<std::int64_t>(record.value("finished", false))).set(4, status).set(5, message);
  insert_case_->set(6, plugin_set(record.value("plugins", StudyJson::array()))).set(7, kernels).run();
  for (Section& section : sections_) {
    if (section.key[0] == 0) {
      StudyJson set = StudyJson::object();
      for (const Setting& setting : study_.cases[id].set) {
        const Node& value = setting.value;
        if (value.is_number())
          set[setting.path] = value.number;
        else
          set[setting.path] = value.is_text() ? value.text : to_line(value);
      }
      put_section(section, id, set);
    } else if (const auto part = record.find(section.key); part != record.end() && part->is_object()) {
      put_section(section, id, *part);
    } else {
      put_section(section, id, StudyJson::object());
    }
  }
  delete_warnings_->set(0, number).run();
  if (const auto warnings = record.find("warnings"); warnings != record.end()) {
    for (const StudyJson& text : *warnings) insert_warning_->set(0, number).set(1, text.get<std::string>()).run();
  }
}

void StudyStore::put_section(Section& section, std::size_t id, const StudyJson& numbers) {
  add_columns(section, numbers);
  if (section.insert == nullptr) {
    std::string names = "case_id", places = "?";
    for (const std::string& column : section.columns) names += ", " + sql_name(column), places += ", ?";
    section.insert = std::make_unique<Statement>(
        database_, fmt::format("INSERT OR REPLACE INTO {}({}) VALUES({})", section.table, names, places));
  }
  Statement& insert = *section.insert;
  insert.set(0, static_cast<std::int64_t>(id));
  for (const auto& entry : numbers.items()) {
    const auto at = std::find(section.names.begin(), section.names.end(), entry.key());
    if (at == section.names.end()) continue;  // no number
    const int column = static_cast<int>(at - section.names.begin()) + 1;
    if (entry.value().is_string())
      insert.set(column, entry.value().get<std::string>());
    else
      bind_number(insert, column, entry.value());
  }
  insert.run();
}

void StudyStore::add_columns(Section& section, const StudyJson& numbers) {
  for (const auto& entry : numbers.items()) {
    const StudyJson& value = entry.value();
    if (value.is_null() || value.is_structured()) continue;
    if (std::find(section.names.begin(), section.names.end(), entry.key()) != section.names.end()) continue;
    section.insert.reset(), section.select.reset();
    const std::string column = column_for(entry.key(), section.columns);
    database_.execute(fmt::format("ALTER TABLE {} ADD COLUMN {}", section.table, sql_name(column)));
    section.columns.push_back(column);
    section.names.push_back(entry.key());
  }
}

StudyJson StudyStore::read_section(Section& section, std::size_t id) {
  if (section.select == nullptr) {
    std::string names = "case_id";
    for (const std::string& column : section.columns) names += ", " + sql_name(column);
    section.select = std::make_unique<Statement>(
        database_, fmt::format("SELECT {} FROM {} WHERE case_id = ?", names, section.table));
  }
  Statement& select = *section.select;
  select.set(0, static_cast<std::int64_t>(id));
  StudyJson numbers = StudyJson::object();
  if (select.step()) {
    for (std::size_t i = 0; i < section.columns.size(); ++i) {
      const int column = static_cast<int>(i) + 1;
      if (select.type(column) == SQLITE_INTEGER) numbers[section.names[i]] = select.integer(column);
      if (select.type(column) == SQLITE_FLOAT) numbers[section.names[i]] = select.number(column);
    }
  }
  select.reset();
  return numbers;
}

StudyJson StudyStore::find(std::size_t id, const std::string& key) {
  Statement& select = *select_case_;
  select.set(0, static_cast<std::int64_t>(id)).set(1, key);
  if (!select.step()) {
    select.reset();
    return {};
  }
  StudyJson record = {{"name", select.text(0)},
                      {"key", key},
                      {"finished", select.integer(1) != 0},
                      {"status", select.text(2)},
                      {"message", select.text(3)},
                      {"plugins", plugins_of(select.integer(4))},
                      {"kernels", select.text(5)}};
  select.reset();
  for (Section& section : sections_) {
    if (section.key[0] == 0) continue;
    StudyJson numbers = read_section(section, id);
    if (!numbers.empty()) record[section.key] = std::move(numbers);
  }
  StudyJson warnings = StudyJson::array();
  select_warnings_->set(0, static_cast<std::int64_t>(id));
  while (select_warnings_->step()) warnings.push_back(select_warnings_->text(0));
  select_warnings_->reset();
  if (!warnings.empty()) record["warnings"] = std::move(warnings);
  return record;
}

StudyJson StudyStore::kept(StudyJson record) {
  StudyJson result = StudyJson::object();
  for (auto& [key, value] : record.get_ref<StudyJson::object_t&>()) {
    if (!value.is_object()) {
      if (key != "files" && !(key == "warnings" && value.empty())) result[key] = std::move(value);
      continue;
    }
    StudyJson numbers = StudyJson::object();
    for (const auto& [name, number] : value.get_ref<const StudyJson::object_t&>()) {
      if (number.is_number()) numbers[name] = number;
    }
    if (!numbers.empty()) result[key] = std::move(numbers);
  }
  return result;
}

void StudyStore::forget_from(std::size_t count) {
  begin();
  database_.execute(fmt::format("DELETE FROM cases WHERE id >= {}", count));
  for (const char* table : {"settings", "metrics", "statistics", "extremes", "dimensions", "timing", "warnings"})
    database_.execute(fmt::format("DELETE FROM {} WHERE case_id >= {}", table, count));
}

void StudyStore::make_view() {
  begin();
  std::vector<std::string> taken = {"id", "name", "status", "message"};
  std::string columns = "cases.id, cases.name, cases.status, cases.message", tables = "cases";
  for (const Section& section : sections_) {
    tables += fmt::format(" LEFT JOIN {0} ON {0}.case_id = cases.id", section.table);
    for (const std::string& column : section.columns) {
      if (std::find(taken.begin(), taken.end(), column) != taken.end()) continue;
      taken.push_back(column);
      columns += fmt::format(", {}.{}", section.table, sql_name(column));
    }
  }
  database_.execute("DROP VIEW IF EXISTS results");
  database_.execute(fmt::format("CREATE VIEW results AS SELECT {} FROM {}", columns, tables));
  commit();
}

}  // namespace trammel
