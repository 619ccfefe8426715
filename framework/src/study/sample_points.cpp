// Philox by Random123, Sobol's sequence by Boost.Random.
#include "study/sample_points.h"

#include <Random123/philox.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numeric>

namespace trammel {
namespace {

// What a number is for: streams of one seed that have nothing to do with each other.
enum Stream : std::uint32_t { value_stream, order_stream, place_stream, shift_stream };

std::uint64_t random_bits(std::uint64_t seed, std::uint32_t stream, std::uint32_t dimension, std::uint64_t index) {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), dimension, stream}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type bits = r123::Philox4x32()(counter, key);
  return static_cast<std::uint64_t>(bits[0]) | static_cast<std::uint64_t>(bits[1]) << 32;
}

double middle_of(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * std::ldexp(1.0, -52); }

void latin_hypercube(std::size_t count, std::size_t dimensions, std::uint64_t seed, std::vector<double>& points) {
  std::vector<std::uint64_t> keys(count);
  std::vector<std::size_t> order(count);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto dimension = static_cast<std::uint32_t>(d);
    for (std::size_t k = 0; k < count; ++k) keys[k] = random_bits(seed, order_stream, dimension, k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    for (std::size_t k = 0; k < count; ++k) {
      const double place = random_number(seed, place_stream, dimension, k);
      const double u = (static_cast<double>(order[k]) + place) / static_cast<double>(count);
      points[k * dimensions + d] = std::min(u, 1 - std::ldexp(1.0, -53));
    }
  }
}

void sobol(std::size_t count, std::size_t dimensions, std::uint64_t seed, std::vector<double>& points) {
  boost::random::sobol_engine<std::uint64_t, 64> engine(dimensions);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::uint64_t bits = k == 0 ? 0 : engine();  // Boost leaves out the first point, which is zero
      points[k * dimensions + d] = middle_of(bits ^ random_bits(seed, shift_stream, static_cast<std::uint32_t>(d), 0));
    }
  }
}

}  // namespace

double random_number(std::uint64_t seed, std::uint32_t stream, std::uint32_t dimension, std::uint64_t index) {
  return middle_of(random_bits(seed, stream, dimension, index));
}

std::vector<double> unit_points(SampleMethod method, std::size_t count, std::size_t dimensions, std::uint64_t seed) {
  std::vector<double> points(count * dimensions);
  if (method == SampleMethod::latin_hypercube) {
    latin_hypercube(count, dimensions, seed, points);
  } else if (method == SampleMethod::sobol) {
    sobol(count, dimensions, seed, points);
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t d = 0; d < dimensions; ++d)
        points[k * dimensions + d] = random_number(seed, value_stream, static_cast<std::uint32_t>(d), k);
    }
  }
  return points;
}

}  // namespace trammel
