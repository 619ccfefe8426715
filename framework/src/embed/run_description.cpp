// RunDescription: a run file's document, changed with the same rules as --set.
#include "trammel/host/run_description.h"

#include <cmath>
#include <fstream>

#include "config/description_state.h"
#include "config/json_source.h"
#include "config/resolve.h"
#include "config/set_argument.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

Place place_of(const std::string& name) { return {std::make_shared<const std::string>(name), 0, 0}; }

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    steps.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return steps;
}

const Node* entry(const Node& node, const std::string& step) {
  if (!node.is_array()) return node.find(step);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (std::to_string(i) == step) return &node.items[i];
  }
  return nullptr;
}

// Later complaints about the value give its JSON path, those about its text the path that was to be set.
Node read_value(const std::string& name, const std::string& path, const Value& value) {
  try {
    return parse_json(value.text(), name, true);
  } catch (const JsonSyntaxError&) {
    return parse_json(value.text(), name + ": " + path, true);
  }
}

template <class List, class Write>
std::string json_list(const List& list, Write&& write) {
  std::string text = "[";
  for (const auto& item : list) text += (text.size() > 1 ? ", " : "") + write(item);
  return text + "]";
}

}  // namespace

Value::Value(double number) : json_(number_text(number)) {
  if (!std::isfinite(number)) throw Error(ErrorKind::input, "a value of a run must be finite, not " + json_);
}

Value::Value(std::string_view text) : json_(json_quoted(text)) {}

Value::Value(const std::vector<double>& numbers)
    : json_(json_list(numbers, [](double number) { return Value(number).text(); })) {}

Value::Value(std::initializer_list<Number> numbers)
    : json_(json_list(numbers, [](const Number& number) { return Value(number.value).text(); })) {}

Value::Value(const std::vector<std::string>& texts)
    : json_(json_list(texts, [](const std::string& text) { return json_quoted(text); })) {}

Value Value::object(std::initializer_list<std::pair<const char*, Value>> members) {
  Value made;
  for (const auto& [key, value] : members) {
    made.json_ += (made.json_.empty() ? "{" : ", ") + json_quoted(key) + ": " + value.text();
  }
  made.json_ += made.json_.empty() ? "{}" : "}";
  return made;
}

Value Value::json(std::string text) {
  Value made;
  made.json_ = std::move(text);
  return made;
}

RunDescription::RunDescription(const std::string& name) : state_(std::make_unique<State>()) {
  state_->name = name;
  state_->document = parse_json("{\"trammel\": 2}", name, true);
}

RunDescription RunDescription::from_text(std::string_view json, const std::string& name) {
  RunDescription description(name);
  description.state_->document = parse_json(json, name);
  return description;
}

RunDescription RunDescription::from_file(const std::filesystem::path& file) {
  RunDescription description(file.string());
  description.state_->document = read_json_file(file);
  description.folder(std::filesystem::absolute(file).parent_path());
  return description;
}

RunDescription::~RunDescription() = default;
RunDescription::RunDescription(RunDescription&&) noexcept = default;
RunDescription& RunDescription::operator=(RunDescription&&) noexcept = default;
RunDescription::RunDescription(const RunDescription& other)
    : state_(std::make_unique<State>(description_state(other.state_))) {}
RunDescription& RunDescription::operator=(const RunDescription& other) {
  state_ = std::make_unique<State>(description_state(other.state_));
  return *this;
}

RunDescription& RunDescription::set(const std::string& path, const Value& value) {
  for (const std::string& step : split(path)) {
    if (step.empty())
      throw Error(ErrorKind::input, description_state(state_).name + ": the path '" + path + "' has an empty part");
  }
  apply_setting(description_state(state_).document, {path, read_value(description_state(state_).name, path, value)});
  return *this;
}

RunDescription& RunDescription::remove(const std::string& path) {
  apply_setting(description_state(state_).document, {path, parse_json("null", description_state(state_).name, true)});
  return *this;
}

std::string RunDescription::get(const std::string& path) const {
  const Node* at = &description_state(state_).document;
  std::string walked;
  for (const std::string& step : path.empty() ? std::vector<std::string>() : split(path)) {
    const Node* next = entry(*at, step);
    if (next == nullptr) {
      std::vector<std::string> names;
      for (const Member& member : at->members) names.push_back(member.key);
      throw Error(ErrorKind::input, message_at(place_of(description_state(state_).name), walked,
                                               "there is no '" + step + "' here" + did_you_mean(step, names)));
    }
    at = next;
    walked += "/" + step;
  }
  return to_json(*at);
}

void RunDescription::save(const std::filesystem::path& file) const {
  std::ofstream stream(file, std::ios::binary);
  stream << get() << "\n";
  stream.close();
  if (!stream) throw Error(ErrorKind::compute, file.string() + ": cannot be written");
}

RunDescription& RunDescription::folder(const std::filesystem::path& where) {
  description_state(state_).folder = where;
  return *this;
}

RunDescription& RunDescription::output(double step, const std::vector<std::string>& channels) {
  set("output", Value::object({{"step", step}}));
  if (!channels.empty()) set("output.channels", channels);
  return *this;
}

RunDescription::Part RunDescription::section(const std::string& name, const std::string& type) {
  set(name, Value::object({{"type", type}}));
  return {this, name};
}

// The path of a new entry in one of the system's maps, which is made with the first.
std::string RunDescription::add(const char* map, const std::string& name) {
  const std::string path = std::string("system.") + map + "." + name;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::input,
                message_at(place_of(description_state(state_).name), std::string("/system/") + map, why));
  };
  if (!is_name(name)) refuse("'" + name + "' is no name: letters, digits and _, not starting with a digit");
  const Node* system = description_state(state_).document.find("system");
  if (system == nullptr) refuse("there is no system yet: call system(\"planar\") or system(\"spatial\") first");
  const Node* entries = system->find(map);
  if (entries != nullptr && entries->find(name) != nullptr) refuse("there is a '" + name + "' already");
  if (entries == nullptr) set(std::string("system.") + map, Value::object({}));
  Node& all = *description_state(state_).document.find("system")->find(map);
  all.members.push_back(
      {name, place_of(description_state(state_).name), parse_json("{}", description_state(state_).name, true)});
  return path;
}

RunDescription::Body RunDescription::add_body(const std::string& name) { return {this, add("bodies", name)}; }

RunDescription::Part RunDescription::add_point(const std::string& name, const std::string& body, const Value& point) {
  Part made(this, add("points", name));
  made.set("body", body).set("point", point);
  return made;
}

RunDescription::Part RunDescription::add_element(const char* map, const std::string& name, const std::string& type,
                                                 const std::vector<std::string>& bodies) {
  Part made(this, add(map, name));
  made.set("type", type);
  if (!bodies.empty()) made.set("bodies", bodies);
  return made;
}

RunDescription::Part RunDescription::add_constraint(const std::string& name, const std::string& type,
                                                    const std::vector<std::string>& bodies) {
  return add_element("constraints", name, type, bodies);
}

RunDescription::Part RunDescription::add_force(const std::string& name, const std::string& type,
                                               const std::vector<std::string>& bodies) {
  return add_element("forces", name, type, bodies);
}

}  // namespace trammel
