// RowFile: one file with the rows of a run, written by a plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/component.h"
#include "model/model.h"
#include "plugin/create.h"
#include "results/own_process.h"
#include "trammel/writer.h"

namespace trammel {

/// What a file of rows tells beside the rows.
struct RowFileContent {
  std::vector<std::pair<std::string, std::string>> columns;  ///< name and unit, the first "t"
  std::vector<std::pair<std::string, std::string>> notes;    ///< key and text
};

class RowFile {
 public:
  /// [setup] `component`: of kind writer. Throws Error(plugin) if its ending is none.
  explicit RowFile(Component component);
  /// In a copy of the process the writer is left alone: closing the file would write to it.
  ~RowFile();
  RowFile(RowFile&&) = default;
  RowFile& operator=(RowFile&&) = default;

  /// "results.csv"
  const std::string& name() const { return name_; }
  bool is_open() const { return open_; }

  /// [setup] Creates or replaces the file in this folder. The errors of all calls name it.
  void begin(const std::filesystem::path& folder, const RowFileContent& content);
  /// [setup] Goes on behind the last mark.
  void resume(const std::filesystem::path& folder, const RowFileContent& content);
  /// [step] Does nothing if the file is not open.
  void row(ConstVectorView values);
  /// [step] Hands the rows to the operating system and moves the mark behind them.
  void sync();
  /// [step] Closed in any case.
  void close(const RowFileContent& end);
  /// Where rows of a run that goes on from here follow; a number that means something to the writer.
  double& mark() { return mark_; }

 private:
  Writer& writer() const { return component_.as<Writer>(); }
  /// Runs a call of the writer; throws what it refuses. The file is not open after that.
  template <class Call>
  void demand(const char* phase, const Call& call);
  template <class Call>
  void open(const std::filesystem::path& folder, const RowFileContent& content, const char* phase, const Call& call);

  Component component_;
  std::string name_;
  std::filesystem::path file_;
  bool open_ = false;
  OwnProcess process_;
  double mark_ = 0;
  std::unique_ptr<RefusalBuffer> refusal_;
};

/// [setup] One per writer of the run. Throws Error: types not found, wrong keys, two that write one file.
std::vector<RowFile> make_row_files(PluginHost& host, const RunFile& run, Model& model);

}  // namespace trammel
