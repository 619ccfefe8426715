// Reading of `analysis.events`.
#include "config/event_options.h"

#include <algorithm>

#include "config/parameter_schema.h"
#include "config/section_keys.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

const std::vector<std::string> directions = {"any", "rising", "falling"};
const std::vector<std::string> actions = {"record", "stop", "restart", "set"};
constexpr EventDirection direction_values[] = {EventDirection::both, EventDirection::rising, EventDirection::falling};
constexpr EventEffect effects[] = {EventEffect::record, EventEffect::stop, EventEffect::restart,
                                   EventEffect::set_parameter};

class EventReader {
 public:
  EventReader(const Node& node, const std::string& path, const ParameterValues& parameters, Problems& problems)
      : node_(node), path_(path), parameters_(parameters), problems_(problems) {}

  void read(RunEvent& event) {
    const std::vector<std::string> event_keys = keys_below(RunFilePart::analysis, "events.NAME");
    for (const Member& member : node_.members) {
      if (std::find(event_keys.begin(), event_keys.end(), member.key) != event_keys.end()) continue;
      problems_.add(member.place, path_ + "/" + member.key,
                    "unknown key for an event" + did_you_mean(member.key, event_keys));
    }
    const Node* when = node_.find("when");
    if (when != nullptr && when->is_wrong_expression()) {
      event.place = when->place;
    } else if (when == nullptr || !when->is_text()) {
      problems_.add(
          when == nullptr ? node_.place : when->place, path_ + "/when",
          "an event needs \"when\": a formula of columns and t that passes zero there, such as \"ball.y - 0.3\"");
    } else {
      event.when = substitute_parameters(when->text, parameters_);
      event.place = when->place;
    }
    event.direction = direction_values[choice("direction", directions)];
    const Node* set = node_.find("set");
    event.effect = effects[node_.find("action") == nullptr && set != nullptr ? 3 : choice("action", actions)];
    const bool sets = event.effect == EventEffect::set_parameter;
    if (sets != (set != nullptr)) {
      return problems_.add(set != nullptr ? set->place : node_.place, path_ + "/set",
                           sets ? "the action 'set' needs \"set\": an object such as {\"forces.spring.stiffness\": 0}"
                                : "\"set\" goes with the action 'set' only");
    }
    if (set != nullptr) read_settings(*set, event);
  }

 private:
  /// Position of the word in `words`; the first if it is left out or wrong.
  std::size_t choice(const char* key, const std::vector<std::string>& words) {
    const Node* node = node_.find(key);
    if (node == nullptr) return 0;
    const auto found = std::find(words.begin(), words.end(), node->is_text() ? node->text : std::string());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "'" : ", '") + word + "'";
    problems_.add(node->place, path_ + "/" + key,
                  "must be one of " + all + ", not " + describe(*node) +
                      (node->is_text() ? did_you_mean(node->text, words) : ""));
    return 0;
  }

  void read_settings(const Node& set, RunEvent& event) {
    if (!set.is_object() || set.members.empty()) {
      return problems_.add(set.place, path_ + "/set",
                           "must be an object such as {\"forces.spring.stiffness\": 0}, not " + describe(set));
    }
    for (const Member& member : set.members) {
      if (split_force_key(member.key).key.empty()) {
        problems_.add(member.place, path_ + "/set/" + member.key,
                      "events change keys of forces, \"forces.NAME.KEY\"; nothing else changes during a run");
        continue;
      }
      event.set.push_back({member.key, member.value});
    }
  }

  const Node& node_;
  const std::string path_;
  const ParameterValues& parameters_;
  Problems& problems_;
};

}  // namespace

ForceKey split_force_key(const std::string& path) {
  constexpr std::string_view before = "forces.", system = "system.";
  std::string_view rest = path;
  if (rest.substr(0, system.size()) == system) rest.remove_prefix(system.size());
  if (rest.substr(0, before.size()) != before) return {};
  rest.remove_prefix(before.size());
  const std::size_t dot = rest.find('.');
  if (dot == 0 || dot == std::string_view::npos || dot + 1 == rest.size()) return {};
  return {std::string(rest.substr(0, dot)), std::string(rest.substr(dot + 1))};
}

void read_events(const Node& analysis, const ParameterValues& parameters, std::vector<RunEvent>& events,
                 Problems& problems) {
  const Node* all = analysis.find("events");
  if (all == nullptr) return;
  const std::string path = "/analysis/events";
  if (!all->is_object()) {
    return problems.add(all->place, path, "must be an object of events by name, not " + describe(*all));
  }
  for (const Member& member : all->members) {
    RunEvent event;
    event.name = member.key;
    event.path = path + "/" + member.key;
    if (!is_name(member.key)) {
      problems.add(member.place, event.path, "a name consists of letters, digits and '_', and starts with no digit");
    }
    if (!member.value.is_object()) {
      problems.add(member.value.place, event.path, "must be an object {\"when\": ...}, not " + describe(member.value));
      continue;
    }
    EventReader(member.value, event.path, parameters, problems).read(event);
    events.push_back(std::move(event));
  }
}

void add_events_schema(SchemaJson& properties) {
  const auto text = [](const char* key) { return key_description(RunFilePart::analysis, key); };
  const SchemaJson event = {
      {"type", "object"},
      {"properties",
       {{"when", {{"type", "string"}, {"description", text("events.NAME.when")}}},
        {"direction", {{"enum", directions}, {"description", text("events.NAME.direction")}}},
        {"action", {{"enum", actions}, {"description", text("events.NAME.action")}}},
        {"set",
         {{"type", "object"},
          {"minProperties", 1},
          {"propertyNames", {{"pattern", "^(system\\.)?forces\\.[A-Za-z_][A-Za-z0-9_\\[\\]]*\\..+$"}}},
          {"description", text("events.NAME.set")}}}}},
      {"required", {"when"}},
      {"additionalProperties", false}};
  properties["events"] = {{"type", "object"},
                          {"propertyNames", reference_to("name")},
                          {"additionalProperties", event},
                          {"description", text("events")}};
}

}  // namespace trammel
