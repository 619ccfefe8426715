// Numbers between -1 and 1, the same for a seed.
#pragma once

#include <random>
#include <vector>

namespace trammel {

inline std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> x(size);
  for (double& entry : x) entry = number(generator);
  return x;
}

}  // namespace trammel
