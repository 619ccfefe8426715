// Following a dotted path through a document and putting a value there.
#include "config/set_argument.h"

#include <algorithm>
#include <charconv>

#include "config/json_source.h"
#include "config/problems.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> steps(1);
  for (const char c : path) {
    if (c == '.')
      steps.emplace_back();
    else
      steps.back() += c;
  }
  return steps;
}

bool is_map_of_names(const std::string& path) {
  return path == "/system/bodies" || path == "/system/points" || path == "/system/constraints" ||
         path == "/system/forces";
}

/// Everything below gets this place: it was all written in the argument.
void move_to(Node& node, const Place& place) {
  node.place = place;
  for (Node& item : node.items) move_to(item, place);
  for (Member& member : node.members) {
    member.place = place;
    move_to(member.value, place);
  }
}

Node read_value(const std::string& text, const std::string& source, const Place& place) {
  Node value;
  try {
    value = parse_json(text, source, true);
  } catch (const JsonSyntaxError&) {
    value = Node::make_text(text, place);
  }
  move_to(value, place);
  return value;
}

/// Takes `key` out of an object; it has to be there.
void remove_member(Node& object, const std::string& key, const std::string& path, const Place& place) {
  std::vector<std::string> names;
  for (const Member& member : object.members) names.push_back(member.key);
  const auto at = std::find(names.begin(), names.end(), key);
  if (at == names.end()) {
    throw Error(
        ErrorKind::input,
        message_at(place, path, "null removes a key, and there is no '" + key + "' here" + did_you_mean(key, names)));
  }
  object.members.erase(object.members.begin() + (at - names.begin()));
}

Node& array_entry(Node& array, const std::string& step, const std::string& path, const Place& place) {
  std::size_t i = 0;
  const std::from_chars_result read = std::from_chars(step.data(), step.data() + step.size(), i);
  const bool number = read.ec == std::errc() && read.ptr == step.data() + step.size();
  if (!number || i >= array.items.size()) {
    throw Error(ErrorKind::input, message_at(place, path,
                                             "this is an array of " + std::to_string(array.items.size()) +
                                                 " entries, counted from 0; it has no entry '" + step + "'"));
  }
  return array.items[i];
}

Node& object_member(Node& object, const std::string& step, const std::string& path, bool last, const Place& place) {
  if (Node* existing = object.find(step)) return *existing;
  if (!last && is_map_of_names(path)) {
    std::vector<std::string> names;
    for (const Member& member : object.members) names.push_back(member.key);
    throw Error(ErrorKind::input,
                message_at(place, path, "there is no '" + step + "' here" + did_you_mean(step, names)));
  }
  object.members.push_back({step, place, Node()});
  Node& added = object.members.back().value;
  added.kind = Node::Kind::object;
  added.place = place;
  return added;
}

/// Keys may have a '.' in them, "leg[2].knee": steps from `i` on that are one key of the object become one.
void join_name(const Node& object, std::vector<std::string>& steps, std::size_t i) {
  if (!object.is_object() || object.find(steps[i]) != nullptr) return;
  std::string key = steps[i];
  for (std::size_t last = i + 1; last < steps.size(); ++last) {
    key += "." + steps[last];
    if (object.find(key) == nullptr) continue;
    steps[i] = key;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                steps.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    return;
  }
}

}  // namespace

Setting parse_setting(const std::string& argument) {
  const std::string source = "--set " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::usage, source + ": expected PATH=VALUE, for example system.bodies.crank.mass=2");
  }
  const std::string path = argument.substr(0, equals);
  for (const std::string& step : split(path)) {
    if (step.empty()) throw Error(ErrorKind::usage, source + ": the path has an empty part");
  }
  const Place place{std::make_shared<const std::string>(source), 0, 0};
  return {path, read_value(argument.substr(equals + 1), source, place)};
}

std::vector<Setting> parse_settings(const std::vector<std::string>& arguments) {
  std::vector<Setting> settings;
  for (const std::string& argument : arguments) settings.push_back(parse_setting(argument));
  return settings;
}

std::string to_line(const Node& node) {
  // Line breaks and the indentation behind them stand only between the parts: those inside of texts are escaped.
  std::string line;
  bool indentation = false;
  for (const char c : to_json(node)) {
    if (c == '\n')
      line += ' ';
    else if (c != ' ' || !indentation)
      line += c;
    indentation = c == '\n' || (indentation && c == ' ');
  }
  return line;
}

std::string setting_text(const Setting& setting) { return setting.path + "=" + to_line(setting.value); }

void apply_setting(Node& document, const Setting& setting) {
  const Place& place = setting.value.place;
  std::vector<std::string> steps = split(setting.path);
  Node* at = &document;
  std::string path;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    join_name(*at, steps, i);
    const bool removes =
        i + 1 == steps.size() && setting.value.kind == Node::Kind::null && !setting.value.is_wrong_expression();
    if (removes && at->is_object()) return remove_member(*at, steps[i], path, place);
    if (at->is_array()) {
      at = &array_entry(*at, steps[i], path, place);
    } else if (at->is_object()) {
      at = &object_member(*at, steps[i], path, i + 1 == steps.size(), place);
    } else {
      throw Error(ErrorKind::input,
                  message_at(place, path, "this is " + describe(*at) + " and has no '" + steps[i] + "' in it"));
    }
    path += "/" + steps[i];
  }
  *at = setting.value;
}

void apply_set(Node& document, const std::string& argument) { apply_setting(document, parse_setting(argument)); }

}  // namespace trammel
