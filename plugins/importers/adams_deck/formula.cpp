// Arithmetic on formulas.
#include "formula.h"

#include <cmath>

#include "trammel/sdk/import/json_text.h"

namespace trammel::adams_deck {
namespace {

std::string within(const Formula& f, int order) { return f.order >= order ? f.text : "(" + f.text + ")"; }

/// A product, power or operand with a sign in front.
bool negative(const Formula& f) { return f.text[0] == '-' && f.order >= 2; }
Formula without_sign(const Formula& f) { return {f.text.substr(1), f.order == 3 ? 4 : f.order}; }

}  // namespace

Formula::Formula(double number) : text(sdk::json_number(number)), order(number < 0 ? 3 : 5), value(number) {}

Formula operator+(const Formula& a, const Formula& b) {
  if (a.value && b.value) return *a.value + *b.value;
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (b.value && *b.value < 0) return a - Formula(-*b.value);
  if (negative(b)) return {within(a, 1) + " - " + without_sign(b).text, 1};
  return {within(a, 1) + " + " + within(b, b.text[0] == '-' ? 5 : 1), 1};
}

Formula operator-(const Formula& a, const Formula& b) {
  if (a.value && b.value) return *a.value - *b.value;
  if (b.is(0)) return a;
  if (a.is(0)) return -b;
  if (b.value && *b.value < 0) return a + Formula(-*b.value);
  if (negative(b)) return {within(a, 1) + " + " + without_sign(b).text, 1};
  return {within(a, 1) + " - " + within(b, 2), 1};
}

Formula operator-(const Formula& a) {
  if (a.value) return -*a.value;
  if (negative(a)) return without_sign(a);
  return {"-" + within(a, 4), 3};
}

Formula operator*(const Formula& a, const Formula& b) {
  if (a.value && b.value) return *a.value * *b.value;
  if (a.is(0) || b.is(0)) return 0.0;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is(-1)) return -b;
  if (b.is(-1)) return -a;
  return {within(a, 2) + "*" + within(b, 4), 2};
}

Formula operator/(const Formula& a, const Formula& b) {
  if (a.value && b.value && *b.value != 0) return *a.value / *b.value;
  if (b.is(1)) return a;
  return {within(a, 2) + "/" + within(b, 4), 2};
}

Formula power(const Formula& a, const Formula& b) {
  if (a.value && b.value && std::isfinite(std::pow(*a.value, *b.value))) return std::pow(*a.value, *b.value);
  if (b.is(1)) return a;
  return {within(a, 5) + "^" + within(b, 5), 4};
}

Formula call(const char* function, std::initializer_list<Formula> arguments) {
  std::string text = std::string(function) + "(";
  bool first = true;
  for (const Formula& a : arguments) text += (first ? "" : ", ") + a.text, first = false;
  return {text + ")", 5};
}

Formula choose(const Formula& a, const char* comparison, const Formula& b, const Formula& yes, const Formula& no) {
  return {"if(" + within(a, 1) + " " + comparison + " " + within(b, 1) + ", " + yes.text + ", " + no.text + ")", 5};
}

Formula3 operator+(const Formula3& a, const Formula3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Formula3 operator-(const Formula3& a, const Formula3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Formula3 cross(const Formula3& a, const Formula3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Formula dot(const Formula3& a, const Formula3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Formula norm(const Formula3& a) {
  const Formula square = power(a[0], 2.0) + power(a[1], 2.0) + power(a[2], 2.0);
  return square.value ? Formula(std::sqrt(*square.value)) : call("sqrt", {square});
}
Formula3 operator*(const Formula33& A, const Formula3& b) { return {dot(A[0], b), dot(A[1], b), dot(A[2], b)}; }
Formula33 operator*(const Formula33& A, const Formula33& B) {
  const Formula3 c[3] = {A * column(B, 0), A * column(B, 1), A * column(B, 2)};
  return {Formula3{c[0][0], c[1][0], c[2][0]}, Formula3{c[0][1], c[1][1], c[2][1]},
          Formula3{c[0][2], c[1][2], c[2][2]}};
}
Formula3 column(const Formula33& A, int k) {
  const auto at = static_cast<std::size_t>(k);
  return {A[0][at], A[1][at], A[2][at]};
}

}  // namespace trammel::adams_deck
