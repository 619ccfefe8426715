// Formulas of the run file in the making: texts that fold numbers, with as few parentheses as their operators need.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace trammel::adams_deck {

/// A number or a formula; `order` says how tightly it binds: 0 comparison, 1 sum, 2 product, 3 sign, 4 power, 5 operand.
struct Formula {
  std::string text;
  int order = 5;
  std::optional<double> value;

  Formula(double number);  // NOLINT: numbers are formulas
  Formula(std::string formula, int binds) : text(std::move(formula)), order(binds) {}
  static Formula name(const char* variable) { return {variable, 5}; }
  bool is(double number) const { return value && *value == number; }
};

Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
Formula operator-(const Formula& a);
Formula operator*(const Formula& a, const Formula& b);
Formula operator/(const Formula& a, const Formula& b);
Formula power(const Formula& a, const Formula& b);
Formula call(const char* function, std::initializer_list<Formula> arguments);
/// if(a < b, yes, no) and the like.
Formula choose(const Formula& a, const char* comparison, const Formula& b, const Formula& yes, const Formula& no);

using Formula3 = std::array<Formula, 3>;
using Formula33 = std::array<Formula3, 3>;  ///< rows

Formula3 operator+(const Formula3& a, const Formula3& b);
Formula3 operator-(const Formula3& a, const Formula3& b);
Formula3 cross(const Formula3& a, const Formula3& b);
Formula dot(const Formula3& a, const Formula3& b);
Formula norm(const Formula3& a);
Formula3 operator*(const Formula33& A, const Formula3& b);
Formula33 operator*(const Formula33& A, const Formula33& B);
Formula3 column(const Formula33& A, int k);

}  // namespace trammel::adams_deck
