// CsvFile: rows as lines of numbers, written so that a killed run leaves a readable prefix.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// Only whole lines are handed to the system, also when the disk is full; numbers have the fewest digits that read back to
/// the same bits. Buffers are sized in setup.
/// SIGKILL can end a write between two pages: readers leave out a last row without its line break.
class CsvFile {
 public:
  CsvFile() = default;
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  /// [setup] Creates or replaces the file and writes the header. Throws Error(compute) if that fails.
  void begin(const std::string& file, const std::vector<std::string>& header);
  /// [setup] Goes on with a file that begins with this header, behind its first `size` bytes; what follows them is cut
  /// off with the first rows that are written, so that a run that dies before loses none.
  /// Throws Error(compute) if that fails, Error(input) if the file is shorter or begins otherwise.
  void resume(const std::string& file, const std::vector<std::string>& header, std::int64_t size);
  /// [step] Appends a line. Throws Error(compute): disk full, file gone.
  void row(ConstVectorView values);
  /// [step] Hands everything to the operating system; returns the size of the file.
  std::int64_t sync();
  /// Throws Error(compute) if the last rows could not be written.
  void close();

 private:
  /// Room for rows; the header as a line.
  std::string make_room(const std::vector<std::string>& header);
  void flush();
  /// Of the file behind the descriptor.
  std::pair<dev_t, ino_t> identity() const;
  [[noreturn]] static void fail();

  int descriptor_ = -1;
  std::pair<dev_t, ino_t> begun_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::int64_t size_ = 0;  ///< of the file; always whole rows
  bool cut_ = false;       ///< what is behind `size_` has to go
};

}  // namespace trammel
