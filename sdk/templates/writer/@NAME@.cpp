// Plugin `@TYPE@`: rows of a run in a file of their own. EDIT: in which format.
//
// Here: a line with the names of the columns, then a line per row, separated by tabs.
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/writer.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace trammel;

/// EDIT: reads the file; `trammel check` holds what was written against it. Leave it out if you cannot read the format.
class Reader final : public RowReader {
 public:
  bool open(const char* file, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return read_all(file), true; });
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
  void read_all(const char* file) {
    names_.clear(), values_.clear();
    std::ifstream stream(file);
    std::string line, cell;
    while (std::getline(stream, line) && !stream.eof()) {  // whole lines
      std::istringstream cells(line);
      const bool header = names_.empty();
      while (std::getline(cells, cell, '\t')) {
        if (header)
          names_.push_back(cell);
        else
          values_.push_back(std::strtod(cell.c_str(), nullptr));
      }
    }
    if (names_.empty()) throw Error(ErrorKind::input, "holds no header line");
  }

  std::vector<std::string> names_;
  std::vector<double> values_;
};

class @CLASS@ final : public Writer {
 public:
  struct Parameters {  // EDIT: what users give in the run file
    std::int64_t block;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, block, "1", "Bytes that wait in memory and are written together.")
          .at_least(0)
          .at_most(1e9)
          .otherwise("65536"));

  explicit @CLASS@(const Parameters& p) : block_(static_cast<std::size_t>(p.block)) {}
  ~@CLASS@() { end(); }

  const void* extension(const char* id) const override { return sdk::offer_extensions<RowReader>(id, &reader_); }
  const char* file_extension() const override { return "tsv"; }  // EDIT

  // Whatever is thrown inside becomes the reason that users read: or_refuse.
  bool begin(const WriterRun& run, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] {
      open(run, "wb");
      waiting_ = header_, size_ = 0, cut_ = false;
      flush();
      return true;
    });
  }
  bool resume(const WriterRun& run, std::int64_t mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] {
      open(run, "r+b");
      std::string found(header_.size(), ' ');
      const bool same = std::fread(found.data(), 1, found.size(), stream_) == found.size() && found == header_;
      if (!same || std::filesystem::file_size(file_) < static_cast<std::uintmax_t>(mark))
        throw Error(ErrorKind::input, "does not hold the rows before the checkpoint");
      size_ = mark, cut_ = true;
      if (std::fseek(stream_, static_cast<long>(mark), SEEK_SET) != 0) fail();
      return true;
    });
  }
  bool row(ConstVectorView values, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] {
      char number[32];  // the fewest digits that read back to the same bits
      for (Index i = 0; i < values.size; ++i) {
        if (i > 0) waiting_ += '\t';
        waiting_.append(number, std::to_chars(number, number + sizeof number, values[i]).ptr);
      }
      waiting_ += '\n';
      if (waiting_.size() > block_) flush();
      return true;
    });
  }
  bool sync(std::int64_t& mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] {
      flush();
      mark = size_;
      return true;
    });
  }
  bool close(const WriterNote*, Index, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] {
      flush();
      end();
      return true;
    });
  }

 private:
  void open(const WriterRun& run, const char* mode) {
    end();
    file_ = run.file, header_.clear(), waiting_.clear();
    for (Index i = 0; i < run.column_count; ++i) header_ += (i == 0 ? "" : "\t") + std::string(run.columns[i].name);
    header_ += '\n';
    waiting_.reserve(header_.size() + block_ + 32 * static_cast<std::size_t>(run.column_count));
    stream_ = std::fopen(run.file, mode);
    if (stream_ == nullptr) fail();
    std::setvbuf(stream_, nullptr, _IONBF, 0);
  }
  /// Whole lines to the system, or none of them.
  void flush() {
    if (cut_) std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(size_));
    cut_ = false;
    if (std::fwrite(waiting_.data(), 1, waiting_.size(), stream_) != waiting_.size()) {
      const int reason = errno;
      std::error_code ignored;
      std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(size_), ignored);
      waiting_.clear();
      errno = reason;
      fail();
    }
    size_ += static_cast<std::int64_t>(waiting_.size());
    waiting_.clear();
  }
  void end() {
    if (stream_ != nullptr) std::fclose(stream_);
    stream_ = nullptr;
  }
  [[noreturn]] static void fail() {
    throw Error(ErrorKind::compute, std::string("cannot be written: ") + std::strerror(errno));
  }

  std::size_t block_;
  std::FILE* stream_ = nullptr;
  std::string file_, header_, waiting_;
  std::int64_t size_ = 0;  // of the file: whole rows
  bool cut_ = false;       // what is behind them has to go
  Reader reader_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "Rows as text, separated by tabs.", ""));
