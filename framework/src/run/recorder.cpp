// Rows of results.csv.
#include "run/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/error.h"

namespace trammel {

void Recorder::set_columns(std::unique_ptr<Columns> columns) {
  columns_ = std::move(columns);
  values_.assign(columns_->names().size(), 0.0);
}

std::vector<std::string> Recorder::header() const {
  std::vector<std::string> all = {"t"};
  all.insert(all.end(), names().begin(), names().end());
  return all;
}

void Recorder::open(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path rows = folder / "results.csv";
  const bool goes_on = restarted();
  if (goes_on && !std::filesystem::exists(restarted_from_, error)) {
    throw Error(ErrorKind::input,
                fmt::format("{}: is missing beside the checkpoint; the run cannot go on without the rows "
                            "before it",
                            restarted_from_.string()));
  }
  const bool keeps_checkpoint = goes_on && std::filesystem::equivalent(restarted_from_.parent_path(), folder, error);
  if (goes_on && !std::filesystem::equivalent(restarted_from_, rows, error)) {
    std::filesystem::copy_file(restarted_from_, rows, std::filesystem::copy_options::overwrite_existing, error);
    if (error)
      throw Error(ErrorKind::compute,
                  fmt::format("{}: cannot be copied: {}", restarted_from_.string(), error.message()));
  }
  csv_ = goes_on ? std::make_unique<CsvFile>(rows, header(), rows_end_) : std::make_unique<CsvFile>(rows, header());
  for (const char* old : {"summary.json", "events.csv", "modes.csv", "mode_shapes.csv", "report.html",
                          "state_matrix.csv", "output_matrix.csv"}) {
    std::filesystem::remove(folder / old, error);
  }
  if (!keeps_checkpoint) std::filesystem::remove(folder / "checkpoint.json", error);
}

void Recorder::reopen() {
  if (folder_.empty() || csv_ != nullptr) return;
  csv_ = std::make_unique<CsvFile>(folder_ / "results.csv", header(), rows_end_);
}

void Recorder::close() {
  const std::unique_ptr<CsvFile> ending = std::move(csv_);
  if (ending == nullptr) return;
  rows_end_ = ending->sync();
  ending->close();
}

const std::vector<double>& Recorder::evaluate(const Sample& now) {
  columns_->row(now, {values_.data(), static_cast<Index>(values_.size())});
  return values_;
}

void Recorder::write(double t) {
  if (csv_ != nullptr) csv_->row(t, {values_.data(), static_cast<Index>(values_.size())});
}

bool Recorder::looks_inside(double t) {
  if (t == seen_inside_) return false;
  seen_inside_ = t;
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& watch) { return watch->inside() != nullptr; });
}

void Recorder::tell(ChannelObserver::At at, double t, const Sample& now) {
  for (const std::unique_ptr<Watch>& watch : watches_) watch->tell(at, t, now);
}

void Recorder::tell_start(Watch& watch, double t, const Sample& initial) {
  watch.tell(ChannelObserver::At::start, t, initial);
  for (const double* time = watch.next_time(t); time != nullptr; time = watch.next_time(t)) {
    if (*time == t) watch.tell(ChannelObserver::At::time, *time, initial);
    watch.skip_time();
  }
}

}  // namespace trammel
