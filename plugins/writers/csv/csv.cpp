// Plugin `csv`: rows as text, numbers with the fewest digits that read back to the same bits.
#include <optional>

#include "csv_file.h"
#include "csv_reader.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/writer.h"

namespace trammel {
namespace {

class CsvRowReader final : public RowReader {
 public:
  bool open(const char* file, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return reader_.open(file), true; });
  }
  Index column_count() const override { return static_cast<Index>(reader_.names().size()); }
  std::int64_t row_count() const override { return reader_.rows(); }
  WriterColumn column(Index column) const override {
    return {reader_.names()[static_cast<std::size_t>(column)].c_str(), ""};
  }
  bool read(Index column, std::int64_t first, std::int64_t count, double* values, Refusal&) override {
    for (std::int64_t i = 0; i < count; ++i) values[i] = reader_.value(first + i, column);
    return true;
  }

 private:
  CsvReader reader_;
};

class CsvWriter final : public Writer {
 public:
  const void* extension(const char* id) const override { return sdk::offer_extensions<RowReader>(id, &reader_); }
  const char* file_extension() const override { return "csv"; }

  bool begin(const WriterRun& run, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_.emplace().begin(run.file, header(run)), true; });
  }
  bool resume(const WriterRun& run, std::int64_t mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_.emplace().resume(run.file, header(run), mark), true; });
  }
  bool row(ConstVectorView values, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_->row(values), true; });
  }
  bool sync(std::int64_t& mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return mark = file_->sync(), true; });
  }
  bool close(const WriterNote*, Index, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_->close(), true; });
  }

 private:
  static std::vector<std::string> header(const WriterRun& run) {
    std::vector<std::string> names;
    for (Index i = 0; i < run.column_count; ++i) names.emplace_back(run.columns[i].name);
    return names;
  }

  std::optional<CsvFile> file_;
  CsvRowReader reader_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("csv", "1.0.0", "BSD-3-Clause",
               component<CsvWriter>(Host::any, "csv", "Rows as comma-separated text in results.csv."));
