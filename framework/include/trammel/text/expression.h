// Formulas in text: compiled once to a flat postfix program, evaluated on any scalar, so that derivatives are exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace trammel {

/// A scalar that stands for all numbers between two bounds (Interval): it knows whether a comparison held for some of
/// them only.
template <class S>
concept RangeScalar = requires {
  S::undecided;
};

/// A formula over named variables.
///
///   formula = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]      1 where it holds, 0 where it does not
///   sum     = product { ("+" | "-") product }
///   product = sign { ("*" | "/") sign }
///   sign    = ("-" | "+") sign | power
///   power   = value [ "^" sign ]                        so 2^3^2 = 2^9, -2^2 = -4, 2^-1 = 0.5
///   value   = number | variable | "pi" | "deg" | function "(" formula { "," formula } ")" | "(" formula ")"
///
/// deg is pi/180, and 20*deg twenty degrees in rad. A variable of that name takes its place.
///
/// Functions: sin cos tan asin acos atan atan2 sqrt exp log abs min max pow sinh cosh tanh; angles in rad, log is
/// natural, min and max take two arguments or more. A variable's name may hold dots ("crank.x"). if(c, a, b) is a where
/// c is not zero, else b, and evaluates nothing but c and the one it takes; min and max of comparisons are "and" and
/// "or".
class Expression {
 public:
  /// [setup] Throws Error (input) whose message names the column (from 1) and, for an unknown name, the nearest.
  static Expression compile(std::string_view text, const std::vector<std::string>& variables = {});

  /// [hot] Value at `values`, one scalar per variable in the order given to `compile`. May be NaN or infinite outside
  /// the domain of the formula: callers check. The scalar S is constructed from double and has + - * /, unary -, <,
  /// and, found by argument-dependent lookup, the functions above except abs, min, max, if; pow(S, double) serves
  /// constant exponents that are no small integers, exp(b log a) serves variable ones. A RangeScalar has abs, min and
  /// max as well, which are bounded on both sides of their kinks.
  template <class S>
  S evaluate(const S* values) const {
    return run(values, [](std::int32_t, const S&, const S&) {});
  }

  /// Value of a formula without variables.
  double evaluate() const { return evaluate<double>(nullptr); }

  /// [setup] Number of switching functions: where one of them passes zero, the value or a derivative may jump.
  std::size_t switches() const;

  /// [hot] The switching functions at `values`: the argument of abs, the difference of two arguments of min and max and
  /// of the two sides of a comparison, y of atan2(y, x) where x < 0. NaN: in a branch that is not taken.
  void switches(const double* values, double* out) const;

  /// Whether the value depends on the variable of this index.
  bool uses(std::size_t variable) const;

 private:
  class Parser;
  // clang-format off: kinds of instructions a line
  enum class Op : std::uint8_t {
    constant,
    variable,
    add,
    subtract,
    multiply,
    divide,
    negate,
    power,
    integer_power,
    real_power,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sqrt,
    exp,
    log,
    abs,
    min,
    max,
    sinh,
    cosh,
    tanh,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    branch,
    jump,
  };
  // clang-format on
  struct Instruction {
    Op op;
    /// Of a variable or a switching function; exponent of integer_power; where branch and jump go.
    std::int32_t index;
    double constant;  ///< of a constant; exponent of real_power; end of a branch's `if`
  };
  static constexpr std::size_t max_stack = 32;

  /// Tells `record(index, a, b)` the two sides of every switching function on the way.
  template <class S, class Record>
  S run(const S* values, const Record& record) const;
  static bool switching(Op op) {
    return op == Op::abs || op == Op::min || op == Op::max || op == Op::atan2 ||
           (op >= Op::less && op <= Op::not_equal);
  }
  template <class S>
  static bool holds(Op comparison, const S& a, const S& b) {
    if (!(a - a < S(1.0)) || !(b - b < S(1.0))) {  // NaN, or infinite
      return comparison == Op::not_equal ||
             (comparison <= Op::less_equal ? a < b : comparison <= Op::greater_equal && b < a);
    }
    switch (comparison) {
      case Op::less: return a < b;
      case Op::less_equal: return !(b < a);
      case Op::greater: return b < a;
      case Op::greater_equal: return !(a < b);
      case Op::equal: return !(a < b) && !(b < a);
      default: return a < b || b < a;
    }
  }

