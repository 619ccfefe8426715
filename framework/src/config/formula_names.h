// Names in the text of a formula: which ones there are, and other text in their place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/text/expression.h"

namespace trammel {

/// Names in a formula that are no functions, `pi`, `deg` or `t`, in order, as often as they stand there; they may hold dots.
std::vector<std::string> names_in(std::string_view formula);

/// The formula with the text that `instead` has for a name in its place; nothing: the name stays.
std::string replace_names(std::string_view formula,
                          const std::function<std::optional<std::string>(const std::string&)>& instead);

/// Compiled with variables of these names, which may have indices of parts of sub-models, leg[2].knee.angle: formulas know
/// them as "leg..2.knee.angle". Throws Error(input).
Expression compile_formula(std::string_view formula, std::vector<std::string> names);

/// The word of letters, digits, '_', '.' and brackets that begins at `at`, or "".
std::string word_at(std::string_view text, std::size_t at);
bool is_word_letter(char c);
bool is_inside_word(char c);

}  // namespace trammel
