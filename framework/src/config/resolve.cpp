// Evaluation of parameters (in the order of their dependencies) and of expressions.
#include "config/resolve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "trammel/text/expression.h"

namespace trammel {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of a name, which may be a column of a part of a sub-model: leg[2].knee.angle.
bool is_inside(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '[' || c == ']'; }

bool is_expression(const Node& node) { return node.is_text() && !node.text.empty() && node.text[0] == '='; }

/// Puts the value in the place of the expression, or says what is wrong with it.
bool replace(Node& node, const std::string& path, double value, Problems& problems) {
  const std::string text = node.text;
  if (!std::isfinite(value)) {
    problems.add(node.place, path, "the expression '" + text + "' has no finite value");
    return false;
  }
  node = Node::make_number(value, node.place);
  node.expression = text;
  return true;
}

/// The text as a message shows it: an expression of a page would bury what is said about it.
std::string excerpt(const std::string& text) {
  constexpr std::size_t shown = 80;
  return text.size() <= shown ? text : text.substr(0, shown) + "...";
}

/// Compiles the text behind '='. The columns of messages count inside the expression, the '=' being the first.
std::optional<Expression> compile(const Node& node, const std::string& path, const std::vector<std::string>& names,
                                  Problems& problems) {
  try {
    return Expression::compile(" " + node.text.substr(1), names);
  } catch (const Error& error) {
    const std::string text = error.what();
    const bool variable = text.find("unknown name 't'") == 0 || text.find("unknown name 'x'") == 0;
    const bool of_law = [&] {  // what formulas of forces and signals know, whatever parameter looks like it
      constexpr std::array<std::string_view, 9> known = {"l",   "length", "rate", "theta", "angle",
                                                         "phi", "force",  "y",    "z"};
      return std::any_of(known.begin(), known.end(), [&](std::string_view name) {
        return text.find("unknown name '" + std::string(name) + "'") == 0;
      });
    }();
    const bool other_name =
        text.find("unknown name") == 0 && (of_law || text.find("did you mean") == std::string::npos);
    const std::string hint =
        variable ? "; a formula of a variable is written without '=', a function as {\"type\": \"expression\", "
                   "\"formula\": " +
                       json_quoted(node.text.substr(1)) + "}"
        : text.find("unknown function 'ln'") == 0    ? "; the natural logarithm is log"
        : text.find("unknown function 'log10'") == 0 ? "; write log(x)/log(10)"
        : other_name ? "; behind '=' stand parameters only, a formula of variables has no '='"
                     : "";
    problems.add(node.place, path, "in the expression '" + excerpt(node.text) + "': " + text + hint);
    return std::nullopt;
  }
}

/// Whether a parameter in it has no value, which was told where it is defined.
bool follows_from_wrong(const Expression& expression, const ParameterValues& parameters) {
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    if (expression.uses(i) && std::isnan(parameters.values[i])) return true;
  }
  return false;
}

/// Depth-first evaluation; a parameter met again while it is being evaluated closes a cycle.
class ExpressionResolver {
 public:
  ExpressionResolver(Node& object, const std::string& path, Problems& problems) : path_(path), problems_(problems) {
    for (Member& member : object.members) {
      if (check_name(member)) members_.push_back(&member);
    }
    for (const Member* member : members_) names_.push_back(member->key);
    states_.resize(members_.size(), State::waiting);
  }

