// Formulas: values, precedence, derivatives through a dual number, and the wording of every refusal.
#include "trammel/text/expression.h"

#include <doctest/doctest.h>

namespace {

using trammel::Expression;

double value(const std::string& text) { return Expression::compile(text).evaluate(); }

std::string refusal(const std::string& text, const std::vector<std::string>& variables = {}) {
  try {
    Expression::compile(text, variables);
  } catch (const trammel::Error& error) {
    CHECK(error.kind() == trammel::ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

/// First-order dual number: just what `evaluate` asks of a scalar.
struct Dual {
  double x = 0;
  double dx = 0;
  Dual() = default;
  explicit Dual(double value, double derivative = 0) : x(value), dx(derivative) {}
};
Dual operator+(Dual a, Dual b) { return Dual(a.x + b.x, a.dx + b.dx); }
Dual operator-(Dual a, Dual b) { return Dual(a.x - b.x, a.dx - b.dx); }
Dual operator-(Dual a) { return Dual(-a.x, -a.dx); }
Dual operator*(Dual a, Dual b) { return Dual(a.x * b.x, a.dx * b.x + a.x * b.dx); }
Dual operator/(Dual a, Dual b) { return Dual(a.x / b.x, (a.dx * b.x - a.x * b.dx) / (b.x * b.x)); }
bool operator<(Dual a, Dual b) { return a.x < b.x; }
Dual chain(Dual a, double f, double df) { return Dual(f, df * a.dx); }
Dual sin(Dual a) { return chain(a, std::sin(a.x), std::cos(a.x)); }
Dual cos(Dual a) { return chain(a, std::cos(a.x), -std::sin(a.x)); }
Dual tan(Dual a) { return chain(a, std::tan(a.x), 1 + std::tan(a.x) * std::tan(a.x)); }
Dual asin(Dual a) { return chain(a, std::asin(a.x), 1 / std::sqrt(1 - a.x * a.x)); }
Dual acos(Dual a) { return chain(a, std::acos(a.x), -1 / std::sqrt(1 - a.x * a.x)); }
Dual atan(Dual a) { return chain(a, std::atan(a.x), 1 / (1 + a.x * a.x)); }
Dual atan2(Dual y, Dual x) { return Dual(std::atan2(y.x, x.x), (x.x * y.dx - y.x * x.dx) / (x.x * x.x + y.x * y.x)); }
Dual sqrt(Dual a) { return chain(a, std::sqrt(a.x), 0.5 / std::sqrt(a.x)); }
Dual exp(Dual a) { return chain(a, std::exp(a.x), std::exp(a.x)); }
Dual log(Dual a) { return chain(a, std::log(a.x), 1 / a.x); }
Dual sinh(Dual a) { return chain(a, std::sinh(a.x), std::cosh(a.x)); }
Dual cosh(Dual a) { return chain(a, std::cosh(a.x), std::sinh(a.x)); }
Dual tanh(Dual a) { return chain(a, std::tanh(a.x), 1 - std::tanh(a.x) * std::tanh(a.x)); }
Dual pow(Dual a, double c) { return chain(a, std::pow(a.x, c), c * std::pow(a.x, c - 1)); }

}  // namespace

TEST_CASE("precedence and associativity are those of written mathematics") {
  CHECK(value("1 + 2*3") == 7);
  CHECK(value("(1 + 2)*3") == 9);
  CHECK(value("2 - 3 - 4") == -5);
  CHECK(value("24/4/3") == 2);
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2^2") == -4);
  CHECK(value("(-2)^2") == 4);
  CHECK(value("2^-1") == 0.5);
  CHECK(value("2*-3") == -6);
  CHECK(value("--3") == 3);
  CHECK(value("+3") == 3);
  CHECK(value("1e-3 + .5 + 2.") == 2.501);
}

TEST_CASE("functions and pi have their usual values") {
  CHECK(value("pi") == doctest::Approx(3.141592653589793).epsilon(1e-16));
  CHECK(value("90*deg") == doctest::Approx(3.141592653589793 / 2).epsilon(1e-16));
  CHECK(value("sin(1)") == std::sin(1.0));
  CHECK(value("cos(1)") == std::cos(1.0));
  CHECK(value("tan(1)") == std::tan(1.0));
  CHECK(value("asin(0.5)") == std::asin(0.5));
  CHECK(value("acos(0.5)") == std::acos(0.5));
  CHECK(value("atan(0.5)") == std::atan(0.5));
  CHECK(value("atan2(1, -1)") == std::atan2(1.0, -1.0));
  CHECK(value("sqrt(2)") == std::sqrt(2.0));
  CHECK(value("exp(1)") == std::exp(1.0));
  CHECK(value("log(2)") == std::log(2.0));
  CHECK(value("sinh(1)") == std::sinh(1.0));
  CHECK(value("cosh(1)") == std::cosh(1.0));
  CHECK(value("tanh(1)") == std::tanh(1.0));
  CHECK(value("abs(-3) + abs(2)") == 5);
  CHECK(value("min(3, 2)") == 2);
  CHECK(value("max(1, 7, 3)") == 7);
  CHECK(value("pow(2, 0.5)") == std::pow(2.0, 0.5));
}

TEST_CASE("variables take their values by position, and a formula knows which it uses") {
  const Expression formula = Expression::compile("A*sin(w*t) + tip.x", {"A", "w", "t", "tip.x", "unused"});
  const double values[] = {2, 3, 0.25, 10, 99};
  CHECK(formula.evaluate(values) == 2 * std::sin(0.75) + 10);
  CHECK(formula.uses(0));
  CHECK(formula.uses(3));
  CHECK_FALSE(formula.uses(4));
}

TEST_CASE("outside its domain a formula is not finite, and does not throw") {
  CHECK(std::isnan(value("sqrt(-1)")));
  CHECK(std::isinf(value("1/0")));
}

TEST_CASE("derivatives by a dual number agree with closed forms") {
  const auto derivative = [](const std::string& text, double x) {
    const Dual variable(x, 1);
    return Expression::compile(text, {"x"}).evaluate(&variable).dx;
  };
  const double tolerance = 1e-14;  // a few roundings
  CHECK(derivative("x^3", -2) == 12);
  CHECK(derivative("x^2", 0) == 0);
  CHECK(derivative("x^0", 0) == 0);
  CHECK(derivative("x^-2", 2) == -0.25);
  CHECK(derivative("x^1.5", 4) == doctest::Approx(3).epsilon(tolerance));
  CHECK(derivative("2^x", 3) == doctest::Approx(8 * std::log(2.0)).epsilon(tolerance));
  CHECK(derivative("abs(x)", -2) == -1);
  CHECK(derivative("max(x, 1)", 2) == 1);
  CHECK(derivative("min(x, 1)", 2) == 0);
  CHECK(derivative("exp(sin(2*x))/x", 0.7) ==
        doctest::Approx(std::exp(std::sin(1.4)) * (2 * std::cos(1.4) / 0.7 - 1 / 0.49)).epsilon(tolerance));
  CHECK(derivative("atan2(x, 2) + asin(x) + acos(x)", 0.3) == doctest::Approx(2 / (4 + 0.09)).epsilon(tolerance));
  CHECK(derivative("sqrt(x) + log(x) + tan(x) + atan(x)", 0.5) ==
        doctest::Approx(0.5 / std::sqrt(0.5) + 2 + 1 / std::pow(std::cos(0.5), 2) + 0.8).epsilon(tolerance));
  CHECK(derivative("sinh(x) - cosh(x) + tanh(x)", 0.5) ==
        doctest::Approx(std::cosh(0.5) - std::sinh(0.5) + 1 / std::pow(std::cosh(0.5), 2)).epsilon(tolerance));
}

TEST_CASE("comparisons are 1 or 0, and bind weaker than sums") {
  CHECK(value("1 < 2") == 1);
  CHECK(value("2 < 2") == 0);
  CHECK(value("2 <= 2") == 1);
  CHECK(value("3 > 1 + 1") == 1);
  CHECK(value("2 >= 3") == 0);
  CHECK(value("2 == 1 + 1") == 1);
  CHECK(value("2 != 2") == 0);
  CHECK(value("10*(1 < 2) + (2 < 1)") == 10);
  CHECK(value("min(1 < 2, 2 < 3) + max(1 > 2, 2 > 3)") == 1);
  CHECK(value("sqrt(-1) < 1") + value("sqrt(-1) >= 1") + value("sqrt(-1) == 1") == 0);
  CHECK(value("exp(1000) > 1") == 1);
}

TEST_CASE("if evaluates only the branch that is taken, nested and in sums") {
  const auto of_x = [](const std::string& text, double x) { return Expression::compile(text, {"x"}).evaluate(&x); };
  CHECK(of_x("if(x > 0, sqrt(x), 0)", -4) == 0);
  CHECK(of_x("if(x > 0, sqrt(x), 0)", 4) == 2);
  CHECK(of_x("if(x, 5, 6)", 0) == 6);
  CHECK(of_x("if(x, 5, 6)", -0.1) == 5);
  CHECK(std::isnan(of_x("if(sqrt(x), 5, 6)", -1)));
  const std::string staircase = "if(x < 1, 10, if(x < 2, 20, if(x < 3, 30, 40)))";
  for (const auto& [x, y] : {std::pair{0.5, 10.0}, {1.5, 20.0}, {2.5, 30.0}, {3.5, 40.0}})
    CHECK(of_x(staircase, x) == y);
  CHECK(of_x("1 + if(x > 0, 2, 3)", 1) == 3);  // constants at the ends of branches are not folded with what follows
  CHECK(of_x("if(x > 0, 2, 3) + 1", 1) == 3);
  CHECK(of_x("-if(x > 0, 2, 3)", 1) == -2);
  CHECK(of_x("if(x > 0, 2, 3)^2", 1) == 4);
  CHECK(of_x("if(x > 0, 2, 3)^2", -1) == 9);
  CHECK(of_x("2^if(x > 0, 2, 3)", -1) == 8);
  CHECK(of_x("max(if(x > 0, 2, 3), 1) * (1 + 2)", 1) == 6);
  CHECK(of_x("if(x > 0, if(x > 1, 1, 2), 3) - if(1 < 2, x, 7)", 0.5) == 1.5);
  const Dual x(4, 1);
  CHECK(Expression::compile("if(x > 0, sqrt(x), x*x)", {"x"}).evaluate(&x).dx == 0.25);
}

TEST_CASE("a formula knows its switching functions") {
  const auto switches = [](const std::string& text, std::vector<double> at) {
    const Expression formula = Expression::compile(text, {"x", "y"});
    std::vector<double> out(formula.switches());
    formula.switches(at.data(), out.data());
    return out;
  };
  using Values = std::vector<double>;
  CHECK(switches("x^2 + sin(y)", {1, 2}).empty());
  CHECK(switches("abs(3) + min(1, 2)", {1, 2}).empty());  // folded
  CHECK(switches("abs(x - y)", {1, 3}) == Values{-2});
  CHECK(switches("max(x, y, 7)", {1, 3}) == Values{-2, -4});
  CHECK(switches("2*(x <= y) + (y == 4)", {1, 3}) == Values{-2, -1});
  CHECK(switches("max(0, 1 - abs(x - y)/4)", {1, 3}) == Values{-2, -0.5});
  CHECK(switches("atan2(y, x)", {-1, 3}) == Values{3});
  CHECK(std::isnan(switches("atan2(y, x)", {1, 3})[0]));
  const Values taken = switches("if(x > 0, abs(y), min(x, y))", {1, 3});
  REQUIRE(taken.size() == 3);
  CHECK(taken[0] == 1);
  CHECK(taken[1] == 3);
  CHECK(std::isnan(taken[2]));
}

TEST_CASE("refusals name the column and the nearest name") {
  CHECK(refusal("2*Lx", {"L"}) == "unknown name 'Lx' at column 3; did you mean 'L'?");
  CHECK(refusal("cso(1)") == "unknown function 'cso' at column 1; did you mean 'cos'?");
  CHECK(refusal("frobnicate(1)") == "unknown function 'frobnicate' at column 1");
  CHECK(refusal("sin") == "the function 'sin' needs arguments in parentheses at column 1");
  CHECK(refusal("atan2(1)") == "'atan2' takes two arguments, not 1 at column 1");
  CHECK(refusal("sin(1, 2)") == "'sin' takes one argument, not 2 at column 1");
  CHECK(refusal("max()") == "'max' takes two or more arguments, not 0 at column 1");
  CHECK(refusal("(1 + 2") == "a ')' is missing at the end at column 7");
  CHECK(refusal("1 + 2)") == "')' without '(' at column 6");
  CHECK(refusal("2 x", {"x"}) == "expected an operator before 'x' at column 3");
  CHECK(refusal("if(1, 2)") == "'if' takes three arguments, not 2: if(condition, value, other value) at column 1");
  CHECK(refusal("if(1, 2, 3, 4)") ==
        "'if' takes three arguments, not 4: if(condition, value, other value) at column 1");
  CHECK(refusal("if()") == "'if' takes three arguments, not 0: if(condition, value, other value) at column 1");
  CHECK(refusal("1 + if") == "'if' is written if(condition, value, other value) at column 5");
  CHECK(refusal("iff(1, 2, 3)") == "unknown function 'iff' at column 1; did you mean 'if'?");
  CHECK(refusal("1 < 2 < 3") == "comparisons do not chain; 'a < b and b < c' is written min(a < b, b < c) at column 7");
  CHECK(refusal("x = 2", {"x"}) == "'=' is no operator; equality is written a == b at column 3");
  CHECK(refusal("!x", {"x"}) == "expected a value before '!x' at column 1");
  CHECK(refusal("x ! 2", {"x"}) == "'!' is no operator; 'not a' is written a == 0 at column 3");
  CHECK(refusal("x && 2", {"x"}) == "'&&' is no operator; of two conditions, min(a, b) is 'and' at column 3");
  CHECK(refusal("(1 < 2) || 2") == "'||' is no operator; of two conditions, max(a, b) is 'or' at column 9");
  CHECK(refusal("2**3") == "'**' is no operator; powers are written a^b at column 3");
  CHECK(refusal("1 +") == "the formula ends where a value was expected at column 4");
  CHECK(refusal("") == "the formula ends where a value was expected at column 1");
  CHECK(refusal("3 + ,") == "expected a value before ',' at column 5");
  CHECK(refusal("1e999") == "the number is too large or too small for a double at column 1");
  CHECK(refusal(std::string(5000, '(')) == "nested too deeply at column 51");
  CHECK(refusal(std::string(5000, '-')) == "nested too deeply at column 100");
}
