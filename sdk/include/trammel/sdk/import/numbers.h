// Numbers of files of other programs.
#pragma once

#include <charconv>
#include <cmath>

namespace trammel::sdk {

/// std::from_chars of a double, where numbers too small for one are zero (or the nearest that it can say): 1e-400 in a
/// tensor is how some programs write zero. Numbers too large stay out of range.
inline std::from_chars_result read_double(const char* at, const char* end, double& value) {
  const std::from_chars_result read = std::from_chars(at, end, value);
  if (read.ec != std::errc::result_out_of_range) return read;
  long double wide = 0;
  const std::from_chars_result again = std::from_chars(at, end, wide);
  const double narrow = static_cast<double>(wide);
  if (again.ec != std::errc() || !std::isfinite(narrow)) return read;
  value = narrow;
  return again;
}

}  // namespace trammel::sdk
