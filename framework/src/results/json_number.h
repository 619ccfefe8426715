// Numbers that JSON cannot hold: what is not finite is written as null.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace trammel {

inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace trammel
