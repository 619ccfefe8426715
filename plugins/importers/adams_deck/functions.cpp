// The functions of decks: FORTRAN's, steps, contacts, series, and measures of markers.
#include "functions.h"

#include <algorithm>
#include <cmath>

namespace trammel::adams_deck {
namespace {

constexpr std::size_t longest = 20000;  // characters of a formula: arguments are written more than once

struct Known {
  const char* name;
  std::size_t least, most;
};
constexpr Known known[] = {{"ABS", 1, 1},    {"ACOS", 1, 1},    {"ASIN", 1, 1},    {"ATAN", 1, 1},   {"ATAN2", 2, 2},
                           {"BISTOP", 8, 8}, {"COS", 1, 1},     {"COSH", 1, 1},    {"DIM", 2, 2},    {"DTOR", 0, 0},
                           {"EXP", 1, 1},    {"FORCOS", 4, 34}, {"FORSIN", 4, 34}, {"HAVSIN", 5, 5}, {"IF", 4, 4},
                           {"IMPACT", 7, 7}, {"LOG", 1, 1},     {"LOG10", 1, 1},   {"MAX", 2, 100},  {"MIN", 2, 100},
                           {"PI", 0, 0},     {"POLY", 3, 33},   {"RTOD", 0, 0},    {"SHF", 6, 6},    {"SIGN", 2, 2},
                           {"SIN", 1, 1},    {"SINH", 1, 1},    {"SQRT", 1, 1},    {"STEP", 5, 5},   {"STEP5", 5, 5},
                           {"TAN", 1, 1},    {"TANH", 1, 1},    {"TIME", 0, 0},    {"VARVAL", 1, 1}};

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// a / unit, as a product where that is exact.
Formula by_unit(const Formula& a, double unit) {
  const double inverse = 1 / unit;
  return inverse == std::round(inverse) ? a * Formula(inverse) : a / Formula(unit);
}

}  // namespace

bool is_measure(const std::string& function, const Units& units, double& unit) {
  const auto one_of = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return function == name; });
  };
  if (one_of({"DM", "DX", "DY", "DZ"})) return unit = units.length, true;
  if (one_of({"AX", "AY", "AZ"})) return unit = 1, true;
  if (one_of({"VM", "VR", "VX", "VY", "VZ"})) return unit = units.length / units.time, true;
  if (one_of({"WM", "WX", "WY", "WZ"})) return unit = 1 / units.time, true;
  return false;
}

Formula Translator::translate(const Expression& e, const sdk::ImportPlace& place) {
  place_ = place;
  Formula out = part(e);
  std::sort(break_points_.begin(), break_points_.end());
  break_points_.erase(std::unique(break_points_.begin(), break_points_.end()), break_points_.end());
  return out;
}

Formula Translator::part(const Expression& e) {
  if (e.kind == Expression::Kind::number) return e.value;
  if (e.kind == Expression::Kind::call) {
    Formula out = function(e);
    if (out.text.size() > longest) throw NotCarried{"its formula would be too long"};
    return out;
  }
  const Formula a = part(e.parts[0]);
  if (e.parts.size() == 1) return -a;
  const Formula b = part(e.parts[1]);
  if (a.text.size() + b.text.size() > longest) throw NotCarried{"its formula would be too long"};
  switch (e.name[0]) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/':
      if (b.is(0)) refuse("the expression divides by zero");
      return a / b;
    default: return power(a, b);
  }
}

Formula Translator::measured(const Expression& e, double unit) {
  std::vector<int> markers;
  for (const Expression& p : e.parts) {
    if (p.kind != Expression::Kind::number || p.value != std::floor(p.value) || !(p.value >= 0) || p.value > 2e9)
      refuse(e.name + " takes numbers of markers");
    markers.push_back(static_cast<int>(p.value));
  }
  const std::size_t most = e.name[0] == 'V' ? (e.name == "VR" ? 3 : 4) : e.name[0] == 'A' || e.name[1] == 'M' ? 2 : 3;
  if (markers.empty() || markers.size() > most)
    refuse(e.name + " takes 1 to " + std::to_string(most) + " markers, has " + std::to_string(markers.size()));
  return by_unit(measures_.measure(e.name, markers), unit);
}

