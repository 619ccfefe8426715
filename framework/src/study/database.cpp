// SQLite's calls, and what their failures mean to a user.
#include "study/database.h"

#include "trammel/error.h"

namespace trammel {

Database::Database(const std::filesystem::path& file, Use use) : file_(file) {
  sqlite3* opened = nullptr;
  const bool writes = use == Use::write;
  const int code = sqlite3_open_v2(
      file.c_str(), &opened, writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) fail();
  sqlite3_extended_result_codes(opened, 1);
  if (!writes) {
    execute("PRAGMA query_only = 1");
    return;
  }
  // One process, and so no memory shared by several, which file systems of clusters do not have.
  execute("PRAGMA locking_mode = EXCLUSIVE");
}

void Database::fail() const {
  const int code = sqlite3_errcode(handle_.get()) & 0xff;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw Error(ErrorKind::usage, file_.string() + ": another process is running this study or reads its results");
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) refuse_damaged(sqlite3_errmsg(handle_.get()));
  std::error_code none;
  if ((code == SQLITE_READONLY || code == SQLITE_CANTOPEN) && std::filesystem::exists(file_.string() + "-wal", none)) {
    throw Error(ErrorKind::compute, file_.string() +
                                        ": the study was ended while it wrote, and what its journal (-wal) has can be "
                                        "taken in only where files can be written: copy the folder there");
  }
  throw Error(ErrorKind::compute, file_.string() + ": " + sqlite3_errmsg(handle_.get()));
}

void Database::refuse_damaged(const std::string& reason) const {
  throw Error(ErrorKind::input, file_.string() + ": is damaged, or no database (" + reason +
                                    "); move it away to run the study's cases again");
}

void Database::execute(const std::string& sql) const {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &made, &rest);
  handle_.reset(made);
  require(code);
  if (made == nullptr) throw Error(ErrorKind::usage, "a query is empty");
  const std::string_view more(rest);
  if (const std::size_t begin = more.find_first_not_of("; \t\r\n"); begin != std::string_view::npos)
    throw Error(ErrorKind::usage,
                "a query is one statement; after it stands '" + std::string(more.substr(begin)) + "'");
}

void Statement::require(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

Statement& Statement::set(int i, std::int64_t value) {
  require(sqlite3_bind_int64(handle_.get(), i + 1, value));
  return *this;
}

Statement& Statement::set(int i, double value) {
  require(sqlite3_bind_double(handle_.get(), i + 1, value));
  return *this;
}

Statement& Statement::set(int i, std::string_view text) {
  require(sqlite3_bind_text(handle_.get(), i + 1, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::set_null(int i) {
  require(sqlite3_bind_null(handle_.get(), i + 1));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

std::string Statement::text(int i) const {
  const unsigned char* bytes = sqlite3_column_text(handle_.get(), i);
  const int size = sqlite3_column_bytes(handle_.get(), i);
  return bytes == nullptr ? std::string()
                          : std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::string sql_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace trammel
