// StudyStore: study.db, the cases of a study with their numbers, as one file that can be queried.
//
//   cases       id (from 0, in the order of the study), name, key, finished, status, message, plugins, kernels
//   settings    case_id and a column for each path that cases set
//   metrics     case_id and a column for each number of the metrics
//   statistics, extremes, dimensions, timing    the same of these parts of summary.json ("extremes" is its `max`)
//   warnings    case_id, text
//   plugins     set_id, id, build_id: what cases.plugins refers to
//   study       name, value: title, file, version
//   results     a view: cases, settings, metrics and what else has names of its own, side by side
//
// SQL takes "K" and "k" for the same column. The second name of such a pair is that of a column "k~2".
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "study/case_record.h"
#include "study/database.h"
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

  /// The record of case number `id` as far as the store keeps it; null: it has none with this key.
  StudyJson find(std::size_t id, const std::string& key);
  /// Adds a record or replaces that of its case; kept when `commit` returns.
  void put(std::size_t id, const StudyJson& record);
  /// Cases that the study no longer has are gone.
  void forget_from(std::size_t count);
  void commit();
  /// The view `results` of the columns that there are by now.
  void make_view();

  /// A record without what the store does not keep, as `find` would give it.
  static StudyJson kept(StudyJson record);

 private:
  struct Section {
    const char *key, *table;
    std::vector<std::string> columns, names;  ///< as SQL has them, and as records do
    std::unique_ptr<Statement> insert, select;
  };
  void make_tables();
  void refuse_other(bool is_new);
  void begin();
  void put_section(Section& section, std::size_t id, const StudyJson& numbers);
  void add_columns(Section& section, const StudyJson& numbers);
  StudyJson read_section(Section& section, std::size_t id);
  std::int64_t plugin_set(const StudyJson& plugins);
  const StudyJson& plugins_of(std::int64_t set);

  const StudyFile& study_;
  Database database_;
  std::vector<Section> sections_;
  std::map<std::string, std::int64_t> sets_;
  std::map<std::int64_t, StudyJson> plugins_;
  std::int64_t last_set_ = 0;  ///< most cases have the plugins of the case before
  std::unique_ptr<Statement> insert_case_, select_case_, delete_warnings_, insert_warning_, select_warnings_;
  bool open_ = false;  ///< a transaction is
};

/// The name of a number that has this column.
std::string name_of_column(const std::string& column);

/// The file of a study's store.
std::filesystem::path store_file(const std::filesystem::path& folder);

/// All that does not depend on the clock, in an order of its own: equal texts mean equal results.
std::string canonical_dump(const std::filesystem::path& folder);

/// The rows of a query, aligned for a terminal. Throws Error(usage) with SQLite's reason where it is none.
std::string query_text(const std::filesystem::path& folder, const std::string& sql);

}  // namespace trammel
