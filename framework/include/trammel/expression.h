// Formulas in text: compiled once to a flat postfix program, evaluated on any scalar, so that derivatives are exact.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "trammel/error.h"
#include "trammel/suggest.h"

namespace trammel {

/// A formula over named variables.
///
///   sum     = product { ("+" | "-") product }
///   product = sign { ("*" | "/") sign }
///   sign    = ("-" | "+") sign | power
///   power   = value [ "^" sign ]                        so 2^3^2 = 2^9, -2^2 = -4, 2^-1 = 0.5
///   value   = number | "pi" | variable | function "(" sum { "," sum } ")" | "(" sum ")"
///
/// Functions: sin cos tan asin acos atan atan2 sqrt exp log abs min max pow sinh cosh tanh; angles in rad, log is
/// natural, min and max take two arguments or more. A variable's name may hold dots ("crank.x").
class Expression {
 public:
  /// [setup] Throws Error (input) whose message names the column (from 1) and, for an unknown name, the nearest.
  static Expression compile(std::string_view text, const std::vector<std::string>& variables = {});

  /// [hot] Value at `values`, one scalar per variable in the order given to `compile`. May be NaN or infinite outside
  /// the domain of the formula: callers check. The scalar S is constructed from double and has + - * /, unary -, <,
  /// and, found by argument-dependent lookup, the functions above except abs, min, max; pow(S, double) serves
  /// constant exponents that are no small integers, exp(b log a) serves variable ones.
  template <class S>
  S evaluate(const S* values) const;

  /// Value of a formula without variables.
  double evaluate() const { return evaluate<double>(nullptr); }

  /// Whether the value depends on the variable of this index.
  bool uses(std::size_t variable) const;

 private:
  class Parser;
  enum class Op : std::uint8_t {
    constant, variable, add, subtract, multiply, divide, negate, power, integer_power, real_power,
    sin, cos, tan, asin, acos, atan, atan2, sqrt, exp, log, abs, min, max, sinh, cosh, tanh,
  };
  struct Instruction {
    Op op;
    std::int32_t index;  ///< of a variable; exponent of integer_power
    double constant;     ///< of a constant; exponent of real_power
  };
  static constexpr std::size_t max_stack = 32;

  std::vector<Instruction> program_;
};

/// Recursive descent; emits postfix code and folds constants as it goes.
class Expression::Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables) : text_(text), variables_(variables) {}

  std::vector<Instruction> run() {
    sum();
    skip_blanks();
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
      {"sin", Op::sin, 1},   {"cos", Op::cos, 1},   {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
      {"acos", Op::acos, 1}, {"atan", Op::atan, 1}, {"atan2", Op::atan2, 2}, {"sqrt", Op::sqrt, 1},
      {"exp", Op::exp, 1},   {"log", Op::log, 1},   {"abs", Op::abs, 1},     {"min", Op::min, 0},
      {"max", Op::max, 0},   {"pow", Op::power, 2}, {"sinh", Op::sinh, 1},   {"cosh", Op::cosh, 1},
      {"tanh", Op::tanh, 1},
  }};

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
    if (c != '(') fail(c == '\0' ? "the formula ends where a value was expected"
                                 : "expected a value before '" + rest() + "'");
    ++at_;
    sum();
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
    if (word == "pi") return emit_constant(3.14159265358979323846);
    at_ = start;
    for (const Function& function : functions) {
      if (word == function.name) fail("the function '" + std::string(word) + "' needs arguments in parentheses");
    }
    std::vector<std::string> known = variables_;
    known.push_back("pi");
    fail("unknown name '" + std::string(word) + "'", did_you_mean(word, known));
  }

  void call(std::string_view word, std::size_t start) {
    const Function* function = nullptr;
    std::vector<std::string> known;
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
        sum();
        ++count;
        if (function->arguments == 0 && count > 1) emit_binary(function->op);
      } while (peek() == ',');
    }
    const int wanted = function->arguments;
    if (wanted == 0 ? count < 2 : count != wanted) {
      at_ = start;
      fail("'" + std::string(word) + "' takes " + (wanted == 0 ? "two or more" : wanted == 1 ? "one" : "two") +
           (wanted == 1 ? " argument" : " arguments") + ", not " + std::to_string(count));
    }
    close();
    if (function->op == Op::power) emit_power();
    else if (wanted == 1) emit_unary(function->op);
    else if (wanted == 2) emit_binary(function->op);
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

  bool constant_at(std::size_t from_end) const {
    return program_.size() >= from_end && program_[program_.size() - from_end].op == Op::constant;
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
  int depth_ = 0;
};

inline Expression Expression::compile(std::string_view text, const std::vector<std::string>& variables) {
  Expression expression;
  expression.program_ = Parser(text, variables).run();
  return expression;
}

inline bool Expression::uses(std::size_t variable) const {
  for (const Instruction& instruction : program_) {
    if (instruction.op == Op::variable && instruction.index == static_cast<std::int32_t>(variable)) return true;
  }
  return false;
}

template <class S>
S Expression::evaluate(const S* values) const {
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin;
  using std::sinh, std::sqrt, std::tan, std::tanh;
  std::array<S, max_stack> stack;
  std::size_t top = 0;  // number of values on the stack; a = stack[top - 1] is the last one
  for (const Instruction& step : program_) {
    if (step.op == Op::constant) {
      stack[top++] = S(step.constant);
      continue;
    }
    if (step.op == Op::variable) {
      stack[top++] = values[step.index];
      continue;
    }
    S& a = stack[top - 1];
    S& left = stack[top >= 2 ? top - 2 : 0];
    switch (step.op) {
      case Op::constant:
      case Op::variable: break;
      case Op::add: left = left + a, --top; break;
      case Op::subtract: left = left - a, --top; break;
      case Op::multiply: left = left * a, --top; break;
      case Op::divide: left = left / a, --top; break;
      case Op::negate: a = -a; break;
      case Op::power:
        if constexpr (std::is_arithmetic_v<S>) left = pow(left, a);
        else left = exp(a * log(left));
        --top;
        break;
      case Op::integer_power: {
        S square = a;
        S result(1.0);
        for (std::int32_t n = step.index < 0 ? -step.index : step.index; n > 0; n /= 2) {
          if (n % 2 == 1) result = result * square;
          if (n > 1) square = square * square;
        }
        if (step.index < 0) a = S(1.0) / result;
        else a = result;
        break;
      }
      case Op::real_power: a = pow(a, step.constant); break;
      case Op::sin: a = sin(a); break;
      case Op::cos: a = cos(a); break;
      case Op::tan: a = tan(a); break;
      case Op::asin: a = asin(a); break;
      case Op::acos: a = acos(a); break;
      case Op::atan: a = atan(a); break;
      case Op::atan2: left = atan2(left, a), --top; break;
      case Op::sqrt: a = sqrt(a); break;
      case Op::exp: a = exp(a); break;
      case Op::log: a = log(a); break;
      case Op::abs:
        if (a < S(0.0)) a = -a;
        break;
      case Op::min:
        if (a < left) left = a;
        --top;
        break;
      case Op::max:
        if (left < a) left = a;
        --top;
        break;
      case Op::sinh: a = sinh(a); break;
      case Op::cosh: a = cosh(a); break;
      case Op::tanh: a = tanh(a); break;
    }
  }
  return stack[0];
}

}  // namespace trammel
