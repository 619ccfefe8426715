// Keys beside "auto", and the sections of a choice.
#include "config/method_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/step_control_keys.h"

namespace trammel {
namespace {

// Some methods choose their steps by themselves and refuse these.
constexpr std::array<const char*, 5> keys_of_some_methods = {"controller", "safety", "min_factor", "max_factor",
                                                             "min_step"};

bool of_some_methods(const std::string& key) {
  return std::find(keys_of_some_methods.begin(), keys_of_some_methods.end(), key) != keys_of_some_methods.end();
}

/// A key that would be right beside a named method. False: it is not one of those.
bool refuse_key(const Member& member, const std::string& path, Problems& problems) {
  if (member.key == "step") {
    problems.add(member.place, path + "/step",
                 "\"auto\" chooses its steps by \"rtol\" and \"atol\"; for fixed steps name the method, for example "
                 "{\"type\": \"rk4\", \"step\": " +
                     (member.value.is_number() ? number_text(member.value.number) : std::string("0.001")) + "}");
    return true;
  }
  if (of_some_methods(member.key)) {
    problems.add(member.place, path + "/" + member.key,
                 "not every method that \"auto\" may choose has this key; leave it out, or name the method");
    return true;
  }
  const bool tolerance = member.key == "rtol" || member.key == "atol";
  if (!tolerance || !member.value.is_array()) return false;
  problems.add(member.value.place, path + "/" + member.key,
               "beside \"auto\" it must be one number: how many components there are depends on the method");
  return true;
}

/// A section of the file with another type.
Node with_type(const Section& section, const std::string& type, const Place& otherwise) {
  Node made;
  made.kind = Node::Kind::object;
  made.place = section ? section.node->place : otherwise;
  made.members.push_back({"type", made.place, Node::make_text(type, made.place)});
  if (!section) return made;
  for (const Member& member : section.node->members) {
    if (member.key != "type") made.members.push_back(member);
  }
  return made;
}

std::string one_line(const Node& section) {
  std::string text = to_json(section), line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      line += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] == ' ') ++i;
    const bool bracket = line.back() == '{' || line.back() == '[' || text[i + 1] == ']';
    if (!bracket || text[i + 1] == '}' || line.back() == '{') line += ' ';
  }
  return line;
}

}  // namespace

std::vector<ParameterInfo> automatic_integrator_keys() {
  std::vector<ParameterInfo> keys = parameter_infos(step_control_table());
  std::erase_if(keys, [](const ParameterInfo& key) { return key.name == "step" || of_some_methods(key.name); });
  for (ParameterInfo& key : keys) {
    if (key.type == ParameterType::numbers) key.type = ParameterType::number;
  }
  return keys;
}

void check_automatic(const RunFile& run, Problems& problems) {
  if (is_automatic(run.formulation)) {
    for (const Member& member : run.formulation.node->members) {
      if (member.key == "type") continue;
      problems.add(member.place, run.formulation.path + "/" + member.key,
                   "\"auto\" has no keys; write \"formulation\": \"auto\", or name the formulation that this key "
                   "belongs to");
    }
  }
  if (!is_automatic(run.integrator)) return;
  Node rest;
  rest.kind = Node::Kind::object, rest.place = run.integrator.node->place;
  for (const Member& member : run.integrator.node->members) {
    if (!refuse_key(member, run.integrator.path, problems)) rest.members.push_back(member);
  }
  BindContext context;
  context.path = run.integrator.path;
  context.subject = "\"auto\", which has only keys that all methods share";
  context.parameters = &run.parameters;
  context.other_keys = {"type"};
  check(automatic_integrator_keys(), rest, context, problems);
}

void put_method(RunFile& run, const MethodTypes& types) {
  const auto put = [&](const char* key, Section& section, const std::string& type) {
    Section put;
    put.path = "/" + std::string(key);
    if (!type.empty()) {
      const Section& beside = section ? section : run.integrator;
      put.place = beside ? beside.place : run.document->place;
      put.node = &run.plain_types.emplace_back(with_type(section, type, put.place));
      put.type = type;
    }
    section = std::move(put);
  };
  if (is_automatic(run.formulation) || (!run.formulation && !types.formulation.empty()))
    put("formulation", run.formulation, types.formulation);
  if (is_automatic(run.integrator)) put("integrator", run.integrator, types.integrator);
}

std::vector<Setting> settings_of_choice(const RunFile& run) {
  std::vector<Setting> settings;
  const auto set = [&](const char* key, const Section& section) {
    const Node* written = run.document->find(key);
    const Node* type = written == nullptr || written->is_text() ? written : written->find("type");
    const bool chosen = type == nullptr || type->text == "auto";
    if (!chosen || (written == nullptr && !section)) return;
    settings.push_back(
        parse_setting(std::string(key) + "=" + (section ? to_json(*section.node) : std::string("null"))));
  };
  set("formulation", run.formulation);
  if (run.integrator) set("integrator", run.integrator);
  return settings;
}

std::string method_text(const RunFile& run) {
  std::string text;
  if (run.formulation) text += "\"formulation\": " + one_line(*run.formulation.node) + ", ";
  return text + "\"integrator\": " + one_line(*run.integrator.node);
}

}  // namespace trammel
