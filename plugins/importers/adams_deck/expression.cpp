// Reads function expressions: FORTRAN's operators, functions with commas or IF's colon, degrees written with a D.
#include "expression.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "deck.h"
#include "trammel/sdk/import/numbers.h"

namespace trammel::adams_deck {
namespace {

constexpr int deepest = 200;

class Parser {
 public:
  Parser(const std::string& text, const sdk::ImportPlace& place) : text_(text), place_(place) {}

  Expression whole() {
    Expression e = sum(0);
    if (peek() != '\0') refuse("'" + text_.substr(at_, 20) + "' stands behind its end");
    return e;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    std::string shown;
    for (const char c : text_.substr(0, 200)) shown += c == '\1' ? ',' : c;
    sdk::refuse_file(place_, "the expression '" + shown + "': " + what);
  }
  static bool space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  /// The next character that counts. The comma that continues a line is one only between two operands.
  char peek() {
    while (at_ < text_.size() && (space(text_[at_]) || text_[at_] == '\1')) {
      if (text_[at_] == '\1' && after_operand_) {
        std::size_t next = at_ + 1;
        while (next < text_.size() && (space(text_[next]) || text_[next] == '\1')) ++next;
        const char c = next < text_.size() ? text_[next] : '\0';
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '(' || c == '.') return ',';
      }
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take() { ++at_, after_operand_ = false; }
  bool accept(char c) {
    if (peek() != c) return false;
    take();
    return true;
  }

  static Expression operation(const char* name, Expression a) {
    return {Expression::Kind::operation, 0, name, {std::move(a)}};
  }
  static Expression operation(const char* name, Expression a, Expression b) {
    return {Expression::Kind::operation, 0, name, {std::move(a), std::move(b)}};
  }

  Expression sum(int depth) {
    if (depth > deepest) refuse("it is nested too deeply");
    Expression left = product(depth);
    for (;;) {
      if (accept('+'))
        left = operation("+", std::move(left), product(depth));
      else if (accept('-'))
        left = operation("-", std::move(left), product(depth));
      else
        return left;
      if (++operations_ > 10000) refuse("it is too long");
    }
  }
  Expression product(int depth) {
    Expression left = signed_power(depth);
    for (;;) {
      if (peek() == '*' && !(at_ + 1 < text_.size() && text_[at_ + 1] == '*')) {
        take();
        left = operation("*", std::move(left), signed_power(depth));
      } else if (accept('/')) {
        left = operation("/", std::move(left), signed_power(depth));
      } else {
        return left;
      }
      if (++operations_ > 10000) refuse("it is too long");
    }
  }
  /// A sign binds weaker than a power: -2**2 is -4.
  Expression signed_power(int depth) {
    if (depth > deepest) refuse("it is nested too deeply");
    if (accept('+')) return signed_power(depth + 1);
    if (accept('-')) return operation("-", signed_power(depth + 1));
    Expression base = operand(depth);
    if (peek() == '*' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      take(), take();
      return operation("^", std::move(base), signed_power(depth + 1));
    }
    return base;
  }
  Expression operand(int depth) {
    const char c = peek();
    if (c == '(') {
      take();
      Expression inner = sum(depth + 1);
      if (!accept(')'))
        refuse(peek() == '\0' ? "a '(' is not closed" : "expected ')' at '" + text_.substr(at_, 20) + "'");
      after_operand_ = true;
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return call(depth);
    if (c == '\0') refuse("it ends where a number or a function is expected");
    refuse("expected a number or a function at '" + text_.substr(at_, 20) + "'");
  }
  Expression number() {
    Expression e;
    const char* const end = text_.data() + text_.size();
    const std::from_chars_result read = sdk::read_double(text_.data() + at_, end, e.value);
    if (read.ec != std::errc() || !std::isfinite(e.value)) refuse("'" + text_.substr(at_, 20) + "' is no number");
    at_ = static_cast<std::size_t>(read.ptr - text_.data());
    if (at_ < text_.size() && (text_[at_] == 'D' || text_[at_] == 'd')) ++at_, e.value *= M_PI / 180;
    after_operand_ = true;
    if (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      refuse("'" + text_.substr(at_, 20) + "' stands behind a number");
    return e;
  }
  Expression call(int depth) {
    Expression e;
    e.kind = Expression::Kind::call;
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    e.name = upper_case(text_.substr(from, at_ - from));
    after_operand_ = true;
    if (peek() != '(') return e;
    take();
    if (!accept(')')) {
      do {
        e.parts.push_back(sum(depth + 1));
        if (e.parts.size() > 1000) refuse("it has too many arguments");
      } while (separator(e));
      if (!accept(')'))
        refuse(peek() == '\0' ? "the '(' of " + e.name + " is not closed"
                              : "expected ')' at '" + text_.substr(at_, 20) + "'");
    }
    after_operand_ = true;
    return e;
  }
  bool separator(const Expression& e) {
    const char c = peek();
    if (c != ',' && !(c == ':' && e.name == "IF" && e.parts.size() == 1)) return false;
    take();
    return true;
  }

  const std::string& text_;
  sdk::ImportPlace place_;
  std::size_t at_ = 0;
  bool after_operand_ = false;
  int operations_ = 0;
};

}  // namespace

Expression parse_expression(const std::string& text, const sdk::ImportPlace& place) {
  return Parser(text, place).whole();
}

}  // namespace trammel::adams_deck
