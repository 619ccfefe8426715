// Blocks of rows into chunks of columns.
#include "hdf5_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace trammel {
namespace {

constexpr hsize_t heads = 65536;  // what the library keeps beside the numbers and texts of one call, and more

Error not_written(const std::string& reason) { return Error(ErrorKind::compute, "cannot be written: " + reason); }

hsize_t bytes_of(const WriterNote* notes, Index count) {
  hsize_t bytes = 0;
  for (Index i = 0; i < count; ++i) bytes += 256 + std::strlen(notes[i].text);
  return bytes;
}

/// Throws Error if there is no room for so many bytes behind the file's first `size`. Found out before the library is in
/// the middle of it: it cannot close a file whose parts it could not write. `flags`: of open().
void require_room(const std::string& path, int flags, hsize_t size, hsize_t needed) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) throw not_written(std::strerror(errno));
  struct stat file {};
  rlimit most{};
  int reason = 0;
  const bool regular = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && size + needed > most.rlim_cur)
    reason = EFBIG;
  // Space behind the end, without a new size. File systems that do not know this find out later.
  else if (regular &&
           fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size), static_cast<off_t>(needed)) != 0)
    reason = errno;
  ::close(descriptor);
  if (!regular) throw not_written("it is no regular file");
  if (reason == ENOSPC || reason == EFBIG || reason == EDQUOT) throw not_written(std::strerror(reason));
}

}  // namespace

Hdf5File::~Hdf5File() {
  const Quiet quiet;
  try {
    if (!failed_ && waiting_ > written_) write_block();
  } catch (const Error&) {
    // Reported by `close` where somebody can hear it; here the run is over already.
  }
  values_.close();
  file_.close();
}

void Hdf5File::make_room(hsize_t columns, ChunkShape chunk) {
  columns_ = columns, chunk_ = chunk;
  block_.assign(columns * chunk.rows, 0.0);
  part_.assign(chunk.size(), 0.0);
  last_ = Clock::now();
}

void Hdf5File::begin(const WriterRun& run) {
  const Quiet quiet;
  path_ = run.file;
  const auto columns = static_cast<hsize_t>(run.column_count);
  make_room(columns, choose_chunks(columns, static_cast<hsize_t>(options_.block_rows)));
  hsize_t texts = bytes_of(run.notes, run.note_count);
  for (Index i = 0; i < run.column_count; ++i) texts += 64 + std::strlen(run.columns[i].name);
  require_room(path_, O_CREAT | O_TRUNC, 0, texts + heads);
  file_ = create_file(run.file);
  failed_ = true;  // until it stands
  values_ = create_layout(file_, run, chunk_, static_cast<int>(options_.compression));
  write_notes(file_, run.notes, run.note_count);
  let_readers_in();
  failed_ = false;
}

void Hdf5File::let_readers_in() { written(H5Fstart_swmr_write(file_)); }

void Hdf5File::resume(const WriterRun& run, std::int64_t rows) {
  const Quiet quiet;
  path_ = run.file;
  const Handle file = open_to_read(run.file);
  const std::vector<std::string> names = read_texts(file, "names");
  const Handle values(readable(H5Dopen2(file, "values", H5P_DEFAULT)), H5Dclose);
  const MatrixSize size = size_of_values(values);
  bool same = static_cast<Index>(names.size()) == run.column_count && size.columns == names.size();
  for (Index i = 0; same && i < run.column_count; ++i) same = names[static_cast<std::size_t>(i)] == run.columns[i].name;
  if (!same || size.rows < static_cast<hsize_t>(rows))
    throw Error(ErrorKind::input, "does not hold the rows before the checkpoint");
  const Handle creation(readable(H5Dget_create_plist(values)), H5Pclose);
  hsize_t part[2] = {1, 1};
  if (readable(H5Pget_chunk(creation, 2, part)) != 2) throw Error(ErrorKind::input, "'values' is in no chunks");
  make_room(size.columns, {part[0], part[1]});
  first_ = static_cast<hsize_t>(rows) / chunk_.rows * chunk_.rows;
  waiting_ = written_ = static_cast<hsize_t>(rows) - first_;
  for (hsize_t column = 0; column < columns_; column += chunk_.columns) {
    const hsize_t count = std::min(chunk_.columns, columns_ - column);
    read_values(values, column, count, first_, waiting_, part_.data());
    for (hsize_t k = 0; k < count; ++k) {
      for (hsize_t r = 0; r < waiting_; ++r) block_[r * columns_ + column + k] = part_[k * waiting_ + r];
    }
  }
  note_texts_.clear();
  for (Index i = 0; i < run.note_count; ++i) {
    note_texts_.emplace_back(run.notes[i].key);
    note_texts_.emplace_back(run.notes[i].text);
  }
}

