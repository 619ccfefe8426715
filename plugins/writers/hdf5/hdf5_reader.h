// Hdf5Reader: reads the files of Hdf5File, also of a run that was killed or still runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_layout.h"

namespace trammel {

/// The file is open during the calls only: the library opens no file for writing that the process reads. All members
/// throw Error(input).
class Hdf5Reader {
 public:
  void open(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }
  std::int64_t rows() const { return rows_; }
  void read(Index column, std::int64_t first, std::int64_t count, double* values) const;

 private:
  std::string file_;
  std::vector<std::string> names_, units_;
  std::int64_t rows_ = 0;
};

}  // namespace trammel
