// Points of the unit cube for samples: random, Latin hypercube, Sobol's sequence. Counter-based: the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trammel {

enum class SampleMethod : std::int32_t { monte_carlo, latin_hypercube, sobol };

/// 52 random bits as a number 0 < u < 1, the middle of its interval: a function of what it is asked for and nothing
/// else (Philox 4x32-10: Salmon, Moraes, Dror, Shaw (2011)).
double random_number(std::uint64_t seed, std::uint32_t stream, std::uint32_t dimension, std::uint64_t index);

/// `count` points of `dimensions` numbers each, 0 < u < 1, one after the other. Point k of monte_carlo and sobol does
/// not depend on `count`. Sobol's sequence starts at its first point and is moved by a digital shift that the seed
/// makes, which keeps every net of it.
std::vector<double> unit_points(SampleMethod method, std::size_t count, std::size_t dimensions, std::uint64_t seed);

/// Sobol's sequence has direction numbers for so many dimensions.
inline constexpr std::size_t most_sobol_dimensions = 3667;

}  // namespace trammel
