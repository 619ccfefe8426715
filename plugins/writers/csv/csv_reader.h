// CsvReader: reads what CsvFile wrote, also of a run that was killed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

class CsvReader {
 public:
  /// [setup] Throws Error(input): no such file, no header, a row of another length, something that is no number. A last
  /// line without its line break is left out.
  void open(const std::string& file);
  const std::vector<std::string>& names() const { return names_; }
  std::int64_t rows() const { return static_cast<std::int64_t>(values_.size() / names_.size()); }
  double value(std::int64_t row, Index column) const {
    return values_[static_cast<std::size_t>(row) * names_.size() + static_cast<std::size_t>(column)];
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;  ///< row by row
};

}  // namespace trammel
