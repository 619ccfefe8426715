// Row-complete CSV output.
#include "csv_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "trammel/error.h"

namespace trammel {
namespace {
constexpr std::size_t longest_number = 26;     // -1.2345678901234567e-308 and a separator
constexpr std::size_t flush_size = 64 * 1024;  // whole rows are handed over once this much waits

/// The fewest digits that read back to the same bits.
char* write_number(char* at, double value) { return std::to_chars(at, at + longest_number, value).ptr; }
}  // namespace

void CsvFile::begin(const std::string& file, const std::vector<std::string>& header) {
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  const std::string line = make_room(header);
  std::memcpy(buffer_.data(), line.data(), line.size());
  used_ = line.size();
  size_ = 0, cut_ = false;
  begun_ = identity();
  flush();
}

void CsvFile::resume(const std::string& file, const std::vector<std::string>& header, std::int64_t size) {
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0) fail();
  const std::string line = make_room(header);
  const ssize_t read = ::read(descriptor_, buffer_.data(), line.size());
  const off_t length = ::lseek(descriptor_, 0, SEEK_END);
  if (read != static_cast<ssize_t>(line.size()) || line.compare(0, line.size(), buffer_.data(), line.size()) != 0 ||
      length < size) {
    ::close(descriptor_);
    descriptor_ = -1;
    throw Error(ErrorKind::input, "does not hold the rows before the checkpoint");
  }
  if (::lseek(descriptor_, size, SEEK_SET) != size) fail();
  used_ = 0, size_ = size, cut_ = true;
  begun_ = identity();
}

std::string CsvFile::make_room(const std::vector<std::string>& header) {
  std::string line;
  for (const std::string& name : header) line += (line.empty() ? "" : ",") + name;
  line += '\n';
  buffer_.resize(flush_size + longest_number * (header.size() + 1) + line.size());
  return line;
}

std::int64_t CsvFile::sync() {
  flush();
  return size_;
}

CsvFile::~CsvFile() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const Error&) {
    // Reported by `close` where somebody can hear it; here the run is over already.
  }
  ::close(descriptor_);
}

void CsvFile::fail() { throw Error(ErrorKind::compute, std::string("cannot be written: ") + std::strerror(errno)); }

void CsvFile::row(ConstVectorView values) {
  char* at = buffer_.data() + used_;
  at = write_number(at, values[0]);
  for (Index i = 1; i < values.size; ++i) {
    *at++ = ',';
    at = write_number(at, values[i]);
  }
  *at++ = '\n';
  used_ = static_cast<std::size_t>(at - buffer_.data());
  if (used_ >= flush_size) flush();
}

std::pair<dev_t, ino_t> CsvFile::identity() const {
  struct stat file {};
  if (::fstat(descriptor_, &file) != 0) fail();
  return {file.st_dev, file.st_ino};
}

void CsvFile::flush() {
  // Whatever else in the process closes and opens files may get this descriptor's number.
  if (identity() != begun_)
    throw Error(ErrorKind::compute, "cannot be written: something in the process has put another file in its place");
  if (cut_ && ::ftruncate(descriptor_, size_) != 0) fail();
  cut_ = false;
  std::size_t done = 0;
  while (done < used_) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, used_ - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = errno;
      // The file keeps whole rows only. What cannot be cut off (a device) stays as it is.
      while (done > 0 && buffer_[done - 1] != '\n') --done;
      [[maybe_unused]] const int cut = ::ftruncate(descriptor_, size_ + static_cast<std::int64_t>(done));
      used_ = 0;
      errno = reason;
      fail();
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += static_cast<std::int64_t>(used_);
  used_ = 0;
}

void CsvFile::close() {
  flush();
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0) fail();
}

}  // namespace trammel
