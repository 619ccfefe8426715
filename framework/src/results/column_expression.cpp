// Formulas of columns: names are collected, unwrap(...) is cut out and becomes a variable of its own.
#include "results/column_expression.h"

#include <algorithm>
#include <cmath>

#include "config/formula_names.h"
#include "trammel/math/two_pi.h"

namespace trammel {
namespace {

/// Position behind the parenthesis that closes the one at `open`.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  throw Error(ErrorKind::input, "a ')' is missing behind unwrap(");
}

}  // namespace

std::size_t ColumnSet::index_of(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  names_.push_back(name);
  return names_.size() - 1;
}

ColumnExpression::ColumnExpression(const std::string& text, ColumnSet& columns) {
  std::vector<std::string> names = {"t"};
  std::vector<std::string> used;
  std::string formula = text;
  if (!text.empty() && text[0] == '=') {
    formula[0] = ' ';
    used = names_in(formula);
    std::vector<std::string> arguments;
    for (std::size_t at = formula.find("unwrap"); at != std::string::npos; at = formula.find("unwrap", at + 1)) {
      if ((at > 0 && is_inside_word(formula[at - 1])) || word_at(formula, at) != "unwrap") continue;
      const std::size_t open = formula.find_first_not_of(" \t", at + 6);
      if (open == std::string::npos || formula[open] != '(') continue;
      const std::size_t close = closing(formula, open);
      arguments.push_back(formula.substr(open + 1, close - open - 1));
      if (arguments.back().find("unwrap") != std::string::npos) {
        throw Error(ErrorKind::input, "unwrap(...) inside of unwrap(...)");
      }
      const std::string variable = "unwrap." + std::to_string(arguments.size());
      names.push_back(variable);
      formula.replace(at, close + 1 - at, variable);
    }
    names.insert(names.end(), used.begin(), used.end());
    for (const std::string& argument : arguments) unwrapped_.push_back({compile_formula(argument, names)});
  } else if (text != "t") {
    used = {text};
    names.push_back(text);
    if (text != word_at(text, 0) || text.empty() || !is_word_letter(text[0])) {
      throw Error(ErrorKind::input, "'" + text + "' is no name of a column; a formula starts with '='");
    }
  }
  formula_ = compile_formula(formula, names);
  for (const std::string& name : used) columns_.push_back(columns.index_of(name));
  variables_.resize(names.size());
}

double ColumnExpression::evaluate(double t, const double* values) {
  variables_[0] = t;
  const std::size_t first = 1 + unwrapped_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) variables_[first + i] = values[columns_[i]];
  for (std::size_t i = 0; i < unwrapped_.size(); ++i) {
    Unwrapped& u = unwrapped_[i];
    double angle = u.argument.evaluate(variables_.data());
    if (u.begun) angle += two_pi * std::round((u.last - angle) / two_pi);
    if (std::isfinite(angle)) u.begun = true, u.last = angle;
    variables_[1 + i] = angle;
  }
  return formula_.evaluate(variables_.data());
}

Interval ColumnExpression::range(const Interval& t) const { return range(t, nullptr); }

Interval ColumnExpression::range(const Interval& t, const double* values) const {
  std::vector<Interval> variables(variables_.size(), Interval::everything());
  variables[0] = t;
  const std::size_t first = 1 + unwrapped_.size();
  for (std::size_t i = 0; values != nullptr && i < columns_.size(); ++i) variables[first + i] = values[columns_[i]];
  return range_of(formula_, variables.data());
}

}  // namespace trammel
