// Fences: numbers behind a block that a component may write to, in its spare room, to see whether it wrote further.
#pragma once

#include <algorithm>
#include <vector>

namespace trammel {

/// No number that anybody finds by chance.
inline constexpr double fence_number = -7.25e77;
inline constexpr std::size_t fence_size = 4;

/// [setup] Behind the block as it is now; it must not grow afterwards.
inline void build_fence(std::vector<double>& block) {
  block.reserve(block.size() + fence_size);
  std::fill_n(block.data() + block.size(), fence_size, fence_number);
}

/// [step]
inline bool fence_stands(const std::vector<double>& block) {
  const double* fence = block.data() + block.size();
  return std::all_of(fence, fence + fence_size, [](double number) { return number == fence_number; });
}

}  // namespace trammel
