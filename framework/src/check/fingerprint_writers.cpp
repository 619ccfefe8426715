// Fingerprints of writers.
#include <bit>
#include <filesystem>

#include "check/element_point.h"
#include "check/fingerprint_files.h"
#include "check/importer_bench.h"
#include "check/writer_bench.h"

namespace trammel::conformance {
namespace {

/// Any bits, small whole numbers, and numbers of all sizes with few digits.
double random_number(std::mt19937& random) {
  const std::uint64_t bits = std::uint64_t{random()} << 32 | random();
  switch (random() % 4) {
    case 0: return std::bit_cast<double>(bits);
    case 1: return static_cast<double>(static_cast<int>(random() % 2001) - 1000);
    case 2: return static_cast<double>(random() % 1000) * std::pow(10, static_cast<int>(random() % 40) - 20);
    default: return uniform(random, -3, 3);
  }
}

/// A run of some columns, its names and notes.
class RandomRun {
 public:
  RandomRun(std::filesystem::path file, std::mt19937& random) : file_(std::move(file)) {
    const std::size_t columns = 1 + random() % 12;
    for (std::size_t k = 0; k < columns; ++k) {
      names_.push_back(k == 0 ? "t" : "body" + std::to_string(random() % 900 + 100) + "." + std::to_string(k));
      units_.emplace_back(k == 0 ? "s" : random() % 3 == 0 ? "" : random() % 2 == 0 ? "kg m^2/s" : "1");
    }
    for (std::size_t k = 0; k < columns; ++k) columns_.push_back({names_[k].c_str(), units_[k].c_str()});
    title_ = "Run, \"" + std::to_string(random()) + "\"\n";
    notes_ = {{"title", title_.c_str()}, {"run", "{}"}, {"status", "running"}};
  }
  WriterRun run() const {
    return {sizeof(WriterRun), size(),          static_cast<Index>(notes_.size()),
            file_.c_str(),     columns_.data(), notes_.data()};
  }
  Index size() const { return static_cast<Index>(columns_.size()); }
  const char* file() const { return file_.c_str(); }

 private:
  std::string file_, title_;
  std::vector<std::string> names_, units_;
  std::vector<WriterColumn> columns_;
  std::vector<WriterNote> notes_;
};

void write_rows(const CreatedWriter& writer, const RandomRun& run, std::int64_t count, std::mt19937& random,
                Digest& digest) {
  std::vector<double> values(static_cast<std::size_t>(run.size()));
  for (std::int64_t row = 0; row < count; ++row) {
    for (double& value : values) value = random_number(random);
    demand("row", [&](Refusal& refusal) { return writer->row({values.data(), run.size()}, refusal); });
    if (random() % 1000 == 0) digest.add(static_cast<double>(mark_of_sync(writer)));
  }
}

void digest_file(const CreatedWriter& writer, const RandomRun& run, std::mt19937& random, Digest& digest) {
  digest.add(content_of(run.file()));
  RowReader* reader = reader_of(writer);
  if (reader == nullptr) return;
  demand("RowReader::open", [&](Refusal& refusal) { return reader->open(run.file(), refusal); });
  const std::int64_t rows = reader->row_count();
  digest.add(static_cast<double>(rows));
  for (Index k = 0; k < reader->column_count(); ++k) {
    const WriterColumn column = reader->column(k);
    digest.add(std::string_view(column.name)), digest.add(std::string_view(column.unit));
    const std::int64_t first = rows > 0 ? static_cast<std::int64_t>(random() % static_cast<std::size_t>(rows)) : 0;
    std::vector<double> values(static_cast<std::size_t>(rows - first));
    demand("RowReader::read",
           [&](Refusal& refusal) { return reader->read(k, first, rows - first, values.data(), refusal); });
    for (const double value : values) digest.add(value);
  }
}

}  // namespace

void digest_writers(Subject& subject, int calls, Digest& digest) {
  std::mt19937& random = subject.random;
  const std::vector<std::string> sections = writer_sections(subject);
  for (const std::string& json : sections) {
    std::int64_t left = calls / static_cast<int>(sections.size());
    while (left > 0) {
      const auto count = std::min<std::int64_t>(left, random() % 20000);
      left -= std::max<std::int64_t>(1, count);
      const CreatedWriter writer(*subject.host, json);
      const RandomRun run(own_file(writer, "print"), random);
      demand("begin", [&](Refusal& refusal) { return writer->begin(run.run(), refusal); });
      write_rows(writer, run, count, random, digest);
      const std::int64_t mark = mark_of_sync(writer);
      write_rows(writer, run, static_cast<std::int64_t>(random() % 3000), random, digest);
      close_file(writer);
      digest_file(writer, run, random, digest);
      demand("resume", [&](Refusal& refusal) { return writer->resume(run.run(), mark, refusal); });
      write_rows(writer, run, static_cast<std::int64_t>(random() % 3000), random, digest);
      close_file(writer);
      digest_file(writer, run, random, digest);
    }
  }
}

}  // namespace trammel::conformance