  std::vector<Instruction> program_;
};

inline bool Expression::uses(std::size_t variable) const {
  for (const Instruction& instruction : program_) {
    if (instruction.op == Op::variable && instruction.index == static_cast<std::int32_t>(variable)) return true;
  }
  return false;
}

inline std::size_t Expression::switches() const {
  std::size_t count = 0;
  for (const Instruction& instruction : program_) count += switching(instruction.op) ? 1 : 0;
  return count;
}

inline void Expression::switches(const double* values, double* out) const {
  std::fill_n(out, switches(), std::numeric_limits<double>::quiet_NaN());
  run(values, [out](std::int32_t i, double a, double b) { out[i] = a - b; });
}

template <class S, class Record>
S Expression::run(const S* values, const Record& record) const {
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin;
  using std::sinh, std::sqrt, std::tan, std::tanh;
  std::array<S, max_stack> stack;
  std::size_t top = 0;  // number of values on the stack; a = stack[top - 1] is the last one
  for (std::size_t at = 0; at < program_.size(); ++at) {
    const Instruction& step = program_[at];
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
        if constexpr (std::is_arithmetic_v<S>)
          left = pow(left, a);
        else
          left = exp(a * log(left));
        --top;
        break;
      case Op::integer_power: {
        S square = a;
        S result(1.0);
        for (std::int32_t n = step.index < 0 ? -step.index : step.index; n > 0; n /= 2) {
          if (n % 2 == 1) result = result * square;
          if (n > 1) square = square * square;
        }
        if (step.index < 0)
          a = S(1.0) / result;
        else
          a = result;
        break;
      }
      case Op::real_power: a = pow(a, step.constant); break;
      case Op::sin: a = sin(a); break;
      case Op::cos: a = cos(a); break;
      case Op::tan: a = tan(a); break;
      case Op::asin: a = asin(a); break;
      case Op::acos: a = acos(a); break;
      case Op::atan: a = atan(a); break;
      case Op::atan2:
        if constexpr (!RangeScalar<S>) {
          if (a < S(0.0)) record(step.index, left, S(0.0));
        }
        left = atan2(left, a), --top;
        break;
      case Op::sqrt: a = sqrt(a); break;
      case Op::exp: a = exp(a); break;
      case Op::log: a = log(a); break;
      case Op::abs:
        record(step.index, a, S(0.0));
        if constexpr (RangeScalar<S>)
          a = abs(a);
        else if (a < S(0.0))
          a = -a;
        break;
      case Op::min:
        record(step.index, left, a);
        if constexpr (RangeScalar<S>)
          left = min(left, a);
        else if (a < left)
          left = a;
        --top;
        break;
      case Op::max:
        record(step.index, left, a);
        if constexpr (RangeScalar<S>)
          left = max(left, a);
        else if (left < a)
          left = a;
        --top;
        break;
      case Op::sinh: a = sinh(a); break;
      case Op::cosh: a = cosh(a); break;
      case Op::tanh: a = tanh(a); break;
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::equal:
      case Op::not_equal:
        record(step.index, left, a);
        left = S(holds(step.op, left, a) ? 1.0 : 0.0), --top;
        break;
      case Op::branch:
        if (a < S(0.0) || S(0.0) < a)
          --top;
        else if (!(a - a < S(1.0)))
          at = static_cast<std::size_t>(step.constant) - 1;  // NaN is the value of the whole
        else
          at = static_cast<std::size_t>(step.index) - 1, --top;
        break;
      case Op::jump: at = static_cast<std::size_t>(step.index) - 1; break;
    }
  }
  return stack[0];
}

}  // namespace trammel

#include "trammel/text/expression_parser.h"
