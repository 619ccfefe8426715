// CsvFile: results.csv, written row by row so that a killed run leaves a readable prefix.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// Only whole lines are handed to the system, also when the disk is full; numbers as %.17g. Buffers are sized in setup.
/// SIGKILL can end a write between two pages: readers leave out a last row without its line break.
class CsvFile {
 public:
  /// [setup] Creates or replaces the file and writes the header. Throws Error(compute) if that fails.
  CsvFile(std::filesystem::path file, const std::vector<std::string>& header);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  /// [setup] Goes on with a file that begins with this header, behind its first `size` bytes; what follows them is cut
  /// off with the first rows that are written, so that a run that dies before loses none.
  /// Throws Error(compute) if that fails, Error(input) if the file is shorter or begins otherwise.
  CsvFile(std::filesystem::path file, const std::vector<std::string>& header, std::int64_t size);
  /// [step] Hands everything to the operating system; returns the size of the file.
  std::int64_t sync();
  /// [step] Appends `t` and `values`. Throws Error(compute): disk full, file gone.
  void row(double t, ConstVectorView values);
  /// Throws Error(compute) if the last rows could not be written.
  void close();

 private:
  std::string begin(const std::vector<std::string>& header);
  void flush();
  [[noreturn]] void fail() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::int64_t size_ = 0;  ///< of the file; always whole rows
  bool cut_ = false;       ///< what is behind `size_` has to go
  std::size_t longest_row_ = 0;
};

}  // namespace trammel
