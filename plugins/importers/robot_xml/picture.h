// Colours of pictures.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace trammel::robot_xml {

/// "#rrggbb" of red, green, blue from 0 to 1; "" of fewer numbers.
inline std::string html_color(const std::vector<double>& rgba) {
  if (rgba.size() < 3) return "";
  char text[8];
  const auto byte = [&](std::size_t k) {
    return static_cast<unsigned>(std::lround(std::clamp(rgba[k], 0.0, 1.0) * 255)) & 255u;
  };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(0), byte(1), byte(2));
  return text;
}

}  // namespace trammel::robot_xml
