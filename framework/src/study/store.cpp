// Records in and out of study.db.
#include "study/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "study/metric_types.h"
#include "trammel/error.h"
#include "version.h"

namespace trammel {
namespace {

constexpr int store_version = 2;  // 1 had no checksums

/// Binds a value as SQLite keeps it: integers stay integers. `metric`: a text is the name of an infinity.
void bind_value(Statement& statement, int i, const StudyJson& value, std::uint64_t place, bool metric,
                RowChecksum& sum) {
  const auto set = [&](auto kept) {
    statement.set(i, kept);
    sum.add(place, kept);
  };
  if (value.is_number_integer())
    set(value.get<std::int64_t>());
  else if (value.is_number() || (value.is_string() && metric))
    set(number_of(value));
  else if (value.is_boolean())
    set(static_cast<std::int64_t>(value.get<bool>()));
  else if (value.is_string())
    set(std::string_view(value.get_ref<const std::string&>()));
  else
    statement.set_null(i);
}

/// A value of a row; null where it has none.
StudyJson value_of(const Statement& row, int i, std::uint64_t place, bool metric, RowChecksum& sum) {
  const auto take = [&](auto kept) {
    sum.add(place, kept);
    return kept;
  };
  switch (row.type(i)) {
    case SQLITE_INTEGER: return take(row.integer(i));
    case SQLITE_FLOAT: return metric ? metric_number(take(row.number(i))) : StudyJson(take(row.number(i)));
    case SQLITE_NULL: return nullptr;
    default: {
      std::string text = row.text(i);
      sum.add(place, std::string_view(text));
      return text;
    }
  }
}

bool is_metrics(const char* key) { return std::strcmp(key, "metrics") == 0; }

const std::uint64_t nan_place = RowChecksum::place("not_a_number", "name"),
                    warning_place = RowChecksum::place("warnings", "text");

}  // namespace

std::filesystem::path store_file(const std::filesystem::path& folder) { return folder / "study.db"; }

StudyStore::StudyStore(const std::filesystem::path& folder, const StudyFile& study)
    : study_(study), database_(store_file(folder), Database::Use::write) {
  make_tables();
  insert_case_ = std::make_unique<Statement>(
      database_,
      "INSERT OR REPLACE INTO cases(id, name, key, finished, status, message, plugins, kernels, about, checksum) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  select_case_ = std::make_unique<Statement>(
      database_,
      "SELECT name, finished, status, message, plugins, kernels, about, checksum FROM cases WHERE id = ? AND key = ?");
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
  if (found < 0 || found > store_version) {
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
  if (found != 0 && found < store_version) forget_old_version();
  database_.execute(fmt::format("PRAGMA user_version = {}", store_version));
  database_.execute(
      "CREATE TABLE IF NOT EXISTS study(name TEXT PRIMARY KEY, value TEXT);"
      "CREATE TABLE IF NOT EXISTS plugins(set_id INTEGER, id TEXT, build_id TEXT);"
      "CREATE TABLE IF NOT EXISTS cases(id INTEGER PRIMARY KEY, name TEXT, key TEXT, finished INTEGER, status TEXT, "
      "message TEXT, plugins INTEGER, kernels TEXT, about INTEGER, checksum INTEGER);"
      "CREATE TABLE IF NOT EXISTS not_a_number(case_id INTEGER, name TEXT, PRIMARY KEY(case_id, name)) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS warnings(case_id INTEGER, text TEXT);"
      "CREATE INDEX IF NOT EXISTS warnings_of_cases ON warnings(case_id);");
  Statement any_nan(database_, "SELECT 1 FROM not_a_number LIMIT 1");
  any_nan_ = any_nan.step();
  any_nan.reset();
  read_sections();
  read_plugins();
  declare_columns();
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

/// Another program wrote it: no case in it has a key that holds (CaseKeys), so that all would be replaced.
void StudyStore::forget_old_version() {
  database_.execute("DROP VIEW IF EXISTS results");
  for (const char* table : {"study", "plugins", "cases", "warnings", "settings", "metrics", "statistics", "extremes",
                            "dimensions", "timing"})
    database_.execute(fmt::format("DROP TABLE IF EXISTS {}", table));
}

void StudyStore::read_plugins() {
  Statement sets(database_, "SELECT set_id, id, build_id FROM plugins ORDER BY set_id, rowid");
  while (sets.step()) {
    StudyJson& set = plugins_.try_emplace(sets.integer(0), StudyJson::array()).first->second;
    set.push_back({{"id", sets.text(1)}, {"build_id", sets.text(2)}});
  }
  for (const auto& [id, set] : plugins_) sets_[plugin_text(set)] = id;
}

void StudyStore::begin() {
  if (!open_) database_.execute("BEGIN");
  open_ = true;
}

void StudyStore::commit() {
  // After a failure, as of a full disk, SQLite may have ended the transaction itself.
  if (open_ && sqlite3_get_autocommit(database_.handle()) == 0) {
    if (old_view_) make_view();
    database_.execute("COMMIT");
  }
  open_ = false;
}

std::string StudyStore::plugin_text(const StudyJson& plugins) {
  return plugins.dump(-1, ' ', false, StudyJson::error_handler_t::replace);  // a damaged file's may be no UTF-8
}

std::int64_t StudyStore::plugin_set(const StudyJson& plugins) {
  if (last_set_ != 0 && plugins_.at(last_set_) == plugins) return last_set_;
  const auto [at, is_new] = sets_.try_emplace(plugin_text(plugins), 0);
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

StudyJson StudyStore::settings_of(std::size_t id) const {
  StudyJson set = StudyJson::object();
  for (const Setting& setting : study_.cases[id].set) {
    const Node& value = setting.value;
    if (value.is_number())
      set[setting.path] = value.number;
    else
      set[setting.path] = value.is_text() ? value.text : to_line(value);
  }
  return set;
}

std::int64_t StudyStore::about(std::size_t id, const StudyJson& settings) const {
  RowChecksum sum;
  sum.add(RowChecksum::place("cases", "name"), std::string_view(study_.cases[id].name));
  for (const auto& entry : settings.items()) {
    const std::uint64_t place = RowChecksum::place("settings", entry.key());
    if (entry.value().is_string())
      sum.add(place, std::string_view(entry.value().get_ref<const std::string&>()));
    else
      sum.add(place, entry.value().get<double>());
  }
  return sum.value();
}

void StudyStore::add_case(RowChecksum& sum, const StudyJson& record, std::int64_t set, std::int64_t about) {
  // The name counts in `about`; the key is what the row is looked for by.
  std::uint64_t place = 1;
  for (const char* text : {"status", "message", "kernels", "key"}) {
    const std::string value = record.value(text, "");
    if (!value.empty()) sum.add(place, std::string_view(value));
    ++place;
  }
  sum.add(place++, static_cast<std::int64_t>(record.value("finished", false)));
  sum.add(place++, about);
  const auto [known, is_new] = plugin_sums_.try_emplace(set, 0);
  if (is_new) {
    RowChecksum of_set;
    of_set.add(place, std::string_view(plugin_text(plugins_of(set))));
    known->second = of_set.value();
  }
  sum.add(place, known->second);
}

void StudyStore::put(std::size_t id, const StudyJson& record) {
  begin();
  const auto number = static_cast<std::int64_t>(id);
  const StudyJson settings = settings_of(id);
  RowChecksum sum;
  if (any_nan_) database_.execute(fmt::format("DELETE FROM not_a_number WHERE case_id = {}", id));
  for (Section& section : sections_) {
    if (section.key[0] == 0) {
      put_section(section, id, settings, sum);
    } else if (const auto part = record.find(section.key); part != record.end() && part->is_object()) {
      put_section(section, id, *part, sum);
    } else {
      put_section(section, id, StudyJson::object(), sum);
    }
  }
  delete_warnings_->set(0, number).run();
  if (const auto warnings = record.find("warnings"); warnings != record.end()) {
    for (const StudyJson& text : *warnings) {
      const auto& words = text.get_ref<const std::string&>();
      insert_warning_->set(0, number).set(1, std::string_view(words)).run();
      sum.add(warning_place, std::string_view(words));
    }
  }
  const std::int64_t set = plugin_set(record.value("plugins", StudyJson::array())), what = about(id, settings);
  add_case(sum, record, set, what);
  const auto text = [&](int i, const char* key) {
    const auto found = record.find(key);
    insert_case_->set(i, found == record.end() ? std::string_view() : found->get_ref<const std::string&>());
  };
  insert_case_->set(0, number).set(1, std::string_view(study_.cases[id].name));
  text(2, "key"), text(4, "status"), text(5, "message"), text(7, "kernels");
  insert_case_->set(3, static_cast<std::int64_t>(record.value("finished", false))).set(6, set);
  insert_case_->set(8, what).set(9, sum.value()).run();
}

void StudyStore::put_section(Section& section, std::size_t id, const StudyJson& numbers, RowChecksum& sum) {
  const bool metrics = is_metrics(section.key);
  add_columns(section, numbers, metrics);
  if (section.insert == nullptr) {
    std::string names = "case_id", places = "?";
    for (const std::string& column : section.columns) names += ", " + sql_name(column), places += ", ?";
    section.insert = std::make_unique<Statement>(
        database_, fmt::format("INSERT OR REPLACE INTO {}({}) VALUES({})", section.table, names, places));
  }
  Statement& insert = *section.insert;
  insert.set(0, static_cast<std::int64_t>(id));
  for (const auto& [name, value] : numbers.get_ref<const StudyJson::object_t&>()) {
    const auto at = std::find(section.names.begin(), section.names.end(), name);
    if (at == section.names.end()) continue;  // no number
    const auto i = static_cast<std::size_t>(at - section.names.begin());
    bind_value(insert, static_cast<int>(i) + 1, value, section.places[i], metrics, sum);
    if (metrics && value.is_null()) put_nan(id, name), sum.add(nan_place, std::string_view(name));
  }
  insert.run();
}

void StudyStore::put_nan(std::size_t id, const std::string& name) {
  any_nan_ = true;
  Statement insert(database_, "INSERT OR REPLACE INTO not_a_number VALUES(?, ?)");
  insert.set(0, static_cast<std::int64_t>(id)).set(1, std::string_view(name)).run();
}

StudyJson StudyStore::read_section(Section& section, std::size_t id, RowChecksum& sum) {
  const bool metrics = is_metrics(section.key);
  if (section.select == nullptr) {
    std::string names = "case_id";
    for (const std::string& column : section.columns) names += ", " + sql_name(column);
    section.select = std::make_unique<Statement>(
        database_, fmt::format("SELECT {} FROM {} WHERE case_id = ?", names, section.table));
  }
  std::vector<std::string> nans;
  if (metrics && any_nan_) {
    Statement select(database_, fmt::format("SELECT name FROM not_a_number WHERE case_id = {}", id));
    while (select.step()) nans.push_back(select.text(0));
    for (const std::string& name : nans) sum.add(nan_place, std::string_view(name));
  }
  Statement& select = *section.select;
  select.set(0, static_cast<std::int64_t>(id));
  StudyJson numbers = StudyJson::object();
  if (select.step()) {
    for (std::size_t i = 0; i < section.names.size(); ++i) {
      StudyJson value = value_of(select, static_cast<int>(i) + 1, section.places[i], metrics, sum);
      if (!value.is_null() || std::find(nans.begin(), nans.end(), section.names[i]) != nans.end())
        numbers[section.names[i]] = std::move(value);
    }
  }
  select.reset();
  return numbers;
}

StudyJson StudyStore::find(std::size_t id, const std::string& key) {
  Statement& select = *select_case_;
  select.set(0, static_cast<std::int64_t>(id)).set(1, std::string_view(key));
  if (!select.step()) {
    select.reset();
    return {};
  }
  StudyJson record = {{"name", study_.cases[id].name},      {"key", key},
                      {"finished", select.integer(1) != 0}, {"status", select.text(2)},
                      {"message", select.text(3)},          {"plugins", plugins_of(select.integer(4))},
                      {"kernels", select.text(5)}};
  const std::string name = select.text(0);
  const std::int64_t set = select.integer(4), what = select.integer(6), checksum = select.integer(7);
  select.reset();
  RowChecksum sum;
  for (Section& section : sections_) {
    StudyJson numbers = read_section(section, id, sum);
    if (section.key[0] != 0 && !numbers.empty()) record[section.key] = std::move(numbers);
  }
  StudyJson warnings = StudyJson::array();
  select_warnings_->set(0, static_cast<std::int64_t>(id));
  while (select_warnings_->step()) {
    warnings.push_back(select_warnings_->text(0));
    sum.add(warning_place, std::string_view(warnings.back().get_ref<const std::string&>()));
  }
  select_warnings_->reset();
  if (!warnings.empty()) record["warnings"] = std::move(warnings);
  add_case(sum, record, set, what);
  if (sum.value() != checksum)
    database_.refuse_damaged(fmt::format("the rows of case {} are not those that were written", id));
  const bool forgot = forget_metrics(record);
  if (forgot || what != about(id, settings_of(id)) || name != study_.cases[id].name) put(id, record);
  return record;
}

bool StudyStore::forget_metrics(StudyJson& record) const {
  const auto metrics = record.find("metrics");
  if (metrics == record.end()) return false;
  std::vector<std::string> gone;
  for (const auto& [number, value] : metrics->get_ref<const StudyJson::object_t&>()) {
    const MetricSection* metric = study_.find_metric(number.substr(0, number.find('.')));
    const OwnMetricType* own = metric == nullptr ? nullptr : find_own_metric(metric->type);
    if (metric == nullptr || (own != nullptr && own->of_several_cases)) gone.push_back(number);
  }
  for (const std::string& number : gone) metrics->erase(number);
  if (metrics->empty()) record.erase("metrics");
  return !gone.empty();
}

StudyJson StudyStore::kept(StudyJson record) {
  StudyJson result = StudyJson::object();
  for (auto& [key, value] : record.get_ref<StudyJson::object_t&>()) {
    if (!value.is_object()) {
      if (key != "files" && !(key == "warnings" && value.empty())) result[key] = std::move(value);
      continue;
    }
    const bool metrics = key == "metrics";
    StudyJson numbers = StudyJson::object();
    for (const auto& [name, number] : value.get_ref<const StudyJson::object_t&>()) {
      if (number.is_number() || metrics) numbers[name] = number;
    }
    if (!numbers.empty()) result[key] = std::move(numbers);
  }
  return result;
}

void StudyStore::forget_others(const std::function<const std::string&(std::size_t)>& key_of) {
  std::vector<std::int64_t> gone;
  {
    Statement rows(database_, "SELECT id, key FROM cases");
    while (rows.step()) {
      const auto id = static_cast<std::size_t>(rows.integer(0));
      if (id >= study_.cases.size() || rows.text(1) != key_of(id)) gone.push_back(rows.integer(0));
    }
  }
  if (gone.empty()) return;
  begin();
  for (const char* table :
       {"settings", "metrics", "not_a_number", "statistics", "extremes", "dimensions", "timing", "warnings", "cases"}) {
    const char* number = std::strcmp(table, "cases") == 0 ? "id" : "case_id";
    Statement remove(database_, fmt::format("DELETE FROM {} WHERE {} = ?", table, number));
    for (const std::int64_t id : gone) remove.set(0, id).run();
  }
}

}  // namespace trammel
