// FileStamp: tells whether a file or folder is what it was when it was looked at.
#pragma once

#include <sys/stat.h>
#include <time.h>

#include <string>
#include <utility>

namespace trammel {

/// Every change of a file's content or name, and of a folder's entries, sets a new time of change (ctime, which nobody can
/// set back) or gives the name to another file.
class FileStamp {
 public:
  FileStamp() = default;
  explicit FileStamp(std::string path) : path_(std::move(path)) { known_ = ::stat(path_.c_str(), &file_) == 0; }

  /// As it was.
  bool holds() const {
    const FileStamp now(path_);
    if (!known_ || !now.known_) return known_ == now.known_;
    return file_.st_dev == now.file_.st_dev && file_.st_ino == now.file_.st_ino && file_.st_size == now.file_.st_size &&
           same(file_.st_ctim, now.file_.st_ctim) && same(file_.st_mtim, now.file_.st_mtim);
  }
  /// Changed so long ago that a later change has another time: clocks of file systems are coarse.
  bool is_settled() const {
    constexpr time_t coarsest = 2;  // s
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return !known_ || now.tv_sec - file_.st_ctim.tv_sec > coarsest;
  }

 private:
  static bool same(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

  std::string path_;
  bool known_ = false;
  struct stat file_ {};
};

}  // namespace trammel
