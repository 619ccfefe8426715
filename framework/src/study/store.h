// StudyStore: study.db, the cases of a study with their numbers, as one file that can be queried.
//
//   cases       id (from 0, in the order of the study), name, key, finished, status, message, plugins, kernels; about,
//               checksum: of the case's name and settings, and of all its rows
//   settings    case_id and a column for each path that cases set
//   metrics     case_id and a column for each number of the metrics; what is infinite is 9e999 or -9e999
//   not_a_number  case_id, name: numbers of metrics that were computed and are NaN; in `metrics` they are NULL
//   statistics, extremes, dimensions, timing    the same of these parts of summary.json ("extremes" is its `max`)
//   warnings    case_id, text
//   plugins     set_id, id, build_id: what cases.plugins refers to
//   study       name, value: title, file, version
//   results     a view: cases, settings, metrics and so on side by side
//
// SQL takes "K" and "k" for the same column. Of equal names the second one is that of a column "k~2", in a table as in the
// view: there a metric called `status` is "status~2".
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "study/case_record.h"
#include "study/database.h"
#include "study/row_checksum.h"
#include "study/study_file.h"

namespace trammel {

class StudyStore {
 public:
  /// Opens DIR/study.db for writing, or makes it. Throws Error: see Database.
  StudyStore(const std::filesystem::path& folder, const StudyFile& study);
  /// What was put and not committed is gone.
  ~StudyStore();
  StudyStore(const StudyStore&) = delete;
  StudyStore& operator=(const StudyStore&) = delete;

  /// The record of case number `id` as far as the store keeps it; null: it has none with this key. A row of before the
  /// study was edited gets the name and the settings that the case has now. Throws Error(input): the row is damaged.
  StudyJson find(std::size_t id, const std::string& key);
  /// Adds a record or replaces that of its case; kept when `commit` returns.
  void put(std::size_t id, const StudyJson& record);
  /// Rows of another key than `key_of` gives their case are gone: of cases that the study no longer has as they were.
  void forget_others(const std::function<const std::string&(std::size_t)>& key_of);
  void commit();
  /// Numbers that no case has any more have no column.
  void drop_empty_columns();

  /// A record without what the store does not keep, as `find` would give it.
  static StudyJson kept(StudyJson record);

 private:
  struct Section {
    const char *key, *table;
    std::vector<std::string> columns, names;  ///< as SQL has them, and as records do
    std::vector<std::uint64_t> places;        ///< RowChecksum::place of each
    std::unique_ptr<Statement> insert, select;
  };
  void make_tables();
  void refuse_other(bool is_new);
  void forget_old_version();
  void read_sections();
  void read_plugins();
  /// Columns for all settings and metrics of the study, whatever comes of its cases.
  void declare_columns();
  void make_view();
  void begin();
  void put_section(Section& section, std::size_t id, const StudyJson& numbers, RowChecksum& sum);
  void put_nan(std::size_t id, const std::string& name);
  StudyJson settings_of(std::size_t id) const;
  std::int64_t about(std::size_t id, const StudyJson& settings) const;
  void add_columns(Section& section, const StudyJson& numbers, bool metrics);
  void add_column(Section& section, const std::string& name);
  void drop_column(Section& section, std::size_t i);
  /// Takes out metrics of several cases, which no key knows: they are computed anew. Whether there were any.
  bool forget_metrics(StudyJson& record) const;
  StudyJson read_section(Section& section, std::size_t id, RowChecksum& sum);
  std::int64_t plugin_set(const StudyJson& plugins);
  const StudyJson& plugins_of(std::int64_t set);
  static std::string plugin_text(const StudyJson& plugins);
  void add_case(RowChecksum& sum, const StudyJson& record, std::int64_t set, std::int64_t about);

  const StudyFile& study_;
  Database database_;
  std::vector<Section> sections_;
  std::map<std::string, std::int64_t> sets_;
  std::map<std::int64_t, StudyJson> plugins_;
  std::int64_t last_set_ = 0;  ///< most cases have the plugins of the case before
  std::unique_ptr<Statement> insert_case_, select_case_, delete_warnings_, insert_warning_, select_warnings_;
  std::map<std::int64_t, std::int64_t> plugin_sums_;  ///< checksums of the sets
  bool open_ = false;                                 ///< a transaction is
  bool old_view_ = true;                              ///< the view lacks columns that there are
  bool any_nan_ = false;                              ///< not_a_number has rows
};

/// `name`, or with "~2" and so on where SQL would take it for one of `taken`.
std::string column_for(const std::string& name, const std::vector<std::string>& taken);

/// The paths set by any case, in the order in which they appear.
std::vector<std::string> setting_paths(const StudyFile& study);

/// The name of a number that has this column.
std::string name_of_column(const std::string& column);

/// The file of a study's store.
std::filesystem::path store_file(const std::filesystem::path& folder);

/// All that does not depend on the clock, in an order of its own: equal texts mean equal results.
std::string canonical_dump(const std::filesystem::path& folder);

/// The rows of a query, aligned for a terminal. Throws Error(usage) with SQLite's reason where it is none.
std::string query_text(const std::filesystem::path& folder, const std::string& sql);

}  // namespace trammel
