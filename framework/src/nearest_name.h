// "did you mean": the known name that a misspelt one is nearest to.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trammel {

/// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours from `name`, the first one
/// on a tie; "" if none is near (more than a third of the longer name's letters would have to change).
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "; did you mean 'x'?" or "".
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace trammel
