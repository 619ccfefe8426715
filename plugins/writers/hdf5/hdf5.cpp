// Plugin `hdf5`: rows as a matrix of columns in an HDF5 file, quick to write and to read.
#include <optional>

#include "hdf5_file.h"
#include "hdf5_reader.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/writer.h"

namespace trammel {
namespace {

class Hdf5RowReader final : public RowReader {
 public:
  bool open(const char* file, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return reader_.open(file), true; });
  }
  Index column_count() const override { return static_cast<Index>(reader_.names().size()); }
  std::int64_t row_count() const override { return reader_.rows(); }
  WriterColumn column(Index column) const override {
    const auto k = static_cast<std::size_t>(column);
    return {reader_.names()[k].c_str(), reader_.units()[k].c_str()};
  }
  bool read(Index column, std::int64_t first, std::int64_t count, double* values, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return reader_.read(column, first, count, values), true; });
  }

 private:
  Hdf5Reader reader_;
};

class Hdf5Writer final : public Writer {
 public:
  struct Parameters {
    std::int64_t compression;
    double flush_interval;
    std::int64_t block_rows;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, compression, "1", "Level of compression (shuffle and deflate); 0 for none.")
          .at_least(0)
          .at_most(9)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, flush_interval, "s",
                    "Real time after which waiting rows are written with the next row; 0: not before a block is full.")
          .at_least(0)
          .otherwise("5"),
      TRAMMEL_FIELD(Parameters, block_rows, "1",
                    "Rows that wait in memory and are written together; 0: 1024, or fewer of many columns.")
          .at_least(0)
          .at_most(1 << 20)
          .otherwise("0"));

  explicit Hdf5Writer(const Parameters& p) : options_{p.compression, p.flush_interval, p.block_rows} {}

  const void* extension(const char* id) const override { return sdk::offer_extensions<RowReader>(id, &reader_); }
  const char* file_extension() const override { return "h5"; }

  bool begin(const WriterRun& run, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_.emplace(options_).begin(run), true; });
  }
  bool resume(const WriterRun& run, std::int64_t mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_.emplace(options_).resume(run, mark), true; });
  }
  bool row(ConstVectorView values, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_->row(values), true; });
  }
  bool sync(std::int64_t& mark, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return mark = file_->sync(), true; });
  }
  bool close(const WriterNote* notes, Index count, Refusal& refusal) override {
    return sdk::or_refuse(refusal, [&] { return file_->close(notes, count), true; });
  }

 private:
  Hdf5File::Options options_;
  std::optional<Hdf5File> file_;
  Hdf5RowReader reader_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("hdf5", "1.0.0", "BSD-3-Clause",
               component<Hdf5Writer>(Host::any, "hdf5", "Rows as a matrix of columns in results.h5, an HDF5 file.",
                                     "The HDF Group, Hierarchical Data Format, version 5."));
