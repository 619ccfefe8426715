// Recorder: rows of the results, in one or several files, and whoever watches the run.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/archive.h"
#include "results/columns.h"
#include "results/own_process.h"
#include "results/row_file.h"
#include "run/watch.h"
#include "trammel/parameters.h"

namespace trammel {

class Recorder {
 public:
  /// [setup] What rows consist of.
  void set_columns(std::unique_ptr<Columns> columns);
  const Columns& columns() const { return *columns_; }
  const std::vector<std::string>& names() const { return columns_->names(); }

  /// [setup] What writes the rows.
  void set_files(std::vector<RowFile> files) { files_ = std::move(files); }
  const std::vector<RowFile>& files() const { return files_; }

  /// [setup] Before `open`: the run goes on from a checkpoint in this folder, beside the rows.
  void restart_from(std::filesystem::path folder) { restarted_from_ = std::move(folder); }
  bool restarted() const { return !restarted_from_.empty(); }
  /// [setup] Begins the files of rows in this folder, or goes on with those beside the checkpoint; what earlier runs left
  /// in the folder is removed. `notes`: those of RowFileContent, asked for again when files are opened again. Throws Error:
  /// files cannot be copied or written.
  using Notes = std::function<std::vector<std::pair<std::string, std::string>>()>;
  void open(const std::filesystem::path& folder, Notes notes);
  /// [setup] From here on `folder` is that of the results.
  void use_folder(std::filesystem::path folder) { folder_ = std::move(folder); }
  /// Of the results; empty: none are written.
  const std::filesystem::path& folder() const { return folder_; }
  /// [step] Before anything is written there. Throws Error(plugin) in a copy of the process.
  void require_own_process() const { process_.require(); }
  /// [step] The files again, where `close` ended them and the run goes on.
  void reopen();
  /// [step] What was written is on the disk; rows of a run that goes on from here follow.
  void sync();
  /// [step] `end`: notes on how the run ended. Throws Error(compute): disk full. All are closed in any case.
  void close(const RowFileContent& end);
  bool writes() const;
  bool watched() const { return !watches_.empty(); }

  /// [step] The columns at a state; they stay until the next call.
  ConstVectorView evaluate(const Sample& now);
  /// [step] The columns evaluated last as the row of time t, if rows are written.
  void write(double t);

  /// [setup] `initial`: of the state at the start, where that is known already.
  void add(std::unique_ptr<Watch> watch) { watches_.push_back(std::move(watch)); }
  /// With an observer that nobody else keeps.
  void add(std::unique_ptr<Watch> watch, std::unique_ptr<ChannelObserver> observer) {
    add(std::move(watch));
    observers_.push_back(std::move(observer));
  }
  const std::vector<std::unique_ptr<Watch>>& watches() const { return watches_; }
  /// [step] To all watches.
  void tell(ChannelObserver::At at, double t, const Sample& now);
  /// [step] To one: the start, and its times that are the start's.
  static void tell_start(Watch& watch, double t, const Sample& initial);

  /// [step] Whether someone looks inside the step that ends at t; once per step.
  bool looks_inside(double t);

  /// [step] Of the next row at a multiple of the output step; row 0 is the initial state.
  long next_row() const { return next_row_; }
  void skip_row() { ++next_row_; }
  void remember(Archive& archive);

 private:
  void go_on_in(const std::filesystem::path& folder);
  RowFileContent content() const;

  std::unique_ptr<Columns> columns_;
  std::vector<double> row_;  ///< t, then the columns
  std::vector<std::unique_ptr<ChannelObserver>> observers_;
  std::vector<std::unique_ptr<Watch>> watches_;
  double seen_inside_ = left_out();  ///< s, the end of the last step that was looked into
  std::filesystem::path folder_;
  OwnProcess process_;  ///< that writes there: the one that was there before any plugin ran
  std::vector<RowFile> files_;
  Notes notes_;
  std::filesystem::path restarted_from_;  ///< folder of the checkpoint
  long next_row_ = 1;
};

}  // namespace trammel
