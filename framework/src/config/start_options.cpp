// Reading of `analysis.conditions` and `analysis.weights`.
#include "config/start_options.h"

#include <algorithm>

#include "config/parameter_schema.h"
#include "config/section_keys.h"
#include "trammel/parameters.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

double read_number(const Node& object, const char* key, const std::string& path, Problems& problems) {
  const Node* node = object.find(key);
  if (node == nullptr || node->is_wrong_expression()) return left_out();
  if (node->is_number()) return node->number;
  problems.add(node->place, path + "/" + key, "must be a number, not " + describe(*node));
  return left_out();
}

void read_condition(const Node& node, const std::string& path, StartOptions& options, Problems& problems) {
  if (!node.is_object()) {
    return problems.add(node.place, path,
                        "must be an object {\"of\": \"crank.x\", \"value\": 0.1}, not " + describe(node));
  }
  const std::vector<std::string> condition_keys = keys_below(RunFilePart::analysis, "conditions[]");
  for (const Member& member : node.members) {
    if (std::find(condition_keys.begin(), condition_keys.end(), member.key) != condition_keys.end()) continue;
    problems.add(member.place, path + "/" + member.key,
                 "unknown key for a condition" + did_you_mean(member.key, condition_keys));
  }
  const Node* of = node.find("of");
  if (of == nullptr || !of->is_text()) {
    return problems.add(of == nullptr ? node.place : of->place, path + "/of",
                        "a condition needs \"of\": the coordinate it is about, such as 'crank.x' or 'pin.angle'");
  }
  const StartCondition condition{of->text, read_number(node, "value", path, problems),
                                 read_number(node, "rate", path, problems)};
  if (node.find("value") == nullptr && node.find("rate") == nullptr) {
    return problems.add(node.place, path, "a condition needs a 'value', a 'rate', or both");
  }
  options.conditions.push_back(condition);
}

}  // namespace

void read_start(const Node& analysis, StartOptions& options, Problems& problems) {
  if (const Node* conditions = analysis.find("conditions")) {
    const std::string path = "/analysis/conditions";
    if (!conditions->is_array()) {
      problems.add(conditions->place, path, "must be an array of conditions, not " + describe(*conditions));
    }
    for (std::size_t i = 0; i < conditions->items.size(); ++i) {
      read_condition(conditions->items[i], path + "/" + std::to_string(i), options, problems);
    }
  }
  const Node* weights = analysis.find("weights");
  if (weights == nullptr) return;
  const std::string path = "/analysis/weights";
  if (!weights->is_object()) {
    problems.add(weights->place, path, "must be an object of weights by body or coordinate, not " + describe(*weights));
  }
  for (const Member& member : weights->members) {
    if (member.value.is_wrong_expression()) continue;
    if (!member.value.is_number() || !(member.value.number > 0)) {
      problems.add(member.value.place, path + "/" + member.key,
                   "a weight must be a number > 0, not " + describe(member.value));
      continue;
    }
    options.weights.push_back({member.key, member.value.number});
  }
}

void add_start_schema(SchemaJson& properties) {
  const SchemaJson number = {{"anyOf", {{{"type", "number"}}, reference_to("expression")}}};
  SchemaJson value = number, rate = number;
  const auto text = [](const char* key) { return key_description(RunFilePart::analysis, key); };
  value["description"] = text("conditions[].value");
  rate["description"] = text("conditions[].rate");
  const SchemaJson condition = {
      {"type", "object"},
      {"properties",
       {{"of", {{"type", "string"}, {"description", text("conditions[].of")}}}, {"value", value}, {"rate", rate}}},
      {"required", {"of"}},
      {"anyOf", {{{"required", {"value"}}}, {{"required", {"rate"}}}}},
      {"additionalProperties", false}};
  properties["conditions"] = {{"type", "array"}, {"items", condition}, {"description", text("conditions")}};
  properties["weights"] = {{"type", "object"},
                           {"additionalProperties",
                            {{"anyOf", {{{"type", "number"}, {"exclusiveMinimum", 0}}, reference_to("expression")}}}},
                           {"description", text("weights")}};
}

}  // namespace trammel
