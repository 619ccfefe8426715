// Writers: rows read back as they were given, going on after a kill, files that cannot be written.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include "check/writer_bench.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

/// What the checks write: rows whose numbers are hard to write, each of which tells where it stands.
class Rows {
 public:
  static constexpr Index columns = 20;  // more than a block is wide
  explicit Rows(const fs::path& file) : file_(file.string()) {}

  WriterRun run() const {
    static const WriterColumn names[columns] = {
        {"t", "s"},          {"crank.x", "m"}, {"crank.e0", "1"}, {"pin.lambda.0", ""}, {"energy.total", "J"},
        {"crank.vx", "m/s"}, {"rod.x", "m"},   {"rod.e0", "1"},   {"pin.lambda.1", ""}, {"energy.drift", "J"},
        {"crank.vy", "m/s"}, {"rod.y", "m"},   {"rod.e1", "1"},   {"pin.lambda.2", ""}, {"energy.kinetic", "J"},
        {"crank.vz", "m/s"}, {"rod.z", "m"},   {"rod.e2", "1"},   {"pin.lambda.3", ""}, {"energy.potential", "J"}};
    static const WriterNote notes[] = {{"title", "A \"title\" of check\n"}, {"run", "{}"}, {"status", "running"}};
    return {sizeof(WriterRun), columns, 3, file_.c_str(), names, notes};
  }
  static double value(std::int64_t row, Index column) {
    row += 1000 * (column / 5);
    const auto r = static_cast<double>(row);
    switch (column % 5) {
      case 0: return 0.001 * r;
      case 1: return std::sin(r) * std::pow(10.0, static_cast<double>(row % 600) - 300);
      case 2: return row % 3 == 0 ? -0.0 : std::numeric_limits<double>::denorm_min() * r;
      case 3: return row % 2 == 0 ? -std::numeric_limits<double>::max() : 1 / (r + 3);
      default: return row % 5 == 0 ? INFINITY : row % 5 == 1 ? std::nan("") : r / 7;
    }
  }
  const char* file() const { return file_.c_str(); }

 private:
  std::string file_;
};

void feed(const CreatedWriter& writer, std::int64_t from, std::int64_t to) {
  double values[Rows::columns];
  for (std::int64_t row = from; row < to; ++row) {
    for (Index k = 0; k < Rows::columns; ++k) values[k] = Rows::value(row, k);
    demand("row", [&](Refusal& refusal) { return writer->row({values, Rows::columns}, refusal); });
  }
}

/// The file holds at least the first `least` rows, and every row in it is the one of its number. Nothing is read of
/// writers that do not read.
void require_rows(const CreatedWriter& writer, const char* file, std::int64_t least, std::int64_t most) {
  RowReader* reader = reader_of(writer);
  if (reader == nullptr) return;
  demand("RowReader::open", [&](Refusal& refusal) { return reader->open(file, refusal); });
  require(reader->column_count() == Rows::columns, "the file has {} columns, {} were given", reader->column_count(),
          Rows::columns);
  const std::int64_t count = reader->row_count();
  require(count >= least && count <= most, "the file has {} rows; {} to {} were expected", count, least, most);
  const WriterRun run = Rows(file).run();
  std::vector<double> values(static_cast<std::size_t>(count));
  for (Index k = 0; k < Rows::columns; ++k) {
    const WriterColumn column = reader->column(k);
    require(std::string(column.name) == run.columns[k].name, "column {} is called '{}' in the file, '{}' was given", k,
            column.name, run.columns[k].name);
    require(*column.unit == 0 || std::string(column.unit) == run.columns[k].unit,
            "the unit of column '{}' is '{}' in the file, '{}' was given", column.name, column.unit,
            run.columns[k].unit);
    demand("RowReader::read", [&](Refusal& refusal) { return reader->read(k, 0, count, values.data(), refusal); });
    for (std::int64_t row = 0; row < count; ++row) {
      const double found = values[static_cast<std::size_t>(row)], given = Rows::value(row, k);
      const bool same = std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(given);
      require(same || (std::isnan(found) && std::isnan(given)),
              "row {} of column '{}' reads {:.17g}, {:.17g} was given", row, column.name, found, given);
    }
  }
}

