// Bodies of one kind that follow each other, for systems that host point masses beside rigid bodies.
#pragma once

#include <cstddef>
#include <vector>

#include "trammel/sdk/math/vec.h"

namespace trammel::sdk {

struct BodyRun {
  std::size_t count;
  bool point;
};

/// [setup] One more body behind the others.
inline void add_body(std::vector<BodyRun>& runs, bool point) {
  if (runs.empty() || runs.back().point != point) runs.push_back({0, point});
  ++runs.back().count;
}

/// [hot] Calls rigid(data) or point(data) for every body in order, whose numbers the lambdas step through. A loop per run:
/// no question per body.
template <class Data, class Rigid, class Point>
TRAMMEL_INLINE void each_body(const std::vector<BodyRun>& runs, const std::vector<Data>& all, const Rigid& rigid,
                              const Point& point) {
  const Data* data = all.data();
  for (const BodyRun& run : runs) {
    const Data* const end = data + run.count;
    if (run.point) {
      for (; data != end; ++data) point(*data);
    } else {
      for (; data != end; ++data) rigid(*data);
    }
  }
}

}  // namespace trammel::sdk
