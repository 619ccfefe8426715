// Writers with one mistake each; rows as text, separated by blanks.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/writer.h"

namespace {

using namespace trammel;

enum class Bug { none, rows, resume, killed, no_room };

class TextReader final : public RowReader {
 public:
  bool open(const char* file, Refusal& refusal) override {
    names_.clear(), values_.clear();
    std::ifstream stream(file);
    std::string line, cell;
    while (std::getline(stream, line) && !stream.eof()) {
      std::istringstream cells(line);
      const bool header = names_.empty();
      while (cells >> cell) {
        if (header)
          names_.push_back(cell);
        else
          values_.push_back(std::strtod(cell.c_str(), nullptr));
      }
    }
    return !names_.empty() || sdk::refuse(refusal, "", "is empty");
  }
  Index column_count() const override { return static_cast<Index>(names_.size()); }
  std::int64_t row_count() const override { return static_cast<std::int64_t>(values_.size() / names_.size()); }
  WriterColumn column(Index column) const override { return {names_[static_cast<std::size_t>(column)].c_str(), ""}; }
  bool read(Index column, std::int64_t first, std::int64_t count, double* values, Refusal&) override {
    for (std::int64_t i = 0; i < count; ++i)
      values[i] = values_[static_cast<std::size_t>(first + i) * names_.size() + static_cast<std::size_t>(column)];
    return true;
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;
};

template <Bug bug>
class Planted final : public Writer {
 public:
  ~Planted() { end(); }
  const void* extension(const char* id) const override { return sdk::offer_extensions<RowReader>(id, &reader_); }
  const char* file_extension() const override { return "txt"; }
  bool begin(const WriterRun& run, Refusal& refusal) override {
    if (!open(run, "wb", refusal)) return false;
    waiting_ = header_, size_ = 0, cut_ = false;
    return flush(refusal);
  }
  bool resume(const WriterRun& run, std::int64_t mark, Refusal& refusal) override {
    if (!open(run, "r+b", refusal)) return false;
    std::string found(header_.size(), ' ');
    const bool same = std::fread(found.data(), 1, found.size(), stream_) == found.size() && found == header_;
    if (!same || std::filesystem::file_size(file_) < static_cast<std::uintmax_t>(mark))
      return sdk::refuse(refusal, "", "is another file");
    size_ = mark, cut_ = true;
    return std::fseek(stream_, static_cast<long>(mark), SEEK_SET) == 0 || fails(refusal);
  }
  bool row(ConstVectorView values, Refusal& refusal) override {
    char number[40];
    for (Index i = 0; i < values.size; ++i) {
      std::snprintf(number, sizeof number, bug == Bug::rows ? "%.16g " : "%.17g ", values[i]);
      waiting_ += number;
    }
    waiting_ += '\n';
    ++rows_;
    return waiting_.size() < 65536 || flush(refusal);
  }
  bool sync(std::int64_t& mark, Refusal& refusal) override {
    mark = size_ + static_cast<std::int64_t>(waiting_.size());
    return (bug == Bug::killed && rows_ > 1000) || flush(refusal);
  }
  bool close(const WriterNote*, Index, Refusal& refusal) override {
    const bool done = flush(refusal);
    end();
    return done;
  }

 private:
  bool open(const WriterRun& run, const char* mode, Refusal& refusal) {
    end();
    file_ = run.file, rows_ = 0, header_.clear(), waiting_.clear();
    for (Index i = 0; i < run.column_count; ++i) header_ += std::string(run.columns[i].name) + " ";
    header_ += '\n';
    stream_ = std::fopen(run.file, mode);
    if (stream_ == nullptr) return fails(refusal);
    std::setvbuf(stream_, nullptr, _IONBF, 0);
    return true;
  }
  bool flush(Refusal& refusal) {
    if (cut_ && bug != Bug::resume) std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(size_));
    cut_ = false;
    const bool whole = std::fwrite(waiting_.data(), 1, waiting_.size(), stream_) == waiting_.size();
    if (!whole && bug != Bug::no_room) {
      const int reason = errno;
      std::error_code ignored;
      std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(size_), ignored);
      errno = reason;
      return waiting_.clear(), fails(refusal);
    }
    size_ += static_cast<std::int64_t>(waiting_.size());
    waiting_.clear();
    return true;
  }
  void end() {
    Refusal nobody{};
    if (stream_ != nullptr) flush(nobody), std::fclose(stream_);
    stream_ = nullptr;
  }
  static bool fails(Refusal& refusal) { return sdk::refuse(refusal, "", std::strerror(errno), ErrorKind::compute); }

  std::FILE* stream_ = nullptr;
  std::string file_, header_, waiting_;
  std::int64_t size_ = 0, rows_ = 0;
  bool cut_ = false;
  TextReader reader_;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "A writer with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_writers", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"), planted<Bug::rows>("bad_rows"),
               planted<Bug::resume>("bad_resume"), planted<Bug::killed>("bad_killed"),
               planted<Bug::no_room>("bad_no_room"));
