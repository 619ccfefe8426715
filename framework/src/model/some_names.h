// Lists of names, and counts, in messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace trammel {

/// "'a', 'b', 'c'" with at most a handful of names.
inline std::string some_quoted(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  return fmt::format("'{}'{}", fmt::join(names.begin(), end, "', '"),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : std::string());
}

/// "1 body", "2 bodies".
template <class Integer>
std::string counted(Integer count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace trammel
