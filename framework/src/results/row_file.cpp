// Calls of writers, and what they refuse.
#include "results/row_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

bool is_file_ending(const std::string& text) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= 16 && std::all_of(text.begin(), text.end(), plain);
}

std::vector<WriterNote> notes_of(const RowFileContent& content) {
  std::vector<WriterNote> notes;
  for (const auto& [key, text] : content.notes) notes.push_back({key.c_str(), text.c_str()});
  return notes;
}

}  // namespace

RowFile::RowFile(Component component) : component_(std::move(component)), refusal_(std::make_unique<RefusalBuffer>()) {
  const char* ending =
      guarded(component_.plugin_id(), "", "file_extension", [this] { return writer().file_extension(); });
  const std::string text = ending == nullptr ? "" : ending;
  if (!is_file_ending(text)) {
    throw Error(ErrorKind::plugin,
                fmt::format("plugin '{}': the writer '{}' gives its files the ending '{}'; one of 1 to 16 letters and "
                            "digits was expected, such as 'csv'",
                            component_.plugin_id(), component_.type(), text));
  }
  name_ = "results." + text;
}

RowFile::~RowFile() {
  if (process_.is_copy()) component_.abandon();
}

template <class Call>
void RowFile::demand(const char* phase, const Call& call) {
  refusal_->clear();
  try {
    if (guarded(component_.plugin_id(), component_.type(), phase, [&] { return call(refusal_->refusal()); })) return;
  } catch (...) {
    open_ = false;
    throw;
  }
  open_ = false;
  refusal_->raise_about(file_.string(),
                        fmt::format("plugin '{}' failed to write it and gave no reason", component_.plugin_id()));
}

template <class Call>
void RowFile::open(const std::filesystem::path& folder, const RowFileContent& content, const char* phase,
                   const Call& call) {
  file_ = folder / name_;
  std::vector<WriterColumn> columns;
  for (const auto& [name, unit] : content.columns) columns.push_back({name.c_str(), unit.c_str()});
  const std::vector<WriterNote> notes = notes_of(content);
  const std::string path = file_.string();
  const WriterRun run{sizeof(WriterRun),
                      static_cast<Index>(columns.size()),
                      static_cast<Index>(notes.size()),
                      path.c_str(),
                      columns.data(),
                      notes.data()};
  demand(phase, [&](Refusal& refusal) { return call(run, refusal); });
  open_ = true;
}

void RowFile::begin(const std::filesystem::path& folder, const RowFileContent& content) {
  mark_ = 0;
  open(folder, content, "begin",
       [this](const WriterRun& run, Refusal& refusal) { return writer().begin(run, refusal); });
}

void RowFile::resume(const std::filesystem::path& folder, const RowFileContent& content) {
  const auto mark = static_cast<std::int64_t>(mark_);
  open(folder, content, "resume",
       [&](const WriterRun& run, Refusal& refusal) { return writer().resume(run, mark, refusal); });
}

void RowFile::row(ConstVectorView values) {
  if (open_) demand("row", [&](Refusal& refusal) { return writer().row(values, refusal); });
}

void RowFile::sync() {
  if (!open_) return;
  std::int64_t mark = 0;
  demand("sync", [&](Refusal& refusal) { return writer().sync(mark, refusal); });
  mark_ = static_cast<double>(mark);
}

void RowFile::close(const RowFileContent& end) {
  if (!open_) return;
  const std::vector<WriterNote> notes = notes_of(end);
  demand("close",
         [&](Refusal& refusal) { return writer().close(notes.data(), static_cast<Index>(notes.size()), refusal); });
  open_ = false;
}

std::vector<RowFile> make_row_files(PluginHost& host, const RunFile& run, Model& model) {
  std::vector<RowFile> files;
  for (const Section& section : run.output.writers) {
    RowFile file(make_component(host, run, section, ComponentKind::writer, model, &model.resolver()));
    for (const RowFile& other : files) {
      if (file.name() != other.name()) continue;
      throw Error(ErrorKind::input,
                  message_at(section.place, section.path,
                             fmt::format("the writer '{}' writes {}, and so does one before it; keep one of them",
                                         section.type, file.name())));
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace trammel