void Hdf5File::open_again() {
  file_ = Handle(written(H5Fopen(path_.c_str(), H5F_ACC_RDWR, file_access(true))), H5Fclose);
  // A killed run may have written more than the head says: new parts go behind the end of the file.
  written(H5Fincrement_filesize(file_, 0));
  values_ = Handle(written(H5Dopen2(file_, "values", H5P_DEFAULT)), H5Dclose);
  const hsize_t size[2] = {columns_, first_ + written_};
  written(H5Dset_extent(values_, size));
  std::vector<WriterNote> notes;
  for (std::size_t i = 0; i < note_texts_.size(); i += 2)
    notes.push_back({note_texts_[i].c_str(), note_texts_[i + 1].c_str()});
  write_notes(file_, notes.data(), static_cast<Index>(notes.size()));
  let_readers_in();
}

void Hdf5File::row(ConstVectorView values) {
  std::copy_n(values.data, columns_, block_.data() + waiting_ * columns_);
  ++waiting_;
  if (waiting_ < chunk_.rows) {
    if (options_.flush_interval == 0) return;
    if (std::chrono::duration<double>(Clock::now() - last_).count() < options_.flush_interval) return;
  }
  write_block();
}

std::int64_t Hdf5File::sync() {
  if (waiting_ > written_) write_block();
  return static_cast<std::int64_t>(first_ + waiting_);
}

void Hdf5File::require_space() const {
  hsize_t size = 0;
  if (written_ > 0 || H5Fget_filesize(file_, &size) < 0) return;
  const hsize_t chunks = (columns_ + chunk_.columns - 1) / chunk_.columns;
  require_room(path_, 0, size, chunks * (chunk_.size() * sizeof(double) + 64) + heads);
}

void Hdf5File::write_block() {
  const Quiet quiet;
  failed_ = true;  // if something below throws
  if (!file_.is_open()) open_again();
  require_space();
  const hsize_t size[2] = {columns_, first_ + waiting_};
  written(H5Dset_extent(values_, size));
  for (hsize_t column = 0; column < columns_; column += chunk_.columns)
    write_chunk(column, std::min(chunk_.columns, columns_ - column));
  written(H5Fflush(file_, H5F_SCOPE_LOCAL));  // with the file's own head, which H5Dflush leaves behind
  failed_ = false;
  written_ = waiting_;
  if (waiting_ == chunk_.rows) first_ += chunk_.rows, waiting_ = written_ = 0;
  last_ = Clock::now();
}

void Hdf5File::write_chunk(hsize_t column, hsize_t columns) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (columns < chunk_.columns || waiting_ < chunk_.rows) std::fill(part_.begin(), part_.end(), none);
  for (hsize_t r = 0; r < waiting_; ++r) {
    const double* from = block_.data() + r * columns_ + column;
    for (hsize_t k = 0; k < columns; ++k) part_[k * chunk_.rows + r] = from[k];
  }
  const hsize_t at[2] = {column, first_};
  if (options_.compression == 0) {
    written(H5Dwrite_chunk(values_, H5P_DEFAULT, 0, at, part_.size() * sizeof(double), part_.data()));
    return;
  }
  const hsize_t here_size[2] = {chunk_.columns, chunk_.rows}, begin[2] = {0, 0}, count[2] = {columns, waiting_};
  const Handle there(written(H5Dget_space(values_)), H5Sclose);
  written(H5Sselect_hyperslab(there, H5S_SELECT_SET, at, nullptr, count, nullptr));
  const Handle here(written(H5Screate_simple(2, here_size, nullptr)), H5Sclose);
  written(H5Sselect_hyperslab(here, H5S_SELECT_SET, begin, nullptr, count, nullptr));
  written(H5Dwrite(values_, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, part_.data()));
}

void Hdf5File::close(const WriterNote* notes, Index count) {
  const Quiet quiet;
  if (waiting_ > written_) write_block();
  failed_ = true;
  if (!file_.is_open()) open_again();  // cuts what is behind the mark
  written(values_.close());
  written(file_.close());
  // Attributes cannot change while readers may come.
  require_room(path_, 0, 0, bytes_of(notes, count) + heads);
  file_ = Handle(written(H5Fopen(path_.c_str(), H5F_ACC_RDWR, file_access(true))), H5Fclose);
  write_notes(file_, notes, count);
  written(file_.close());
}

}  // namespace trammel
