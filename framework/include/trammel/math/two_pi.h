// One turn in radians.
#pragma once

#include <numbers>

namespace trammel {

inline constexpr double two_pi = 2 * std::numbers::pi;

}  // namespace trammel
