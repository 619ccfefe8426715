// Function expressions of decks as trees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/sdk/import/notes.h"

namespace trammel::adams_deck {

/// A number, a call (constants like TIME and PI are calls without arguments), or an operation "+ - * / ^" on one
/// ("-") or two parts.
struct Expression {
  enum class Kind { number, call, operation };
  Kind kind = Kind::number;
  double value = 0;
  std::string name;  ///< of the function in upper case, or the operator
  std::vector<Expression> parts;

  bool is(const char* function) const { return kind == Kind::call && name == function; }
};

/// Throws Error(input), naming the place and what is wrong.
Expression parse_expression(const std::string& text, const sdk::ImportPlace& place);

}  // namespace trammel::adams_deck
