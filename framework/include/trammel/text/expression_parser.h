// How Expression reads a formula's text; expression.h includes this.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "trammel/error.h"
#include "trammel/text/expression.h"
#include "trammel/text/suggest.h"

namespace trammel {

/// Recursive descent; emits postfix code and folds constants as it goes.
class Expression::Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables) : text_(text), variables_(variables) {}

  std::vector<Instruction> run() {
    formula();
    skip_blanks();
    const std::string_view rest_of = text_.substr(at_, 2);
    if (rest_of == "&&" || rest_of == "||") {
      fail("'" + std::string(rest_of) + "' is no operator; of two conditions, " +
           (rest_of == "&&" ? "min(a, b) is 'and'" : "max(a, b) is 'or'"));
    }
    if (at_ < text_.size()) fail(peek() == ')' ? "')' without '('" : "expected an operator before '" + rest() + "'");
    return std::move(program_);
  }

 private:
  struct Function {
    const char* name;
    Op op;
    int arguments;  ///< 0: two or more
  };
  static constexpr std::array<Function, 17> functions = {{
      {"sin", Op::sin, 1},
      {"cos", Op::cos, 1},
      {"tan", Op::tan, 1},
      {"asin", Op::asin, 1},
      {"acos", Op::acos, 1},
      {"atan", Op::atan, 1},
      {"atan2", Op::atan2, 2},
      {"sqrt", Op::sqrt, 1},
      {"exp", Op::exp, 1},
      {"log", Op::log, 1},
      {"abs", Op::abs, 1},
      {"min", Op::min, 0},
      {"max", Op::max, 0},
      {"pow", Op::power, 2},
      {"sinh", Op::sinh, 1},
      {"cosh", Op::cosh, 1},
      {"tanh", Op::tanh, 1},
  }};

  /// The comparison that stands here, consumed; false: none.
  bool comparison(Op& op) {
    const char c = peek(), next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const bool with_equal = next == '=';
    if (c == '=' && !with_equal) fail("'=' is no operator; equality is written a == b");
    if (c == '!' && !with_equal) fail("'!' is no operator; 'not a' is written a == 0");
    if (c == '<')
      op = with_equal ? Op::less_equal : Op::less;
    else if (c == '>')
      op = with_equal ? Op::greater_equal : Op::greater;
    else if (c == '=' || c == '!')
      op = c == '=' ? Op::equal : Op::not_equal;
    else
      return false;
    at_ += with_equal ? 2 : 1;
    return true;
  }

  void formula() {
    sum();
    Op op = Op::less;
    if (!comparison(op)) return;
    sum();
    emit_binary(op);
    skip_blanks();
    const std::size_t second = at_;
    if (comparison(op)) {
      at_ = second;
      fail("comparisons do not chain; 'a < b and b < c' is written min(a < b, b < c)");
    }
  }

  void sum() {
    if (++depth_ > 100) fail("nested too deeply");
    product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      product();
      emit_binary(c == '+' ? Op::add : Op::subtract);
    }
    --depth_;
  }

  void product() {
    sign();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at_;
      if (c == '*' && at_ < text_.size() && text_[at_] == '*') fail("'**' is no operator; powers are written a^b");
      sign();
      emit_binary(c == '*' ? Op::multiply : Op::divide);
    }
  }

  void sign() {
    if (++depth_ > 100) fail("nested too deeply");
    const char c = peek();
    if (c == '-' || c == '+') {
      ++at_;
      sign();
      if (c == '-') emit_unary(Op::negate);
    } else {
      power();
    }
    --depth_;
  }

  void power() {
    value();
    if (peek() != '^') return;
    ++at_;
    sign();
    emit_power();
  }

  void value() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (c != '(')
      fail(c == '\0' ? "the formula ends where a value was expected" : "expected a value before '" + rest() + "'");
    ++at_;
    formula();
    close();
  }

  void number() {
    double result = 0;
    const char* const begin = text_.data() + at_;
    const std::from_chars_result read = std::from_chars(begin, text_.data() + text_.size(), result);
    if (read.ec == std::errc::result_out_of_range) fail("the number is too large or too small for a double");
    if (read.ec != std::errc()) fail("expected a number before '" + rest() + "'");
    at_ += static_cast<std::size_t>(read.ptr - begin);
    emit_constant(result);
  }

  void name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (peek() == '(') return call(word, start);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i] != word) continue;
      push({Op::variable, static_cast<std::int32_t>(i), 0});
      return;
    }
    if (word == "pi") return emit_constant(std::numbers::pi);
    if (word == "deg") return emit_constant(std::numbers::pi / 180);
    at_ = start;
    for (const Function& function : functions) {
      if (word == function.name) fail("the function '" + std::string(word) + "' needs arguments in parentheses");
    }
    std::vector<std::string> known = variables_;
    known.insert(known.end(), {"pi", "deg"});
    if (word == "if") fail("'if' is written if(condition, value, other value)");
    fail("unknown name '" + std::string(word) + "'", did_you_mean(word, known));
  }

  void call(std::string_view word, std::size_t start) {
    if (word == "if") return condition(start);
    const Function* function = nullptr;
    std::vector<std::string> known{"if"};
    for (const Function& candidate : functions) {
      if (word == candidate.name) function = &candidate;
      known.push_back(candidate.name);
    }
    if (function == nullptr) {
      at_ = start;
      fail("unknown function '" + std::string(word) + "'", did_you_mean(word, known));
    }
    ++at_;
    int count = 0;
    if (peek() != ')') {
      do {
        if (count > 0) ++at_;
        formula();
        ++count;
        if (function->arguments == 0 && count > 1) emit_binary(function->op);
      } while (peek() == ',');
    }
    const int wanted = function->arguments;
    if (wanted == 0 ? count < 2 : count != wanted) {
      at_ = start;
      fail("'" + std::string(word) + "' takes " +
           (wanted == 0   ? "two or more"
            : wanted == 1 ? "one"
                          : "two") +
           (wanted == 1 ? " argument" : " arguments") + ", not " + std::to_string(count));
    }
    close();
    if (function->op == Op::power)
      emit_power();
    else if (wanted == 1)
      emit_unary(function->op);
    else if (wanted == 2)
      emit_binary(function->op);
  }

  /// c, branch to else where c is zero, value, jump to the end, else, other value.
  void condition(std::size_t start) {
    ++at_;
    std::size_t branch = 0, jump = 0;
    int count = 0;
    if (peek() != ')') {
      do {
        if (count > 0) ++at_;
        if (count == 1 || count == 2) {
          (count == 1 ? branch : jump) = program_.size();
          program_.push_back({count == 1 ? Op::branch : Op::jump, 0, 0});
          --height_;
        }
        no_fold_before_ = program_.size();
        formula();
      } while (++count < 3 && peek() == ',');
    }
    while (count >= 3 && peek() == ',') {  // too many: to count them
      ++at_;
      formula();
      ++count;
    }
    if (count != 3) {
      at_ = start;
      fail("'if' takes three arguments, not " + std::to_string(count) + ": if(condition, value, other value)");
    }
    close();
    program_[branch].index = static_cast<std::int32_t>(jump + 1);
    program_[branch].constant = static_cast<double>(program_.size());
    program_[jump].index = static_cast<std::int32_t>(program_.size());
    no_fold_before_ = program_.size();
  }

  void close() {
    if (peek() != ')') fail(peek() == '\0' ? "a ')' is missing at the end" : "expected ')' before '" + rest() + "'");
    ++at_;
  }

  void push(const Instruction& instruction) {
    program_.push_back(instruction);
    if (++height_ > max_stack) fail("nested too deeply");
  }

  void emit_constant(double c) { push({Op::constant, 0, c}); }

  /// Constants at the end of a branch are not the value of what has been read.
  bool constant_at(std::size_t from_end) const {
    return program_.size() >= from_end + no_fold_before_ && program_[program_.size() - from_end].op == Op::constant;
  }

  void fold(std::size_t count) {
    Expression piece;
    piece.program_.assign(program_.end() - static_cast<std::ptrdiff_t>(count), program_.end());
    const double result = piece.evaluate();
    program_.resize(program_.size() - count);
    program_.push_back({Op::constant, 0, result});
  }

  void emit_unary(Op op) {
    const bool folds = constant_at(1);
    program_.push_back({op, 0, 0});
    if (folds) fold(2);
  }

  void emit_binary(Op op) {
    const bool folds = constant_at(1) && constant_at(2);
    program_.push_back({op, 0, 0});
    --height_;
    if (folds) fold(3);
  }

  /// Constant exponents need no logarithm of the base, so that x^2 has its derivatives at x <= 0 too.
  void emit_power() {
    if (!constant_at(1) || constant_at(2)) return emit_binary(Op::power);
    const double exponent = program_.back().constant;
    program_.pop_back();
    --height_;
    if (std::abs(exponent) <= 64 && exponent == std::floor(exponent)) {
      program_.push_back({Op::integer_power, static_cast<std::int32_t>(exponent), 0});
    } else {
      program_.push_back({Op::real_power, 0, exponent});
    }
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string rest() const { return std::string(text_.substr(at_, 12)); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  [[noreturn]] void fail(const std::string& message, const std::string& suggestion = "") const {
    throw Error(ErrorKind::input, message + " at column " + std::to_string(at_ + 1) + suggestion);
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::vector<Instruction> program_;
  std::size_t at_ = 0;
  std::size_t height_ = 0;
  std::size_t no_fold_before_ = 0;  ///< where the last branch begins or ends
  int depth_ = 0;
};

inline Expression Expression::compile(std::string_view text, const std::vector<std::string>& variables) {
  Expression expression;
  expression.program_ = Parser(text, variables).run();
  std::int32_t count = 0;
  for (Instruction& instruction : expression.program_) {
    if (switching(instruction.op)) instruction.index = count++;
  }
  return expression;
}

}  // namespace trammel
