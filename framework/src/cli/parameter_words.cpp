// A parameter's type and range in words.
#include "cli/parameter_words.h"

#include <fmt/format.h>

#include <cmath>

#include "config/marker.h"

namespace trammel::cli {

std::string type_words(const ParameterInfo& p) {
  std::string text = parameter_type_name(p.type);
  if (!p.choices.empty()) text = fmt::format("{}", fmt::join(p.choices, " | "));
  if (p.count_min == p.count_max) text += fmt::format(" ({})", p.count_min);
  if (p.type != ParameterType::body_point && takes_marker(p))
    text += p.type == ParameterType::direction ? " or NAME.x" : " or name of a point";
  if (p.length != VectorLength::host) text += p.length == VectorLength::two ? " (2)" : " (3)";
  return text;
}

std::string range_words(const ParameterInfo& p) {
  std::string text;
  if (std::isfinite(p.minimum)) text = fmt::format("{} {}", p.exclusive_minimum ? ">" : ">=", p.minimum);
  if (std::isfinite(p.maximum)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", p.exclusive_maximum ? "<" : "<=", p.maximum);
  }
  return text;
}

}  // namespace trammel::cli