  ParameterValues run() {
    ParameterValues result;
    for (std::size_t i = 0; i < members_.size(); ++i) visit(i);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      result.names.push_back(names_[i]);  // NaN: told already, and so no word of what follows from it
      result.values.push_back(states_[i] == State::known ? members_[i]->value.number
                                                         : std::numeric_limits<double>::quiet_NaN());
    }
    const auto position = [&](std::size_t i) {
      return static_cast<std::size_t>(std::find(result.names.begin(), result.names.end(), names_[i]) -
                                      result.names.begin());
    };
    for (const auto& [from, to] : feeds_) {
      if (states_[from] == State::known && states_[to] == State::known)
        result.feeds.emplace_back(position(from), position(to));
    }
    return result;
  }

 private:
  enum class State { waiting, running, known, wrong };

  bool check_name(const Member& member) {
    // t and x are the variables of functions: a parameter of that name would silently take their place.
    static constexpr std::array<std::string_view, 21> reserved = {
        "pi",  "t",   "x",   "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt",
        "exp", "log", "abs", "min", "max", "pow", "sinh", "cosh", "tanh", "if"};
    const std::string path = path_ + "/" + member.key;
    if (!is_name(member.key)) {
      problems_.add(member.place, path, "a name consists of letters, digits and '_', and starts with no digit");
      return false;
    }
    if (std::find(reserved.begin(), reserved.end(), member.key) != reserved.end()) {
      problems_.add(member.place, path, "the name '" + member.key + "' has a meaning in expressions; choose another");
      return false;
    }
    return true;
  }

  void visit(std::size_t i) {
    if (states_[i] == State::running) return report_cycle(i);
    if (states_[i] != State::waiting) return;
    states_[i] = State::running;
    stack_.push_back(i);
    const bool known = evaluate(i);
    stack_.pop_back();
    states_[i] = known && states_[i] == State::running ? State::known : State::wrong;
  }

  bool evaluate(std::size_t i) {
    Node& node = members_[i]->value;
    const std::string path = path_ + "/" + names_[i];
    if (node.is_number()) return true;
    if (!is_expression(node)) {
      problems_.add(node.place, path, "must be a number or a text '=expression', not " + describe(node));
      return false;
    }
    const std::optional<Expression> expression = compile(node, path, names_, problems_);
    if (!expression) return false;
    std::vector<double> values(names_.size(), 0.0);
    for (std::size_t j = 0; j < names_.size(); ++j) {
      if (!expression->uses(j)) continue;
      visit(j);
      if (states_[j] != State::known) return false;  // reported where it is defined
      values[j] = members_[j]->value.number;
      feeds_.emplace_back(j, i);
    }
    return replace(node, path, expression->evaluate(values.data()), problems_);
  }

  void report_cycle(std::size_t i) {
    std::string chain;
    for (auto entry = std::find(stack_.begin(), stack_.end(), i); entry != stack_.end(); ++entry) {
      chain += names_[*entry] + " -> ";
      states_[*entry] = State::wrong;
    }
    problems_.add(members_[i]->value.place, path_ + "/" + names_[i],
                  "the parameters refer to each other in a circle: " + chain + names_[i]);
  }

  std::string path_;
  Problems& problems_;
  std::vector<Member*> members_;
  std::vector<std::string> names_;
  std::vector<State> states_;
  std::vector<std::size_t> stack_;
  std::vector<std::pair<std::size_t, std::size_t>> feeds_;
};

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

ParameterValues resolve_parameters(Node& parameters, const std::string& path, Problems& problems) {
  if (!parameters.is_object()) {
    problems.add(parameters.place, path, "must be an object of numbers, not " + describe(parameters));
    return {};
  }
  return ExpressionResolver(parameters, path, problems).run();
}

void resolve_expressions(Node& node, const std::string& path, const ParameterValues& parameters, Problems& problems) {
  if (is_expression(node)) {
    const std::optional<Expression> expression = compile(node, path, parameters.names, problems);
    const double value = expression ? expression->evaluate(parameters.values.data()) : 0.0;
    for (std::size_t i = 0; expression && i < parameters.names.size(); ++i) {
      if (expression->uses(i)) parameters.note_use(i);
    }
    const bool follows = expression && follows_from_wrong(*expression, parameters);
    if (!expression || follows || !replace(node, path, value, problems)) {
      node.kind = Node::Kind::null;  // see Node::is_wrong_expression
      node.expression = node.text;
    }
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    resolve_expressions(node.items[i], path + "/" + std::to_string(i), parameters, problems);
  }
  for (Member& member : node.members) resolve_expressions(member.value, path + "/" + member.key, parameters, problems);
}

std::string substitute_parameters(std::string_view formula, const ParameterValues& parameters) {
  std::string out;
  std::size_t i = 0;
  while (i < formula.size()) {
    const std::size_t start = i;
    if (is_digit(formula[i]) || formula[i] == '.') {  // the e of 1e5 is no name
      while (i < formula.size() && (is_digit(formula[i]) || formula[i] == '.')) ++i;
      const std::size_t exponent =
          i + (i + 1 < formula.size() && (formula[i + 1] == '+' || formula[i + 1] == '-') ? 2 : 1);
      if (i < formula.size() && (formula[i] == 'e' || formula[i] == 'E') && exponent < formula.size() &&
          is_digit(formula[exponent])) {
        i = exponent;
        while (i < formula.size() && is_digit(formula[i])) ++i;
      }
    } else if (is_letter(formula[i])) {
      while (i < formula.size() && is_inside(formula[i])) ++i;
      const std::string_view word = formula.substr(start, i - start);
      const auto found = std::find(parameters.names.begin(), parameters.names.end(), word);
      if (found != parameters.names.end()) {
        const auto index = static_cast<std::size_t>(found - parameters.names.begin());
        parameters.note_use(index);
        out += "(" + number_text(parameters.values[index]) + ")";
        continue;
      }
    } else {
      ++i;
    }
    out += formula.substr(start, i - start);
  }
  return out;
}

}  // namespace trammel
