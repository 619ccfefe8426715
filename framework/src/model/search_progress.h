// What a long search tells on its way, and how it is told to stop.
#pragma once

#include <functional>

#include "trammel/linalg.h"

namespace trammel {

/// Called with the iterations so far and the largest acceleration that is left; false: stop there. May be empty.
using SearchProgress = std::function<bool(Index iterations, double acceleration)>;

inline bool goes_on(const SearchProgress& progress, Index iterations, double acceleration) {
  return !progress || progress(iterations, acceleration);
}
/// `what` of the failure of a search that was told to stop.
inline constexpr const char* search_interrupted = "search interrupted";

}  // namespace trammel
