// StepPoints: places inside a step that are no fixed fractions of it, the same in every rerun.
#pragma once

#include <cstdint>

namespace trammel {

/// SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014), seeded by a step's
/// number.
class StepPoints {
 public:
  explicit StepPoints(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
  /// In [0, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace trammel