constexpr std::int64_t many_rows = 5000;  // more than any block

void write_and_read(Subject& subject) {
  bool read = false;
  for (const std::string& json : writer_sections(subject)) {
    const CreatedWriter writer(*subject.host, json);
    const Rows rows(own_file(writer, "rows"));
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, many_rows}) {
      demand("begin", [&](Refusal& refusal) { return writer->begin(rows.run(), refusal); });
      feed(writer, 0, count);
      close_file(writer);
      require(fs::exists(rows.file()), "close leaves no file");
      require_rows(writer, rows.file(), count, count);
    }
    {
      const CreatedWriter left(*subject.host, json);
      demand("begin", [&](Refusal& refusal) { return left->begin(rows.run(), refusal); });
      feed(left, 0, 10);
      mark_of_sync(left);
    }
    require_rows(writer, rows.file(), 10, 10);
    read = reader_of(writer) != nullptr;
  }
  if (!read) skip("files were written; the writer cannot read them back (extension {})", RowReader::id);
}

void go_on(Subject& subject) {
  for (const std::string& json : writer_sections(subject)) {
    const CreatedWriter first(*subject.host, json);
    const Rows rows(own_file(first, "resume"));
    demand("begin", [&](Refusal& refusal) { return first->begin(rows.run(), refusal); });
    feed(first, 0, 700);
    const std::int64_t mark = mark_of_sync(first);
    feed(first, 0, 900);  // rows that must go
    close_file(first);
    {
      const CreatedWriter idle(*subject.host, json);
      demand("resume", [&](Refusal& refusal) { return idle->resume(rows.run(), mark, refusal); });
    }
    const CreatedWriter second(*subject.host, json);
    demand("resume", [&](Refusal& refusal) { return second->resume(rows.run(), mark, refusal); });
    feed(second, 700, 710);
    const std::int64_t end = mark_of_sync(second);
    close_file(second);
    require_rows(second, rows.file(), 710, 710);
    demand("resume after close", [&](Refusal& refusal) { return second->resume(rows.run(), end, refusal); });
    feed(second, 710, many_rows);
    close_file(second);
    require_rows(second, rows.file(), many_rows, many_rows);

    const CreatedWriter third(*subject.host, json);
    RefusalBuffer refusal;
    WriterColumn other[Rows::columns];
    WriterRun run = rows.run();
    std::copy(run.columns, run.columns + Rows::columns, other);
    other[1].name = "crank.y";
    run.columns = other;
    require(!third->resume(run, mark, refusal.refusal()), "resume accepts a file with other columns");
    require(*refusal.refusal().text != 0, "resume refuses other columns without a word");
    require(refusal.refusal().kind == ErrorKind::input, "resume refuses other columns as another kind than `input`");
    refusal.clear();
    require(!third->resume(rows.run(), end + 1'000'000'000, refusal.refusal()), "resume accepts a mark behind the end");
    require(*refusal.refusal().text != 0, "resume refuses a mark behind the end without a word");
  }
}

constexpr std::int64_t synced_rows = 1500;

/// The mark of a child that wrote some rows, called `sync`, wrote `more` rows and was killed.
std::int64_t mark_of_killed(const CreatedWriter& writer, const Rows& rows, std::int64_t more) {
  int ends[2];
  require(pipe(ends) == 0, "no pipe could be opened");
  const pid_t child = fork();
  require(child >= 0, "no process could be started");
  if (child == 0) {
    try {
      demand("begin", [&](Refusal& refusal) { return writer->begin(rows.run(), refusal); });
      feed(writer, 0, synced_rows);
      const std::int64_t mark = mark_of_sync(writer);
      feed(writer, synced_rows, synced_rows + more);
      [[maybe_unused]] const ssize_t written = write(ends[1], &mark, sizeof mark);
      kill(getpid(), SIGKILL);
    } catch (const std::exception& error) {
      std::fputs(error.what(), stderr);
    }
    _exit(1);
  }
  ::close(ends[1]);
  std::int64_t mark = -1;
  const bool told = read(ends[0], &mark, sizeof mark) == static_cast<ssize_t>(sizeof mark);
  ::close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  require(told && WIFSIGNALED(status), "a process that writes ended by itself");
  return mark;
}

/// Rows up to the last `sync` are there, whether blocks were written after it or not, and another process goes on.
void killed(Subject& subject) {
  for (const std::string& json : writer_sections(subject)) {
    for (const std::int64_t more : {std::int64_t{0}, std::int64_t{2000}}) {
      const CreatedWriter writer(*subject.host, json);
      const Rows rows(own_file(writer, "killed"));
      const std::int64_t mark = mark_of_killed(writer, rows, more);
      require_rows(writer, rows.file(), synced_rows, synced_rows + more);
      demand("resume after a kill", [&](Refusal& refusal) { return writer->resume(rows.run(), mark, refusal); });
      feed(writer, synced_rows, synced_rows + 10);
      close_file(writer);
      require_rows(writer, rows.file(), synced_rows + 10, synced_rows + 10);
    }
  }
}

/// Or is no text.
bool ends_with_a_line(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return bytes.find('\0') != std::string::npos || bytes.empty() || bytes.back() == '\n';
}

/// A folder that is not there, and a file that may not become larger than some bytes.
void no_room(Subject& subject) {
  for (const std::string& json : writer_sections(subject)) {
    {
      const CreatedWriter writer(*subject.host, json);
      const Rows rows(own_file(writer, "there") / "no_such_folder" / "file");
      RefusalBuffer refusal;
      require(!writer->begin(rows.run(), refusal.refusal()), "begin succeeds in a folder that does not exist");
      require(*refusal.refusal().text != 0, "begin fails without a word");
    }
    const CreatedWriter writer(*subject.host, json);
    const Rows rows(own_file(writer, "full"));
    demand("begin", [&](Refusal& refusal) { return writer->begin(rows.run(), refusal); });
    feed(writer, 0, 100);
    mark_of_sync(writer);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit most = {fs::file_size(rows.file()) + 50000, RLIM_INFINITY};
    require(setrlimit(RLIMIT_FSIZE, &most) == 0, "no limit could be set to the size of files");
    RefusalBuffer refusal;
    double values[Rows::columns];
    bool went_on = true;
    std::int64_t row = 100;
    for (; went_on && row < 20 * many_rows; ++row) {
      for (Index k = 0; k < Rows::columns; ++k) values[k] = Rows::value(row, k);
      went_on = writer->row({values, Rows::columns}, refusal.refusal());
    }
    require(!went_on, "{} rows of {} numbers fit into 50000 bytes: a failed write goes unnoticed", row, Rows::columns);
    require(*refusal.refusal().text != 0, "row fails without a word");
    require(refusal.refusal().kind == ErrorKind::compute,
            "a file that cannot be written is of another kind than `compute`");
    require_rows(writer, rows.file(), 100, row);
    require(ends_with_a_line(rows.file()), "a text file that cannot grow ends in the middle of a line");
  }
}

void create_twice(Subject& subject) {
  for (const std::string& json : writer_sections(subject)) {
    const CreatedWriter one(*subject.host, json), two(*subject.host, json);
    const std::string ending = one->file_extension(), again = two->file_extension();
    require(!ending.empty() && ending == again, "file_extension gives '{}', then '{}'", ending, again);
    require(one->extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  }
}

}  // namespace

void add_writer_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, Level::contract, what, cause, run, needs});
  };
  add("contract.create", "it can be created and ended, more than once",
      "the constructor refuses what its parameter table allows, or keeps something in a static", create_twice, "");
  add("contract.rows", "what it writes reads back bit by bit, with names and units",
      "numbers with too few digits, rows that wait when the file is closed, or a last block that is not full",
      write_and_read, "contract.create");
  add("contract.resume", "it goes on behind a mark, and refuses files that are not the run's",
      "a mark that counts rows that were not handed over, or rows behind the mark that stay", go_on, "contract.rows");
  add("contract.killed", "a killed process leaves all rows up to the last sync, and another one goes on with them",
      "rows that wait in the library, or an index that is written when the file is closed only", killed,
      "contract.resume");
  add("contract.no_room", "a file that cannot be written is told, and what was in it stays",
      "a return value that is not looked at", no_room, "contract.rows");
}

}  // namespace trammel::conformance
