// SQLite, as far as the store of a study needs it.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace trammel {

class Database {
 public:
  enum class Use {
    write,  ///< made if it is not there; no other process may have it open
    read
  };
  /// Throws Error: compute if it cannot be opened, usage if another process writes it, input if it is damaged.
  Database(const std::filesystem::path& file, Use use);

  /// Throws Error(compute) with SQLite's reason.
  void execute(const std::string& sql) const;
  sqlite3* handle() const { return handle_.get(); }
  const std::filesystem::path& file() const { return file_; }
  [[noreturn]] void fail() const;
  /// Throws Error(input): the file is no whole database, as `reason` tells.
  [[noreturn]] void refuse_damaged(const std::string& reason) const;

 private:
  struct Closer {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// One statement, to be run again and again with other values. Columns and values count from 0.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);

  Statement& set(int i, std::int64_t value);
  Statement& set(int i, double value);
  Statement& set(int i, std::string_view text);
  Statement& set_null(int i);
  /// The next row; false: there is none.
  bool step();
  /// Runs it whole and makes it ready for other values.
  void run();
  void reset();

  int columns() const { return sqlite3_column_count(handle_.get()); }
  std::string name(int i) const { return sqlite3_column_name(handle_.get(), i); }
  int type(int i) const { return sqlite3_column_type(handle_.get(), i); }
  bool is_null(int i) const { return type(i) == SQLITE_NULL; }
  std::int64_t integer(int i) const { return sqlite3_column_int64(handle_.get(), i); }
  double number(int i) const { return sqlite3_column_double(handle_.get(), i); }
  std::string text(int i) const;

 private:
  struct Closer {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  void require(int code) const;

  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Closer> handle_;
};

/// A name of SQL: "parameters.k" with its quotes.
std::string sql_name(std::string_view name);

}  // namespace trammel
