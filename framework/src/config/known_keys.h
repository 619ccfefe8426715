// What stands behind a message about an unknown key.
#pragma once

#include <string>
#include <vector>

#include "trammel/text/suggest.h"

namespace trammel {

/// "; did you mean 'axis'?", or the keys that there are, if they are few.
inline std::string nearest_or_all(const std::string& key, const std::vector<std::string>& known) {
  constexpr std::size_t few = 16;
  std::string nearest = did_you_mean(key, known);
  if (!nearest.empty() || known.empty() || known.size() > few) return nearest;
  std::string all = "; it has";
  for (std::size_t i = 0; i < known.size(); ++i) all += (i == 0 ? " '" : ", '") + known[i] + "'";
  return all;
}

}  // namespace trammel
