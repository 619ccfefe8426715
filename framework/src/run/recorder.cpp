// Rows of the results.
#include "run/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

/// Files that earlier runs may have left: of rows, as summary.json has them, and all others.
std::vector<std::string> left_files(const fs::path& folder) {
  std::vector<std::string> names = {"results.csv", "results.h5",       "summary.json",
                                    "events.csv",  "modes.csv",        "mode_shapes.csv",
                                    "report.html", "state_matrix.csv", "output_matrix.csv"};
  // The last of these keys, near the end: behind it there are warnings only. To read all of a large model's summary for
  // this would take as long as to write it.
  constexpr std::streamoff near_end = 1 << 18;
  std::ifstream stream(folder / "summary.json", std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
  stream.seekg(std::max<std::streamoff>(0, size - near_end));
  const std::string summary{std::istreambuf_iterator<char>(stream), {}};
  const std::string key = "\"files\":";
  const std::size_t at = summary.rfind(key);
  if (at == std::string::npos) return names;
  const std::size_t from = at + key.size(), end = summary.find(']', from);
  const std::string list = summary.substr(from, end == std::string::npos ? end : end + 1 - from);
  for (const nlohmann::json& file : nlohmann::json::parse(list, nullptr, false)) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    if (name.rfind("results.", 0) == 0 && name.find('/') == std::string::npos) names.push_back(name);
  }
  return names;
}

}  // namespace

void Recorder::set_columns(std::unique_ptr<Columns> columns) {
  columns_ = std::move(columns);
  row_.assign(1 + columns_->names().size(), 0.0);
}

RowFileContent Recorder::content() const {
  RowFileContent content{{{"t", "s"}}, notes_()};
  for (std::size_t i = 0; i < names().size(); ++i) content.columns.emplace_back(names()[i], columns_->units()[i]);
  return content;
}

void Recorder::open(const fs::path& folder, Notes notes) {
  notes_ = std::move(notes);
  std::error_code error;
  const bool keeps_checkpoint = restarted() && fs::equivalent(restarted_from_, folder, error);
  std::vector<std::string> old = left_files(folder);
  if (restarted()) go_on_in(folder);
  for (RowFile& file : files_) {
    std::erase(old, file.name());
    if (!restarted()) file.begin(folder, content());
  }
  for (const std::string& name : old) fs::remove(folder / name, error);
  if (!keeps_checkpoint) fs::remove(folder / "checkpoint.json", error);
}

void Recorder::go_on_in(const fs::path& folder) {
  std::error_code error;
  for (const RowFile& file : files_) {
    const fs::path rows = restarted_from_ / file.name();
    if (fs::exists(rows, error)) continue;
    throw Error(ErrorKind::input,
                fmt::format("{}: is missing beside the checkpoint; the run cannot go on without the rows before it",
                            rows.string()));
  }
  for (RowFile& file : files_) {
    const fs::path rows = restarted_from_ / file.name(), here = folder / file.name();
    if (!fs::equivalent(rows, here, error)) {
      fs::copy_file(rows, here, fs::copy_options::overwrite_existing, error);
      if (error)
        throw Error(ErrorKind::compute, fmt::format("{}: cannot be copied: {}", rows.string(), error.message()));
    }
    file.resume(folder, content());
  }
}

void Recorder::reopen() {
  if (folder_.empty()) return;
  for (RowFile& file : files_) {
    if (!file.is_open()) file.resume(folder_, content());
  }
}

void Recorder::sync() {
  if (!folder_.empty()) process_.require();
  for (RowFile& file : files_) file.sync();
}

void Recorder::close(const RowFileContent& end) {
  if (!folder_.empty()) process_.require();
  std::exception_ptr first;
  for (RowFile& file : files_) {
    try {
      file.sync();
      file.close(end);
    } catch (const Error&) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

bool Recorder::writes() const {
  return std::any_of(files_.begin(), files_.end(), [](const RowFile& file) { return file.is_open(); });
}

ConstVectorView Recorder::evaluate(const Sample& now) {
  const auto size = static_cast<Index>(row_.size() - 1);
  columns_->row(now, {row_.data() + 1, size});
  return {row_.data() + 1, size};
}

void Recorder::write(double t) {
  if (!folder_.empty()) process_.require();
  row_[0] = t;
  for (RowFile& file : files_) file.row({row_.data(), static_cast<Index>(row_.size())});
}

void Recorder::remember(Archive& archive) {
  archive.values("output", next_row_);
  std::vector<double> marks;
  for (RowFile& file : files_) marks.push_back(file.mark());
  archive.block("output.marks", marks);
  if (!archive.restores()) return;
  for (std::size_t i = 0; i < files_.size(); ++i) files_[i].mark() = marks[i];
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