Formula Translator::function(const Expression& e) {
  double unit = 1;
  if (is_measure(e.name, units_, unit)) return measured(e, unit);
  const auto* found =
      std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return e.name == k.name; });
  if (found == std::end(known)) throw NotCarried{"the function " + e.name.substr(0, 40) + " is not known here"};
  if (e.parts.size() < found->least || e.parts.size() > found->most) {
    refuse(e.name + " takes " + std::to_string(found->least) +
           (found->most == found->least ? "" : " to " + std::to_string(found->most)) + " arguments, has " +
           std::to_string(e.parts.size()));
  }
  if (e.is("TIME")) return by_unit(Formula::name("t"), units_.time);
  if (e.is("PI")) return M_PI;
  if (e.is("DTOR")) return M_PI / 180;
  if (e.is("RTOD")) return 180 / M_PI;
  if (e.is("VARVAL")) {
    const Expression& id = e.parts[0];
    if (id.kind != Expression::Kind::number || id.value != std::floor(id.value) || id.value > 2e9)
      refuse("VARVAL takes the number of a VARIABLE");
    if (++depth_ > 50) refuse("VARIABLEs that refer to each other in a circle");
    Formula out = part(variable_(static_cast<int>(id.value)));
    --depth_;
    return out;
  }
  std::vector<Formula> a;
  for (const Expression& p : e.parts) a.push_back(part(p));
  if (e.is("STEP") || e.is("STEP5")) return step(a[0], a[1], a[2], a[3], a[4], e.is("STEP5"));
  if (e.is("HAVSIN"))
    return (a[2] + a[4]) / 2.0 - (a[4] - a[2]) / 2.0 * call("cos", {ramp(a[0], a[1], a[3]) * Formula(M_PI)});
  if (e.is("IMPACT")) return impact(a);
  if (e.is("BISTOP")) return bistop(a);
  if (e.is("SHF")) return a[2] * call("sin", {a[3] * (a[0] - a[1]) - a[4]}) + a[5];
  if (e.is("POLY") || e.is("FORCOS") || e.is("FORSIN")) return series(e.name, a);
  if (e.is("IF")) return choose(a[0], "<", 0.0, a[1], choose(a[0], ">", 0.0, a[3], a[2]));
  if (e.is("SIGN")) return choose(a[1], ">=", 0.0, call("abs", {a[0]}), -call("abs", {a[0]}));
  if (e.is("DIM")) return call("max", {a[0] - a[1], 0.0});
  if (e.is("LOG10")) return call("log", {a[0]}) / call("log", {10.0});
  const std::string name = lower_case(e.name);
  if (a.size() == 1) return call(name.c_str(), {a[0]});
  Formula out = call(name.c_str(), {a[0], a[1]});
  for (std::size_t k = 2; k < a.size(); ++k) out = call(name.c_str(), {out, a[k]});
  return out;
}

void Translator::breaks_at(const Formula& x, const Formula& bound) {
  if (x.text == by_unit(Formula::name("t"), units_.time).text && bound.value)
    break_points_.push_back(*bound.value * units_.time);
}

/// (x - x0)/(x1 - x0), not below 0 and not above 1.
Formula Translator::ramp(const Formula& x, const Formula& x0, const Formula& x1) {
  const Formula width = x1 - x0;
  if (width.is(0)) refuse("a step from " + x0.text + " to " + x1.text + " has no width");
  breaks_at(x, x0), breaks_at(x, x1);
  return call("min", {call("max", {(x - x0) / width, 0.0}), 1.0});
}

/// h0 + (h1 - h0) u^2 (3 - 2 u), or with u^3 (10 - 15 u + 6 u^2).
Formula Translator::step(const Formula& x, const Formula& x0, const Formula& h0, const Formula& x1, const Formula& h1,
                         bool fifth) {
  const Formula u = ramp(x, x0, x1);
  const Formula shape = fifth ? power(u, 3.0) * (Formula(10.0) - Formula(15.0) * u + Formula(6.0) * power(u, 2.0))
                              : power(u, 2.0) * (Formula(3.0) - Formula(2.0) * u);
  return h0 + (h1 - h0) * shape;
}

/// IMPACT(x, v, x1, k, e, c, d): max(0, k (x1 - x)^e - c v STEP(x, x1 - d, 1, x1, 0)) below x1, else 0.
Formula Translator::impact(const std::vector<Formula>& a) {
  const Formula push = a[3] * power(a[2] - a[0], a[4]);
  const Formula damping = a[5].is(0) ? Formula(0.0) : a[5] * a[1] * step(a[0], a[2] - a[6], 1.0, a[2], 0.0, false);
  return choose(a[0], "<", a[2], call("max", {push - damping, 0.0}), 0.0);
}

/// BISTOP(x, v, x1, x2, k, e, c, d): the same at both ends of a gap, pulling back at the upper one.
Formula Translator::bistop(const std::vector<Formula>& a) {
  const Formula &x = a[0], &v = a[1], &x1 = a[2], &x2 = a[3], &k = a[4], &e = a[5], &c = a[6], &d = a[7];
  const bool damped = !c.is(0);
  const Formula low = k * power(x1 - x, e) - (damped ? c * v * step(x, x1 - d, 1.0, x1, 0.0, false) : Formula(0.0));
  const Formula high = -(k * power(x - x2, e)) - (damped ? c * v * step(x, x2, 0.0, x2 + d, 1.0, false) : Formula(0.0));
  return choose(x, "<", x1, call("max", {low, 0.0}), choose(x, ">", x2, call("min", {high, 0.0}), 0.0));
}

/// POLY(x, x0, a0, a1, ...); FORCOS and FORSIN(x, x0, w, a0, a1, ...).
Formula Translator::series(const std::string& name, const std::vector<Formula>& a) {
  const Formula d = a[0] - a[1];
  if (name == "POLY") {
    Formula out = a.back();
    for (std::size_t k = a.size() - 1; k-- > 2;) out = a[k] + d * out;
    return out;
  }
  Formula out = a[3];
  for (std::size_t k = 4; k < a.size(); ++k)
    out = out + a[k] * call(name == "FORCOS" ? "cos" : "sin", {Formula(static_cast<double>(k - 3)) * a[2] * d});
  return out;
}

}  // namespace trammel::adams_deck
