// Walking over a plain run file and converting its numbers.
#include "compose/unit_pass.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "config/part_name.h"

namespace trammel {
namespace {

/// "N over s" as a value's unit and an argument's; formulas name what they are of: "N over l m, rate m/s".
struct UnitOf {
  std::string value, argument;
};

UnitOf split_over(const std::string& unit) {
  constexpr std::string_view over = " over ";
  const std::size_t at = unit.find(over);
  if (at == std::string::npos) return {unit, ""};
  return {unit.substr(0, at), unit.substr(at + over.size())};
}

std::vector<std::string> alternatives(const std::string& unit) {
  std::vector<std::string> all;
  for (std::size_t at = 0;;) {
    const std::size_t next = unit.find(" or ", at);
    all.push_back(unit.substr(at, next == std::string::npos ? next : next - at));
    if (next == std::string::npos) return all;
    at = next + 4;
  }
}

/// Whether a unit is that of an angle or of a torque, as opposed to one of a length or a force.
bool is_angular(const std::string& unit) { return unit.find("rad") != std::string::npos || unit.starts_with("N m"); }

/// What a channel of this name is measured in, as far as initial conditions know it.
std::string unit_of_channel(const std::string& channel) {
  const std::string last = channel.substr(channel.rfind('.') + 1);
  for (const char* word : {"x", "y", "z", "vx", "vy", "vz", "displacement"}) {
    if (last == word) return "m";
  }
  for (const char* word : {"phi", "angle", "second_angle", "omega", "wx", "wy", "wz"}) {
    if (last == word) return "rad";
  }
  for (const char* word : {"e0", "e1", "e2", "e3"}) {
    if (last == word) return "1";
  }
  return "";
}

void scale(Node& value, const UnitFactor& factor) {
  if (!value.is_number() || factor.is_one()) return;
  const std::string expression = value.expression.str();
  value = Node::make_number(factor(value.number), value.place);
  value.expression = expression;
}

Node typed(const char* type, const Place& place) {
  Node made;
  made.kind = Node::Kind::object, made.place = place;
  made.members.push_back({"type", place, Node::make_text(type, place)});
  return made;
}

}  // namespace

void UnitPass::convert(Node& document) const {
  Node* const system = document.find("system");
  if (system == nullptr || !system->is_object()) return;
  const Catalogue::Entry* const type = catalogue_.find(ComponentKind::system, Host::any, run_.system.type);
  if (type == nullptr) return;
  if (const Node* const signals = document.find("signals"); signals != nullptr && !signals->members.empty()) {
    problems_.add_once(
        signals->place, "/signals",
        "signals compute in SI, and nobody knows the units of their values: leave 'units' or 'signals' out",
        ErrorKind::input);
  }
  table(*system, type->component->parameters, "/system");
  std::unordered_map<std::string_view, const std::string*> written;
  for (const WrittenEntry& entry : entries_) written.emplace(entry.name, &entry.path);
  const auto each = [&](const char* map, const auto& convert_one) {
    Node* const entries = system->find(map);
    for (std::size_t i = 0; entries != nullptr && i < entries->members.size(); ++i) {
      Member& member = entries->members[i];
      if (!member.value.is_object()) continue;
      const auto found = written.find(member.key);
      convert_one(member.value,
                  found != written.end() ? *found->second : std::string("/system/") + map + "/" + member.key);
    }
  };
  each("bodies", [&](Node& node, const std::string& path) {
    table(node, type->component->body_parameters, path);
    if (Node* const shape = node.find("shape")) shapes(*shape);
  });
  if (Node* const ground = system->find("ground")) {
    if (Node* const shape = ground->find("shape")) shapes(*shape);
  }
  const std::vector<ParameterInfo> of_points = parameter_infos(point_table());
  each("points", [&](Node& node, const std::string& path) { table(node, of_points, path); });
  each("constraints", [&](Node& node, const std::string& path) { element(ComponentKind::constraint, node, path); });
  each("forces", [&](Node& node, const std::string& path) { element(ComponentKind::force, node, path); });
  if (Node* const analysis = document.find("analysis")) {
    conditions(*analysis);
    event_settings(*analysis, *system);
  }
}

void UnitPass::table(Node& node, const std::vector<ParameterInfo>& infos, const std::string& path) const {
  for (const ParameterInfo& info : infos) {
    if (Node* const value = node.find(info.name)) key(node, *value, info, path + "/" + info.name);
  }
}

void UnitPass::element(ComponentKind kind, Node& node, const std::string& path) const {
  const Node* const type = node.find("type");
  const Catalogue::Entry* const entry =
      type == nullptr || !type->is_text() ? nullptr : catalogue_.find(kind, host_, type->text);
  if (entry != nullptr) table(node, entry->component->parameters, path);
}

void UnitPass::key(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const {
  switch (info.type) {
    case ParameterType::number:
    case ParameterType::vector:
    case ParameterType::body_point:
    case ParameterType::numbers: {
      if (value.is_text()) return;
      const std::optional<UnitFactor> of_key = factor(owner, info.unit, value, path);
      if (of_key) numbers(value, *of_key);
      return;
    }
    case ParameterType::rotation: return rotation(value);
    case ParameterType::function: return function(owner, value, info, path);
    case ParameterType::functions:
      for (std::size_t k = 0; k < value.items.size(); ++k)
        function(owner, value.items[k], info, path + "/" + std::to_string(k));
      return;
    case ParameterType::expression: return formula(owner, value, info, path);
    default: return;
  }
}

void UnitPass::numbers(Node& value, const UnitFactor& factor) const {
  scale(value, factor);
  for (Node& item : value.items) scale(item, factor);
}

void UnitPass::rotation(Node& value) const {
  for (Member& member : value.members) {
    if (member.key == "angle") scale(member.value, units_.angle);
    if (member.key == "zxz" || member.key == "rpy") numbers(member.value, units_.angle);
  }
}

std::optional<UnitFactor> UnitPass::factor(const Node& owner, const std::string& unit, const Node& value,
                                           const std::string& path) const {
  double exponent = 1;
  if (const Node* const n = owner.find("exponent"); n != nullptr && n->is_number())
    exponent = n->number;
  else if (unit.find("^n") != std::string::npos && owner.find("type") != nullptr && owner.find("type")->text == "stop")
    exponent = 1.5;
  std::vector<std::string> words = alternatives(unit);
  std::vector<UnitFactor> factors;
  for (const std::string& word : words) {
    const std::optional<UnitFactor> one = units_.factor(word, exponent);
    if (!one) {
      problems_.add_once(value.place, path,
                         "its unit is '" + word +
                             "', of which nobody knows what it is in other units than SI; "
                             "leave 'units' out, or write this part in another way",
                         ErrorKind::input);
      return std::nullopt;
    }
    factors.push_back(*one);
  }
  if (std::all_of(factors.begin(), factors.end(), [&](const UnitFactor& f) { return f == factors[0]; }))
    return factors[0];
  const Node* const coordinate = owner.find("coordinate");
  const std::string chosen = coordinate != nullptr && coordinate->is_text() ? coordinate->text : "";
  const bool angle = chosen == "angle" || chosen == "second_angle" || chosen == "phi";
  const bool length = chosen == "displacement" || chosen == "x" || chosen == "y" || chosen == "z";
  std::vector<std::size_t> fit;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((angle && is_angular(words[i])) || (length && !is_angular(words[i]) && words[i] != "1")) fit.push_back(i);
  }
  if (fit.size() == 1) return factors[fit[0]];
  problems_.add_once(
      value.place, path,
      "its unit is " + unit + "; in a file with 'units' say which by \"coordinate\": \"angle\" or \"displacement\"",
      ErrorKind::input);
  return std::nullopt;
}

/// f(x) becomes A f(x / B), with A and B the units of its value and argument.
void UnitPass::function(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const {
  const UnitOf unit = split_over(info.unit);
  const std::optional<UnitFactor> of_value = factor(owner, unit.value, value, path);
  if (!of_value) return;
  if (value.is_number()) return scale(value, *of_value);
  if (!value.is_object()) return;
  if (unit.argument.empty()) {
    problems_.add_once(
        value.place, path,
        "its type does not say over what this function is; in a file with 'units' only a number can stand here",
        ErrorKind::input);
    return;
  }
  const std::optional<UnitFactor> of_argument = factor(owner, unit.argument, value, path);
  if (!of_argument) return;
  angles_of_function(value);
  if (of_value->is_one() && of_argument->is_one()) return;
  const Place place = value.place;
  Node made = typed("scaled", place);
  made.members.push_back({"of", place, std::move(value)});
  made.members.push_back({"factor", place, Node::make_number(of_value->value(), place)});
  made.members.push_back({"argument_factor", place, Node::make_number(of_argument->power(-1).value(), place)});
  value = std::move(made);
}

/// Functions compute in the file's units, but for the angles inside of sines.
void UnitPass::angles_of_function(Node& value) const {
  const Node* const type = value.find("type");
  const Catalogue::Entry* const entry =
      type == nullptr || !type->is_text() ? nullptr : catalogue_.find(ComponentKind::function, host_, type->text);
  if (entry == nullptr) return;
  for (const ParameterInfo& info : entry->component->parameters) {
    Node* const key = value.find(info.name);
    if (key == nullptr) continue;
    if (info.type == ParameterType::number && (info.unit == "rad" || info.unit == "rad/s")) scale(*key, units_.angle);
    if (info.type == ParameterType::function) angles_of_function(*key);
    if (info.type == ParameterType::functions) {
      for (Node& item : key->items) angles_of_function(item);
    }
  }
}

/// Variables are divided by their units, and the value is multiplied by its own.
void UnitPass::formula(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const {
  const UnitOf unit = split_over(info.unit);
  const std::optional<UnitFactor> of_value = factor(owner, unit.value, value, path);
  if (!of_value) return;
  if (value.is_number()) return scale(value, *of_value);
  if (!value.is_text()) return;
  if (unit.argument.empty()) {
    problems_.add_once(
        value.place, path,
        "its type does not say the units of the variables; in a file with 'units' no formula can stand here",
        ErrorKind::input);
    return;
  }
  std::vector<std::pair<std::string, UnitFactor>> variables;
  for (std::size_t at = 0; at < unit.argument.size();) {
    const std::size_t end = std::min(unit.argument.find(", ", at), unit.argument.size());
    const std::string variable = unit.argument.substr(at, end - at);
    const std::size_t space = variable.find(' ');
    at = end + 2;
    const std::string name = variable.substr(0, space);
    const bool parameter =
        std::find(parameters_.names.begin(), parameters_.names.end(), name) != parameters_.names.end();
    if (parameter) continue;  // which takes the variable's place
    if (value.text.find(name) == std::string::npos) continue;
    const std::optional<UnitFactor> one = factor(owner, variable.substr(space + 1), value, path);
    if (!one) return;
    variables.emplace_back(name, *one);
  }
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  std::string out;
  for (std::size_t at = 0; at < value.text.size();) {
    std::size_t end = at;
    while (end < value.text.size() && inside(value.text[end])) ++end;
    const std::string word = value.text.substr(at, std::max<std::size_t>(end - at, 1));
    at += word.size();
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.first == word; });
    out += found == variables.end() || found->second.is_one()
               ? word
               : "(" + word + "/" + number_text(found->second.value()) + ")";
  }
  value.text = of_value->is_one() ? out : "(" + out + ")*" + number_text(of_value->value());
}

void UnitPass::shapes(Node& shape) const {
  for (Node& item : shape.items) shapes(item);
  for (Member& member : shape.members) {
    if (member.key == "rotation")
      rotation(member.value);
    else if (member.key != "axis" && member.key != "type" && member.key != "scale")  // metres per unit of a mesh's file
      numbers(member.value, units_.length);
  }
}

void UnitPass::conditions(Node& analysis) const {
  Node* const all = analysis.find("conditions");
  for (std::size_t i = 0; all != nullptr && i < all->items.size(); ++i) {
    Node& condition = all->items[i];
    const Node* const of = condition.find("of");
    if (of == nullptr || !of->is_text()) continue;
    const std::string unit = unit_of_channel(of->text), path = "/analysis/conditions/" + std::to_string(i);
    for (const char* key : {"value", "rate"}) {
      Node* const value = condition.find(key);
      if (value == nullptr) continue;
      if (unit.empty()) {
        problems_.add_once(value->place, path + "/" + key,
                           "nobody knows the unit of '" + of->text + "' before the model is made; leave 'units' out",
                           ErrorKind::input);
        continue;
      }
      scale(*value, *units_.factor(unit));
    }
  }
}

void UnitPass::event_settings(Node& analysis, const Node& system) const {
  Node* const events = analysis.find("events");
  const Node* const forces = system.find("forces");
  for (std::size_t i = 0; events != nullptr && forces != nullptr && i < events->members.size(); ++i) {
    Node* const set = events->members[i].value.find("set");
    for (std::size_t k = 0; set != nullptr && k < set->members.size(); ++k) {
      Member& member = set->members[k];
      const ForceKey first = split_force_key(member.key);
      const std::string path = "/analysis/events/" + events->members[i].key + "/set/" + member.key;
      const auto known = [&](std::string_view name) { return forces->find(name) != nullptr; };
      const std::string whole = first.force + "." + first.key;
      const std::size_t length = owner_length(whole, known);
      if (length == std::string::npos || length >= whole.size()) continue;
      const Node* const force = forces->find(whole.substr(0, length));
      const Node* const type = force->find("type");
      const Catalogue::Entry* const entry =
          type == nullptr ? nullptr : catalogue_.find(ComponentKind::force, host_, type->text);
      const std::string name = whole.substr(length + 1);
      if (entry == nullptr) continue;
      if (name.find('.') != std::string::npos) {
        problems_.add_once(member.place, path,
                           "in a file with 'units' an event sets whole keys of a force, not what is inside of them",
                           ErrorKind::input);
        continue;
      }
      for (const ParameterInfo& info : entry->component->parameters) {
        if (info.name == name) key(*force, member.value, info, path);
      }
    }
  }
}

}  // namespace trammel
