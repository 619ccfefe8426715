// FileBytes: a regular file, read without a stream. To make a stream takes longer than to read what every start reads.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace trammel {

class FileBytes {
 public:
  /// Does not wait for a pipe that has that name.
  explicit FileBytes(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat about {};
    is_regular_ = file_ >= 0 && ::fstat(file_, &about) == 0 && S_ISREG(about.st_mode);
    if (is_regular_) size_ = static_cast<std::uint64_t>(about.st_size);
  }
  ~FileBytes() {
    if (file_ >= 0) ::close(file_);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  bool is_regular() const { return is_regular_; }
  std::uint64_t size() const { return size_; }
  bool contains(std::uint64_t offset, std::uint64_t count) const { return offset <= size_ && count <= size_ - offset; }

  /// False: not all of it can be read.
  bool read(std::uint64_t offset, void* target, std::uint64_t count) const {
    if (!contains(offset, count)) return false;
    auto* to = static_cast<char*>(target);
    while (count > 0) {
      const ssize_t got = ::pread(file_, to, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      to += got, offset += static_cast<std::uint64_t>(got), count -= static_cast<std::uint64_t>(got);
    }
    return true;
  }

 private:
  int file_;
  bool is_regular_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace trammel
