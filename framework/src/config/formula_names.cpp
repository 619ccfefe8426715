// Words of formulas.
#include "config/formula_names.h"

namespace trammel {
namespace {

/// Calls visit(name, begin) for every name that is no function.
template <class Visit>
void visit_names(std::string_view text, const Visit& visit) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_inside_word(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    const std::string word = word_at(text, i);
    i += word.size();
    const std::size_t next = text.find_first_not_of(" \t", i);
    const bool function = next != std::string_view::npos && text[next] == '(';
    if (is_word_letter(word[0]) && !function) visit(word, begin);
  }
}

std::string without_brackets(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '[' ? std::string("..") : c == ']' ? std::string() : std::string(1, c);
  return out;
}

}  // namespace

Expression compile_formula(std::string_view formula, std::vector<std::string> names) {
  for (std::string& name : names) name = without_brackets(name);
  return Expression::compile(without_brackets(formula), names);
}

bool is_word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_inside_word(char c) { return is_word_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '[' || c == ']'; }

std::string word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_inside_word(text[end])) ++end;
  return std::string(text.substr(at, end - at));
}

std::vector<std::string> names_in(std::string_view formula) {
  std::vector<std::string> names;
  visit_names(formula, [&](const std::string& name, std::size_t) {
    if (name != "pi" && name != "deg" && name != "t") names.push_back(name);
  });
  return names;
}

std::string replace_names(std::string_view formula,
                          const std::function<std::optional<std::string>(const std::string&)>& instead) {
  std::string out;
  std::size_t done = 0;
  visit_names(formula, [&](const std::string& name, std::size_t begin) {
    const std::optional<std::string> text = instead(name);
    if (!text) return;
    out += formula.substr(done, begin - done);
    out += *text;
    done = begin + name.size();
  });
  out += formula.substr(done);
  return out;
}

}  // namespace trammel
