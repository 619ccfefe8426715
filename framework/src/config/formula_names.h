// Names in the text of a formula: which ones there are, and other text in their place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Names in a formula that are no functions, `pi`, `deg` or `t`, in order, as often as they stand there; they may hold dots.
std::vector<std::string> names_in(std::string_view formula);

/// The formula with the text that `instead` has for a name in its place; nothing: the name stays.
std::string replace_names(std::string_view formula,
                          const std::function<std::optional<std::string>(const std::string&)>& instead);

/// The word of letters, digits, '_' and '.' that begins at `at`, or "".
std::string word_at(std::string_view text, std::size_t at);
bool is_word_letter(char c);
bool is_inside_word(char c);

}  // namespace trammel
